"""How kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def kernel(function: FunctionT) -> FunctionT:
    """Compiles when first called, to run without the interpreter's lock; kept for the next start where that can be."""
    try:
        return cast(FunctionT, njit(cache=True, nogil=True)(function))
    except RuntimeError:  # neither beside the source nor in the user's cache can anything be written
        return cast(FunctionT, njit(nogil=True)(function))


def is_kept(compiled: Callable[..., Any]) -> bool:
    """Whether an earlier call of a kernel, here or in another process, has left it in numba's cache."""
    folder, function = compiled.stats.cache_path, compiled.py_func  # type: ignore[attr-defined]
    module = function.__module__.rpartition(".")[2]
    line = function.__code__.co_firstlineno
    return folder is not None and any(Path(folder).glob(f"{module}.{function.__qualname__}-{line}.*.nbi"))
