"""Playing the app by its keys: small levels, an app to press keys in, and what it then shows."""

import asyncio
import unicodedata
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, nullcontext
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any
from unittest.mock import patch

import numpy as np
from textual._compositor import Compositor
from textual.app import App
from textual.css import stylesheet
from textual.css.parse import parse
from textual.events import Key, MouseEvent
from textual.geometry import Offset
from textual.keys import KEY_NAME_REPLACEMENTS, key_to_character
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Label

from dungeon_tui.core.catalogue import Opening, find_game
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.recording import Recording
from dungeon_tui.games.crawler.model.dungeon import load_dungeon
from dungeon_tui.storage import recordings
from dungeon_tui.storage.folders import home
from dungeon_tui.storage.library import NAME, Library
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.editor.opening import editor_opening
from dungeon_tui.ui.editor.screen import EditorScreen
from dungeon_tui.ui.map.source import Layer, Row
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.palette import Tint
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.dialogs import ChoiceDialog, LineDialog, Pause
from dungeon_tui.ui.widgets.key_bar import KeyBar
from tests.processes import PATIENCE

MANY = 2_147_483_647
ROUNDS = 4  # of messages to all widgets: one leads to another; two are enough today

Opened = AbstractAsyncContextManager[tuple[Pilot[str], PlayScreen]]


class QuickPilot(Pilot[Any]):
    """Textual's pilot without its waits for an idle process, which take long where other threads compute."""

    async def press(self, *keys: str) -> None:
        """Presses keys, each once the app has answered the last one."""
        for key in keys:
            name = key if len(key) > 1 or key.isalnum() else unicodedata.name(key).lower().replace("-", " ")
            name = name.replace(" ", "_")
            name = KEY_NAME_REPLACEMENTS.get(name, name)
            self.app.post_message(Key(name, key_to_character(name)))
            await self.pause()

    async def pause(self, delay: float | None = None) -> None:
        """Lets the app do all that waits neither for a clock nor for a thread."""
        for _ in range(ROUNDS):
            await super().pause(0)
        if delay is not None:
            await super().pause(delay)


@asynccontextmanager
async def running(
    app: App[Any], size: tuple[int, int] = (80, 24), *, paints: bool = False, animated: bool = False, **options: Any
) -> AsyncIterator[QuickPilot]:
    """Runs an app without a terminal. Painting for nobody took a third of the time; tests that look paint for it."""
    app.animation_level = "full" if animated else "none"
    unseen = nullcontext() if paints else patch.object(Compositor, "render_update", _drop_update)
    with unseen, patch.object(stylesheet, "parse", _parse_once):
        async with app.run_test(size=size, **options):
            yield QuickPilot(app)


RULES: dict[object, list[Any]] = {}


def _parse_once(scope: str, css: str, *arguments: Any, variable_tokens: dict[str, Any], **options: Any) -> list[Any]:
    """Style sheets are parsed for the first app alone: that took a third of what it takes to start one."""
    theme = [(name, *(token.value for token in tokens)) for name, tokens in variable_tokens.items()] * ("$" in css)
    key = scope, css, arguments, *options.values(), *theme
    if key not in RULES:
        RULES[key] = list(parse(scope, css, *arguments, variable_tokens=variable_tokens, **options))
    return RULES[key]


def _drop_update(compositor: Compositor, *_args: object, **_options: object) -> None:
    compositor._dirty_regions.clear()


# A key that follows another one is a second later, whatever the machine does meanwhile.
Pause.clock = staticmethod(partial(next, count()))


async def do(pilot: Pilot[Any], *names: str) -> None:
    """Presses keys, or runs the commands of the screen with these ids, one after the other."""
    for name in names:
        if any(key.id == name for key in getattr(pilot.app.screen, "keys", ())):
            await pilot.app.screen.run_action(f"command('{name}')")
            await pilot.pause()
        else:
            await pilot.press(name)


async def wait_until(pilot: Pilot[Any], condition: Callable[[], object]) -> None:
    deadline = monotonic() + PATIENCE
    gap = 0.002  # seconds; longer with each, to leave the time to what is waited for
    await pilot.pause()
    while not condition() or (isinstance(pilot.app.screen, PlayScreen) and pilot.app.is_opening):  # it drops keys
        assert not pilot.app.return_code
        assert monotonic() < deadline, "this never came"
        await asyncio.sleep(gap)
        gap = min(2 * gap, 0.1)
        await pilot.pause()


async def begun(pilot: Pilot[Any]) -> PlayScreen:
    """The game's screen, once it is open and painted; its end may stand over it already."""

    def opened_screens() -> list[PlayScreen]:
        return [each for each in pilot.app.screen_stack if isinstance(each, PlayScreen) and each.query(MapView)]

    await wait_until(pilot, opened_screens)
    await painted(pilot.app.screen)
    return opened_screens()[0]


