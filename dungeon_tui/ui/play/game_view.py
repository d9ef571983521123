"""Describes a game's states to the screens, in glyphs and words. No widgets, no keys."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.storage.journal import Aids
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import Words
from dungeon_tui.ui.map.source import CellLayer, Layer, MapSource
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import Strategies
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.side_panel import Facts

FeatureT = TypeVar("FeatureT")


class GameView(ABC):
    """A game on screen. Optional capabilities are values of play/features.py (or an Analysis) in `features`."""

    features: Sequence[object] = ()
    space = (0, 0)  # columns and lines for the map: a drawing, which isn't enlarged, may fit itself to them
    is_preview = False  # a drawing shows the whole map, even if that leaves no room for texts
    key_words: ClassVar[Words] = {}  # the game's own words for shared keys
    has_diagonals: ClassVar[bool] = False  # moves in eight directions
    has_par = True  # levels may have one: stars ask for it
    keeps_layout: ClassVar[bool] = False  # levels of many sizes follow: only letters make room for a panel beside
    is_quiet: ClassVar[bool] = False  # its few messages stand below the panel where there is one
    moves_by_kernels: ClassVar[bool] = False  # moves need kernels: call `load_kernels` before the first frame

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        self.game = game
        self.glyphs = glyphs
        self.persons: Collection[str] = ()  # seats that people play; set by the screen
        self.players: Mapping[str, str] = {}  # by seat; set by the screen
        self.used = Aids()  # so far; set by the screen
        self.has_letters = True  # the map shows letters, not sprites; set by the screen

    def feature(self, kind: type[FeatureT]) -> FeatureT | None:
        """The game's capability of this kind, or None."""
        return next(iter(self.all_features(kind)), None)

    def all_features(self, kind: type[FeatureT]) -> list[FeatureT]:
        """The game's capabilities of this kind, in order."""
        return [feature for feature in self.features if isinstance(feature, kind)]

    def is_won(self, state: Any, outcome: Outcome, persons: Collection[str]) -> bool:
        """True if the person on these seats won."""
        strategies = self.feature(Strategies)
        return outcome.is_win if strategies is None else strategies.is_won(state, outcome, persons)

    @abstractmethod
    def picture(self, state: Any) -> MapSource:
        """The map of a state: glyphs with meanings."""

    @abstractmethod
    def focus_cell(self, state: Any) -> Cell:
        """The cell to keep visible: the player's."""

    def cursor(self, state: Any, cell: Cell) -> CellLayer:
        """The mark on a chosen cell; in a drawing, on its box."""
        layer = CellLayer()
        layer.tint([cell], Tint.CURSOR)
        return layer

    @abstractmethod
    def facts(self, turn: Turn[Any, Any]) -> Facts:
        """Facts for the side panel: goal, title, rows, and the rows shortened to one line."""

    @abstractmethod
    def story(self, turn: Turn[Any, Any]) -> Iterable[LogLine]:
        """The turn's events as log messages, in order."""

    @abstractmethod
    def action_towards(self, state: Any, direction: Direction | None) -> Any:
        """The action for a step, or for staying if `direction` is None. Raises IllegalActionError if there is none."""

    @abstractmethod
    def cell_text(self, state: Any, cell: Cell) -> str:
        """Describes a cell in words."""

    @abstractmethod
    def legend(self, state: Any) -> Sequence[tuple[str, str]]:
        """The map's glyphs with their names, for the help page."""

    @abstractmethod
    def ending(self, state: Any, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """Title and text of the end dialog; `seconds` is the duration of this attempt."""

    def rules_text(self, state: Any) -> str:
        """The rules of a level, for the help page."""
        return self.game.rules_text

    def unused_keys(self, state: Any) -> Collection[str]:
        """Ids of keys that do nothing on this level: help, palette and footer leave them out."""
        return ()

    def figures(self, state: Any) -> Sequence[tuple[str, Meaning]]:
        """Sprites above the end dialog, with their meanings; the usual ones if there are none."""
        return ()

    def greeting(self, level: Any) -> Iterable[LogLine]:
        """Messages before the first turn; none by default."""
        return ()

    def columns(self, state: Any) -> int:
        """Columns that a cell's text needs; 0: the picture is a drawing, never enlarged."""
        return 1

    def turn_name(self, turn: Turn[Any, Any]) -> str:
        """The name of a turn, in the words of the facts; empty: by its number."""
        return ""

    def warning_layer(self, state: Any) -> Layer | None:
        """Marks that are always shown."""
        return None

    def scores(self, state: Any) -> Sequence[Score]:
        """The scores of an ended game, most important first; none for most lost games."""
        return ()

    def is_flawless(self, state: Any) -> bool:
        """True if an ended game has nothing to learn from, as far as its scores tell."""
        scores = self.scores(state)
        return bool(scores) and all(score.is_par for score in scores)

    def end_text(self, state: Any, outcome: Outcome) -> str:
        """A sentence on the end of a game; if `story` has it, nothing repeats it."""
        return outcome.reason

    def prepare_ending(self, turn: Turn[Any, Any]) -> None:
        """Does the work of `scores`, `ending` and `ending_layer`, in a thread."""
        return

    def ending_layer(self, state: Any) -> Layer | None:
        """The layer behind the end dialog, and after it at the end of the game."""
        return None

    def ending_legend(self, state: Any) -> str:
        """A sentence on the marks of `ending_layer`; empty if they need none."""
        return ""

    def prepare(self, state: Any) -> None:
        """Does the work that a state's first picture needs. Runs in a thread."""
        return

    def load_kernels(self, state: Any) -> None:
        """Loads or compiles the kernels of hints and numbers. Runs in a thread behind the first frame."""
        return

    def close(self) -> None:
        """Ends the threads and processes that the view started. Called when the screen is left."""
        return
