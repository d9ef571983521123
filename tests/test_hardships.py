"""The command line on a bad day: full disks, old terminals, interruptions, recordings that someone made up."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from dungeon_tui.storage.library import NAME, Library
from tests.processes import command, environment, run
from tests.terminal import Terminal

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")


@needs_full
def test_a_full_disk_is_reported_in_one_line() -> None:
    with FULL.open("wb") as full:
        shown = subprocess.run(command("--help"), stdout=full, stderr=subprocess.PIPE, env=environment(), check=False)
    assert shown.returncode == 1
    (line,) = shown.stderr.decode().splitlines()
    assert "no space left" in line


def test_a_terminal_that_lacks_a_character_gets_it_spelled(tmp_path: Path) -> None:
    path = tmp_path / "odd1.txt"
    path.write_text("٢ 2\n0 0\n----", encoding="utf-8")
    checked = run("crawler", "check", str(path), PYTHONUTF8="0", PYTHONIOENCODING="latin-1")
    assert checked.returncode == 1
    assert b"Traceback" not in checked.stderr
    assert b"\\u0662" in checked.stdout


def test_ctrl_c_leaves_a_screen_though_the_parent_ignores_sigint() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # what we start ignores it too
    try:
        terminal = Terminal("rescue", "play", "classic")
    finally:
        signal.signal(signal.SIGINT, before)
    terminal.wait_for("Classic")
    terminal.press("\x03")
    terminal.assert_given_back(0)


CRASH = """
from dungeon_tui.__main__ import main
from dungeon_tui.ui.play.screen import PlayScreen

def fail(self, event):
    if event.key == "z":
        raise ZeroDivisionError("a \\x1b[31m mistake")

PlayScreen.on_key = fail
main()
"""


def test_an_error_in_the_program_gives_back_the_terminal_and_loses_nothing(tmp_path: Path) -> None:
    script = tmp_path / "crash.py"
    script.write_text(CRASH)
    terminal = Terminal("crawler", "play", "tutorial", program=(str(script),), DUNGEON_TUI_HOME=str(tmp_path))
    terminal.wait_for("Reach the door")
    terminal.press("d")
    terminal.wait_for("1 move")
    terminal.press("z")
    rest = terminal.assert_given_back(1)
    assert rb"ZeroDivisionError: a \x1b[31m mistake" in rest
    (report,) = (tmp_path / "reports").iterdir()
    assert "ZeroDivisionError" in report.read_text()
    (stored,) = Library(tmp_path / NAME).games()
    assert (stored.ply, stored.was_interrupted) == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "signals", [(signal.SIGCONT,) * 20, (signal.SIGSTOP, signal.SIGCONT), (signal.SIGTSTP, signal.SIGCONT)]
)
def test_a_game_that_was_stopped_gives_back_the_terminal(signals: tuple[signal.Signals, ...], tmp_path: Path) -> None:
    terminal = Terminal("crawler", "play", "tutorial", DUNGEON_TUI_HOME=str(tmp_path))
    terminal.wait_for("Reach the door")
    terminal.screen.reset()
    for each in signals:
        terminal.process.send_signal(each)
        if each == signal.SIGTSTP:
            os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOWAIT)
    terminal.wait_for("Reach the door")  # painted again
    terminal.press("d")
    terminal.wait_for("1 move")
    terminal.press("q")
    terminal.assert_given_back(0)


@pytest.mark.slow
def test_a_game_at_rest_writes_nothing_without_motion(tmp_path: Path) -> None:
    terminal = Terminal("crawler", "play", "tutorial", DUNGEON_TUI_HOME=str(tmp_path), TEXTUAL_ANIMATIONS="none")
    terminal.wait_for("Reach the door")
    terminal.watch(0.3)
    terminal.printed = b""
    terminal.watch(0.6)
    assert terminal.printed == b""
    terminal.press("q")
    terminal.end()
