"""Ctrl-C where nothing but an end of the process will do, and where an exception will."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dungeon_tui.cli.interrupts import heard
from tests.processes import PATIENCE, environment

SENT = "import signal; signal.raise_signal(signal.SIGINT)"


def ended(program: str, folder: Path) -> tuple[int, bytes]:
    """How a program ends within `heard`, and what it says of it."""
    lines = ["import sys; from dungeon_tui.cli.interrupts import heard", f"sys.path.insert(0, {str(folder)!r})"]
    text = "\n".join([*lines, "with heard():", *(f"    {line}" for line in program.splitlines())])
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, env=environment(), timeout=PATIENCE)
    return done.returncode, done.stderr


MODULES = {
    "whole": SENT,
    "careless": f"try:\n    {SENT}\nexcept BaseException:\n    pass\n",
    "callback": f"""
import weakref
class Thing: pass
def gone(_): {SENT}
thing = Thing()
seen = weakref.ref(thing, gone)
del thing
""",
}


@pytest.mark.parametrize("name", MODULES)
def test_while_a_module_is_loaded_it_ends_the_process_even_where_exceptions_are_discarded(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / f"{name}.py").write_text(MODULES[name])
    assert ended(f"import {name}", tmp_path) == (130, b"")


def test_while_a_kernel_is_compiled_it_ends_the_process(tmp_path: Path) -> None:
    (tmp_path / "llvmlite.py").write_text(f"def compile():\n    {SENT}\n")
    program = "import llvmlite\ntry:\n    llvmlite.compile()\nexcept BaseException:\n    pass"
    assert ended(program, tmp_path) == (130, b"")


def test_elsewhere_it_is_an_exception_as_ever() -> None:
    with pytest.raises(KeyboardInterrupt), heard():
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_who_does_not_want_to_hear_it_is_left_alone() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with heard():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
