import errno
import importlib.util
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numba.core.errors import TypingError

import dungeon_tui
from dungeon_tui.engine.jit import is_cached

SOURCE = """
from dungeon_tui.engine.jit import kernel

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
    assert not is_cached(module.twice)
    assert module.twice(4) == 8
    assert is_cached(module.twice)
    assert not is_cached(module.thrice)
    assert is_cached(loaded(path).twice)  # the next start


@pytest.mark.skipif(sys.platform == "win32", reason="has no such users")
def test_without_a_home_no_folder_of_its_name_is_made(tmp_path: Path) -> None:
    (tmp_path / "numbers_of_mine.py").write_text(SOURCE)
    (tmp_path / "__pycache__").touch()  # so that nothing can be kept beside the source
    script = "import pwd; pwd.getpwuid = {}.__getitem__; from numbers_of_mine import twice; assert twice(4) == 8"
    kept = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME")}
    root = str(Path(dungeon_tui.__file__).parents[1])
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env={**kept, "PYTHONPATH": root}, check=True)
    assert sorted(os.listdir(tmp_path)) == ["__pycache__", "numbers_of_mine.py"]


def test_a_spoilt_cache_costs_a_compilation(tmp_path: Path) -> None:
    path = tmp_path / "numbers_of_mine.py"
    path.write_text(SOURCE)
    assert loaded(path).twice(4) == 8
    for ending, kept in (("nbi", 0), ("nbi", 20), ("nbc", 0), ("nbc", 20)):
        (spoilt,) = tmp_path.rglob(f"*twice*.{ending}")
        spoilt.write_bytes(spoilt.read_bytes()[:kept])
        assert loaded(path).twice(4) == 8
        assert is_cached(loaded(path).twice), (ending, kept)


def test_a_cache_that_cannot_be_written_costs_a_compilation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "numbers_of_mine.py"
    path.write_text(SOURCE)
    monkeypatch.setattr("os.replace", partial(_refuse, OSError(errno.ENOSPC, "No space left on device")))
    module = loaded(path)
    assert module.twice(4) == 8
    assert not is_cached(module.twice)


def _refuse(error: OSError, *_: object) -> None:
    raise error


CALLER = """
from dungeon_tui.engine.jit import is_cached, kernel
from house.attic import {used}

@kernel
def answer():
    return {called}

if __name__ == "house.cellar":
    was_cached = is_cached(answer)
    print(answer(), was_cached, is_cached(answer))
"""
CALLEE = """
from dungeon_tui.engine.jit import kernel
from house.roof import HEIGHT

WIDTH = {width}

@kernel
def area():
    return WIDTH * HEIGHT
"""


@pytest.mark.timeout(300)  # starts and compiles much
@pytest.mark.parametrize(
    ("used", "called"), [("area", "area()"), pytest.param("WIDTH, area", "WIDTH + 0 * area()", marks=pytest.mark.slow)]
)
def test_a_change_of_what_a_kernel_uses_is_noticed(tmp_path: Path, used: str, called: str) -> None:
    house = tmp_path / "house"
    house.mkdir()
    (house / "__init__.py").touch()
    (house / "cellar.py").write_text(CALLER.format(used=used, called=called))
    (house / "roof.py").write_text("HEIGHT = 1\n")
    paths = os.pathsep.join([str(tmp_path), str(Path(dungeon_tui.__file__).parents[1])])

    def told(width: int) -> list[str]:
        (house / "attic.py").write_text(CALLEE.format(width=width))
        run = [sys.executable, "-B", "-c", "import house.cellar"]
        return subprocess.run(
            run, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True
        ).stdout.split()

    assert told(2) == ["2", "False", "True"]
    assert told(2) == ["2", "True", "True"]
    if used == "area":
        (house / "roof.py").write_text("HEIGHT = 7\n")  # two imports away
        assert told(2) == ["14", "False", "True"]
    else:
        assert told(3) == ["3", "False", "True"]


LEAN = """
import numpy as np
from dungeon_tui.engine.jit import kernel, lean_kernel

@kernel
def first_of_copies(numbers):
    copies = np.empty_like(numbers)
    copies[0] = numbers[0]
    return copies[0]

@lean_kernel
def second(numbers):
    return first_of_copies(numbers[1:])

@lean_kernel
def made(length):
    return np.empty(length)[0]
"""


def test_a_lean_kernel_makes_no_array_but_may_call_who_does(tmp_path: Path) -> None:
    path = tmp_path / "leaning.py"
    path.write_text(LEAN)
    module = loaded(path)
    assert module.second(np.array([9, 3, 5])) == 3  # compiled before the one that it calls was
    assert module.first_of_copies(np.array([9, 3, 5])) == 9
    with pytest.raises(TypingError):
        module.made(3)
