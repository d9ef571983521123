"""`crawler play --plain` in a process of its own: golden transcripts, files, and what goes wrong."""

import io
from pathlib import Path

import pytest

from dungeon_tui.core.plain import Console
from dungeon_tui.games.crawler.view import transcript
from dungeon_tui.games.crawler.view.transcript import INSTRUCTIONS
from tests.games.crawler.pictures import dungeon_of
from tests.processes import call
from tests.ui.driving import write_dungeon

TRANSCRIPTS = Path(__file__).with_name("transcripts")


def commands_of(name: str) -> bytes:
    return (TRANSCRIPTS / f"{name}.commands.txt").read_bytes()


def transcript_of(name: str) -> bytes:
    return (TRANSCRIPTS / f"{name}.transcript.txt").read_bytes()


# name: arguments, exit status, standard error
GOLDEN = {
    "well": (("well",), 0, ""),  # all that can happen on the way out, and commands that are none
    "trap": (("trap", "1"), 0, ""),  # death; what follows is not read
    "quit": (("quit",), 0, ""),  # the end of the input is q
    "stair": (("stair",), 0, "No level lies behind this door: stair ends here, with 0 treasures.\n"),
    "gap": (("gap", "2"), 1, "gap2.txt:1:1: can't be opened: no such file or directory\n"),
    "asked": ((), 0, ""),  # name and number are read from standard input
}


@pytest.mark.parametrize("name", GOLDEN)
def test_the_transcript_is_the_golden_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments, status, said = GOLDEN[name]
    monkeypatch.chdir(TRANSCRIPTS)
    done = call("crawler", "play", *arguments, "--plain", given=commands_of(name))
    assert done.stdout == transcript_of(name)
    assert done.stderr.decode() == said
    assert done.returncode == status


def test_no_level_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("crawler", "play", "nowhere", "--plain")
    assert done.stdout.decode() == INSTRUCTIONS + "Level 1\nReturning you back to the real word, adventurer!\n"
    assert (done.stderr[:18], done.stderr.count(b"\n")) == (b"nowhere1.txt:1:1: ", 1)
    assert done.returncode == 1


@pytest.mark.parametrize("number", ["zero", "0"])
def test_a_number_of_levels_that_is_none(number: str) -> None:
    done = call("crawler", "play", "--plain", given=f"cave {number}".encode())
    (line,) = done.stderr.decode().splitlines()
    assert (line[:13], line.endswith(f" '{number}'")) == ("<stdin>:1:1: ", True)
    assert done.returncode == 1


@pytest.mark.parametrize("given", [b"", b"  \n", b"cave", b"cave \n"])
def test_who_names_no_dungeon_has_played(given: bytes) -> None:
    done = call("crawler", "play", "--plain", given=given)
    assert done.stdout.decode() == (
        f"{INSTRUCTIONS}Please enter the dungeon name and number of levels: Thank you for playing!\n"
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_bad_sidecar_is_a_warning(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ("o-",), sidecar="title = [")
    done = call("crawler", "play", name, "--plain", given=b"q")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"warning: {name}.toml:1:10: not TOML:")
    assert done.returncode == 0


def test_without_a_terminal_there_is_no_editor() -> None:
    done = call("crawler", "edit")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"No terminal to draw on: an editor needs one.\n"


def test_r_goes_back_to_the_start_of_the_level() -> None:
    out = io.StringIO()
    transcript.play(lambda: dungeon_of("o?", "o-$"), Console(io.StringIO("ddr"), out, io.StringIO()))
    first, again = out.getvalue().split("Level 2\n")[1:]
    assert first.startswith(again[: again.index(transcript.ASK_COMMAND)])
