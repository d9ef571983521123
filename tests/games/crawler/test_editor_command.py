"""`crawler edit` in the shell: what ends it before a screen opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.processes import ROOT, call


@pytest.mark.parametrize("arguments", [(), ("--ascii",), (str(ROOT / "levels" / "crawler" / "easy1.txt"),)])
def test_without_a_terminal_there_is_no_editor(arguments: tuple[str, ...]) -> None:
    done = call("crawler", "edit", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"No terminal to draw on: an editor needs one.\n"


def test_a_bad_file_ends_in_one_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("1 3\n0 0\n--x\n")
    for name, line in (
        (str(bad), f"{bad}:3:3: unknown tile 'x': the tiles are - + $ @ M ? !"),
        ("-", "<stdin>:1:1: a level is drawn in a file, not on standard input: name one"),
        (
            str(tmp_path / "none" / "x.txt"),
            f"{tmp_path / 'none' / 'x.txt'}: can't be written: no such file or directory",
        ),
    ):
        done = call("crawler", "edit", name)
        assert (done.returncode, done.stdout, done.stderr.decode()) == (1, b"", f"{line}\n")
    assert bad.read_text() == "1 3\n0 0\n--x\n"
