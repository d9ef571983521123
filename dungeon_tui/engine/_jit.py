"""Compiling kernels, and keeping them for the next start."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from inspect import getfile
from os.path import expanduser, isabs
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserWideCacheLocator
from numba.core.runtime.nrt import rtsys

from dungeon_tui.engine.kept import Compiling, stamp

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def kernel(function: FunctionT) -> FunctionT:
    """Compiles the function when it is first called, to run without the interpreter's lock.

    What was compiled is kept for the next start, until a module changes that the function's module imports, at however
    many removes: a kernel holds the code and the constants of those it uses.
    """
    return _compiled(function, makes_arrays=True)


def lean_kernel(function: FunctionT) -> FunctionT:
    """Compiles as kernel does, without counting who holds the arrays; the function must make and return none.

    Else each array of a tuple is counted up and down wherever the tuple is handed on: small kernels do little else.
    """
    return _compiled(function, makes_arrays=False)


def inlined(function: FunctionT) -> FunctionT:
    """Writes the function into the kernels that call it: no call hands tuples of arrays on, and one compilation does.

    For functions that are called in one place, or in two: each place is compiled anew.
    """
    return cast(FunctionT, njit(inline="always", nogil=True)(function))


def is_kept(compiled: Callable[..., Any]) -> bool:
    """True if an earlier call of a kernel, here or in another process, has left it in the cache as it is now."""
    kept: Any = getattr(compiled, "_cache", None)
    return isinstance(kept, _KernelCache) and kept.is_filled()


def _compiled(function: FunctionT, makes_arrays: bool) -> FunctionT:
    # _nrt is said for either kind: unsaid, a kernel takes over what its first caller has.
    options: Any = {"nogil": True, "_nrt": makes_arrays, "no_cfunc_wrapper": True}
    dispatcher: Any = njit(**options)(function)
    with suppress(RuntimeError):  # neither beside the source nor in the user's cache can anything be written
        dispatcher._cache = _KernelCache(function)
    return cast(FunctionT, dispatcher)


class _Place(CompileResultCacheImpl):
    """The place of numba's cache; never the user's folder where the user has none: numba would make a folder `~`."""

    _locator_classes = [
        locator
        for locator in CompileResultCacheImpl._locator_classes
        if locator is not UserWideCacheLocator or isabs(expanduser("~"))
    ]


class _KernelCache(FunctionCache):
    """numba's cache, but it notices changes in callees, and loads without preparing the compiler (0.1 s)."""

    _impl_class = _Place

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        file = Path(getfile(function))
        depth = function.__module__.count(".") + (file.stem == "__init__")
        self._cache_file._source_stamp = stamp(str(file), str(file.parents[depth]))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Loads what was compiled for a signature, None where there is nothing, or nothing whole."""
        rtsys.initialize(target_context)
        try:
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # unpickling broken bytes raises whatever they ask for
            self._remove_index()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps what was compiled; on a full disk, or over a broken index, the next start compiles once more."""
        with suppress(Exception):
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]

    def is_filled(self) -> bool:
        """True if something compiled from the present sources is there."""
        try:
            return bool(self._cache_file._load_index())  # type: ignore[no-untyped-call]
        except Exception:
            self._remove_index()
            return False

    def _remove_index(self) -> None:
        with suppress(OSError):
            os.unlink(self._cache_file._index_path)


class _Listener(event.Listener):
    """Notes what is compiled; callees within their callers."""

    def on_start(self, event: Any) -> None:
        """Notes that a kernel is compiled."""
        Compiling.depth += 1
        if Compiling.begins is not None:
            Compiling.begins()

    def on_end(self, event: Any) -> None:
        """Notes that it was."""
        Compiling.depth -= 1


event.register("numba:compile", _Listener())  # type: ignore[no-untyped-call]
