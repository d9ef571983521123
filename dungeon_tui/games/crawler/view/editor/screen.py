"""The editor of levels: what is drawn can be looked at, played and saved. It decides nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from textual import events, work

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.files import UnwritableError, refuse_unwritable, write_bytes
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import printable
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.crawler.ai.par.words import point_text, result_text
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import ADVENTURER, OPEN, TILE_NAMES
from dungeon_tui.games.crawler.model.state import State, Status
from dungeon_tui.games.crawler.view.editor.draft import Draft, Drawing, open_drawing
from dungeon_tui.games.crawler.view.editor.keys import KEYS, Mode
from dungeon_tui.games.crawler.view.editor.pen import PenScreen
from dungeon_tui.games.crawler.view.editor.verdict import Effort, no_more_lines
from dungeon_tui.games.crawler.view.editor.view import THINKING
from dungeon_tui.games.crawler.view.editor.words import tile_text
from dungeon_tui.games.crawler.view.transcript import treasures
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.play_screen import PlayScreen
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog, LineDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen

LONG = Effort(seconds=60, lines=99)
_TILES = " ".join(chr(tile) for tile in TILE_NAMES)
_HELP = """The keys of the tiles paint, and choose the brush; the mouse paints with it.
A moment after each change the solver says in how few moves the level can be left, or that it can't be won.
Tiles that are odd are marked: treasure that can't be reached, a monster beside the start.
Since `+` and `-` are tiles here, `>` and `<` zoom; since `?` is one, help is on F1."""


class EditorScreen(PenScreen):
    """Draws a level. Its result: the name of the file that it was saved to last, if it was."""

    BINDINGS = [key.binding() for key in KEYS]

    def __init__(self, game: Game, drawing: Drawing, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, drawing, glyphs)
        self._saved: str | None = None

    @property
    def would_lose(self) -> bool:
        """Whether leaving the app would lose something."""
        return not self.drawing.is_saved

    # -- looking

    def action_line(self) -> None:
        """Shows a line out; again, the next one, with more treasure."""
        points = self.verdict.par.points
        number = self.line_number + 1 if self.mode is Mode.LINE else 0
        if number == len(points):
            self.say(no_more_lines(self.verdict) if self.verdict.is_over else THINKING)
            return
        self.show_line(number)
        self.say(f"{sentence(point_text(points[number]))} {points[number].commands[0]}", Meaning.PATH)

    def action_step(self, moves: int) -> None:
        """Along the line."""
        if self.mode is not Mode.LINE:
            self.action_line()
        if self.mode is Mode.LINE and 0 <= self.moment + moves < self.moments:
            self.moment += moves
            self.say(f"Move {self.moment} of {self.moments - 1}.")
            self.show()

    def action_think_longer(self) -> None:
        """Searches for a minute."""
        if self.verdict.is_over and self.verdict.par.is_all:
            self.say(f"There is nothing left to search for. {no_more_lines(self.verdict)}")
            return
        self.end_mode()
        self.think(LONG)
        self.show(())
        self.say(f"The solver searches for up to {LONG.seconds:g} s. What it finds is said here.")

    def action_next_warning(self) -> None:
        """The cursor goes to the next tile that is odd."""
        self.end_mode()
        cells = np.unique(np.concatenate([odd.cells for odd in self.verdict.oddities] or [np.empty(0, np.intp)]))
        if not self.verdict.is_checked:
            self.say(THINKING)
            return
        if not cells.size:
            self.say(" ".join(sentence(odd.message) for odd in self.verdict.oddities) or "No tile is odd.")
            return
        here = self.cursor.row * self.draft.width + self.cursor.col
        flat = int(cells[np.searchsorted(cells, here, "right") % cells.size])
        self.cursor = Cell(*divmod(flat, self.draft.width))
        odd = next(odd for odd in self.verdict.oddities if flat in odd.cells)
        self.show(())
        self.say(sentence(odd.message), Meaning.FOE)

    def action_zoom(self, steps: int) -> None:
        """Larger or smaller cells; 0: as they fit."""
        self.map.zoom(steps or None)

    def action_end(self) -> None:
        """Ends what is begun. It never leaves: one Esc too many would cost all that undo remembers."""
        if self.mode is Mode.DRAW:
            self.say("Nothing is begun that Esc could end; q leaves the editor.")
        self.end_mode()

    # -- the level

    def action_play(self) -> None:
        """Plays the level."""
        self._play(self.draft)

    def action_play_here(self) -> None:
        """Plays from the cursor, where one can stand without changing the level."""
        if self.draft[self.cursor] not in (OPEN, ADVENTURER):
            self.say(f"{tile_text(self.draft, self.cursor)} One can play from open floor only.", Meaning.FOE)
        else:
            self._play(self.draft.with_start(self.cursor))

    @work(exclusive=True, group="playing")
    async def _play(self, draft: Draft) -> None:
        self.end_mode()
        self.messages.end_passing()
        controller = TurnController(rules, alone(draft.level(self.name)))
        view = self.game.load(self.game.screen)(self.game, self.glyphs)
        await in_background(view.prepare, controller.state)
        saved = await self.app.push_screen_wait(Trial(view, controller))
        state: State = controller.state
        if saved is not None:
            self.say(f"Saved: {printable(saved)}")
        elif state.status in (Status.ESCAPED, Status.OUT_OF_LEVELS):
            par = self.verdict.par if draft is self.draft else None
            played = f"{counted(state.moves, 'move')} with {treasures(state.treasure)}."
            self.say(f"You left: {result_text(par, state.treasure, state.moves) or played}", Meaning.WAY_OUT)

    @work(exclusive=True, group="question")
    async def action_save(self) -> None:
        """Writes the level to its file; asks for a name where there is none."""
        await self._save(self.drawing.file)

    @work(exclusive=True, group="question")
    async def action_save_as(self) -> None:
        """Writes the level to another file."""
        await self._save("")

    async def _save(self, file: str) -> bool:
        """Whether the level was written; what is there and is not this level's is asked about first."""
        if not file:
            text = "To which file? A dungeon's levels are NAME1.txt, NAME2.txt ..."
            typed = await self.app.push_screen_wait(LineDialog("Save the level", text, "level.txt", check=_writable))
            if typed is None:
                return False
            file = str(Path(typed).expanduser())
        path, data = Path(file), self.drawing.text().encode()
        try:
            if path.exists() and path.read_bytes() != self.drawing.known and not await self._may_replace(file):
                return False
            write_bytes(path, data)
        except (OSError, UnwritableError) as error:
            refused = error if isinstance(error, UnwritableError) else UnwritableError(path, error)
            self.say(sentence(str(refused)), Meaning.FOE)
            return False
        self.drawing = self.drawing.kept(file, data)
        self._saved = file
        self.say(f"Saved: {printable(str(path.resolve()))}")
        self.show(())
        return True

    async def _may_replace(self, file: str) -> bool:
        was_ours = file == self.drawing.file and self.drawing.known is not None
        what = "Others have changed the file since" if was_ours else "There is such a file"
        answers = [Answer("r", "Replace it", "replace"), Answer("n", "Leave it", "leave")]
        question = ChoiceDialog(what, f"{printable(file)} would be lost.", answers)
        return await self.app.push_screen_wait(question) == "replace"

    @work(exclusive=True, group="question")
    async def action_leave(self) -> None:
        """Leaves the editor; asks when something would be lost."""
        if await self.may_leave():
            self.dismiss(self._saved)

    @work(exclusive=True, group="question")
    async def action_open(self) -> None:
        """Opens another level, or begins one."""
        self.end_mode()
        if not await self._may_leave("Leave this level?"):
            return
        text = "Which file? One that isn't there is begun."
        typed = await self.app.push_screen_wait(LineDialog("Open a level", text, "level.txt", check=_opened))
        if typed is not None:
            self.draw(_opened(typed))

    async def may_leave(self) -> bool:
        """Whether the editor may be left."""
        return await self._may_leave("Leave the editor?")

    async def _may_leave(self, title: str) -> bool:
        """Whether nothing would be lost, or may be."""
        if self.drawing.is_saved:
            return True
        question = ChoiceDialog(
            title,
            f"{printable(self.name)} was changed and not saved.",
            [Answer("s", "Save and leave", "save"), Answer("y", "Leave", "leave"), Answer("n", "Stay", "stay")],
            is_leaving=True,
        )
        answer = await self.app.push_screen_wait(question)
        return answer == "leave" or (answer == "save" and await self._save(self.drawing.file))

    def action_help(self) -> None:
        """The help page."""
        legend = [(chr(tile), name) for tile, name in TILE_NAMES.items()]
        self.app.push_screen(HelpScreen("Drawing a level", _HELP, [*legend, ("o", "where you start")], KEYS))

    def on_key(self, event: events.Key) -> None:
        """Says what would be right, after a key that means nothing."""
        if event.key not in self.active_bindings and event.character is not None and event.is_printable:
            self.say(f"'{event.character}' is no tile: they are {_TILES} and o. F1 lists all keys.")


class Trial(PlayScreen):
    """A level that is tried out: leaving it loses nothing to be asked about."""

    @property
    def would_lose(self) -> bool:
        """It never does."""
        return False


def _writable(typed: str) -> None:
    """Raises ValueError, which says why a file that was typed can't be written."""
    try:
        refuse_unwritable(Path(typed).expanduser())
    except UnwritableError as error:
        raise ValueError(str(error)) from None


def _opened(typed: str) -> Drawing:
    """The drawing of a file that was typed. Raises ValueError, which says what is wrong with it."""
    try:
        return open_drawing(str(Path(typed).expanduser()))
    except UnwritableError as error:
        raise ValueError(str(error)) from None
