"""Ctrl-C that is heard wherever it falls."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_LOADERS = ("importlib", "numba", "llvmlite")


@contextmanager
def heard() -> Iterator[None]:
    """Lets Ctrl-C raise KeyboardInterrupt, but end the process at once while modules and kernels are loaded.

    There the exception would fall into callbacks that discard it, or be taken for a module that can't be loaded, and
    the work would go on; and there is nothing yet that would have to be put away.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # somebody has other wishes
        yield
        return
    before = signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(_number: int, frame: FrameType | None) -> None:
    if _is_loading(frame):
        if sys.stderr.isatty():
            os.write(2, b"\x1b[?25h")  # a line that tells of long work hides the cursor
        os._exit(130)
    raise KeyboardInterrupt


def _is_loading(frame: FrameType | None) -> bool:
    """True if the frame was called by code that loads modules or kernels."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith("<frozen importlib") or frame.f_globals.get("__name__", "").partition(".")[0] in _LOADERS:
            return True
        frame = frame.f_back
    return False
