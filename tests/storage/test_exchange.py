"""Libraries brought elsewhere and back, merged, and refused if they are broken or hostile."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage import exchange
from dungeon_tui.storage.exchange import ImportCounts, export, problems, take_in
from dungeon_tui.storage.library import Library, LibraryError, timestamp
from dungeon_tui.storage.results import results
from tests.libraries import add_games


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library.db")


def bring(data: bytes, library: Library) -> ImportCounts:
    path = library.path.with_name("brought.db")
    path.write_bytes(data)
    with closing(Library(path, is_foreign=True)) as other:
        return take_in(library, other)


def data_of(library: Library) -> bytes:
    return export(library)[0]


def changed(library: Library, *statements: str) -> bytes:
    """An export of a library in which statements were run."""
    path = library.path.with_name("changed.db")
    path.write_bytes(data_of(library))
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
    return path.read_bytes()


def begin(library: Library, turns: list[tuple[int, str]], daily: str = "", **values: object) -> int:
    """Adds a game of the crawler with the turn before, and the action, of each turn."""
    game = find_game("crawler")
    rules, level = game.rules(), game.levels().openings()[0].load()
    controller = TurnController(rules, level)
    nodes = [controller.first]
    for before, action in turns:
        controller.go_to(nodes[before])
        nodes.append(controller.apply(rules.read_action(action)))
    outcome, last = controller.outcome, len(turns)
    key = library.keep_level(game.levels().pack_level(level))
    stored = library.begin(game="crawler", rules=rules.VERSION, level=key, seed=0, title="T", **values)
    values = {"ply": controller.turn.ply, "outcome": outcome.name if outcome is not None else ""}
    library.add_turns(stored.id, turns, last, last, daily, **values)
    library.change(stored.id, writer=0)
    return stored.id


def lines(library: Library) -> list[tuple[str, list[tuple[int, str]]]]:
    return [(stored.key, [turn[1:] for turn in library.turns(stored.id)]) for stored in library.games()]


@pytest.mark.parametrize(("most", "new"), [(3, 1), (2, 0)])
def test_a_game_has_as_many_turns_as_the_limit_and_no_more(
    most: int, new: int, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(library, [(0, "d"), (1, "s"), (2, "a")], key="0123456789abcdef", began="2026-11-22 20:15:03")
    monkeypatch.setattr(exchange, "MOST_TURNS", most)
    assert bring(data_of(library), Library(tmp_path / "other.db")).new == new


def test_all_that_is_exported_comes_in_elsewhere_and_again_changes_nothing(library: Library, tmp_path: Path) -> None:
    games = add_games(library)
    other = Library(tmp_path / "other.db")
    assert bring(data_of(library), other) == ImportCounts(new=len(games))
    assert sorted(lines(other)) == sorted(lines(library))
    assert {end.scores for end in results(other)} == {end.scores for end in results(library)}
    assert bring(data_of(library), other) == bring(data_of(other), library) == ImportCounts(known=len(games))


def test_an_export_is_one_whole_file_without_removed_games(library: Library) -> None:
    games = add_games(library)
    library.remove(games[0].id)
    data, number = export(library)
    assert number == len(games) - 1
    assert games[0].key.encode() not in data
    path = library.path.with_name("alone") / "one.db"
    path.parent.mkdir()
    path.write_bytes(data)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    assert len(Library(path, is_foreign=True).games()) == number
    path.parent.chmod(0o755)
    assert list(path.parent.iterdir()) == [path]


trees = st.lists(st.tuples(st.integers(0, 9), st.sampled_from("wasd")), min_size=1, max_size=9).map(
    lambda turns: [(min(before, number), action) for number, (before, action) in enumerate(turns)]
)


@settings(max_examples=settings().max_examples // 2)
@given(mine=trees, theirs=trees)
def test_two_ways_of_one_game_both_stay_and_importing_again_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, mine: list[tuple[int, str]], theirs: list[tuple[int, str]]
) -> None:
    folder = tmp_path_factory.mktemp("libraries")
    first, second = Library(folder / "1.db"), Library(folder / "2.db")
    for library, turns in ((first, mine), (second, theirs)):
        begin(library, turns, key="0123456789abcdef", began="2026-11-22 20:15:03")
    counts = bring(data_of(second), first)
    shorter = min(len(mine), len(theirs))
    if mine[:shorter] == theirs[:shorter]:
        ((_, turns),) = lines(first)
        assert turns == max(mine, theirs, key=len)
    else:
        assert counts == ImportCounts(new=1)
        assert sorted(turns for _, turns in lines(first)) == sorted([mine, theirs])
    assert bring(data_of(second), first) == ImportCounts(known=1)
    assert bring(data_of(first), first).known == len(first.games())
    first.close()
    second.close()


def test_a_time_in_the_future_becomes_now(library: Library, tmp_path: Path) -> None:
    add_games(library)
    later = changed(
        library, *(f"UPDATE {what} = '9999-01-01 00:00:00'" for what in ("games SET played", "ends SET at"))
    )
    other, before = Library(tmp_path / "other.db"), timestamp()
    assert bring(later, other).new > 0
    assert all(before <= stored.played <= timestamp() for stored in other.games())
    assert all(before <= end.at <= timestamp() for end in results(other))


def test_others_can_write_between_the_games_of_an_import(library: Library, tmp_path: Path) -> None:
    games = add_games(library)
    other, third = Library(tmp_path / "other.db"), Library(tmp_path / "other.db")
    path, seen = tmp_path / "brought.db", list[int]()
    path.write_bytes(data_of(library))

    def progress(_done: int, _all: int) -> None:
        with third.timeout(0), third.writing():  # fails if an import holds it
            seen.append(len(third.games()))

    take_in(other, Library(path, is_foreign=True), progress)
    assert seen == [*range(len(games))]


def test_a_game_continued_elsewhere_gets_its_new_turns_and_place(library: Library, tmp_path: Path) -> None:
    other = Library(tmp_path / "other.db")
    number = begin(library, [(0, "d")])
    bring(data_of(library), other)
    (stored,) = other.games()
    other.add_turns(stored.id, [(1, "s")], present=-1, last=-1, ply=2, title="Another")
    assert bring(data_of(other), library) == ImportCounts(changed=1)
    (now,) = library.games()
    assert (now.id, now.turns, now.ply, now.present, now.title) == (number, 2, 2, 2, "Another")
    assert bring(data_of(other), library) == ImportCounts(known=1)


def test_what_was_removed_comes_back_and_a_day_counts_once(library: Library, tmp_path: Path) -> None:
    other = Library(tmp_path / "other.db")
    number = begin(library, [(0, "d")], daily="2026-11-22")
    data = data_of(library)
    library.remove(number)
    assert bring(data, library) == ImportCounts(changed=1)
    begin(other, [(0, "a")], daily="2026-11-22", began="2026-11-22 08:00:00")
    bring(data, other)
    assert sorted(stored.daily for stored in other.games()) == ["", "2026-11-22"]
    assert bring(data, other) == ImportCounts(known=1)


FAULTS = {
    "level": "UPDATE levels SET data = x'00'",
    "turns": "DELETE FROM turns WHERE number = 1",
    "action": "UPDATE turns SET action = x'ff' WHERE number = 1",
    "illegal": "UPDATE turns SET action = 'no such thing' WHERE number = 1",
    "parent": "UPDATE turns SET parent = 99999 WHERE number = 1",
    "game": "UPDATE games SET game = 'nom'",
    "rules": "UPDATE games SET rules = 999",
    "outcome": "UPDATE games SET outcome = 'escaped'",
    "key": "UPDATE games SET key = '../x'",
    "began": "UPDATE games SET began = 'yesterday'",
    "daily": "UPDATE games SET daily = 'today'",
    "row": "UPDATE games SET title = x'ff'",
    "end": "INSERT INTO ends VALUES (1, 1, '2026-01-01 10:00:00', '', 1, 1, 1, x'00')",
    "end's time": "INSERT INTO ends VALUES (1, 1, 'x', '', 1, 1, 1, 1.0)",
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_game_with_a_fault_is_refused_in_a_line(library: Library, tmp_path: Path, fault: str) -> None:
    begin(library, [(0, "d"), (1, "s")])
    other = Library(tmp_path / "other.db")
    counts = bring(changed(library, fault), other)
    assert (counts.new, len(counts.refused)) == (0, 1)
    assert "\n" not in counts.refused[0]
    assert other.games() == []


def test_a_game_with_a_fault_keeps_no_other_out(library: Library, tmp_path: Path) -> None:
    games = add_games(library)
    counts = bring(changed(library, "UPDATE games SET rules = 999 WHERE id = 2"), Library(tmp_path / "other.db"))
    assert (counts.new, len(counts.refused)) == (len(games) - 1, 1)


HOSTILE: dict[str, Callable[[bytes], bytes] | str] = {
    "text": lambda _: b"no library\n" * 500,
    "empty": lambda _: b"",
    "cut": lambda data: data[: len(data) // 2],
    "of another program": lambda data: data[:60] + bytes(4) + data[64:],
    "newer": "PRAGMA user_version = 999",
    "trigger": "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM levels; END",
    "view": "CREATE VIEW more AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
    "column": "ALTER TABLE games ADD COLUMN more GENERATED ALWAYS AS (hex(zeroblob(100000000))) VIRTUAL",
    "table": "CREATE TABLE more (a)",
    "no table": "DROP TABLE scores",
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_a_file_that_is_no_library_is_refused_in_a_line(
    library: Library, tmp_path: Path, make: Callable[[bytes], bytes] | str
) -> None:
    begin(library, [(0, "d")])
    data = changed(library, make) if isinstance(make, str) else make(data_of(library))
    other = Library(tmp_path / "other.db")
    with pytest.raises(LibraryError) as raised:
        bring(data, other)
    assert "\n" not in str(raised.value)
    assert other.games() == []


def test_a_file_that_is_too_large_is_not_read(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(library, [(0, "d")])
    monkeypatch.setattr("dungeon_tui.storage.database.MOST_BYTES", 1000)
    with pytest.raises(LibraryError, match="larger"):
        bring(data_of(library), library)


def test_checking_replays_every_game(library: Library) -> None:
    begin(library, [(0, "d"), (1, "s")])
    calls: list[tuple[int, int]] = []
    assert list(problems(library, lambda done, total: calls.append((done, total)))) == []
    assert calls == [(0, 1), (1, 1)]
    with library.writing() as database:
        database.execute("UPDATE turns SET action = 'no such thing' WHERE number = 2")
    (problem,) = problems(library, lambda done, total: None)
    assert problem.startswith("game 1: ")


@pytest.mark.parametrize("own", ["/tmp/bot.py:move", "./bot", "run bot"])
def test_a_command_in_a_library_is_never_run(library: Library, own: str) -> None:
    begin(library, [(0, "d")], players={"monster": own, "rogue": "@mine"})
    found = library.resume(library.games()[0])
    assert dict(found.stored.players) == {"monster": "you", "rogue": "@mine"}
    assert "monster" in found.notice
    assert found.trouble == ""
