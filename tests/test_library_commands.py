"""`dungeon-tui library`: what is saved, on the command line."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from dungeon_tui.storage.folders import HOME
from dungeon_tui.storage.library import NAME, Library, StoredGame
from tests.libraries import RECORDINGS, add_games
from tests.processes import call, json_of, refused

KEYS = {"id", "game", "title", "turns", "outcome", "is_win", "changed"}


@pytest.fixture
def games(home: Path) -> list[StoredGame]:
    with closing(Library(home / NAME)) as library:
        return add_games(library)


def change(home: Path, statement: str) -> None:
    with closing(Library(home / NAME)) as library, library.writing() as database:
        database.execute(statement)


def test_without_games_nothing_is_listed_and_nothing_goes_wrong() -> None:
    assert len(call("library", "stats").stdout.splitlines()) == 1
    assert json_of("library", "stats")["games"] == {}
    assert json_of("library", "list", "--json") == {"games": []}
    assert json_of("library", "check", "--json") == {"ok": True, "games": 0, "problems": []}


def test_games_are_listed_and_checked(games: list[StoredGame]) -> None:
    found = json_of("library", "list", "--json")["games"]
    assert len(found) == len(games)
    assert all(set(game) >= KEYS for game in found)
    assert {game["outcome"] for game in found} == {"saved", "died"}
    assert all(game["is_win"] == (game["outcome"] == "saved") for game in found)
    assert json_of("library", "check", "--json") == {"ok": True, "games": len(games), "problems": []}


def test_a_library_goes_elsewhere_and_nothing_is_there_twice(
    games: list[StoredGame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = {"new": 0, "changed": 0, "known": 0, "refused": 0}
    assert json_of("library", "export", str(tmp_path / "all.db"), "--json") == {"games": len(games)}
    data = call("library", "export", "-").stdout
    monkeypatch.setenv(HOME, str(tmp_path / "elsewhere"))
    assert json_of("library", "import", "-", "--json", given=data) == counts | {"new": len(games)}
    assert json_of("library", "import", str(tmp_path / "all.db"), "--json") == counts | {"known": len(games)}
    assert call("library", "--library", str(tmp_path / "third"), "list").returncode == 0
    assert (tmp_path / "third" / NAME).exists()


def test_a_recording_comes_in_as_a_game_once_and_one_that_differs_not_at_all(home: Path, tmp_path: Path) -> None:
    path = RECORDINGS / "chase-open-room-captured.jsonl"
    assert json_of("library", "import", str(path), "--json")["new"] == 1
    assert json_of("library", "import", "-", "--json", given=path.read_bytes())["known"] == 1
    (game,) = json_of("library", "list", "--json")["games"]
    assert (game["game"], game["outcome"]) == ("chase", "captured")
    assert json_of("library", "check", "--json")["ok"]
    bad = tmp_path / "bad.jsonl"
    lines = path.read_text().splitlines()
    bad.write_text("\n".join([lines[0], *lines[2:]]))
    assert refused("library", "import", str(bad)).startswith(f"{bad}:")
    assert len(json_of("library", "list", "--json")["games"]) == 1


def test_a_file_that_is_no_library_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_text("1 1\n0 0\n-\n")
    assert refused("library", "import", str(path)).startswith(f"{path}: ")
    assert "holds no library" in refused("library", "export", str(path))
    assert path.read_text() == "1 1\n0 0\n-\n"


def test_a_game_is_removed_by_its_number_or_key_and_comes_back_by_an_import(games: list[StoredGame]) -> None:
    data = call("library", "export", "-").stdout
    assert json_of("library", "remove", games[0].key[:9], "--json") == {"removed": games[0].id}
    assert len(json_of("library", "list", "--json")["games"]) == len(games) - 1
    assert refused("library", "remove", games[0].key)
    assert refused("library", "remove", "")
    assert json_of("library", "import", "-", "--json", given=data)["changed"] == 1


def test_all_results_are_summed_up(games: list[StoredGame]) -> None:
    found, number = json_of("library", "stats"), len(games)
    assert found["games"]["rescue"]["games"] == found["total"]["ends"] == sum(found["days"].values()) == number
    assert found["total"]["wins"] == sum(game.is_won for game in games)
    assert set(found) == {"games", "total", "streak", "dailies", "days"}
    lines = call("library", "stats").stdout.decode().splitlines()
    assert [line.split()[:2] for line in lines[1:3]] == [["Rescue", str(number)], ["All", str(number)]]
    assert sum(len(line) > 78 for line in lines) == 0


def test_a_title_from_elsewhere_is_shown_on_one_line(games: list[StoredGame], home: Path) -> None:
    change(home, "UPDATE games SET title = 'a' || char(10) || char(27) || '[2J', outcome = char(10) WHERE id = 1")
    assert len(call("library", "list").stdout.decode().splitlines()) == 1 + len(games)
    assert len(call("library", "remove", "1").stdout.decode().splitlines()) == 1


def test_a_byte_that_is_not_utf_8_hides_nothing(games: list[StoredGame], home: Path, tmp_path: Path) -> None:
    change(home, "UPDATE games SET title = CAST(x'41ff42' AS TEXT), players = CAST(x'ff' AS TEXT) WHERE id = 1")
    change(home, "UPDATE turns SET action = CAST(x'ff' AS TEXT) WHERE game = 2 AND number = 1")
    assert len(json_of("library", "list", "--json")["games"]) == len(games)
    assert json_of("library", "stats")["total"]["ends"] == len(games)
    assert json_of("library", "export", str(tmp_path / "all.db"), "--json") == {"games": len(games)}
    done = call("library", "check", "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["ok"], found["games"]) == (1, False, len(games))
    assert [problem[:7] for problem in found["problems"]] == ["game 2:"]
