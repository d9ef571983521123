"""What the games' command lines share."""

import io
import sys
from math import inf, nan
from pathlib import Path

import pytest
import typer

from dungeon_tui.core.level import LevelError
from dungeon_tui.ui import command_line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_seconds_are_numbers() -> None:
    for seconds in (None, 0.0, inf):
        assert command_line.refuse_nan(seconds) == seconds
    with pytest.raises(typer.BadParameter, match="nan "):
        command_line.refuse_nan(nan)


def test_what_is_made_goes_to_the_file_named_or_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command_line.write_output(tmp_path / "made.txt", "made\n")
    assert (tmp_path / "made.txt").read_bytes() == b"made\n"
    assert capsys.readouterr().out == ""
    for path in (None, Path("-")):
        command_line.write_output(path, "made\n")
        assert capsys.readouterr().out == "made\n"


def test_what_cannot_be_done_ends_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving, command_line.one_line_errors():
        raise ValueError("no such \n  \x1b[31mthing")
    assert leaving.value.code == 1
    assert capsys.readouterr().err == "no such \\x1b[31mthing\n"


def test_levels_and_errors_of_another_kind_are_reported_elsewhere() -> None:
    with pytest.raises(LevelError), command_line.one_line_errors():
        raise LevelError("no such tile", "mine.txt")
    with pytest.raises(KeyError), command_line.one_line_errors():
        raise KeyError


@pytest.mark.parametrize(
    ("stream", "quiet", "is_told"), [(Terminal(), 3600, False), (Terminal(), -1, True), (io.StringIO(), -1, False)]
)
def test_only_a_terminal_shows_what_takes_long(
    stream: io.StringIO, quiet: float, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(command_line, "PROGRESS_DELAY_S", quiet)
    with command_line.status("planning") as tell:
        tell("12,345 states")
    assert ("planning: 12,345 states" in stream.getvalue()) == is_told == bool(stream.getvalue())