def stored() -> list[tuple[int, str]]:
    """Ply and outcome of each game that the library holds, the last one played first."""
    with closing(Library(home() / NAME)) as library:
        return [(each.ply, each.outcome) for each in library.games()]


def level_text(*rows: str) -> str:
    """A level file; `o` is where the adventurer starts."""
    row = next(row for row, tiles in enumerate(rows) if "o" in tiles)
    col = rows[row].index("o")
    tiles = "\n".join(" ".join(line) for line in rows).replace("o", "-")
    return f"{len(rows)} {len(rows[0])}\n{row} {col}\n{tiles}\n"


def write_dungeon(folder: Path, *levels: tuple[str, ...], sidecar: str = "", name: str = "made") -> str:
    """Writes the levels; returns the path prefix that opens them."""
    for number, rows in enumerate(levels, 1):
        (folder / f"{name}{number}.txt").write_text(level_text(*rows))
    if sidecar:
        (folder / f"{name}.toml").write_text(sidecar)
    return str(folder / name)


def app_of(game_name: str, arguments: str, /, **options: Any) -> DungeonApp:
    """The app, opening a level of this program, with other values of its opening if they are given."""
    game = find_game(game_name)
    return DungeonApp(game, replace(game.levels().named(arguments), **options))


def app_for(name: str, *, ascii_only: bool = False, cell_limit: int = MANY) -> DungeonApp:
    """The app, opening a dungeon at once."""
    app = DungeonApp(
        find_game("crawler"), Opening(name, partial(load_dungeon, name, None, cell_limit)), ascii_only=ascii_only
    )
    app.animation_level = "none"
    return app


@asynccontextmanager
async def playing(
    name: str, size: tuple[int, int] = (110, 30), *, animated: bool = False, **options: Any
) -> AsyncIterator[tuple[Pilot[str], PlayScreen]]:
    app = app_for(name, **options)
    async with running(app, size=size, animated=animated) as pilot:
        screen = await begun(pilot)
        yield pilot, screen


@asynccontextmanager
async def editing(
    game: str, path: Path | str = "", size: tuple[int, int] = (110, 30), *, ascii_only: bool = False
) -> AsyncIterator[tuple[Pilot[str], EditorScreen]]:
    """The app with a game's editor open and painted, on a file or on a new level."""
    found = find_game(game)
    assert found is not None
    app = DungeonApp(found, editor_opening(found, str(path)), ascii_only=ascii_only)
    async with running(app, size=size) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, EditorScreen) and app.screen.query("#keys"))
        screen = app.screen
        await painted(screen)
        yield pilot, screen


@asynccontextmanager
async def shipped(
    game_name: str, arguments: str, /, size: tuple[int, int] = (110, 40), **options: Any
) -> AsyncIterator[tuple[Pilot[str], PlayScreen]]:
    """The app with a level of this program open and painted."""
    async with running(app_of(game_name, arguments, **options), size=size, notifications=True) as pilot:
        yield pilot, await begun(pilot)


def paint(screen: PlayScreen, state: Any = None) -> list[Row]:
    """The map's rows with all layers, as the map view paints them; of the present state, or of another."""
    source = screen.view.picture(screen.controller.state if state is None else state)
    rows = [source.row(number, 0, source.width) for number in range(source.height)]
    for number, row in enumerate(rows):
        for layer in screen.map.drawn_layers:
            layer.paint(number, row)
    return rows


def marks_of(layer: Layer, height: int, width: int) -> dict[tuple[int, int], tuple[str, Tint]]:
    """Glyphs and tints of the cells that a layer changes on a map of floor."""
    rows = [Row(0, "." * width, bytes(width)) for _ in range(height)]
    for number, row in enumerate(rows):
        layer.paint(number, row)
    marks = {(at, col): (row.glyphs[col], Tint(row.tints[col])) for at, row in enumerate(rows) for col in range(width)}
    return {cell: mark for cell, mark in marks.items() if mark != (".", Tint.NONE)}


def middle_of(shown: MapView, cell: Cell) -> tuple[int, int]:
    """The middle of a cell, as an offset in the map's widget."""
    places = [(x, y) for y, x in np.ndindex(shown.size.height, shown.size.width) if shown.cell_at(Offset(x, y)) == cell]
    (left, top), (right, bottom) = places[0], places[-1]
    return (left + right + 1) // 2, (top + bottom + 1) // 2


def glyphs(screen: PlayScreen) -> list[str]:
    """The glyphs of the map's rows with all layers."""
    return ["".join(row.glyphs) for row in paint(screen)]


