"""The parts of the play screen: each an object with its keys and its share of the picture, handed the stage."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from textual.app import App
from textual.timer import Timer

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import Turn
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.keys import Command
from dungeon_tui.ui.map.source import Layer
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.widgets.key_bar import Entry
from dungeon_tui.ui.widgets.message_log import Line

ResultT = TypeVar("ResultT")


@dataclass(slots=True)
class Scene:
    """A turn as it will be shown, while the parts add to it in their order."""

    turn: Turn[Any, Any]
    focus: Cell  # to be kept in view
    columns: int  # of a cell, at least
    layers: list[Layer] = field(default_factory=list)  # the last one on top
    notes: list[str] = field(default_factory=list)  # for the panel, beside the facts
    alerts: list[str] = field(default_factory=list)  # a few words that must not be overlooked


class Stage(Protocol):
    """The play screen as its parts see it."""

    view: GameView
    session: Session
    glyphs: Glyphs

    @property
    def app(self) -> App[Any]:
        """The app, for dialogues and other screens."""
        ...

    @property
    def is_narrow(self) -> bool:
        """True if there is no room for the panel."""
        ...

    @property
    def is_animated(self) -> bool:
        """True if movements may take time."""
        ...

    @property
    def is_active(self) -> bool:
        """True while no dialogue lies over the screen."""
        ...

    @property
    def loses_nothing(self) -> bool:
        """True if leaving never loses moves: the game is recorded anyway, or only tried out."""
        ...

    @property
    def visit(self) -> int:
        """A number that every key and click raises: whoever goes on by itself sees it and stops."""
        ...

    def say(self, text: str, meaning: Meaning = Meaning.NOTE) -> None:
        """Adds a message."""
        ...

    def mention(self, text: str) -> None:
        """Adds a message in passing, a prompt or a refusal: it goes with the next thing that is said or done."""
        ...

    def tell(self, line: Line, instead_of: str = "") -> None:
        """Adds a message as MessageLog.say takes it."""
        ...

    def refresh_turn(self, changed_rows: Iterable[int] | None = None) -> None:
        """Shows the present turn anew; `changed_rows` as for MapView.show."""
        ...

    def refresh_facts(self) -> None:
        """Shows the facts of the present turn anew; the map stays where somebody may have scrolled it."""
        ...

    def refuse(self, text: str) -> None:
        """Says in a turn of its own why a move can't be played."""
        ...

    def refresh_timeline(self) -> None:
        """Draws the timeline anew."""
        ...

    def spell(self, text: str) -> str:
        """The text with the names of keys, as this terminal can show it."""
        ...

    def new_turn_of_messages(self) -> None:
        """Makes all messages so far old ones."""
        ...

    def show_keys(self, entries: Sequence[Entry] | None) -> None:
        """Shows other keys in the footer; None: the usual ones."""
        ...

    def hover(self, cell: Cell | None) -> None:
        """Names a cell beside the map."""
        ...

    def keep_map_above(self, line: int | None) -> None:
        """Draws the map above a line of the screen; None: wherever there is room."""
        ...

    def leave(self) -> None:
        """Leaves the game."""
        ...

    def drop_cursor(self) -> None:
        """Ends the choosing of a cell."""
        ...

    async def in_thread(self, function: Callable[..., ResultT], *arguments: object) -> ResultT | None:
        """The function's result, computed in a thread; None where it raises ValueError, which is said."""
        ...

    async def thought(self, function: Callable[..., ResultT], *arguments: object) -> ResultT | None:
        """As `in_thread`; says so where it takes more than a moment."""
        ...

    def told_to_take_long(self, usual: str) -> AbstractContextManager[None]:
        """Says so once the work within takes more than a moment."""
        ...

    def run_worker(self, work: Coroutine[Any, Any, Any], *, group: str = ..., exclusive: bool = ...) -> Any:
        """Runs a coroutine beside the screen."""
        ...

    def cancel(self, group: str) -> None:
        """Ends the workers of a group."""
        ...

    def call_next(self, callback: Callable[..., Any], *arguments: Any) -> Any:
        """Calls back before the next message is handled."""
        ...

    def call_later(self, callback: Callable[..., Any], *arguments: Any) -> Any:
        """Calls back once all messages are handled."""
        ...

    def set_timer(self, delay: float, callback: Callable[[], Any]) -> Timer:
        """Calls back once."""
        ...

    def set_interval(self, interval: float, callback: Callable[[], Any]) -> Timer:
        """Calls back again and again."""
        ...


class Part:
    """One concern of the play screen. It decides nothing about the game: that the session and the view do."""

    is_on = False  # True while it has something to add to the scene

    def commands(self) -> Sequence[Command]:
        """Its keys, and their deeds."""
        return ()

    def show(self, scene: Scene) -> None:
        """Adds its share to the scene. Only asked for while it is on."""
