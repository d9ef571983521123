"""How kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def kernel(function: FunctionT) -> FunctionT:
    """Compiles when first called, to run without the interpreter's lock; kept for the next start where that can be."""
    return _compiled(function, makes_arrays=True)


def lean_kernel(function: FunctionT) -> FunctionT:
    """The same for a kernel that makes and returns no array: those it is given are not counted.

    Else numba counts each array of a tuple up and down again wherever the tuple is handed on, which costs small
    kernels more than what they do. The caller holds the arrays meanwhile; numba refuses to make one here.
    """
    return _compiled(function, makes_arrays=False)


def _compiled(function: FunctionT, makes_arrays: bool) -> FunctionT:
    options: Any = {"_nrt": makes_arrays}  # said for either kind: unsaid, a kernel takes over what its first caller has
    try:
        return cast(FunctionT, njit(cache=True, nogil=True, **options)(function))
    except RuntimeError:  # neither beside the source nor in the user's cache can anything be written
        return cast(FunctionT, njit(nogil=True, **options)(function))


def is_kept(compiled: Callable[..., Any]) -> bool:
    """Whether an earlier call of a kernel, here or in another process, has left it in numba's cache."""
    folder, function = compiled.stats.cache_path, compiled.py_func  # type: ignore[attr-defined]
    module = function.__module__.rpartition(".")[2]
    line = function.__code__.co_firstlineno
    return folder is not None and any(Path(folder).glob(f"{module}.{function.__qualname__}-{line}.*.nbi"))
