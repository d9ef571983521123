"""Capabilities a game may have beside its core: each a small value that brings what one part of the screen needs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textual.screen import Screen

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.session import Seats
from dungeon_tui.core.turns import Turn
from dungeon_tui.storage.settings import Value, truth
from dungeon_tui.ui.keys import LOOKING, Key, Words
from dungeon_tui.ui.map.distance_layer import DistanceField, Wording
from dungeon_tui.ui.map.source import Layer
from dungeon_tui.ui.widgets.figure import Figure

State = Any


@dataclass(frozen=True, slots=True)
class KeyWords:
    """A game's own words for the keys that all games share."""

    words: Words


@dataclass(frozen=True, slots=True)
class Diagonals:
    """Moves in eight directions; without it there are four."""


@dataclass(frozen=True, slots=True)
class WideCells:
    """Texts in the cells of the map."""

    columns: Callable[[State], int]
    """Columns a cell needs for its text; 0: the picture is a drawing, which is never enlarged."""


@dataclass(frozen=True, slots=True)
class Journeys:
    """Walking by itself. All but `reason_to_stop` may run in a thread."""

    places: Callable[[State], Sequence[tuple[str, Cell]]]
    """Glyphs and cells one may want to go to, the nearest first."""
    route: Callable[[State, Cell], Sequence[Any] | str]
    """The actions that lead to a cell, or the reason why none do."""
    reason_to_stop: Callable[[State | None, State], str]
    """The reason why a journey ends between two states (of the start: None and it); empty: it goes on."""
    explore: Callable[[State], Sequence[Any] | str] | None = None
    """The actions to the nearest cell with something unseen beside it, or the reason why none lead there."""
    wait: Callable[[State], Sequence[Any] | str] | None = None
    """The actions of letting turns pass until something comes up, or the reason why this is not the time."""
    reason_to_act: Callable[[State, State], str] | None = None
    """The reason why waiting ends between two states; None: as `reason_to_stop`."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers over the map, in most games distances from the player."""

    kinds: tuple[str, ...]
    key: Callable[[State], Hashable]
    """The things the numbers depend on: while it stays equal, so do they."""
    field: Callable[[State, str, bool], DistanceField]
    """state, kind, with arrows -> the numbers. In a thread; raises ValueError ("too large: ...")."""
    wordings: Mapping[str, Wording] = dataclasses.field(default_factory=dict)
    """The words for the kinds that are no distances from the player."""
    answers: frozenset[str] = frozenset()
    """The kinds that show a solution: whoever looks at them is helped."""
    kind_of: Callable[[State], str] | None = None
    """The kind of a state, where it is not the player's choice."""
    is_told_by_cell_text: bool = False
    """True if the view's own text of a cell tells its number: in the fog only the game knows what to keep back."""


@dataclass(frozen=True, slots=True)
class ToggledLayer:
    """A layer over the map that a key switches."""

    key: Key
    title: str  # "Lines of sight"
    make: Callable[[State], Layer]  # raises ValueError where it can't be made
    note: Callable[[], str] = str  # the meaning of its marks
    is_slow: Callable[[State], bool] | None = None  # then `make` runs in a thread
    is_answer: bool = False  # it shows a solution: whoever looks at it is helped
    next_key: Key | None = None  # leafs through layers of its kind
    leaf: Callable[[State], None] | None = None  # `make` makes the next one of a state from now on


@dataclass(frozen=True, slots=True)
class Warnings:
    """Marks and remarks that are shown whatever else is."""

    layer: Callable[[State], Layer | None]
    remarks: Callable[[State], Sequence[str]]


FRAME_TIME = 0.05  # seconds


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a motion, shown for a moment."""

    layer: Layer
    is_before: bool = False  # drawn on the map as it was before the turn


@dataclass(frozen=True, slots=True)
class Motions:
    """Frames to be shown one after the other when a turn is played; the next turn ends them."""

    frames: Callable[[Turn[Any, Any]], Sequence[Frame]]


@dataclass(frozen=True, slots=True)
class Advice:
    """A step of a hint."""

    text: str  # empty: nobody waits for it any more
    layer: Layer | None = None  # drawn over the map until the next move
    is_all: bool = False  # no step goes further from here


@dataclass(frozen=True, slots=True)
class Hints:
    """Hints in three steps."""

    advise: Callable[[State, int], Advice]
    """state, step -> advice: 0 where to go, 1 the move, 2 the whole line, drawn. In a thread."""
    stop: Callable[[], None] | None = None  # nobody waits for the last advice any more
    think_ahead: Callable[[State], None] | None = None  # in a thread, soon after the first frame


@dataclass(frozen=True, slots=True)
class Strategies:
    """Seats that strategies can take."""

    seats: Seats
    choose: Callable[[State, str], Any]
    """The action of a strategy. In a thread; one that breaks the rules forfeits by an action."""
    is_won: Callable[[State, Outcome, Collection[str]], bool]
    """True if the end is a victory for the person on these seats."""
    titles: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """The strategies' names for people, where they differ."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The prospects of a turn: can it still be won?"""

    text: str  # in words; empty: nothing is to be said
    is_lost: bool = False
    last_chance: Turn[Any, Any] | None = None  # of a lost game: the last turn that could still be won
    lost_from: Turn[Any, Any] | None = None  # of a lost game: the first turn that is known to be lost
    mark: str = ""  # the same in a few words, for as long as it holds


