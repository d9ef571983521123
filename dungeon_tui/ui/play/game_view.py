"""What a game tells the screens: how its states look, in glyphs and words. No widget, no key."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.turns import Turn
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.distance_layer import DistanceField, Wording
from dungeon_tui.ui.map.source import Layer, MapSource
from dungeon_tui.ui.play.analysis import Analysis
from dungeon_tui.ui.play.keys import Use, Words
from dungeon_tui.ui.widgets.figure import Figure
from dungeon_tui.ui.widgets.message_log import Line
from dungeon_tui.ui.widgets.side_panel import Facts


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked before an action that takes a number or a text."""

    title: str
    text: str
    placeholder: str = ""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Whether a game can still be won."""

    text: str  # in words; empty: nothing is to be said
    is_lost: bool = False
    last_chance: Turn[Any, Any] | None = None  # of a lost game: the last turn that could still be won, if there was one
    lost_from: Turn[Any, Any] | None = None  # of a lost game: the first turn that is known to be lost
    mark: str = ""  # the same in a few words, for as long as it holds


class GameView(ABC):
    """A game derives its own; `screen.py` of its folder holds it."""

    USES: ClassVar[frozenset[Use]] = frozenset()
    """Which of the keys that not every game has this one takes."""
    KEY_WORDS: ClassVar[Words] = {}
    """What keys are called here, where the table's words don't fit."""
    DISTANCE_KINDS: ClassVar[tuple[str, ...]] = ("walking",)
    WORDINGS: ClassVar[Mapping[str, Wording]] = {}
    """What to call the numbers of the kinds that are no distances from the player."""
    TELLS_DISTANCES: ClassVar[bool] = False
    """Whether cell_text tells how far a cell is; in the fog it has to: only the game knows what to keep back."""
    LAYERS: ClassVar[Mapping[str, str]] = {}
    """The layers that keys switch, and what to call them: "sight", "danger"."""
    SEATS: ClassVar[Mapping[str, Sequence[str]]] = {}
    """The seats, and the players that can sit there besides a person. Empty: one person plays all."""

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        self.game = game
        self.glyphs = glyphs
        self.is_foggy = Use.FOG in self.USES
        self.persons: Collection[str] = ()  # the seats that people play by keys, as the screen says

    @abstractmethod
    def picture(self, state: Any) -> MapSource:
        """The map."""

    @abstractmethod
    def focus_cell(self, state: Any) -> Cell:
        """Where the player is."""

    @abstractmethod
    def changed_rows(self, before: Any, after: Any) -> Iterable[int] | None:
        """The rows in which two states' maps differ; None: any."""

    @abstractmethod
    def facts(self, turn: Turn[Any, Any]) -> Facts:
        """How the game stands."""

    @abstractmethod
    def story(self, turn: Turn[Any, Any]) -> Iterable[Line]:
        """What happened in a turn."""

    @abstractmethod
    def action_towards(self, state: Any, direction: Direction | None) -> Any:
        """The action that goes there, or stays."""

    def action_named(self, name: str) -> Any:
        """The action of a key that is no move: "ASCEND", "DESCEND"."""
        raise KeyError(name)

    def question(self, state: Any, name: str) -> Question | str:
        """What a key asks for: "health", "guess"; or why it can't be asked now."""
        raise KeyError(name)

    def answer(self, state: Any, name: str, text: str) -> Any:
        """The action that an answer comes to. Raises ValueError, which says kindly what would be right."""
        raise KeyError(name)

    def first_question(self, state: Any) -> str:
        """The name of the question that comes before any move; empty: none does. Enter asks it, too."""
        return ""

    def switch(self, name: str, state: Any) -> str:
        """Turns something of the game's own on or off, or to its next value; says so."""
        raise KeyError(name)

    def explore(self, state: Any) -> Sequence[Any] | str:
        """The actions that lead to the nearest cell with something unseen beside it, or why none do. In a thread."""
        return "There is nothing to explore in this game."

    @abstractmethod
    def make_layer(self, name: str, state: Any) -> Layer:
        """One of LAYERS. Raises ValueError where it can't be made; the message says why."""

    def is_slow(self, name: str, state: Any) -> bool:
        """Whether a layer takes long to make: then `make_layer` runs in a thread."""
        return False

    def warning_layer(self, state: Any) -> Layer | None:
        """What is marked whatever layers are shown, above them; None: nothing."""
        return None

    def remarks(self, state: Any) -> Sequence[str]:
        """What the panel says of a state beside the facts."""
        return ()

    @abstractmethod
    def cell_text(self, state: Any, cell: Cell) -> str:
        """What a cell is, in words."""

    @abstractmethod
    def places(self, state: Any) -> Sequence[tuple[str, Cell]]:
        """Where one may want to go: glyphs and cells, the nearest first."""

    @abstractmethod
    def route(self, state: Any, cell: Cell) -> Sequence[Any] | str:
        """The actions that lead to a cell, or why none do. Runs in a thread."""

    @abstractmethod
    def reason_to_stop(self, before: Any, after: Any) -> str:
        """Why a journey ends here; empty: it goes on."""

    @abstractmethod
    def distance_key(self, state: Any) -> Hashable:
        """What the distances depend on: while it stays equal, so do they."""

    @abstractmethod
    def distances(self, state: Any, kind: str, has_arrows: bool) -> DistanceField:
        """The distances from the player, with the steps that lead there if asked for. Runs in a thread.

        Raises:
            ValueError: they can't be computed; the message says why ("too large: ...").
        """

    @abstractmethod
    def hint(self, state: Any) -> str:
        """A hint for the level. In a thread where `thinks` says so."""

    @property
    def thinks(self) -> bool:
        """Whether hints take long."""
        return False

    @property
    def is_compiling(self) -> bool:
        """Whether whoever waits for an answer waits for a solver that is compiled first."""
        return False

    def stop_thinking(self) -> None:
        """Nobody waits for the last hint any more."""
        return

    def hint_layer(self, state: Any) -> str:
        """One of LAYERS, which the last hint wants to be shown; empty: none."""
        return ""

    @abstractmethod
    def legend(self) -> Sequence[tuple[str, str]]:
        """The glyphs and their names."""

    def outlook(self, turn: Turn[Any, Any], *, is_asked: bool) -> Outlook:
        """Whether the game can still be won; `is_asked`: somebody waits for the answer. In a thread."""
        return Outlook("In this game nobody can tell before the end whether it is lost.")

    @property
    def watches_outlook(self) -> bool:
        """Whether to look, after each turn, if the game can still be won."""
        return False

    @property
    def hides_outlook(self) -> bool:
        """Whether a lost game is spoken of only where somebody asks."""
        return False

    def prepare_ending(self, state: Any) -> None:
        """Does, in a thread, what `ending` and `ending_layer` need."""
        return

    @abstractmethod
    def ending(self, state: Any, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """Title and text of the dialogue at the end."""

    @abstractmethod
    def flash_layer(self, turn: Turn[Any, Any]) -> Layer | None:
        """What a turn lets flash once; None: nothing."""

    def ending_layer(self, state: Any) -> Layer | None:
        """What is drawn behind the dialogue at the end; None: nothing."""
        return None

    def curve(self, state: Any) -> Figure | str:
        """A plot of how the game went so far, or why there is none. In a thread."""
        return "There is nothing to plot in this game."

    def page(self, name: str, state: Any) -> Any:
        """A Textual screen of the game's own, which a key opens: "race", "compare". Loads its module here."""
        raise KeyError(name)

    def cell_columns(self, state: Any) -> int:
        """How wide a cell must be for the texts of the picture; zoomed out further, glyphs stand there.

        0: the picture is a drawing; its cells are characters, which are never enlarged.
        """
        return 1

    @property
    def analysis(self) -> Analysis | None:
        """The exact judgement of positions, if the game has one: the same object each time."""
        return None

    @property
    def uses(self) -> frozenset[Use]:
        """USES, and what follows from the rest."""
        more = {Use.PLAYERS: bool(self.SEATS), Use.ANALYSIS: self.analysis is not None}
        return self.USES | {use for use, is_there in more.items() if is_there}

    def seat(self, state: Any) -> str:
        """Whose turn it is, one of SEATS."""
        return ""

    def choose(self, state: Any, player: str) -> Any:
        """The action of a player who is no person. In a thread. Whoever breaks the rules forfeits by an action."""
        raise KeyError(player)

    def is_won(self, state: Any, outcome: Outcome, seats: Collection[str]) -> bool:
        """Whether the end is a victory for the person who plays these seats."""
        return outcome.is_win

    def close(self) -> None:
        """The screen was left: ends what the view has started."""
        return

    def layer_note(self, name: str) -> str:
        """What a layer shows, in words."""
        return ""

    def prepare(self, state: Any) -> None:
        """Does, in a thread, what the first key would have to wait for: compiling kernels."""
        return

    def think_ahead(self, state: Any) -> None:
        """Thinks, in a thread, of what may be asked for soon; what it finds may be among the facts."""
        return

    def greeting(self, level: Any) -> Iterable[Line]:
        """The first messages."""
        return ()
