"""Peers of our own in C++, compiled where g++ is there."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory


@cache
def compiled(name: str) -> ctypes.CDLL | None:
    """The library of a C++ file beside this one, by its name without the ending; None without a compiler."""
    compiler = shutil.which("g++")
    if compiler is None:
        return None
    with TemporaryDirectory() as folder:
        library = Path(folder) / f"{name}.so"
        source = Path(__file__).with_name(f"{name}.cpp")
        command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library)]
        if subprocess.run(command, check=False, capture_output=True).returncode != 0:
            return None
        return ctypes.CDLL(str(library))
