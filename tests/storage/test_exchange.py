"""Libraries as text: brought elsewhere and back, merged, refused where they are broken."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.session import Session
from dungeon_tui.storage import exchange
from dungeon_tui.storage.exchange import Taken, ends_of, export_lines, problems, read_export, take_in
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.library import KeptGame, Library, timestamp
from tests.fuzz.readers import complaints, exported

TREE = [(-1, "d"), (-1, "a"), (-2, "s"), (-1, "w"), (-4, "d"), (-3, "a")]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library.db")


def text_of(library: Library) -> str:
    return "".join(export_lines(library))


def bring(text: str, library: Library) -> Taken:
    return take_in(library, read_export(LevelFile("export.jsonl", text.encode())))


def begin(library: Library, turns: list[tuple[int, str]], daily: str = "", **values: object) -> int:
    game = find_game("crawler")
    assert game is not None
    level = library.keep_level(game.levels().pack_level(game.levels().openings()[0].load()))
    rules = game.rules().VERSION
    kept = library.begin(game="crawler", rules=rules, level=level, seed=0, title="T", writer=0, **values)
    library.add_turns(kept.id, turns, present=-len(turns), last=-len(turns), daily=daily, ply=1)
    return kept.id


def lines(library: Library) -> list[tuple[str, list[tuple[int, int, str]]]]:
    return [(kept.key, library.turns(kept.id)) for kept in library.games()]


def test_all_that_is_exported_comes_in_elsewhere_and_goes_out_the_same(library: Library, tmp_path: Path) -> None:
    (text,) = exported()
    taken = bring(text.decode(), library)
    assert taken.new == taken.games > 5
    assert text_of(library).encode() == text
    assert bring(text_of(library), library) == Taken(known=taken.games)
    other = Library(tmp_path / "other.db")
    assert bring(text_of(library), other) == taken
    assert text_of(other) == text_of(library)


trees = st.lists(st.tuples(st.integers(0, 9), st.sampled_from("wasd")), min_size=1, max_size=9).map(
    lambda turns: [(min(before, number), action) for number, (before, action) in enumerate(turns)]
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(mine=trees, theirs=trees)
def test_two_ways_of_one_game_both_stay_and_importing_again_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, mine: list[tuple[int, str]], theirs: list[tuple[int, str]]
) -> None:
    folder = tmp_path_factory.mktemp("libraries")
    first, second = Library(folder / "1.db"), Library(folder / "2.db")
    for library, turns in ((first, mine), (second, theirs)):
        begin(library, turns, key="0123456789abcdef", began="2026-11-22 20:15:03")
    taken = bring(text_of(second), first)
    shorter = min(len(mine), len(theirs))
    if mine[:shorter] == theirs[:shorter]:
        ((_, turns),) = lines(first)
        assert [(before, action) for _, before, action in turns] == max(mine, theirs, key=len)
    else:
        assert taken == Taken(new=1)
        found = [[(before, action) for _, before, action in turns] for _, turns in lines(first)]
        assert sorted(found) == sorted([mine, theirs])
        assert len({key for key, _ in lines(first)}) == 2
    assert bring(text_of(second), first) == Taken(known=1)
    assert bring(text_of(first), first).known == len(first.games())
    first.close()
    second.close()


def test_a_time_later_than_now_is_now(library: Library) -> None:
    (text,) = exported()
    later = re.sub(r'"(played|at)": "[0-9]{4}', r'"\1": "9999', text.decode())
    assert "9999" in later
    before = timestamp()
    taken = bring(later, library)
    now = timestamp()
    assert all(before <= kept.played <= now for kept in library.games())
    assert all(before <= end.at <= now for kept in library.games() for end in ends_of(library, kept))
    times = [kept.played for kept in library.games()]
    assert bring(later, library) == Taken(known=taken.games)
    assert [kept.played for kept in library.games()] == times


def test_an_import_lets_others_write_between_its_games(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = exported()
    other = Library(library.path)
    seen: list[int] = []

    def pause(_seconds: float) -> None:
        with other.patience(0), other.writing():  # fails if it is held
            seen.append(len(other.games()))

    monkeypatch.setattr(exchange, "_BATCH", 0.0)
    monkeypatch.setattr(exchange, "sleep", pause)
    taken = bring(text.decode(), library)
    assert seen == [*range(1, taken.games + 1)]


SECOND = "(SELECT level FROM games WHERE id = 2)"
DAMAGES = {
    "level": f"UPDATE levels SET data = x'00' WHERE hash = {SECOND}",
    "turns": "DELETE FROM turns WHERE game = 2 AND number = 1",
    "action": "UPDATE turns SET action = x'ff' WHERE game = 2 AND number = 1",
    "parent": "UPDATE turns SET parent = 99999 WHERE game = 2 AND number = 1",
    "game": "UPDATE games SET game = 'nom' WHERE id = 2",
    "began": "UPDATE games SET began = 'yesterday' WHERE id = 2",
    "row": "UPDATE games SET title = x'ff' WHERE id = 2",
    "end": "INSERT INTO ends VALUES (2, 99999, 'x', '', 1, 1, 1, 1.0)",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_game_is_left_out_and_told_and_the_rest_is_exported(
    library: Library, tmp_path: Path, damage: str
) -> None:
    (text,) = exported()
    bring(text.decode(), library)
    with library.writing() as database:
        database.execute(damage)
        hurt = f"SELECT count(*) FROM games WHERE id = 2 OR ({'levels' in damage} AND level = {SECOND})"
        (hurt_games,) = database.execute(hurt).fetchone()
        (all_of,) = database.execute("SELECT count(*) FROM games").fetchone()
    left: list[str] = []
    out = "".join(export_lines(library, left.append))
    assert len(left) == hurt_games
    assert all("\n" not in line for line in left)
    other = Library(tmp_path / "other.db")
    assert bring(out, other).new == all_of - hurt_games > 0


def test_an_export_is_of_one_moment(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(library, [(0, "d")])
    begin(library, [(0, "a")])
    other, ends = Library(library.path), exchange.ends_of

    def meanwhile(mine: Library, kept: KeptGame) -> object:
        for game in other.games():
            other.forget(game.id)
        return ends(mine, kept)

    monkeypatch.setattr(exchange, "ends_of", meanwhile)
    left: list[str] = []
    out = "".join(export_lines(library, left.append))
    monkeypatch.undo()
    assert left == []
    assert bring(out, other).new == 2


def test_a_game_gone_on_with_elsewhere_gets_its_new_turns_and_place(library: Library, tmp_path: Path) -> None:
    other = Library(tmp_path / "other.db")
    number = begin(library, [(0, "d")])
    bring(text_of(library), other)
    (kept,) = other.games()
    other.add_turns(kept.id, [(1, "s")], present=-1, last=-1, ply=2, outcome="died", title="Another")
    assert bring(text_of(other), library) == Taken(changed=1)
    (now,) = library.games()
    assert (now.id, now.turns, now.ply, now.present, now.outcome, now.title) == (number, 2, 2, 2, "died", "Another")
    assert bring(text_of(other), library) == Taken(known=1)


def test_what_was_removed_comes_back_and_a_day_counts_once(library: Library, tmp_path: Path) -> None:
    other = Library(tmp_path / "other.db")
    number = begin(library, [(0, "d")], daily="2026-11-22")
    text = text_of(library)
    library.remove(number)
    assert bring(text, library) == Taken(changed=1)
    begin(other, [(0, "a")], daily="2026-11-22", began="2026-11-22 08:00:00")
    bring(text, other)
    assert sorted(kept.daily for kept in other.games()) == ["", "2026-11-22"]
    assert bring(text, other) == Taken(known=1)


def test_a_file_that_is_not_whole_changes_nothing(library: Library) -> None:
    (text,) = exported()
    whole = text.decode().splitlines(keepends=True)
    for last in range(1, len(whole)):
        if last == len(whole) - 1 and json.loads(whole[-1])["kind"] == "end":
            continue  # all levels and games are there
        with pytest.raises(LevelError):
            bring("".join(whole[:last]), library)
    assert library.games() == []


def changed(place: int, **values: object) -> str:
    (text,) = exported()
    found = text.decode().splitlines()
    kinds = [json.loads(line).get("kind", "header") for line in found]
    index = kinds.index(("header", "level", "game", "end")[place])
    found[index] = json.dumps(json.loads(found[index]) | values)
    return "\n".join(found)


@pytest.mark.parametrize(("place", "values"), [
    (0, {"format": "x"}), (0, {"version": 2}), (0, {"games": 99}), (0, {"levels": -1}),
    (1, {"hash": "0" * 64}), (1, {"level": []}), (1, {"kind": "lavel"}),
    (2, {"key": "../x"}), (2, {"game": "chess"}), (2, {"level": "x"}), (2, {"seed": 2**63}), (2, {"turns": []}),
    (2, {"turns": [[1, "d"]]}), (2, {"turns": [[0, "\ud800"]]}), (2, {"turns": [[True, "d"]]}), (2, {"present": 999}),
    (2, {"last": -1}), (2, {"seconds": float("nan")}), (2, {"seconds": -1}), (2, {"began": "2026-13-01 00:00:00"}),
    (2, {"played": "yesterday"}), (2, {"daily": "today"}), (2, {"is_won": 1}), (2, {"title": 3}),
    (2, {"players": {"rogue": 1}}), (3, {"turn": 0}), (3, {"scores": [{"aim": "moves"}]}), (3, {"scores": [3]}),
    (3, {"outcome": None}), (3, {"at": ""}),
])  # fmt: skip
def test_a_line_that_is_wrong_is_named_and_nothing_comes_in(
    library: Library, place: int, values: dict[str, object]
) -> None:
    with pytest.raises(LevelError) as caught:
        bring(changed(place, **values), library)
    assert caught.value.file == "export.jsonl"
    assert (caught.value.line > 1) >= (place > 0)
    assert library.games() == []


def test_broken_exports_raise_the_readers_error_only() -> None:
    assert complaints("exported library", 300, 7) == []


def test_checking_plays_every_game_again(library: Library) -> None:
    game = find_game("crawler")
    assert game is not None
    from dungeon_tui.core.turns import TurnController

    level = game.levels().openings()[0].load()
    controller = TurnController(game.rules(), level)
    journal = Journal(library, game, Session(controller), lambda state, outcome: outcome.is_win, title="T")
    for _ in range(5):
        controller.apply(next(iter(game.rules().legal_actions(controller.state))))
    journal.close()
    told: list[tuple[int, int]] = []
    assert list(problems(library, lambda done, total: told.append((done, total)))) == []
    assert told == [(0, 1), (1, 1)]
    with library.writing() as database:
        database.execute("UPDATE turns SET action = 'no such thing' WHERE number = 2")
    (problem,) = problems(library, lambda done, total: None)
    assert problem.startswith("game 1: ")
    with library.writing() as database:
        database.execute("PRAGMA defer_foreign_keys = ON")
        database.execute("UPDATE games SET rules = 999")
    assert len(list(problems(library, lambda done, total: None))) == 1


@pytest.mark.parametrize("own", ["/tmp/bot.py:move", "./bot", "run bot"])
def test_what_comes_from_elsewhere_names_nothing_that_would_be_run(library: Library, tmp_path: Path, own: str) -> None:
    begin(library, [(0, "d")], players={"monster": own, "rogue": "@mine"})
    text, other = text_of(library), Library(tmp_path / "other.db")
    bring(text, other)
    (kept,) = other.games()
    assert dict(kept.players) == {"monster": "you", "rogue": "@mine"}
    assert bring(text, other) == Taken(known=1)
    bring(text.replace('"title": "T"', '"title": "Another"'), other)
    assert all("bot" not in str(kept.players) for kept in other.games())
