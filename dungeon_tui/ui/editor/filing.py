"""Files of drawings: saves and opens them, and asks before anything would be lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from textual.screen import Screen

from dungeon_tui.core.files import UnwritableError, check_writable, typed_path, write_bytes
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import sentence
from dungeon_tui.ui.editor.craft import Draft
from dungeon_tui.ui.editor.draft import Drawing, open_drawing
from dungeon_tui.ui.editor.pen import Pen
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog, LineDialog

FoundT = TypeVar("FoundT")
Ask = Callable[[Screen[Any]], Awaitable[Any]]


class Filing:
    """The file of the draft that a pen draws."""

    def __init__(self, pen: Pen, drawing: Drawing, ask: Ask, say: Callable[[str, Meaning], object]) -> None:
        """Begins with a drawing; `ask` shows a dialogue and awaits its answer, `say` says what was done."""
        self.written: str | None = None  # the file written last
        self._pen, self._ask, self._say = pen, ask, say
        self.take(drawing)

    def take(self, drawing: Drawing) -> None:
        """Turns to another file, and gives its draft to the pen."""
        self.file, self._known, self._saved = drawing.file, drawing.known, drawing.draft  # as the file holds it
        self._pen.draw(drawing.draft)

    def turn(self, part: Draft) -> None:
        """Gives the pen another part of the file, which is as saved as the present one."""
        was_saved = self.is_saved
        self._pen.change(part)
        if was_saved:
            self._saved = part

    @property
    def is_saved(self) -> bool:
        """True if the file holds the present draft."""
        return self._pen.draft is self._saved

    @property
    def name(self) -> str:
        """The level's name for titles and messages."""
        return Path(self.file).name if self.file else f"A new {self._pen.craft.word}"

    async def save(self, file: str) -> bool:
        """Writes the drawing to a file, empty: to one it asks for; True if it was written.

        A file that holds something else than was read there is only replaced after a question.
        """
        word = self._pen.craft.word
        if not file:
            text = f"To which file? {self._pen.craft.file_note}".rstrip()
            check = partial(_checked, lambda file: check_writable(Path(file)))
            typed = await self._ask(
                LineDialog(f"Save the {word}", text, f"{word}{self._pen.craft.file_ending}", check=check)
            )
            if typed is None:
                return False
            file = typed_path(typed)
        draft = self._pen.draft
        path, data = Path(file), draft.craft.text(draft).encode()
        try:
            if path.exists() and path.read_bytes() != self._known:
                was_ours = file == self.file and self._known is not None
                what = "Others have changed the file since" if was_ours else "This file exists"
                answers = [Answer("r", "Replace it", "replace"), Answer("n", "Leave it", "leave")]
                question = ChoiceDialog(what, f"{printable(file)} would be lost.", answers)
                if await self._ask(question) != "replace":
                    return False
            write_bytes(path, data)
        except (OSError, UnwritableError) as error:
            refused = error if isinstance(error, UnwritableError) else UnwritableError(path, error)
            self._say(sentence(str(refused)), Meaning.FOE)
            return False
        self.file = self.written = file
        self._known, self._saved = data, draft
        self._say(f"Saved: {printable(str(path.resolve()))}", Meaning.NOTE)
        return True

    async def open(self) -> bool:
        """Opens a file that is asked for; False where the player stays with the present one."""
        craft = self._pen.craft
        if not await self.may_leave(f"Leave this {craft.word}?"):
            return False
        check = partial(_checked, partial(open_drawing, craft))
        text = "Which file? If there is none of this name, a new one is begun."
        typed = await self._ask(
            LineDialog(f"Open a {craft.word}", text, f"{craft.word}{craft.file_ending}", check=check)
        )
        if typed is not None:
            self.take(check(typed))
        return typed is not None

    async def may_leave(self, title: str) -> bool:
        """True if the file holds the drawing, or the player saves it or gives it up."""
        draft = self._pen.draft
        if self.is_saved or draft.craft.text(draft).encode() == self._known:
            return True
        question = ChoiceDialog(
            title,
            f"{printable(self.name)} was changed and not saved.",
            [Answer("s", "Save and leave", "save"), Answer("y", "Leave", "leave"), Answer("n", "Stay", "stay")],
            is_leaving=True,
        )
        answer = await self._ask(question)
        return answer == "leave" or (answer == "save" and await self.save(self.file))


def _checked(use: Callable[[str], FoundT], typed: str) -> FoundT:
    """The result of `use` for a path that was typed. Raises ValueError, which says what is wrong with the file."""
    try:
        return use(typed_path(typed))
    except UnwritableError as error:
        raise ValueError(str(error)) from None
