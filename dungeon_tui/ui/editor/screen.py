"""The level editor: a screen that passes keys and mouse to a pen, and shows its draft with the judge's check."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from dungeon_tui.core.board import FlatCells
from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import capitalised, counted, sentence
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.editor.craft import Craft, Draft, Drawing, LevelCheck, ShownLine
from dungeon_tui.ui.editor.filing import Filing
from dungeon_tui.ui.editor.judge import Judge
from dungeon_tui.ui.editor.pen import SHAPES, Mode, Pen, Said, commands
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import Command, KeyCommands, KeyScreen, as_bound, footer_of, key_names
from dungeon_tui.ui.map.drawing import DrawView
from dungeon_tui.ui.map.source import CellLayer, Layer, Row
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.opening import screen_maker
from dungeon_tui.ui.widgets.dialogs import LineDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.key_bar import Entry, KeyBar
from dungeon_tui.ui.widgets.message_log import LogLine, MessageLog
from dungeon_tui.ui.widgets.side_panel import Facts, SidePanel, StatusLine

THINKING = "The solver is still thinking."
LEFT_BUTTON, MIDDLE_BUTTON = 1, 2
_GAP = 2  # between tiles in the bar, if there is room
_FOOTERS: dict[Mode | None, tuple[str, ...]] = {  # ids; labels and names of the keys, if they differ
    Mode.BRUSH: ("brush|Brush up", "stamp|Paint|arrows", "undo"),
    Mode.RECTANGLE: (
        "stretch.right|Stretch|arrows", "stamp|Fill|{tiles}", "stamp|Fill with the brush", "edge", "copy",
        "end",
    ),
    Mode.RESIZE: ("down|Add a line there|arrows", "stretch.down|Take one away|shift+arrows", "size|Type it", "end"),
    None: ("step.on", "step.back|Back", "line|{next}", "play", "end"),
}  # fmt: skip


class TileBar(Widget):
    """The tiles; a click chooses the brush."""

    def __init__(self, craft: Craft, choose: Callable[[int], object]) -> None:
        super().__init__()
        self._craft, self._choose = craft, choose
        self._brush, self._gap = -1, _GAP

    def show(self, craft: Craft, brush: int) -> None:
        self._craft, self._brush = craft, brush
        self.refresh()

    def render(self) -> Content:
        parts: list[Content | str] = []
        for _, tile, text in self._slots():
            if tile == self._brush:
                parts.append(Content.styled(text, "bold $tint-cursor-text on $tint-cursor"))
            else:
                meaning = self._craft.meanings.get(tile, Meaning.YOU)
                colour = "path" if meaning in (Meaning.FLOOR, Meaning.WALL) else meaning.css
                parts.append(Content.assemble(Content.styled(text[:1], f"bold ${colour}"), text[1:]))
            parts.append(" " * self._gap)
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        column = event.x - self.styles.padding.left
        for start, tile, text in self._slots():
            if start <= column < start + len(text):
                self._choose(tile)

    def _slots(self) -> Iterator[tuple[int, int, str]]:
        """Yields (column, tile, text) of each tile; only its sign if there is no room for names."""
        signs = {tile: self._craft.sign(tile) for tile in self._craft.brushes}
        texts = {tile: f"{signs[tile]} {brush.name}" for tile, brush in self._craft.brushes.items()}
        self._gap = _GAP
        if sum(len(text) + _GAP for text in texts.values()) - _GAP > self.content_size.width:
            texts = signs
            self._gap = min(_GAP, (self.content_size.width - sum(map(len, signs.values()))) // max(len(signs) - 1, 1))
        start = 0
        for tile, text in texts.items():
            yield start, tile, text
            start += len(text) + self._gap


class TintLayer:
    """A tint on cells, given as sorted flat indices on a board of `width` columns."""

    def __init__(self, cells: FlatCells, width: int, tint: Tint) -> None:
        self._cells, self._width, self._tint = cells, width, tint

    def paint(self, row: int, cells: Row) -> None:
        first = row * self._width + cells.start
        found = self._cells[np.searchsorted(self._cells, first) :]
        for index in (found[: np.searchsorted(found, first + len(cells.tints))] - first).tolist():
            cells.tints[index] = self._tint


class EditorScreen(KeyScreen[str | None]):
    """Draws a level. Returns the name of the file that was saved last, if any."""

    COMMANDS = {KeyCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-tall")]

    def __init__(self, game: Game, drawing: Drawing, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.glyphs = glyphs
        self._game = game
        self.pen = Pen(drawing.draft)
        self.judge = Judge(self.craft, self.show)
        self.filing = Filing(self.pen, drawing, self._ask, self.say)
        self.line: ShownLine | None = None
        self.hovered: Cell | None = None  # the mouse's cell, until a key is pressed
        # Widgets are attributes because news may come while the screen is being removed.
        self._tiles = TileBar(self.craft, self._choose)
        self.map, self._panel = DrawView(frame=self.glyphs.frame, id="map"), SidePanel(id="panel")
        self._status, self._verdict = StatusLine(self.glyphs, id="status"), Static(id="verdict")
        self.messages, self._key_bar = MessageLog(id="log"), KeyBar([], id="keys")
        edits = (replace(each, run=partial(self._edit, each.run)) for each in self.pen.commands())
        self._commands = {each.key.id: each for each in (*edits, *self._own_commands())}
        self.keys = tuple(each.key for each in self._commands.values())
        self._bindings.key_to_bindings |= BindingsMap(key.binding() for key in self.keys).key_to_bindings

    @property
    def craft(self) -> Craft:
        return self.pen.craft

    def _own_commands(self) -> Iterator[Command]:
        return commands({
            "Changes": [(self._ask_size, "size", "R", "Size", "type rows and columns")],
            "Looking": [
                (self._next_line, "line", "slash", self.craft.line_label, self.craft.line_help, 4),
                (partial(self._step, 1), "step.on", "right_square_bracket", "Step", "a move on along the line"),
                (partial(self._step, -1), "step.back", "left_square_bracket", "Step back", "a move back"),
                (self._next_warning, "warning", "n", "Next warning", "to the next tile that is odd"),
                (lambda: self.map.zoom(1), "larger", "greater_than_sign", "Larger", "larger cells"),
                (lambda: self.map.zoom(-1), "smaller", "less_than_sign", "Smaller", "smaller cells"),
                (lambda: self.map.zoom(None), "fit", "0", "Fit", "cells as large as the map allows"),
            ],
            f"The {self.craft.word}": [
                (lambda: self._play(self.pen.draft), "play", "p,f5", "Play",
                 f"play the {self.craft.word}; leave it to come back", 3),
                (self._play_here, "play-here", "P", "Play here", "play from the cursor"),
                *([(self._next_part, "part", "N", f"Next {self.craft.word}", "the next one of this file", 5)]
                  if self.craft.part(self.pen.draft) else []),
                (self._open, "open", "ctrl+o,O", "Open", f"another {self.craft.word}"),
                (lambda: self._save(self.filing.file), "save", "ctrl+s", "Save", "write its file", 11),
                (lambda: self._save(""), "save-as", "W", "Save as", "write another file"),
                (self._help, "help", "f1", "Help", "this page", 1),
                (lambda: self.app.action_command_palette(), "palette", "ctrl+p", "Commands",
                 "find a command by its name"),
                (self._end, "end", "escape", "Done", "end the brush, rectangle, resizing or line"),
                (self._leave, "leave", "q", "Leave", "leave the editor", 2),
            ],
        })  # fmt: skip

    def action_command(self, name: str) -> None:
        self.hovered = None
        self._commands[name].run()

    def settings_changed(self) -> None:
        self._key_bar.show([*self._footer()])

    def compose(self) -> ComposeResult:
        yield self._tiles
        with Horizontal(id="board"):
            yield self.map
            yield self._panel
        yield self._status
        yield self._verdict
        yield self.messages
        yield self._key_bar

    def on_mount(self) -> None:
        self.judge.start()
        self._begin()
        self.say("Type a tile's sign to paint it, or use the mouse; {editor.help} lists all keys.")

    def on_unmount(self) -> None:
        self.judge.end()

    def say(self, text: str, meaning: Meaning = Meaning.NOTE) -> None:
        self.messages.end_transient()
        self.messages.say(LogLine(self.spell(text), meaning, is_transient=True))

    async def _ask(self, dialogue: Screen[Any]) -> Any:
        return await self.app.push_screen_wait(dialogue)

    # -- the picture

    def show(self) -> None:
        pen, judge, check, line = self.pen, self.judge, self.judge.check, self.line
        if check.line_count or check.is_over:
            self.messages.end_transient(THINKING)
        if line:
            source, focus, layer = line.picture(line.moment)
            layers = [layer]
        else:
            source, focus, layers = self.craft.picture(pen.draft, self.glyphs), pen.cursor, _layers(pen, check)
        self._show_hovered()
        self.map.show(source, focus, layers)
        facts = _facts(self.filing.name, self.filing.is_saved, pen, check)
        self._panel.show(facts, notes=tuple(_notes(check)))
        self._status.show(facts)
        self._tiles.show(self.craft, pen.brush)
        meanings = {True: Meaning.WAY_OUT, False: Meaning.FOE, None: Meaning.PRIZE if check.is_over else Meaning.PATH}
        meaning = Meaning.FOE if judge.trouble else meanings[check.is_won]
        self._verdict.update(Content.styled(self.spell(judge.text()), f"bold ${meaning.css}"))
        self._key_bar.show([*self._footer()])

    def _footer(self) -> Iterator[Entry]:
        check, line = self.judge.check, self.line
        is_last = line is not None and check.is_over and line.number == check.line_count - 1
        usual = tuple(key.id.removeprefix("editor.") for key in footer_of(self.keys))
        names = key_names(self, self.keys)
        pieces = {*self.craft.pieces}
        tiles = " ".join(
            brush.key or self.craft.sign(tile) for tile, brush in self.craft.brushes.items() if tile not in pieces
        )
        for entry in _FOOTERS.get(None if line else self.pen.mode, usual):
            entry = entry.format(tiles=tiles, next=self.craft.next_line)
            name, label, shown = [*entry.split("|"), "", ""][:3]
            key = self._commands[f"editor.{name}"].key
            if not (is_last and name == "line"):
                yield self.glyphs.plain(shown or names[key.id]), label or key.label, key.action

    @on(MapView.CellHovered)
    def _hovered(self, message: MapView.CellHovered) -> None:
        self.hovered = message.cell
        self._show_hovered()

    def _show_hovered(self) -> None:
        cell, text, draft = self.hovered, "", self.pen.draft
        if cell is not None and not self.line and cell.is_inside(draft.height, draft.width):
            text = cell_text(draft, cell, self.judge.check)
        self._panel.hover(text)
        self._status.hover(text)

    # -- drawing

    def _edit(self, deed: Callable[[], object]) -> None:
        before, self.line = self.pen.draft, None
        said = deed()
        if self.pen.draft is not before:
            self._think()
        self.messages.end_transient()
        if isinstance(said, Said):
            self.say(said.text, Meaning.FOE if said.is_trouble else Meaning.NOTE)
        self.show()

    def _choose(self, tile: int) -> None:
        self.pen.brush = tile
        self.show()

    def _begin(self) -> None:
        self._think()
        self.show()
        self.call_after_refresh(self.map.zoom, None)

    @work(exclusive=True, group="question")
    async def _ask_size(self) -> None:
        self._edit(self.pen.end)
        draft = self.pen.draft
        dialogue = LineDialog("Rows and columns", "The map grows or shrinks at the bottom and on the right.",
                              f"{draft.height} x {draft.width}", check=draft.resized)  # fmt: skip
        typed = await self._ask(dialogue)
        if typed is not None:
            self._edit(lambda: self.pen.change(draft.resized(typed)))

    def _end(self) -> None:
        """Ends the mode or the line. Never leaves the editor, because that loses the history."""
        is_idle = not self.line and self.pen.mode is Mode.DRAW
        self._edit(self.pen.end)
        if is_idle:
            self.say("There is nothing for {editor.end} to end; {editor.leave} leaves the editor.")

    @on(DrawView.Pressed)
    def _pressed(self, message: DrawView.Pressed) -> None:
        """Begins a stroke or picks a tile; only ends a line that is shown."""
        if self.line:
            self._edit(self.pen.end)
        elif message.button == MIDDLE_BUTTON:
            self.pen.cursor = message.cell
            self._edit(self.pen.pick)
        else:
            is_eraser = message.button != LEFT_BUTTON or message.is_shifted
            self._edit(lambda: self.pen.press(message.cell, is_eraser=is_eraser))

    @on(DrawView.Dragged)
    def _dragged(self, message: DrawView.Dragged) -> None:
        self._edit(lambda: self.pen.drag(message.cell))

    @on(DrawView.Released)
    def _released(self) -> None:
        self.pen.release()

    # -- the solver, and its lines

    def _think(self) -> None:
        self.judge.take(self.pen.draft)
        search = self.judge.search(self.pen.draft, self.filing.file)
        self.run_worker(search, exclusive=True, group="verdict")

    def _next_line(self) -> None:
        check, number = self.judge.check, self.line.number + 1 if self.line else 0
        if number == check.line_count:
            self.say(self.craft.no_more_lines(check) if check.is_over else THINKING)
            return
        self._edit(self.pen.end)
        self.line = self.craft.line(self.pen.draft, check, number, self.glyphs)
        self.show()
        self.say(self.line.text, Meaning.PATH)

    def _step(self, moves: int) -> None:
        if not self.line:
            self._next_line()
        if self.line and 0 <= self.line.moment + moves < len(self.line.states):
            self.line.moment += moves
            self.say(f"Move {self.line.moment} of {len(self.line.states) - 1}.")
            self.show()

    def _next_warning(self) -> None:
        self._edit(self.pen.end)
        check, width = self.judge.check, self.pen.draft.width
        cells = np.unique(np.concatenate([odd.cells for odd in check.oddities] or [np.empty(0, np.intp)]))
        if not check.is_checked:
            self.say(THINKING)
        elif not cells.size:
            self.say(" ".join(sentence(odd.message) for odd in check.oddities) or "No tile looks wrong.")
        else:
            here = self.pen.cursor.row * width + self.pen.cursor.col
            flat = int(cells[np.searchsorted(cells, here, "right") % cells.size])
            self.pen.cursor = Cell(*divmod(flat, width))
            self.show()
            self.say(next(sentence(odd.message) for odd in check.oddities if flat in odd.cells), Meaning.FOE)

    # -- the level

    def _next_part(self) -> None:
        draft = self.pen.draft
        self._edit(lambda: self.filing.turn(draft.craft.next_part(draft)))
        self.call_after_refresh(self.map.zoom, None)

    def _play_here(self) -> None:
        draft, cursor, piece = self.pen.draft, self.pen.cursor, self.craft.pieces[-1]
        if draft[cursor] in (self.craft.ground, piece):
            self._play(draft.painted(SHAPES["cell"](self.pen), piece))
        else:
            floor = self.craft.brushes[self.craft.ground].name
            self.say(f"{cell_text(draft, cursor)} You can only play from {floor}.", Meaning.FOE)

    @work(exclusive=True, group="playing")
    async def _play(self, draft: Draft) -> None:
        self._edit(self.pen.end)
        try:
            level, players = self.craft.play(draft, self.filing.name)
        except LevelError as error:
            self.say(sentence(error.message), Meaning.FOE)
            return
        opening = Opening("", lambda: level, players=players)
        make = await in_background(screen_maker, self._game, opening, self.glyphs)
        await self._ask(make())

    @work(exclusive=True, group="question")
    async def _save(self, file: str) -> None:
        await self.filing.save(file)
        self.show()

    @work(exclusive=True, group="question")
    async def _open(self) -> None:
        self._edit(self.pen.end)
        if await self.filing.open():
            self.messages.end_transient()
            self._begin()

    @work(exclusive=True, group="question")
    async def _leave(self) -> None:
        if await self.may_leave():
            self.dismiss(self.saved)

    @property
    def saved(self) -> str | None:
        return self.filing.written

    async def may_leave(self) -> bool:
        return await self.filing.may_leave("Leave the editor?")

    def _help(self) -> None:
        legend = [(self.craft.sign(tile), self.craft.names[tile]) for tile in self.craft.brushes]
        title, text, keys = f"Drawing a {self.craft.word}", self.spell(self.craft.help), as_bound(self, self.keys)
        self.app.push_screen(HelpScreen(title, text, legend, keys, self.glyphs))

    def on_key(self, event: events.Key) -> None:
        if event.key not in self.active_bindings and event.character is not None and event.is_printable:
            self.say(f"'{event.character}' is no tile: {{editor.help}} lists all.")


# -- the picture


def _layers(pen: Pen, check: LevelCheck) -> list[Layer]:
    width, cursor = pen.draft.width, CellLayer()
    layers: list[Layer] = [*pen.craft.layers(pen.draft, check)]
    layers += [TintLayer(odd.cells, width, Tint.DANGER) for odd in check.oddities]
    if pen.mode is Mode.RECTANGLE:
        layers.append(TintLayer(SHAPES["rectangle"](pen), width, Tint.PATH))
    cursor.mark(pen.cursor, None, None, Tint.FRONTIER if pen.mode is Mode.BRUSH else Tint.CURSOR)
    return [*layers, cursor]


# -- words


@lru_cache(maxsize=1)
def _counts(draft: Draft) -> tuple[tuple[str, str], ...]:
    tiles = draft.board.array()
    numbers = {name: np.count_nonzero(tiles == tile) for tile, name in draft.craft.counted.items()}
    return tuple((name, f"{number:,}") for name, number in numbers.items() if number)


def _facts(name: str, is_saved: bool, pen: Pen, check: LevelCheck) -> Facts:
    draft, here = pen.draft, pen.cursor.text
    state = "" if is_saved else "not saved"
    size = f"{draft.height} x {draft.width}"
    craft = draft.craft
    text, part = craft.here(draft, check, pen.cursor), craft.part(draft)
    name_of_brush, _ = brush = craft.brushes[pen.brush]
    if brush.keys and brush.key != craft.sign(pen.brush):
        name_of_brush += f" (press {brush.key})"
    return Facts(
        title=printable(f"{name}: {part}" if part else name),
        subtitle=state,
        rows=(
            ("Brush", name_of_brush),
            ("Cursor", here),
            *((("Here", text),) if text else ()),
            *((craft.brushes[code].name.capitalize(), cell.text) for code, cell in draft.pieces.items()),
            ("Size", size),
            *_counts(draft),
        ),
        short=(
            *([state] if state else []),
            size,
            f"{here}: {craft.names[draft[pen.cursor]]}",
            f"brush: {name_of_brush}",
            *([text] if text else []),
        ),
        more=craft.more(check),
    )


def _notes(check: LevelCheck) -> Iterator[str]:
    for oddity in check.oddities:
        count = f" ({counted(oddity.cells.size, 'tile')})" if oddity.cells.size > 1 else ""
        yield f"Odd: {oddity.message}{count}."


def cell_text(draft: Draft, cell: Cell, check: LevelCheck | None = None) -> str:
    """A cell's row and column, its tile, and what is odd about it."""
    flat = cell.row * draft.width + cell.col
    odd = [sentence(oddity.message) for oddity in (check.oddities if check else ()) if flat in oddity.cells]
    return " ".join([f"{capitalised(cell.text)}: {draft.craft.names[draft[cell]]}.", *odd])
