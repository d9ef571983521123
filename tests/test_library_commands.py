"""`dungeon-tui library`: what is kept, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dungeon_tui.storage.library import NAME, Library
from dungeon_tui.storage.places import HOME
from dungeon_tui.storage.recordings import folder
from tests.fuzz.readers import RECORDINGS
from tests.processes import call, refused, told

KEYS = {"id", "game", "title", "turns", "outcome", "is_win", "changed"}


@pytest.fixture
def recorded() -> list[Path]:
    """Some recordings in the folder, one of them broken."""
    folder().mkdir(parents=True)
    paths = []
    for path in sorted(RECORDINGS.glob("rescue-*.jsonl")):
        paths.append(folder() / path.name)
        paths[-1].write_bytes(path.read_bytes())
    (folder() / "broken.jsonl").write_text("nothing")
    return paths


def test_without_games_nothing_is_listed_and_nothing_goes_wrong() -> None:
    assert len(call("library", "stats").stdout.splitlines()) == 1
    assert told("library", "stats")["games"] == {}
    assert told("library", "list", "--json") == {"games": []}
    assert told("library", "check", "--json") == {"ok": True, "games": 0, "problems": []}


def test_recordings_are_taken_into_a_new_library_once_and_stay(recorded: list[Path]) -> None:
    before = {path: path.read_bytes() for path in folder().iterdir()}
    done = call("library", "list", "--json")
    games = json.loads(done.stdout)["games"]
    assert len(games) == len(recorded)
    assert all(set(game) >= KEYS for game in games)
    assert b"broken.jsonl" in done.stderr
    assert {game["outcome"] for game in games} == {"saved", "died"}
    assert all(game["is_win"] == (game["outcome"] == "saved") for game in games)
    assert {path: path.read_bytes() for path in folder().iterdir()} == before
    assert told("library", "list", "--json")["games"] == games
    assert told("library", "check", "--json") == {"ok": True, "games": len(games), "problems": []}


def test_a_library_goes_elsewhere_and_nothing_is_there_twice(
    recorded: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = len(recorded)
    call("library", "list")
    assert told("library", "export", str(tmp_path / "all.jsonl"), "--json") == {"games": games}
    text = call("library", "export", "-").stdout
    assert text == (tmp_path / "all.jsonl").read_bytes()
    monkeypatch.setenv(HOME, str(tmp_path / "elsewhere"))
    brought = {"games": games, "new": games, "changed": 0, "known": 0}
    assert told("library", "import", "-", "--json", given=text) == brought
    again = {"games": games, "new": 0, "changed": 0, "known": games}
    assert told("library", "import", str(tmp_path / "all.jsonl"), "--json") == again
    assert call("library", "export", "-").stdout == text
    assert call("library", "--library", str(tmp_path / "third"), "list").returncode == 0
    assert (tmp_path / "third" / NAME).exists()


def test_a_file_that_is_no_library_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"format": "dungeon-tui library", "version": 1, "levels": 0, "games": 0}\n{"kind": "x"}\n')
    assert refused("library", "import", str(path)).startswith(f"{path}:2:1: ")
    path.write_text("1 1\n0 0\n-\n")
    assert "holds no library" in refused("library", "export", str(path))
    assert path.read_text() == "1 1\n0 0\n-\n"


def test_a_game_is_shown_removed_and_had_back_by_its_number_or_key(recorded: list[Path], home: Path) -> None:
    text = call("library", "export", "-").stdout
    first = told("library", "list", "--json")["games"][0]
    page = call("library", "show", str(first["id"])).stdout.decode()
    assert page == call("library", "show", first["key"][:9]).stdout.decode()
    for line in (first["title"], "Ends", f"Moves ({first['turns']:,})", "Last messages", "The map"):
        assert f"{line}\n" in page
    assert told("library", "show", first["key"], "--json")["text"] == page
    assert told("library", "remove", first["key"], "--json") == {"removed": first["id"]}
    assert len(told("library", "list", "--json")["games"]) == len(recorded) - 1
    assert refused("library", "show", first["key"])
    assert refused("library", "remove", "")
    assert told("library", "import", "-", "--json", given=text)["changed"] == 1


def test_what_all_results_come_to_is_told(recorded: list[Path]) -> None:
    call("library", "list")
    found = told("library", "stats")
    games = len(recorded)
    assert found["games"]["rescue"]["games"] == found["total"]["ends"] == sum(found["days"].values()) == games
    assert found["total"]["wins"] == sum(game["is_win"] for game in told("library", "list")["games"])
    assert set(found) == {"games", "total", "streak", "dailies", "days"}
    lines = call("library", "stats").stdout.decode().splitlines()
    assert [line.split()[:2] for line in lines[1:3]] == [["Rescue", str(games)], ["All", str(games)]]
    assert sum(len(line) > 78 for line in lines) == 0


def test_a_damaged_level_keeps_no_other_game_from_being_exported(recorded: list[Path], home: Path) -> None:
    call("library", "list")
    library = Library(home / NAME)
    with library.writing() as database:
        database.execute("UPDATE levels SET data = x'00' WHERE hash = (SELECT level FROM games WHERE id = 1)")
        (hurt,) = database.execute("SELECT count(*) FROM games GROUP BY level HAVING min(id) = 1").fetchone()
    library.close()
    done = call("library", "export", "-")
    header = json.loads(done.stdout.splitlines()[0])
    assert (done.returncode, header["games"]) == (1, len(recorded) - hurt)
    assert len(done.stderr.splitlines()) == hurt
    assert "<recording>" not in refused("library", "show", "1")


def test_a_title_from_elsewhere_is_shown_on_one_line(recorded: list[Path], home: Path) -> None:
    call("library", "list")
    library = Library(home / NAME)
    library.change(1, title="a\nb\x1b[2J", outcome="a\nb")
    library.close()
    done = call("library", "list")
    assert len(done.stdout.decode().splitlines()) == 1 + len(recorded)
    assert len(call("library", "remove", "1").stdout.decode().splitlines()) == 1


def test_what_can_not_be_played_again_is_a_problem(recorded: list[Path], home: Path) -> None:
    call("library", "list")
    library = Library(home / NAME)
    with library.writing() as database:
        database.execute("UPDATE turns SET action = 'nonsense' WHERE game = 1 AND number = 2")
    library.close()
    done = call("library", "check", "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["ok"], found["games"]) == (1, False, len(recorded))
    assert [problem[:7] for problem in found["problems"]] == ["game 1:"]
