"""The screen that shows a draft: map, palette, panel, and what the solver says of it. It changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.crawler.ai.solver import is_prepared
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.check import has_next
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import PILLAR
from dungeon_tui.games.crawler.model.state import State
from dungeon_tui.games.crawler.view.editor.draft import Draft, Drawing
from dungeon_tui.games.crawler.view.editor.keys import KEYS, Mode, footer
from dungeon_tui.games.crawler.view.editor.parts import RectangleLayer, TileBar, TintLayer, VerdictLine, line_layer
from dungeon_tui.games.crawler.view.editor.verdict import Effort, Verdict, came_of, judging, preparing, told, with_known
from dungeon_tui.games.crawler.view.editor.words import Rows, cell_text, counts, facts, notes
from dungeon_tui.games.crawler.view.picture import Picture
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.drawing import DrawView
from dungeon_tui.ui.map.source import CellLayer, Layer
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.commands import KeyCommands
from dungeon_tui.ui.widgets.key_bar import KeyBar
from dungeon_tui.ui.widgets.message_log import Line, MessageLog
from dungeon_tui.ui.widgets.side_panel import SidePanel, StatusLine
from dungeon_tui.workers import Process, ProcessError

A_MOMENT = 0.3  # seconds after a change before the solver begins
GRACE = 0.5  # seconds in which a search that was given up must stop
THINKING = "The solver is still thinking."
LATE = 2  # seconds after which to say why there is nothing yet
EFFORT = Effort(seconds=10, lines=12)


class DraftScreen(Screen[str | None]):
    """Shows a drawing; the solver looks at it behind the keys."""

    COMMANDS = {KeyCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    DEFAULT_CSS = """
    DraftScreen { layout: vertical; background: $map-back; }
    DraftScreen #board { height: 1fr; }
    DraftScreen DrawView { width: 1fr; height: 1fr; }
    DraftScreen.-narrow SidePanel { display: none; }
    DraftScreen.-wide StatusLine { display: none; }
    """

    def __init__(self, game: Game, drawing: Drawing, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.game, self.drawing, self.glyphs = game, drawing, glyphs
        self.keys = KEYS
        self.cursor = _beside_start(drawing.present)
        self.brush = PILLAR
        self.mode = Mode.DRAW
        self.corner = self.cursor  # of the rectangle; the cursor is the other one
        self.verdict = Verdict()
        self.trouble = ""  # why there is no verdict
        self.line_number = 0  # of the verdict's lines that is shown
        self.moment = 0  # moves along it
        self.hovered: Cell | None = None  # where the mouse is, until a key moves the cursor
        self._states: list[State] = []  # of that line
        self._commands = ""
        self._judged: dict[Draft, Verdict] = {}  # all that is known of drafts, if the search came to its end
        self._judged_size = 0, 0  # of the draft that was judged last
        self._looked_at = 0  # states
        self._spoken_of: object = None  # where the drawing stood when something was said of it
        self._is_late = False  # whether the verdict has been waited for
        self._compiles = not is_prepared()  # whether the solver must be compiled first
        self._process = Process(preparing, GRACE)  # where the solver runs
        self._counts: tuple[Draft, Rows] | None = None

    # -- the widgets

    def compose(self) -> ComposeResult:
        """Palette, map and panel, then the lines below."""
        yield TileBar(self.choose_brush, id="tiles")
        with Horizontal(id="board"):
            yield DrawView(frame=self.glyphs.frame, id="map")
            yield SidePanel(id="panel")
        yield StatusLine(self.glyphs, id="status")
        yield VerdictLine(id="verdict")
        yield MessageLog(id="log")
        yield KeyBar([], id="keys")

    def on_mount(self) -> None:
        """Shows the drawing."""
        self.map = self.query_one(DrawView)
        self.messages = self.query_one(MessageLog)
        self.say("Paint with the keys of the tiles or the mouse; F1 lists all keys.")
        self.show()
        self.call_after_refresh(self.map.zoom, None)
        self._process.start()
        self.think()

    def on_unmount(self) -> None:
        """Ends the solver."""
        self._process.end()

    def on_resize(self) -> None:
        """Shares the lines anew between map and messages."""
        self._share_lines()

    def _share_lines(self) -> None:
        """Two to four lines of messages, unless the map needs them; one in a terminal of under 24 lines."""
        height = self.size.height
        others = 3 if self.size.width >= 100 else 4  # palette, verdict, keys; where it is narrow, the status
        least, most = (1, 1) if height < 24 else (2, 4)
        lines = min(max(least, height - others - self.draft.height - 2), most)
        if self.messages.styles.height is None or self.messages.styles.height.value != lines:
            self.messages.styles.height = lines

    def draw(self, drawing: Drawing) -> None:
        """Shows another drawing from its start on."""
        self.drawing, self.cursor = drawing, _beside_start(drawing.present)
        self.corner = self.cursor
        self.think()
        self.show()
        self.map.zoom(None)

    def say(self, text: str, meaning: Meaning = Meaning.NOTE) -> None:
        """A message, in the place of the last one; it goes with the next thing that is done."""
        self.messages.say(Line(self.glyphs.plain(text), meaning, is_passing=True))
        self._spoken_of = self._standing

    @property
    def _standing(self) -> object:
        """What a message may speak of."""
        return self.drawing, self.mode, self.cursor, self.line_number, self.moment

    def choose_brush(self, tile: int) -> None:
        """Another brush."""
        self.brush = tile
        self.show(())

    # -- what is shown

    @property
    def draft(self) -> Draft:
        """The present one."""
        return self.drawing.present

    @property
    def name(self) -> str:
        """What to call the level."""
        return Path(self.drawing.file).name if self.drawing.file else "A new level"

    def show(self, changed_rows: Iterable[int] | None = None) -> None:
        """Shows the draft, or the moment of the line; `changed_rows` as for MapView.show."""
        if self._standing != self._spoken_of:
            self.messages.end_passing()
        draft = self.draft
        picture, focus = Picture(draft.board, draft.start, self.glyphs), self.cursor
        if self.mode is Mode.LINE:
            state = self._states[self.moment]
            picture, focus = Picture(state.board, state.adventurer, self.glyphs), state.adventurer
            changed_rows = None
        self._share_lines()
        self._show_hovered()
        self.map.show(picture, focus, self._layers(), changed_rows)
        if self._counts is None or self._counts[0] is not draft:
            self._counts = draft, counts(draft)
        shown = facts(self.name, self.drawing, self.cursor, self.brush, self._counts[1], self.verdict)
        self.query_one(SidePanel).show(shown, notes(self.verdict))
        self.query_one(StatusLine).show(shown)
        self.query_one(TileBar).show(self.brush)
        self.query_one(VerdictLine).show(*self._said())
        is_last_line = self.verdict.is_over and self.line_number == len(self.verdict.par.points) - 1
        keys = footer(self.mode, is_last_line=is_last_line)
        entries = [(self.glyphs.plain(shown), label, action) for shown, label, action in keys]
        self.query_one(KeyBar).show(entries)

    def _layers(self) -> list[Layer]:
        if self.mode is Mode.LINE:
            return [line_layer(self._states[self.moment :], self._commands[self.moment :], self.glyphs)]
        width = self.draft.width
        layers: list[Layer] = [TintLayer(odd.cells, width, Tint.DANGER) for odd in self.verdict.oddities]
        if self.mode is Mode.RECTANGLE:
            layers.append(RectangleLayer(self.corner, self.cursor, Tint.PATH))
        cursor = CellLayer()
        cursor.mark(self.cursor, None, None, Tint.FRONTIER if self.mode is Mode.BRUSH else Tint.CURSOR)
        return [*layers, cursor]

    def _said(self) -> tuple[Sequence[str], Sequence[str], Meaning]:
        """The verdict, notes on it, and its colour."""
        verdict, meanings = self.verdict, {True: Meaning.WAY_OUT, False: Meaning.FOE, None: Meaning.PRIZE}
        if self.trouble:
            return (self.trouble,), (), Meaning.FOE
        states = [f"{self._looked_at:,} states looked at"] if self._looked_at and not verdict.is_over else []
        if points := told(verdict):
            odd = sum(oddity.cells.size for oddity in verdict.oddities)
            which = [f"{counted(odd, 'odd tile')}, n shows which"] if odd else []
            return points, which + states, meanings[verdict.is_won]
        is_compiling = self._compiles and self._is_late and not self._looked_at
        why = ["the first time, the solver is compiled"] if is_compiling else []
        return ["Thinking ..."], states + why, Meaning.PATH

    @on(MapView.CellHovered)
    def _hovered(self, message: MapView.CellHovered) -> None:
        self.hovered = message.cell
        self._show_hovered()

    def _show_hovered(self) -> None:
        """Says what the mouse is on."""
        cell, text = self.hovered, ""
        if cell is not None and self.mode is not Mode.LINE and cell.is_inside(self.draft.height, self.draft.width):
            text = cell_text(self.draft, cell, self.verdict)
        self.query_one(SidePanel).hover(text)
        self.query_one(StatusLine).hover(text)

    # -- the solver

    def think(self, longer: Effort | None = None) -> None:
        """Has the present draft judged, in a moment, unless it was before; another search is given up.

        Args:
            longer: begins anew with more effort; until that finds more, what is known stays.
        """
        self.workers.cancel_group(self, "verdict")
        self.trouble, self._looked_at, self._is_late = "", 0, False
        known = None if longer else self._judged.get(self.draft)
        size = self.draft.height, self.draft.width
        before = replace(self.verdict, is_over=False) if longer else None
        self.verdict = known or before or Verdict(self.verdict.oddities if size == self._judged_size else ())
        self._judged_size = size
        if known is None:
            self._judge(self.draft, longer or EFFORT, before)

    @work(exclusive=True, group="verdict")
    async def _judge(self, draft: Draft, effort: Effort, known: Verdict | None) -> None:
        await asyncio.sleep(A_MOMENT)
        late = self.set_timer(LATE, self._explain)
        is_followed = has_next(self.drawing.file)
        try:
            found = self._process.ask(judging, draft.level(self.name), is_followed, effort, tell=self._tell)
            async with aclosing(found) as verdicts:
                async for verdict in verdicts:
                    self.verdict = verdict if known is None else with_known(verdict, known)
                    if verdict.par.points or verdict.is_over:
                        self.messages.end_passing(THINKING)
                    self.show(())
            self._judged[draft] = self.verdict
            if known is not None:
                self.say(came_of(self.verdict, known))
        except (ProcessError, OSError) as error:
            self.trouble = sentence(str(error))
            self.show(())
        finally:
            late.stop()

    def _explain(self) -> None:
        self._is_late = True
        self.query_one(VerdictLine).show(*self._said())

    def _tell(self, states: int) -> None:
        self._looked_at = states
        self.query_one(VerdictLine).show(*self._said())

    def show_line(self, number: int) -> None:
        """Shows one of the verdict's lines, from its start."""
        self._commands = self.verdict.par.points[number].commands[0]
        self._states = list(rules.moments(rules.start(alone(self.draft.level(self.name))), self._commands))
        self.line_number, self.moment, self.mode = number, 0, Mode.LINE
        self.show()

    @property
    def moments(self) -> int:
        """How many moments the line that is shown has, the first one included."""
        return len(self._states)


def _beside_start(draft: Draft) -> Cell:
    """Where the cursor begins: nothing can be painted on the start itself."""
    beside = (draft.start.neighbour(side) for side in (Direction.RIGHT, Direction.LEFT, Direction.DOWN, Direction.UP))
    return next((cell for cell in beside if cell.is_inside(draft.height, draft.width)), draft.start)
