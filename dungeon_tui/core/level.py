"""The parts that all levels share: the error that names a position in a file, and reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dungeon_tui.core.files import MOST_BYTES, read_file, read_standard_input
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import reason

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class LevelError(ValueError):
    """Raised when a level can't be read; names the file, and line and column (of characters) from 1."""

    def __init__(self, message: str, file: str, line: int = 1, column: int = 1) -> None:
        self.message = printable(message)  # it may quote the file
        super().__init__(self.message)
        self.file = file
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[LevelError], tuple[str, str, int, int]]:
        """For pickle, which would keep only the message."""
        return type(self), (self.message, self.file, self.line, self.column)

    def __str__(self) -> str:
        return f"{printable(self.file)}:{self.line}:{self.column}: {self.message}"


@dataclass(frozen=True, slots=True)
class LevelFile:
    """A file's name and content."""

    name: str
    data: bytes

    @property
    def text_start(self) -> int:
        """The byte offset of the text, after a byte order mark."""
        return len(_BYTE_ORDER_MARK) if self.data.startswith(_BYTE_ORDER_MARK) else 0

    def position(self, offset: int) -> tuple[int, int]:
        r"""(line, column) of a byte offset, both from 1, the column in characters.

        >>> LevelFile("x", b"ab\nc\xc3\xa9d").position(6)
        (2, 3)
        """
        return next(self.positions([offset]))

    def positions(self, offsets: Iterable[int]) -> Iterator[tuple[int, int]]:
        """(line, column), from 1, of ascending byte offsets, in one pass over the text."""
        line, column, at = 1, 1, self.text_start
        for offset in offsets:
            part = self.data[at:offset]
            if b"\n" in part:
                line, column = line + part.count(b"\n"), 1
                part = part[part.rfind(b"\n") + 1 :]
            column += len(part.decode("utf-8", "replace"))
            at = max(at, offset)
            yield line, column

    def error(self, offset: int, message: str) -> LevelError:
        """The error for a byte offset."""
        return LevelError(message, self.name, *self.position(offset))

    def character(self, offset: int) -> str:
        """The character at a byte offset, in a file of valid UTF-8."""
        return self.data[offset : offset + 4].decode("utf-8", "ignore")[0]

    def refuse_what_is_not_text(self) -> None:
        """Raises LevelError unless the bytes are UTF-8 without NUL."""
        offset = self.data.find(b"\0")
        try:
            self.data.decode("utf-8")
        except UnicodeDecodeError as error:
            offset = error.start if offset < 0 else min(offset, error.start)
        if offset >= 0:
            raise self.error(offset, f"not text: byte {offset} is 0x{self.data[offset]:02x}")


@dataclass(frozen=True, slots=True)
class PackedLevel:
    """A level as recordings store it: its files, and the options that shaped it."""

    files: tuple[LevelFile, ...]
    options: Mapping[str, int | str] = field(default_factory=dict)

    def only_file(self, what: str) -> LevelFile:
        """The only file. Raises LevelError, which calls a file `what`, if there is another number of files."""
        if len(self.files) != 1:
            raise LevelError(f"a recording of this game holds one {what}, not {len(self.files)}", "<recording>")
        return self.files[0]


def read_level_file(
    path: str | Path, most: int = MOST_BYTES, read: Callable[[Path, int], bytes] = read_file
) -> LevelFile:
    """Reads a file with a function of core.files, or standard input for `-`. Raises LevelError if it can't."""
    name = "<stdin>" if str(path) == "-" else str(path)
    try:
        return LevelFile(name, read_standard_input(most) if str(path) == "-" else read(Path(path), most))
    except MemoryError:
        raise LevelError("too large for this machine's memory", name) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name, or too large
        raise LevelError(f"can't be opened: {reason(error)}", name) from None


@dataclass(frozen=True, slots=True)
class FileReport:
    """The errors and the warnings of a level file."""

    file: str
    errors: tuple[LevelError, ...]
    warnings: tuple[LevelError, ...] = ()

    def values(self) -> dict[str, Any]:
        """The report as `check --json` prints it."""
        errors, warnings = (
            [{"line": each.line, "column": each.column, "message": each.message} for each in found]
            for found in (self.errors, self.warnings)
        )
        return {"file": self.file, "ok": not errors, "errors": errors, "warnings": warnings}

    def lines(self) -> Iterator[str]:
        """The errors and warnings as FILE:LINE:COLUMN, then `ok` for a playable level."""
        name = printable(self.file)
        for kind, found in (("error", self.errors), ("warning", self.warnings)):
            for each in found:
                yield f"{name}:{each.line}:{each.column}: {kind}: {each.message}"
        if not self.errors:
            yield f"{name}: ok" + (", but odd" if self.warnings else "")


def level_name(path: str) -> str:
    """The level's name: the file's, without folder and ending.

    >>> level_name("mine/deep-well.txt"), level_name("-")
    ('deep-well', 'standard input')
    """
    return "standard input" if path == "-" else printable(Path(path).stem)
