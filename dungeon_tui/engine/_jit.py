"""How kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def kernel(function: FunctionT) -> FunctionT:
    """Compiles when first called, to run without the interpreter's lock; kept for the next start where that can be."""
    try:
        return cast(FunctionT, njit(cache=True, nogil=True)(function))
    except RuntimeError:  # neither beside the source nor in the user's cache can anything be written
        return cast(FunctionT, njit(nogil=True)(function))
