"""The editor of levels: a screen that hands keys and mouse to a pen, and shows the drawing with the judge's verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import printable
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.crawler import GAME
from dungeon_tui.games.crawler.ai.par.words import point_text, result_text
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import ADVENTURER, OPEN, TILE_NAMES
from dungeon_tui.games.crawler.model.state import State, Status
from dungeon_tui.games.crawler.view.advice.hints import line_layer
from dungeon_tui.games.crawler.view.editor.draft import Draft, Drawing
from dungeon_tui.games.crawler.view.editor.filing import Filing
from dungeon_tui.games.crawler.view.editor.judge import Judge
from dungeon_tui.games.crawler.view.editor.keys import DEEDS, KEYS, Deed, footer
from dungeon_tui.games.crawler.view.editor.parts import TileBar, TintLayer
from dungeon_tui.games.crawler.view.editor.pen import Mode, Pen
from dungeon_tui.games.crawler.view.editor.shapes import text_of
from dungeon_tui.games.crawler.view.editor.verdict import Effort, no_more_lines, told
from dungeon_tui.games.crawler.view.editor.words import cell_text, facts, notes, tile_text
from dungeon_tui.games.crawler.view.picture import Picture
from dungeon_tui.games.crawler.view.screen import CrawlerView
from dungeon_tui.games.crawler.view.words import treasures
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import KeyCommands, key_names, with_key_names
from dungeon_tui.ui.map.drawing import DrawView
from dungeon_tui.ui.map.source import CellLayer, Layer
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.dialogs import LineDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.key_bar import KeyBar
from dungeon_tui.ui.widgets.message_log import Line, MessageLog
from dungeon_tui.ui.widgets.side_panel import SidePanel, StatusLine

LONG = Effort(seconds=60, lines=99)
THINKING = "The solver is still thinking."
LEFT_BUTTON, MIDDLE_BUTTON = 1, 2
_TILES = " ".join(map(chr, TILE_NAMES))
_HELP = """The keys of the tiles paint, and choose the brush; the mouse paints with it.
A moment after each change the solver says in how few moves the level can be left, or that it can't be won.
Tiles that are odd are marked: treasure that can't be reached, a monster beside the start.
Since `+` and `-` are tiles here, {editor.larger} and {editor.smaller} zoom; since `?` is one, {editor.help} helps."""


@dataclass(slots=True)
class LineOut:
    """One of the verdict's lines while it is shown, and the moment that one has stepped to."""

    number: int
    commands: str
    states: list[State]
    moment: int = 0


