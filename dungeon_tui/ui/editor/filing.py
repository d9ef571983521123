"""Files of drawings: saves and opens them, and asks before anything would be lost."""

from asyncio import to_thread
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from textual.screen import Screen

from dungeon_tui.core.files import UnwritableError, check_writable, read_regular, typed_path, write_bytes
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import sentence
from dungeon_tui.ui.editor.craft import Draft, Drawing, open_drawing
from dungeon_tui.ui.editor.pen import Pen
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog, LineDialog

FoundT = TypeVar("FoundT")
Ask = Callable[[Screen[Any]], Awaitable[Any]]


class Filing:
    """The file of the draft that a pen draws."""

    def __init__(self, pen: Pen, drawing: Drawing, ask: Ask, say: Callable[[str, Meaning], object]) -> None:
        """`ask` shows a dialog and awaits its answer; `say` logs a message."""
        self.written: str | None = None  # the file written last
        self._pen, self._ask, self._say = pen, ask, say
        self.take(drawing)

    def take(self, drawing: Drawing) -> None:
        self.file, self._known, self._saved = drawing.file, drawing.known, drawing.draft  # as the file holds it
        self._pen.draw(drawing.draft)

    def turn(self, part: Draft) -> None:
        """Gives the pen another part of the file, saved if the current one is."""
        was_saved = self.is_saved
        self._pen.change(part)
        if was_saved:
            self._saved = part

    @property
    def is_saved(self) -> bool:
        return self._pen.draft is self._saved

    @property
    def name(self) -> str:
        return Path(self.file).name if self.file else f"A new {self._pen.craft.word}"

    async def save(self, file: str) -> bool:
        """Writes the drawing; asks for a missing name, and before it replaces a changed file. True if written."""
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
            if path.exists() and await to_thread(read_regular, path) != self._known:
                was_ours = file == self.file and self._known is not None
                what = "Another program has changed the file" if was_ours else "This file exists"
                answers = [Answer("r", "Replace it", "replace"), Answer("n", "Leave it", "leave")]
                question = ChoiceDialog(what, f"{printable(file)} would be lost.", answers)
                if await self._ask(question) != "replace":
                    return False
            write_bytes(path, data)
        except (OSError, ValueError, UnwritableError) as error:  # ValueError: no regular file, or too large
            refused = error if isinstance(error, UnwritableError) else UnwritableError(path, error)
            self._say(sentence(str(refused)), Meaning.FOE)
            return False
        self.file = self.written = file
        self._known, self._saved = data, draft
        self._say(f"Saved: {printable(str(path.resolve()))}", Meaning.NOTE)
        return True

    async def open(self) -> bool:
        """Asks for a file and opens it; False if the player stays with the current one."""
        craft = self._pen.craft
        if not await self.may_leave(f"Leave this {craft.word}?"):
            return False
        check = partial(_checked, partial(open_drawing, craft))
        text = "Which file? If it doesn't exist, a new one is created."
        typed = await self._ask(
            LineDialog(f"Open a {craft.word}", text, f"{craft.word}{craft.file_ending}", check=check)
        )
        if typed is not None:
            self.take(check(typed))
        return typed is not None

    async def may_leave(self, title: str) -> bool:
        """True if nothing is unsaved, or if the player saves it or gives it up."""
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
    """Calls `use` with a typed path; raises ValueError for an unwritable file."""
    try:
        return use(typed_path(typed))
    except UnwritableError as error:
        raise ValueError(str(error)) from None