def tinted(screen: PlayScreen, tint: Tint) -> set[tuple[int, int]]:
    return {(at, col) for at, row in enumerate(paint(screen)) for col, each in enumerate(row.tints) if each == tint}


async def painted(screen: Screen[Any]) -> None:
    """Lets the screen do what it put off until it was painted."""
    done = asyncio.Event()
    screen.call_after_refresh(done.set)
    await asyncio.wait_for(done.wait(), PATIENCE)


async def mouse(
    pilot: Pilot[Any], event: type[MouseEvent], widget: Widget, offset: Any, button: int = 0, *, shift: bool = False
) -> None:
    """One mouse event as the terminal reports it."""
    x, y = widget.region.offset + offset
    pilot.app.post_message(event(None, x, y, 0, 0, button, shift, False, False, x, y))
    await pilot.pause()


async def resize(pilot: Pilot[Any], width: int, height: int) -> None:
    """Gives the terminal another size, and lets all be laid out for it."""
    await pilot.resize_terminal(width, height)
    await wait_until(pilot, lambda: pilot.app.screen.outer_size == (width, height))  # Textual waits a moment before
    await painted(pilot.app.screen)


def strips(screen: Screen[Any]) -> list[Strip]:
    """The lines of a screen. Textual has no public way to them but an SVG picture."""
    return screen._compositor.render_strips()


def notices(app: App[Any]) -> list[str]:
    return [str(toast.render()) for toast in app.screen.query("Toast")]


def shown_lines(app: Any) -> list[str]:
    """What the terminal shows, line by line, blanks at the ends left out."""
    return [line.text.rstrip() for line in strips(app.screen)[: app.size.height]]


def shown(app: Any) -> str:
    return "\n".join(shown_lines(app))


def saved_recordings() -> list[Recording]:
    return [recordings.load(path) for path in sorted(recordings.folder().glob("*"))]


def last_message(screen: PlayScreen) -> str:
    return "".join(screen.messages.texts[-1:])


def says(screen: PlayScreen, text: str) -> Callable[[], bool]:
    """A condition: the message log's last line holds a text, whose keys may be named by id."""
    return lambda: screen.spell(text) in last_message(screen)


def position(screen: PlayScreen) -> tuple[int, int]:
    return tuple(screen.controller.state.adventurer)


async def type_line(pilot: Pilot[Any], text: str) -> None:
    """Enters a text in the dialogue that asks for a line, now or in a moment."""
    await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog) and pilot.app.screen.query(Input))
    pilot.app.screen.query_one(Input).value = text
    await pilot.press("enter")


async def dialogue(pilot: Pilot[Any]) -> ChoiceDialog:
    """The dialogue that is open, or will be in a moment; once it was made visible, it listens to keys."""
    boxes = "ChoiceDialog > Vertical"
    await wait_until(
        pilot, lambda: any(box.styles.inline.has_rule("visibility") for box in pilot.app.screen.query(boxes))
    )
    assert isinstance(pilot.app.screen, ChoiceDialog)
    return pilot.app.screen


def dialog_text(question: ModalScreen[Any]) -> str:
    """The text of a dialogue in words, without what is seen beside it."""
    labels, bars = question.query(Label), question.query(KeyBar)
    return words(" ".join([*(str(label.content) for label in labels), *(str(bar.render()) for bar in bars)]))


def words(text: str) -> str:
    """The text with blanks, frames and line ends as single blanks."""
    for sign in "│╭╮╰╯─|▌":
        text = text.replace(sign, " ")
    return " ".join(text.split())


async def sees(pilot: Pilot[Any], text: str) -> None:
    """The terminal shows a text, now or in a moment, whatever frames and line ends part its words."""

    def is_seen() -> bool:
        screen = pilot.app.screen
        return text in words(shown(pilot.app)) or (isinstance(screen, ModalScreen) and text in dialog_text(screen))

    await wait_until(pilot, is_seen)


async def sees_no(pilot: Pilot[Any], text: str) -> None:
    await wait_until(pilot, lambda: text not in words(shown(pilot.app)))


@asynccontextmanager
async def opened(
    game_name: str,
    level: Any,
    *,
    seed: int = 0,
    players: Mapping[str, str] | None = None,
    state: Any = None,
    size: tuple[int, int] = (110, 30),
    ascii_only: bool = False,
) -> AsyncIterator[tuple[Pilot[str], PlayScreen]]:
    """The app with a level of any game open and painted; with a state, the game begins there."""
    opening = Opening("made", lambda: level, seed=seed, players=players or {})
    app = DungeonApp(find_game(game_name), opening, ascii_only=ascii_only)
    async with running(app, size=size) as pilot:
        screen = await begun(pilot)
        if state is not None:
            screen.controller.first.state = state
            screen.refresh_turn()
            await painted(screen)
        yield pilot, screen