class EditorScreen(Screen[str | None]):
    """Draws a level. Its result: the name of the file that it was saved to last, if it was."""

    BINDINGS = [key.binding() for key in KEYS]
    COMMANDS = {KeyCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-tall")]
    DEFAULT_CSS = """
    EditorScreen { layout: vertical; background: $map-back; }
    EditorScreen #board { height: 1fr; }
    EditorScreen DrawView { width: 1fr; height: 1fr; }
    EditorScreen.-narrow SidePanel { display: none; }
    EditorScreen.-wide StatusLine { display: none; }
    EditorScreen #verdict { padding: 0 1; background: $panel; }
    EditorScreen MessageLog { height: 2; }
    EditorScreen.-short MessageLog { height: 1; }
    """

    def __init__(self, drawing: Drawing, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.glyphs, self.keys = glyphs, KEYS
        self.pen = Pen(drawing)
        self.judge = Judge(self._show_news, self.say)
        self.filing = Filing(self.pen, self._ask, self.say)
        self.line: LineOut | None = None
        self.hovered: Cell | None = None  # the mouse's cell, until a key moves the cursor
        self._shown: object = None  # the draft on the map, or the state of a line
        self._shown_verdict = self.judge.verdict

    def spell(self, text: str) -> str:
        """The text with the names of keys, as this terminal can show it."""
        return self.glyphs.plain(with_key_names(text, key_names(self, self.keys)) if "{" in text else text)

    def compose(self) -> ComposeResult:
        """Palette, map and panel, then the lines below."""
        yield TileBar(self._choose, id="tiles")
        with Horizontal(id="board"):
            yield DrawView(frame=self.glyphs.frame, id="map")
            yield SidePanel(id="panel")
        yield StatusLine(self.glyphs, id="status")
        yield Static(id="verdict")
        yield MessageLog(id="log")
        yield KeyBar([], id="keys")

    def on_mount(self) -> None:
        """Shows the drawing."""
        self.map, self.messages = self.query_one(DrawView), self.query_one(MessageLog)
        self.judge.start()
        self._begin()
        self.say("Paint with the keys of the tiles or the mouse; {editor.help} lists all keys.")

    def on_unmount(self) -> None:
        """Ends the solver."""
        self.judge.end()

    def say(self, text: str, meaning: Meaning = Meaning.NOTE) -> None:
        """Shows a message in the place of the last one, until the next thing is done."""
        self.messages.end_passing()
        self.messages.say(Line(self.spell(text), meaning, is_passing=True))

    async def _ask(self, dialogue: Screen[Any]) -> Any:
        return await self.app.push_screen_wait(dialogue)

    # -- the picture

    def show(self) -> None:
        """Shows the drawing, or the moment of a line, and all that is known of it."""
        pen, verdict, line = self.pen, self.judge.verdict, self.line
        board, adventurer, focus = pen.draft.board, pen.draft.start, pen.cursor
        if line:
            state = line.states[line.moment]
            board, adventurer, focus = state.board, state.adventurer, state.adventurer
        self._show_hovered()
        self.map.show(Picture(board, adventurer, self.glyphs), focus, self._layers(), self._changed_rows())
        shown = facts(self.filing.name, pen.drawing, pen.cursor, pen.brush, verdict)
        self.query_one(SidePanel).show(shown, notes(verdict))
        self.query_one(StatusLine).show(shown)
        self.query_one(TileBar).show(pen.brush)
        self._show_verdict()
        is_last = line is not None and verdict.is_over and line.number == len(verdict.par.points) - 1
        keys = footer(None if line else pen.mode, is_last_line=is_last)
        self.query_one(KeyBar).show([(self.glyphs.plain(key), label, action) for key, label, action in keys])

    def _changed_rows(self) -> set[int] | None:
        """The rows of the map that are not as they were shown last; None: any."""
        before, now = self._shown, self.line.states[self.line.moment] if self.line else self.pen.draft
        self._shown = now
        if before is now:
            return set()
        if not isinstance(before, Draft) or not isinstance(now, Draft):
            return None
        cells = now.board.changed_cells(before.board)
        return None if cells is None else {*(cells // now.width).tolist(), before.start.row, now.start.row}

    def _layers(self) -> list[Layer]:
        pen, width, cursor = self.pen, self.pen.draft.width, CellLayer()
        if self.line:
            moment = self.line.moment
            return [line_layer(self.line.states[moment], self.line.commands[moment:], self.glyphs)]
        layers: list[Layer] = [TintLayer(odd.cells, width, Tint.DANGER) for odd in self.judge.verdict.oddities]
        if pen.mode is Mode.RECTANGLE:
            layers.append(TintLayer(pen.chosen(), width, Tint.PATH))
        cursor.mark(pen.cursor, None, None, Tint.FRONTIER if pen.mode is Mode.BRUSH else Tint.CURSOR)
        return [*layers, cursor]

    def _show_news(self) -> None:
        """Shows what the judge found, or how far it has come."""
        verdict = self.judge.verdict
        if verdict is self._shown_verdict:
            self._show_verdict()
            return
        if verdict.par.points or verdict.is_over:
            self.messages.end_passing(THINKING)
        self.show()

    def _show_verdict(self) -> None:
        judge = self.judge
        self._shown_verdict = verdict = judge.verdict
        texts, meaning = [judge.trouble], Meaning.FOE
        if not judge.trouble:
            odd = sum(oddity.cells.size for oddity in verdict.oddities)
            which = f"{counted(odd, 'odd tile')}, {{editor.warning}} shows which" if odd else ""
            text = told(verdict)
            texts = [text, which, judge.progress] if text else ["Thinking ...", judge.progress]
            meanings = {True: Meaning.WAY_OUT, False: Meaning.FOE, None: Meaning.PRIZE}
            meaning = meanings[verdict.is_won] if text else Meaning.PATH
        self.query_one("#verdict", Static).update(
            Content.styled(self.spell("; ".join(filter(None, texts))), f"bold ${meaning.css}")
        )

    @on(MapView.CellHovered)
    def _hovered(self, message: MapView.CellHovered) -> None:
        self.hovered = message.cell
        self._show_hovered()

    def _show_hovered(self) -> None:
        cell, text, draft = self.hovered, "", self.pen.draft
        if cell is not None and not self.line and cell.is_inside(draft.height, draft.width):
            text = cell_text(draft, cell, self.judge.verdict)
        self.query_one(SidePanel).hover(text)
        self.query_one(StatusLine).hover(text)

    # -- drawing

    def action_edit(self, key: str) -> None:
        """Has the pen do what a key stands for."""
        self.hovered = None
        self._edit(DEEDS[key])

    def _edit(self, deed: Deed) -> None:
        """Has the pen do something, shows it, and has it judged."""
        before, self.line = self.pen.draft, None
        said = deed(self.pen)
        if self.pen.draft is not before:
            self._think()
        self.messages.end_passing()
        if said is not None:
            self.say(said.text, Meaning.FOE if said.is_trouble else Meaning.NOTE)
        self.show()

    def _choose(self, tile: int) -> None:
        self.pen.brush = tile
        self.show()

    def _begin(self) -> None:
        self._think()
        self.show()
        self.call_after_refresh(self.map.zoom, None)

    def action_copy(self) -> None:
        """Copies tiles, to be pasted here or anywhere."""
        self._edit(Pen.copy)
        if self.pen.copied is not None:
            self.app.copy_to_clipboard(text_of(self.pen.copied))

    def on_paste(self, event: events.Paste) -> None:
        """Stamps the tiles that the terminal pastes."""
        self._edit(lambda pen: pen.paste(event.text))

    @work(exclusive=True, group="question")
    async def action_size(self) -> None:
        """Asks for rows and columns; the map grows or shrinks at the bottom and on the right."""
        self._edit(Pen.end)
        draft = self.pen.draft
        dialogue = LineDialog("Rows and columns", "The map grows or shrinks at the bottom and on the right.",
                              f"{draft.height} x {draft.width}", check=draft.resized)  # fmt: skip
        typed = await self._ask(dialogue)
        if typed is not None:
            self._edit(lambda pen: pen.change(pen.drawing.changed(draft.resized(typed))))

    def action_end(self) -> None:
        """Ends what is begun. It never leaves: one Esc too many would cost all that undo remembers."""
        is_idle = not self.line and self.pen.mode is Mode.DRAW
        self._edit(Pen.end)
        if is_idle:
            self.say("Nothing is begun that {editor.end} could end; {editor.leave} leaves the editor.")

    @on(DrawView.Pressed)
    def _pressed(self, message: DrawView.Pressed) -> None:
        """Begins a stroke, or picks a tile; over a line that is shown it only ends that."""
        is_eraser = message.button != LEFT_BUTTON or message.is_shifted
        if self.line:
            self._edit(Pen.end)
        elif message.button == MIDDLE_BUTTON:
            self.pen.cursor = message.cell
            self._edit(Pen.pick)
        else:
            self._edit(lambda pen: pen.press(message.cell, is_eraser=is_eraser))

    @on(DrawView.Dragged)
    def _dragged(self, message: DrawView.Dragged) -> None:
        self._edit(lambda pen: pen.drag(message.cell))

    @on(DrawView.Released)
    def _released(self) -> None:
        self.pen.release()

    # -- the solver, and its lines

    def _think(self, longer: Effort | None = None) -> None:
        """Has the present draft judged; another search is given up."""
        self.judge.take(self.pen.draft, longer)
        self._search(longer)

    @work(exclusive=True, group="verdict")
    async def _search(self, longer: Effort | None) -> None:
        await self.judge.search(self.pen.drawing, self.filing.name, longer)

    def action_think_longer(self) -> None:
        """Searches for a minute."""
        verdict = self.judge.verdict
        if verdict.is_over and verdict.par.is_all:
            self.say(f"There is nothing left to search for. {no_more_lines(verdict)}")
            return
        self._edit(Pen.end)
        self._think(LONG)
        self.show()
        self.say(f"The solver searches for up to {LONG.seconds:g} s. What it finds is said here.")

    def action_line(self) -> None:
        """Shows a line out; again, the next one, with more treasure."""
        points, number = self.judge.verdict.par.points, self.line.number + 1 if self.line else 0
        if number == len(points):
            self.say(no_more_lines(self.judge.verdict) if self.judge.verdict.is_over else THINKING)
            return
        commands = points[number].commands[0]
        self._edit(Pen.end)
        first = rules.start(alone(self.pen.draft.level(self.filing.name)))
        self.line = LineOut(number, commands, list(rules.moments(first, commands)))
        self.show()
        self.say(f"{sentence(point_text(points[number]))} {commands}", Meaning.PATH)

    def action_step(self, moves: int) -> None:
        """Steps along the line."""
        if not self.line:
            self.action_line()
        if self.line and 0 <= self.line.moment + moves < len(self.line.states):
            self.line.moment += moves
            self.say(f"Move {self.line.moment} of {len(self.line.states) - 1}.")
            self.show()

    def action_next_warning(self) -> None:
        """Takes the cursor to the next tile that is odd."""
        self._edit(Pen.end)
        verdict, width = self.judge.verdict, self.pen.draft.width
        cells = np.unique(np.concatenate([odd.cells for odd in verdict.oddities] or [np.empty(0, np.intp)]))
        if not verdict.is_checked:
            self.say(THINKING)
        elif not cells.size:
            self.say(" ".join(sentence(odd.message) for odd in verdict.oddities) or "No tile is odd.")
        else:
            here = self.pen.cursor.row * width + self.pen.cursor.col
            flat = int(cells[np.searchsorted(cells, here, "right") % cells.size])
            self.pen.cursor = Cell(*divmod(flat, width))
            odd = next(odd for odd in verdict.oddities if flat in odd.cells)
            self.show()
            self.say(sentence(odd.message), Meaning.FOE)

    def action_zoom(self, steps: int) -> None:
        """Makes cells larger or smaller; 0: as they fit."""
        self.map.zoom(steps or None)

    # -- the level

    def action_play(self) -> None:
        """Plays the level."""
        self._play(self.pen.draft)

    def action_play_here(self) -> None:
        """Plays from the cursor, if it is on open floor: the level stays as it is."""
        draft, cursor = self.pen.draft, self.pen.cursor
        if draft[cursor] in (OPEN, ADVENTURER):
            self._play(draft.with_start(cursor))
        else:
            self.say(f"{tile_text(draft, cursor)} One can play from open floor only.", Meaning.FOE)

    @work(exclusive=True, group="playing")
    async def _play(self, draft: Draft) -> None:
        self._edit(Pen.end)
        controller = TurnController(rules, alone(draft.level(self.filing.name)))
        view = CrawlerView(GAME, self.glyphs)
        await in_background(view.prepare, controller.state)
        saved = await self.app.push_screen_wait(PlayScreen(view, Session(controller), loses_nothing=True))
        state: State = controller.state
        if saved is not None:
            self.say(f"Saved: {printable(saved)}")
        elif state.status in (Status.ESCAPED, Status.OUT_OF_LEVELS):
            par = self.judge.verdict.par if draft is self.pen.draft else None
            played = f"{counted(state.moves, 'move')} with {treasures(state.treasure)}."
            self.say(f"You left: {result_text(par, state.treasure, state.moves) or played}", Meaning.WAY_OUT)

    @work(exclusive=True, group="question")
    async def action_save(self, is_another: bool = False) -> None:
        """Writes the level to its file, or to another one; asks for a name where there is none."""
        await self.filing.save("" if is_another else self.pen.drawing.file)
        self.show()

    @work(exclusive=True, group="question")
    async def action_open(self) -> None:
        """Opens another level, or begins one."""
        self._edit(Pen.end)
        drawing = await self.filing.open()
        if drawing is not None:
            self.pen.draw(drawing)
            self.messages.end_passing()
            self._begin()

    @work(exclusive=True, group="question")
    async def action_leave(self) -> None:
        """Leaves the editor; asks when something would be lost."""
        if await self.may_leave():
            self.dismiss(self.filing.saved)

    @property
    def saved(self) -> str | None:
        """The file that was written last."""
        return self.filing.saved

    @property
    def told(self) -> str | None:
        """The written file, as far as the app was told of it: it is, when the editor is left."""
        return None

    @property
    def would_lose(self) -> bool:
        """True if leaving the app would lose something."""
        return not self.pen.drawing.is_saved

    async def may_leave(self) -> bool:
        """True if nothing would be lost, or the player agrees."""
        return await self.filing.may_leave("Leave the editor?")

    def action_help(self) -> None:
        """Shows the help page."""
        legend = [(chr(tile), name) for tile, name in TILE_NAMES.items()]
        self.app.push_screen(
            HelpScreen("Drawing a level", self.spell(_HELP), [*legend, ("o", "where you start")], KEYS, self.glyphs)
        )

    def on_key(self, event: events.Key) -> None:
        """Says what would be right, after a key that means nothing."""
        if event.key not in self.active_bindings and event.character is not None and event.is_printable:
            self.say(f"'{event.character}' is no tile: they are {_TILES} and o. {{editor.help}} lists all keys.")
