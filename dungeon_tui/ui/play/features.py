"""Optional capabilities of a game: small values that the parts of the play screen use."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.session import Seats
from dungeon_tui.core.turns import Turn
from dungeon_tui.storage.settings import Value
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.keys import LOOKING, Key
from dungeon_tui.ui.map.distance_layer import DistanceField, Wording
from dungeon_tui.ui.map.source import Layer
from dungeon_tui.ui.widgets.figure import Figure

if TYPE_CHECKING:  # plain play loads no toolkit
    from textual.screen import Screen

State = Any
Drawn = Callable[[State, Glyphs], Layer]


@dataclass(frozen=True, slots=True)
class Journeys:
    """Automatic walking. All functions except `reason_to_stop` may run in a thread."""

    landmarks: Callable[[State], Sequence[tuple[str, Cell]]]  # points of interest as (glyph, cell), nearest first
    route: Callable[[State, Cell], Sequence[Any] | str]  # actions to a cell, or the reason there are none
    reason_to_stop: Callable[[State | None, State], str]
    """(before or None, after) -> why the journey stops; in a second line, what exploring does then. Empty: go on."""
    explore: Callable[[State], Sequence[Any] | str] | None = None
    """Actions to the nearest cell next to unseen ground, or the reason there are none, or what asking again does."""
    reason_to_refuse: Callable[[State, Any], str] = lambda state, action: ""  # why a journey doesn't take its next step
    sketch: Callable[[State, State], tuple[Layer, str] | None] | None = None
    """(state, state at the end of a planned journey) -> its picture and words; None: here you can't plan any."""
    foreseen: Callable[[State, State], State] = lambda before, after: after
    """(before, after a step) -> the state that a plan goes on from. If it differs, the walk stops there."""
    begin: Callable[[State], State] | None = None  # the state that a plan begins with, if you draw it step by step
    opening: Callable[[State, State], Sequence[Any] | str] = lambda state, ahead: ()
    """(state, state at its end) -> actions before those of a drawn plan, or the reason not to walk it."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers over the map; in most games, distances from the player."""

    kinds: tuple[str, ...]
    key: Callable[[State], Hashable]  # equal keys mean equal numbers
    field: Callable[[State, str, bool], DistanceField]
    """(state, kind, has_arrows) -> numbers. Runs in a thread; raises ValueError ("too large: ...")."""
    wordings: Mapping[str, Wording] = dataclasses.field(default_factory=dict)  # unless distances from the player
    answers: frozenset[str] = frozenset()  # kinds that show a solution: viewing them counts as help
    is_in_cell_text: bool = False
    """True if the view's cell text already contains the number. (In fog, only the game knows what to hide.)"""


@dataclass(frozen=True, slots=True)
class ToggledLayer:
    """A map layer that a key switches on and off."""

    key: Key
    title: str  # "Lines of sight"
    make: Callable[[State], Layer]  # raises ValueError if it can't be made
    note: str  # explains its marks
    _: dataclasses.KW_ONLY
    also: Callable[[State], str] = lambda state: ""  # what follows the note
    is_slow: Callable[[State], bool] | None = None  # if true, `make` runs in a thread
    is_answer: bool = False  # shows a solution: viewing it counts as help
    begins_shown: bool = False
    is_kept: bool = True  # stays on in the next game
    is_of_moves: bool = False  # marks the cells of moves, as an analysis does in its place
    none: str = ""  # what it means to have no marks, unless the note says it


SIGHT_NOTE = "Sight: monsters see you along the marked lines; without a line, none does."


def sight_and_danger(
    sight: Drawn, danger: Drawn, glyphs: Glyphs, note: str = SIGHT_NOTE, *, begins_shown: bool = False
) -> tuple[ToggledLayer, ToggledLayer]:
    """The lines along which monsters see you, and the cells on which you would die next turn."""
    return (
        ToggledLayer(SIGHT, "Lines of sight", lambda state: sight(state, glyphs), note, begins_shown=begins_shown),
        ToggledLayer(
            DANGER,
            "Danger",
            lambda state: danger(state, glyphs),
            f"Danger: a move to a red cell, or a {glyphs.cross}, kills you.",
            is_of_moves=True,
            none=f"{{title}}: no move kills you now; one that does gets red or {glyphs.cross}.",
        ),
    )


@dataclass(frozen=True, slots=True)
class Motions:
    """Animation frames of a played turn, drawn over the map; the next turn ends them."""

    frames: Callable[[Turn[Any, Any]], Sequence[Layer]]


@dataclass(frozen=True, slots=True)
class Advice:
    """A step of a hint."""

    text: str  # empty: the request was cancelled
    layer: Layer | None = None  # drawn over the map until the next move
    line: Sequence[Any] = ()  # the actions drawn: while you follow them, the rest stays drawn
    is_all: bool = False  # there are no further steps
    is_help: bool = True  # False: it only says that nothing helps
    then: str = ""  # what the next step gives; empty: the move, then the whole line, then nothing


