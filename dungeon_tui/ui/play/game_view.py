"""The core that each game tells the screens: how its states look, in glyphs and words. No widget, no key."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import Any, ClassVar, TypeVar

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.turns import Turn
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.source import MapSource
from dungeon_tui.ui.widgets.message_log import Line
from dungeon_tui.ui.widgets.side_panel import Facts

FeatureT = TypeVar("FeatureT")


class GameView(ABC):
    """One game on screen; `view/screen.py` of its folder derives it.

    All beyond these questions is a capability: a value of play/features.py (or an Analysis), listed in `features`.
    """

    features: Sequence[object] = ()
    moves_by_kernels: ClassVar[bool] = False  # a move needs what `load_kernels` does: it is done before the first frame

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        self.game = game
        self.glyphs = glyphs
        self.persons: Collection[str] = ()  # the seats that people play by keys, as the screen says

    def feature(self, kind: type[FeatureT]) -> FeatureT | None:
        """The game's capability of a kind; None where it has none."""
        return next(iter(self.all_features(kind)), None)

    def all_features(self, kind: type[FeatureT]) -> list[FeatureT]:
        """The game's capabilities of a kind, in their order."""
        return [feature for feature in self.features if isinstance(feature, kind)]

    @abstractmethod
    def picture(self, state: Any) -> MapSource:
        """The map of a state, as it is painted: glyphs with meanings."""

    @abstractmethod
    def focus_cell(self, state: Any) -> Cell:
        """The cell to be kept in view: the player's."""

    @abstractmethod
    def changed_rows(self, before: Any, after: Any) -> Iterable[int] | None:
        """The rows of the map in which two states may differ; None: any row."""

    @abstractmethod
    def facts(self, turn: Turn[Any, Any]) -> Facts:
        """The standing of the game at a turn, for the side panel: goal, title, rows, the rows again for one line."""

    @abstractmethod
    def story(self, turn: Turn[Any, Any]) -> Iterable[Line]:
        """The turn's events as messages for the log, in their order."""

    @abstractmethod
    def action_towards(self, state: Any, direction: Direction | None) -> Any:
        """The action of a step in a direction, None: of staying. Raises IllegalActionError if the game has none."""

    @abstractmethod
    def cell_text(self, state: Any, cell: Cell) -> str:
        """A cell in words."""

    @abstractmethod
    def legend(self) -> Sequence[tuple[str, str]]:
        """The map's glyphs, each with its name, for the help page."""

    @abstractmethod
    def ending(self, state: Any, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """Title and text of the dialogue at the end; `seconds` is how long the try took."""

    def greeting(self, level: Any) -> Iterable[Line]:
        """The messages before the first turn; none by default."""
        return ()

    def prepare(self, state: Any) -> None:
        """Does what a state's first picture needs, in a thread."""
        return

    def load_kernels(self, state: Any) -> None:
        """Loads or compiles what hints and numbers compute with, in a thread behind the first frame."""
        return

    def close(self) -> None:
        """Ends threads and processes that the view has started; called when the screen was left."""
        return
