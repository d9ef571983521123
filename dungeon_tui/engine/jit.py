"""Compiles kernels, and caches them for the next start."""

import os
from collections.abc import Callable
from contextlib import suppress
from inspect import getfile
from os.path import expanduser, isabs
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from numba.core import event
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    InTreeCacheLocator,
    UserProvidedCacheLocator,
    UserWideCacheLocator,
)
from numba.core.runtime.nrt import rtsys

from dungeon_tui.engine.kernel_cache import Compiling, stamp

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def kernel(function: FunctionT) -> FunctionT:
    """Compiles the function when it is first called, to run without the interpreter's lock.

    The machine code is cached until the function's module, or any module that it imports, changes: a kernel contains
    the code and the constants that it uses.
    """
    return _compiled(function, makes_arrays=True)


def lean_kernel(function: FunctionT) -> FunctionT:
    """Compiles as `kernel` does, but counts no references to arrays; the function must not create or return any.

    In small kernels the counting, for each array of a tuple in every call, takes most of the time.
    """
    return _compiled(function, makes_arrays=False)


def inlined(function: FunctionT) -> FunctionT:
    """Inlines the function into its one or two callers, which saves passing tuples of arrays."""
    return cast(FunctionT, njit(inline="always", nogil=True)(function))


def is_cached(compiled: Callable[..., Any]) -> bool:
    """True if the cache holds the kernel, compiled from its current source."""
    cache: Any = getattr(compiled, "_cache", None)
    return isinstance(cache, _KernelCache) and cache.is_filled()


def _compiled(function: FunctionT, makes_arrays: bool) -> FunctionT:
    # State _nrt for both kinds: otherwise a kernel inherits it from its first caller.
    options: Any = {"nogil": True, "_nrt": makes_arrays, "no_cfunc_wrapper": True}
    dispatcher: Any = njit(**options)(function)
    with suppress(RuntimeError):  # no folder for the cache can be written
        dispatcher._cache = _KernelCache(function, makes_arrays)
    return cast(FunctionT, dispatcher)


class _ReadOnly:
    """Lets a locator accept a read-only folder with compiled kernels, for use in a program's cage."""

    def ensure_cache_path(self) -> None:
        if not any(Path(self.get_cache_path()).glob("*.nbi")):  # type: ignore[attr-defined]
            raise FileNotFoundError


_READ_ONLY: list[Any] = [
    type(f"ReadOnly{locator.__name__}", (_ReadOnly, locator), {})
    for locator in (UserProvidedCacheLocator, InTreeCacheLocator, UserWideCacheLocator)
]


class _CacheFolder(CompileResultCacheImpl):
    """The folder of numba's cache; none for users without a home folder: numba would make a folder called `~`."""

    _locator_classes = [
        locator
        for locator in (*CompileResultCacheImpl._locator_classes, *_READ_ONLY)
        if not issubclass(locator, UserWideCacheLocator) or isabs(expanduser("~"))
    ]


class _KernelCache(FunctionCache):
    """numba's cache, which also notices changes in callees, and loads without preparing the compiler (0.1 s)."""

    _impl_class = _CacheFolder

    def __init__(self, function: Callable[..., Any], makes_arrays: bool) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._makes_arrays = makes_arrays
        file = Path(getfile(function))
        depth = function.__module__.count(".") + (file.stem == "__init__")
        self._cache_file._source_stamp = stamp(str(file), str(file.parents[depth]))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Loads the machine code for a signature; None if it is missing or damaged."""
        if self._makes_arrays:
            rtsys.initialize(target_context)
        try:
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # unpickling damaged bytes can raise anything
            self._remove_index()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Caches machine code; ignores failures, for example on a full disk."""
        with suppress(Exception):
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]

    def is_filled(self) -> bool:
        """True if the cache holds code compiled from the current sources."""
        try:
            return bool(self._cache_file._load_index())  # type: ignore[no-untyped-call]
        except Exception:
            self._remove_index()
            return False

    def _remove_index(self) -> None:
        with suppress(OSError):
            os.unlink(self._cache_file._index_path)


class _Listener(event.Listener):
    """Counts the compilations in progress; those of callees are nested."""

    def on_start(self, event: Any) -> None:
        Compiling.depth += 1
        if Compiling.begins is not None:
            Compiling.begins()

    def on_end(self, event: Any) -> None:
        Compiling.depth -= 1


event.register("numba:compile", _Listener())  # type: ignore[no-untyped-call]