@dataclass(frozen=True, slots=True)
class Fate:
    """Games that may be lost long before they end."""

    outlook: Callable[[Turn[Any, Any], bool], Outlook]
    """turn, whether somebody asks -> its prospects. In a thread."""
    is_watched: Callable[[], bool]  # after each turn
    is_hidden: Callable[[], bool]  # spoken of only where somebody asks


@dataclass(frozen=True, slots=True)
class OneLife:
    """Games in which nothing is taken back."""

    applies: Callable[[State], bool]


@dataclass(frozen=True, slots=True)
class Curve:
    """A plot of the game so far."""

    figure: Callable[[State], Figure | str]
    """The plot, or the reason why there is none. In a thread."""
    is_answer: bool = False  # it shows a solution: whoever looks at it before the end is helped


@dataclass(frozen=True, slots=True)
class PerfectLine:
    """A run that none beats, for the ghost."""

    line: Callable[[State], Sequence[Any]]
    """The actions from the first state on to the end, proven to be best. In a thread; raises ValueError without any."""
    begins: Callable[[Turn[Any, Any]], bool] = lambda turn: False
    """True for a turn from which moves are counted anew, as they are from the beginning of each level."""


@dataclass(frozen=True, slots=True)
class Finale:
    """Facts that are found out before the end is told, its scores, and a layer behind the dialogue."""

    scores: Callable[[State], Sequence[Score]] = lambda state: ()
    """The figures of an end, the most important first, with par as far as it is known by now; none where they say
    nothing, as of most games lost."""
    prepare: Callable[[Turn[Any, Any]], None] | None = None  # in a thread
    layer: Callable[[State], Layer | None] | None = None


@dataclass(frozen=True, slots=True)
class Special:
    """A key for an action that is no move: the stairs."""

    key: Key
    action: Any


@dataclass(frozen=True, slots=True)
class Question:
    """The words of a question."""

    title: str
    text: str
    placeholder: str = ""


@dataclass(frozen=True, slots=True)
class Settlement:
    """An end that is offered where a game would go on without one."""

    question: Callable[[Turn[Any, Any]], Question | None]  # at a turn; None: it goes on. In a thread
    action: Any  # that ends it


@dataclass(frozen=True, slots=True)
class Asked:
    """A key for an action that takes a number or a text."""

    key: Key
    question: Callable[[State], Question | str]  # or the reason why it can't be asked now
    answer: Callable[[State, str], Any]  # the action; raises ValueError, which says what would be right
    comes_first: Callable[[State], bool] = lambda state: False  # True if no move comes before it


@dataclass(frozen=True, slots=True)
class Switch:
    """A key that changes how the game is shown or advised; says so."""

    key: Key
    switch: Callable[[State], str]
    position: Callable[[], Value] | None = None  # that the next game begins with; None: each begins with its own
    turn_to: Callable[[Value], None] | None = None  # a position; raises ValueError, which says which there are
    setting: str = ""  # the setting that the position is; empty: one of the game's own


@dataclass(frozen=True, slots=True)
class Page:
    """A key for a screen of the game's own."""

    key: Key
    open: Callable[[State], Screen[Any] | str]  # or the reason why there is none
    is_answer: bool = False  # it shows a solution: whoever looks at it is helped
    keys: Callable[[], Sequence[Key]] = tuple  # of that screen


SIGHT = Key("sight", "v", "v", "Sight", "show the lines along which you are seen", LOOKING, 8)
DANGER = Key("danger", "x", "x", "Danger", "show where the next step is death", LOOKING, 9)
_FOG = Key("fog", "f", "f", "Fog", "fog of war: see only what you have seen, or all", LOOKING)


class Fog:
    """Fog of war: shows only what the player has seen."""

    def __init__(self, is_on: bool) -> None:
        self.is_on = is_on

    def switch(self) -> Switch:
        """The capability of a key that lifts the fog and lowers it again."""
        return Switch(_FOG, self._next, lambda: self.is_on, self._turn_to)

    def _turn_to(self, value: Value) -> None:
        self.is_on = truth(value)

    def _next(self, _: State) -> str:
        self.is_on = not self.is_on
        return "Fog of war: you see what you have seen." if self.is_on else "No fog: you see all."
