"""The cache of compiled kernels, and whether it is up to date. Doesn't load numba."""

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from os.path import isdir, isfile, join
from pathlib import Path

from platformdirs import user_cache_dir


class Compiling:
    """The compilations in progress in this process, counted by jit."""

    depth = 0
    begins: Callable[[], object] | None = None  # called when a compilation begins, in its thread


_IMPORT = re.compile(r"^[ \t]*(?:from +([\w.]+) +import +(\([^)]*\)|.*)|import +([\w.]+))", re.MULTILINE)
_KERNEL = re.compile(r"^@(?:lean_)?kernel\n(?:@.*\n)*def (\w+)", re.MULTILINE)
_STAMP = re.compile(rb"[0-9a-f]{64}")
_HEAD = 512  # bytes of an index in which its stamp stands


@dataclass(frozen=True, slots=True)
class CachedKernels:
    """The kernels of a package, and their files in the cache."""

    kernels: int
    compiled: int  # of them, from the current sources
    bytes: int  # of all files, outdated ones too

    @property
    def are_few(self) -> bool:
        """True if the next start should compile all kernels first."""
        return 10 * self.compiled < 9 * self.kernels


def cached_kernels(package: Path) -> CachedKernels:
    """Looks for the compiled kernels of a package; reads at most a hundred small files."""
    kernels = compiled = size = 0
    sources = package / "engine", *sorted(package.glob("games/*/ai"))
    for source in (file for folder in sources for file in sorted(folder.rglob("*.py"))):
        names = _KERNEL.findall(source.read_text("utf-8"))
        kernels += len(names)
        for name in names:
            files = list(_files(source, name))
            compiled += any(_is_current(file, source, package) for file in files if file.suffix == ".nbi")
            size += sum(file.stat().st_size for file in files)
    return CachedKernels(kernels, compiled, size)


def _files(source: Path, name: str) -> Iterator[Path]:
    """A kernel's files in numba's cache: in the environment's folder, next to the source, or in the user's cache."""
    pattern = f"{source.stem}.{name}-*.nb?"
    with suppress(OSError):
        if folder := os.environ.get("NUMBA_CACHE_DIR"):
            yield from Path(folder).glob(f"*/{pattern}")
        else:
            yield from (source.parent / "__pycache__").glob(pattern)
            yield from Path(user_cache_dir("numba", appauthor=False)).glob(f"*/{pattern}")


def _is_current(index: Path, source: Path, package: Path) -> bool:
    with suppress(OSError), index.open("rb") as file:
        found = _STAMP.search(file.read(_HEAD))
        return found is not None and found[0].decode() == stamp(str(source), str(package.parent))
    return False


@cache
def stamp(file: str, root: str) -> str:
    """A digest of the sources of a module and of all modules below root that it imports, directly or indirectly."""
    sources, waiting = {file}, [file]
    while waiting:
        found = _imported(waiting.pop(), root) - sources
        waiting += found
        sources |= found
    return hashlib.sha256(b"".join(_source(source) for source in sorted(sources))).hexdigest()


@cache
def _imported(file: str, root: str) -> set[str]:
    found: set[str] = set()
    for package, names, module in _IMPORT.findall(_source(file).decode()):
        path = join(root, *(package or module).split("."))
        if isdir(path) or isfile(f"{path}.py"):
            paths = (path, *(join(path, name) for name in re.findall(r"\w+", names)))
            found.update(name for path in paths for name in (f"{path}.py", join(path, "__init__.py")) if isfile(name))
    return found


@cache
def _source(file: str) -> bytes:
    return Path(file).read_bytes()
