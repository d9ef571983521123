"""Files of drawings: saves and opens them, and asks before anything would be lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.screen import Screen

from dungeon_tui.core.files import UnwritableError, refuse_unwritable, write_bytes
from dungeon_tui.core.level import printable
from dungeon_tui.core.words import sentence
from dungeon_tui.games.crawler.view.editor.draft import Drawing, open_drawing
from dungeon_tui.games.crawler.view.editor.pen import Pen
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog, LineDialog

Ask = Callable[[Screen[Any]], Awaitable[Any]]
"""Shows a dialogue and awaits its answer."""


class Filing:
    """The file of a pen's drawing."""

    def __init__(self, pen: Pen, ask: Ask, say: Callable[[str, Meaning], object]) -> None:
        self.saved: str | None = None  # the file written last
        self._pen, self._ask, self._say = pen, ask, say

    @property
    def name(self) -> str:
        """The level's name for titles and messages."""
        file = self._pen.drawing.file
        return Path(file).name if file else "A new level"

    async def save(self, file: str) -> bool:
        """Writes the drawing, once it was asked for a name that is missing; True if it was written.

        A file that holds something else than was read there is only replaced after a question.
        """
        if not file:
            text = "To which file? A dungeon's levels are NAME1.txt, NAME2.txt ..."
            typed = await self._ask(LineDialog("Save the level", text, "level.txt", check=_refuse_unwritable))
            if typed is None:
                return False
            file = str(Path(typed).expanduser())
        path, data = Path(file), self._pen.drawing.text().encode()
        try:
            known = self._pen.drawing.known
            if path.exists() and path.read_bytes() != known and not await self._may_replace(file):
                return False
            write_bytes(path, data)
        except (OSError, UnwritableError) as error:
            refused = error if isinstance(error, UnwritableError) else UnwritableError(path, error)
            self._say(sentence(str(refused)), Meaning.FOE)
            return False
        self._pen.drawing = self._pen.drawing.kept(file, data)
        self.saved = file
        self._say(f"Saved: {printable(str(path.resolve()))}", Meaning.NOTE)
        return True

    async def _may_replace(self, file: str) -> bool:
        was_ours = file == self._pen.drawing.file and self._pen.drawing.known is not None
        what = "Others have changed the file since" if was_ours else "There is such a file"
        answers = [Answer("r", "Replace it", "replace"), Answer("n", "Leave it", "leave")]
        answer = await self._ask(ChoiceDialog(what, f"{printable(file)} would be lost.", answers))
        return bool(answer == "replace")

    async def open(self) -> Drawing | None:
        """The drawing of a file that is asked for; None where the player stays with the present one."""
        if not await self.may_leave("Leave this level?"):
            return None
        text = "Which file? One that isn't there is begun."
        typed = await self._ask(LineDialog("Open a level", text, "level.txt", check=_opened))
        return None if typed is None else _opened(typed)

    async def may_leave(self, title: str) -> bool:
        """True if the file holds the drawing, or the player saves it or gives it up."""
        if self._pen.drawing.is_saved:
            return True
        question = ChoiceDialog(
            title,
            f"{printable(self.name)} was changed and not saved.",
            [Answer("s", "Save and leave", "save"), Answer("y", "Leave", "leave"), Answer("n", "Stay", "stay")],
            is_leaving=True,
        )
        answer = await self._ask(question)
        return answer == "leave" or (answer == "save" and await self.save(self._pen.drawing.file))


def _refuse_unwritable(typed: str) -> None:
    """Raises ValueError for a file that can't be written; the message says why."""
    try:
        refuse_unwritable(Path(typed).expanduser())
    except UnwritableError as error:
        raise ValueError(str(error)) from None


def _opened(typed: str) -> Drawing:
    """The drawing of a file. Raises ValueError, whose message says what is wrong with the file."""
    try:
        return open_drawing(str(Path(typed).expanduser()))
    except UnwritableError as error:
        raise ValueError(str(error)) from None
