"""Answers of strategies: a site, or an error that becomes the reason for a forfeit."""

import operator
import traceback
from contextlib import suppress
from pathlib import Path

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.text import one_line

_FARTHEST = 10**6  # above every row and column
_MAX_REASON = 160  # characters


class NoMoveError(Exception):
    """Raised when a strategy gives no site; the message follows its side's name: "took longer than 1 s"."""


def read_site(answer: object) -> Cell:
    """The site in an answer: two integers in a tuple, list or array. Raises NoMoveError if it is no site."""
    if isinstance(answer, tuple | list | np.ndarray) and len(answer) == 2:
        with suppress(TypeError):
            row, col = map(operator.index, answer)
            if abs(row) < _FARTHEST and abs(col) < _FARTHEST:
                return Cell(row, col)
    try:
        shown = shortened(repr(answer))
    except Exception:  # the strategy may have defined the type and its repr
        shown = f"a {type(answer).__name__}"
    raise NoMoveError(f"returned {shown}, which is no site")


def raised(error: BaseException, file: str = "") -> NoMoveError:
    """The error of a strategy, with the line of its file if given."""
    try:
        text = shortened(error.msg if isinstance(error, SyntaxError) else str(error))
    except Exception:  # the strategy may have defined __str__, too
        text = ""
    what = f"raised {type(error).__name__}" + (f": {text}" if text else "")
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    if isinstance(error, SyntaxError) and error.filename == file:
        lines.append(error.lineno)
    return NoMoveError(f"{what} ({Path(file).name}:{lines[-1]})" if lines else what)


def shortened(text: str) -> str:
    """The text on one line of at most 160 characters; if cut, it ends in `...`."""
    line = one_line(text)
    return line if len(line) <= _MAX_REASON else f"{line[: _MAX_REASON - 3]}..."
