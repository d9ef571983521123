"""Whether a kernel lies in the cache, without calling it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numba.core.errors import TypingError

from dungeon_tui.engine._jit import is_kept

SOURCE = """
from dungeon_tui.engine._jit import kernel

@kernel
def twice(number):
    return 2 * number

@kernel
def thrice(number):
    return 3 * number
"""


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_kernel_is_kept_once_it_was_called(tmp_path: Path) -> None:
    path = tmp_path / "numbers_of_mine.py"
    path.write_text(SOURCE)
    module = loaded(path)
    assert not is_kept(module.twice)
    assert module.twice(4) == 8
    assert is_kept(module.twice)
    assert not is_kept(module.thrice)
    assert is_kept(loaded(path).twice)  # the next start


def test_what_is_kept_of_an_older_source_does_not_count_once_it_has_moved(tmp_path: Path) -> None:
    path = tmp_path / "moving.py"
    path.write_text(SOURCE)
    loaded(path).twice(1)
    path.write_text("\n" + SOURCE)
    assert not is_kept(loaded(path).twice)


LEAN = """
import numpy as np
from dungeon_tui.engine._jit import kernel, lean_kernel

@kernel
def largest_of_copies(numbers):
    copies = np.empty_like(numbers)
    copies[:] = numbers
    return copies.max()

@lean_kernel
def largest(numbers):
    return largest_of_copies(numbers[1:])

@lean_kernel
def made(length):
    return np.empty(length).sum()
"""


def test_a_lean_kernel_makes_no_array_but_may_call_who_does(tmp_path: Path) -> None:
    path = tmp_path / "leaning.py"
    path.write_text(LEAN)
    module = loaded(path)
    assert module.largest(np.array([9, 3, 5])) == 5  # compiled before the one that it calls was
    assert module.largest_of_copies(np.array([9, 3, 5])) == 9
    with pytest.raises(TypingError):
        module.made(3)
