"""The parts of the play screen: each an object with its keys and its share of the picture, handed the stage."""

# The screen says what the stage's methods do, and does it.
# ruff: noqa: D102
# mypy: disable-error-code="empty-body"

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from textual.screen import Screen

from dungeon_tui.core.catalogue import Opening
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import Turn
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.settings import Value
from dungeon_tui.ui.background import ResultT
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.keys import Command
from dungeon_tui.ui.map.source import Layer
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.widgets.key_bar import Entry
from dungeon_tui.ui.widgets.message_log import Line, MessageLog


class Stage(Screen[Opening | None]):
    """All that parts may ask of the screen, which `PlayScreen` does; they never touch its widgets or each other's."""

    session: Session
    view: GameView
    glyphs: Glyphs
    messages: MessageLog
    journal: Journal | None
    visit: int

    @property
    def is_narrow(self) -> bool: ...
    @property
    def is_final(self) -> bool: ...
    @property
    def is_animated(self) -> bool: ...
    @property
    def has_sprites(self) -> bool: ...
    def spell(self, text: str) -> str: ...
    def say(self, text: str, meaning: Meaning = Meaning.NOTE) -> None: ...
    def mention(self, text: str) -> None: ...
    def tell(self, line: Line, instead_of: str = "") -> None: ...
    async def in_thread(self, function: Callable[..., ResultT], *arguments: object) -> ResultT | None: ...
    async def thought(self, function: Callable[..., ResultT], *arguments: object) -> ResultT | None: ...
    def told_to_take_long(self, usual: str = "") -> AbstractContextManager[None]: ...
    def refresh_turn(self, changed_rows: Iterable[int] | None = None) -> None: ...
    def refresh_facts(self) -> None: ...
    def spared_lines(self) -> range: ...
    def hover(self, cell: Cell | None) -> None: ...
    def show_keys(self, entries: Sequence[Entry] | None) -> None: ...
    def play(self, action: Any) -> None: ...
    def end_choosing(self) -> None: ...
    def mark_helped(self) -> None: ...
    def refuse(self, error: IllegalActionError) -> None: ...


@dataclass(slots=True)
class Scene:
    """A turn as it will be shown, while the parts add to it in their order."""

    turn: Turn[Any, Any]
    focus: Cell  # to be kept in view
    columns: int  # of a cell, at least
    layers: list[Layer] = field(default_factory=list)  # the last one on top
    notes: list[str] = field(default_factory=list)  # for the panel, beside the facts
    alerts: list[str] = field(default_factory=list)  # a few words that must not be overlooked


class Part:
    """One concern of the play screen. It decides nothing about the game: that the session and the view do."""

    is_on = False  # True while it has something to add to the scene

    def commands(self) -> Sequence[Command]:
        """The keys that the part answers, each with the function it calls; none by default."""
        return ()

    def toggles(self) -> Mapping[str, Value]:
        """The toggles that the next game begins with as they stand here, by the ids of their keys; none by default."""
        return {}

    def turn_to(self, name: str, value: Value) -> None:
        """Turns one of these toggles; ValueError if it has no such value, the message says which it has."""

    def show(self, scene: Scene) -> None:
        """Adds the part's layers, notes and alerts to the scene. Only called while `is_on`."""