@dataclass(frozen=True, slots=True)
class Hints:
    """Hints in three steps."""

    advise: Callable[[State, int], Advice]
    """(state, step) -> advice. Step 0: where to go; 1: the move; from 2 on: the line, drawn. Runs in a thread."""
    stop: Callable[[], None] | None = None  # cancels the last request
    think_ahead: Callable[[State], object] | None = None  # runs in a thread, soon after the first frame


@dataclass(frozen=True, slots=True)
class Strategies:
    """Seats that strategies can take."""

    seats: Seats
    choose: Callable[[State, str], Any]
    """A strategy's action. Runs in a thread; a strategy that breaks the rules returns a forfeit."""
    is_won: Callable[[State, Outcome, Collection[str]], bool]
    """(state, outcome, seats) -> True if the person on these seats won."""
    is_fixed: Callable[[State], bool] = lambda state: False  # the level says who plays, and does so in its facts


@dataclass(frozen=True, slots=True)
class Outlook:
    """The fate at a turn: still open, or lost."""

    text: str  # in words; empty: nothing to report
    is_lost: bool = False
    last_chance: Turn[Any, Any] | None = None  # if lost: last turn from which the game could be won
    lost_from: Turn[Any, Any] | None = None  # if lost: first turn known to be lost
    mark: str = ""  # short text shown while the game stays lost
    better: str = ""  # the end of a sentence on the move that lost: what to do instead
    move: str = ""  # if lost: the first move after the last chance, as the game counts; empty: by its number
    did: str = "lost the game"  # what that move did


@dataclass(frozen=True, slots=True)
class Fate:
    """For games that may be lost long before they end."""

    outlook: Callable[[Turn[Any, Any], bool], Outlook]  # of a turn, requested or not; runs in a thread
    is_watched: Callable[[State], bool]  # checked after each turn
    has_setting: bool = False  # the setting `lost` may say otherwise


@dataclass(frozen=True, slots=True)
class OneLife:
    """Games without undo."""

    applies: Callable[[State], bool]


@dataclass(frozen=True, slots=True)
class Curve:
    """A plot of the game so far."""

    figure: Callable[[State], Figure | str]  # or the reason there is none; runs in a thread
    is_answer: Callable[[State], bool] = lambda state: False  # shows a solution: viewing it counts as help


@dataclass(frozen=True, slots=True)
class PerfectLine:
    """A best possible run, for the ghost."""

    line: Callable[[State], Sequence[Any]]
    """Actions of a proven best run from the first state. Runs in a thread; raises ValueError if there is none."""
    begins: Callable[[Turn[Any, Any]], bool] = lambda turn: False  # True if counting moves restarts at this turn


@dataclass(frozen=True, slots=True)
class Special:
    """A key for an action that is not a move, such as taking the stairs."""

    key: Key
    action: Any


@dataclass(frozen=True, slots=True)
class Lead:
    """The way to a place."""

    cell: Cell
    text: str  # what the key does when pressed again
    layer: Layer


@dataclass(frozen=True, slots=True)
class Leads:
    """If a key's action is possible only elsewhere, the key shows the way there; pressed again, it walks."""

    way: Callable[[State, Any], Lead | str | None]  # (state, action); or the reason there is none


@dataclass(frozen=True, slots=True)
class Question:
    """The words of a question."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A key for an action that takes a whole number."""

    key: Key
    question: Callable[[State], Question | str]  # or the reason for not asking now
    answer: Callable[[State, str], Any]  # the action; raises ValueError naming valid answers
    comes_first: Callable[[State], bool] = lambda state: False  # True if it must be answered before any move


@dataclass(frozen=True, slots=True)
class Toggle:
    """A value that carries over to the next game."""

    value: Callable[[], Value]
    turn_to: Callable[[Value], None]  # raises ValueError naming the valid values


@dataclass(frozen=True, slots=True)
class Switch:
    """A key that changes the display or the advice; returns a message."""

    key: Key
    switch: Callable[[State], str]
    toggle: Toggle | None = None
    is_answer: bool = False  # shows what you are to find out: that counts as help


@dataclass(frozen=True, slots=True)
class Page:
    """A key for the game's own screen."""

    key: Key
    open: Callable[[State], Screen[Any] | str]  # or the reason there is none
    is_answer: bool = False  # shows a solution: viewing it counts as help
    keys: Callable[[], Sequence[Key]] = tuple  # the screen's keys


SIGHT = Key("sight", "v", "Sight", "show the lines along which you are seen", LOOKING, 10)
DANGER = Key("danger", "x", "Danger", "show where the next step is deadly", LOOKING, 9)
