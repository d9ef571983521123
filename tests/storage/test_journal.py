"""A game stored while it is played: at any moment, whoever opens it again finds the same tree, place and redo line."""

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dungeon_tui.core.catalogue import YOU
from dungeon_tui.core.rules import Event, LevelBegun
from dungeon_tui.core.scores import Score
from dungeon_tui.core.session import Replay, Session
from dungeon_tui.core.turns import ChangeKind, TurnController
from dungeon_tui.storage import database as database_module
from dungeon_tui.storage import journal as journal_module
from dungeon_tui.storage.journal import Journal, Stopwatch
from dungeon_tui.storage.library import LazyLibrary, Library
from dungeon_tui.storage.recordings import load
from dungeon_tui.storage.results import results
from tests.clock import Clock
from tests.libraries import being_written
from tests.nim_rules import SEATS, NimRules, State, best, controller_of
from tests.processes import GONE
from tests.storage.nim_game import PILE, actions, journal_of, library_in, redo_line, resumed, session_of

pytestmark = pytest.mark.usefixtures("nim")
OPERATIONS = (
    "one", "two", "one", "two", "undo", "undo", "redo", "restart", "seek", "back", "follow", "other line", "variation",
    "leave", "take over", "answer", "seat",
)  # fmt: skip


class Twin:
    """A session, and as plain lists what was played of it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.played: list[tuple[int, ...]] = []  # the actions to each turn that was played, variations left out
        self.before: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # place and redo line when a variation began

    def place(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        if self.session.variation is not None:
            return self.before
        return actions(self.session.turn), redo_line(self.session.turn)

    def play(self, number: int) -> None:
        way = actions(self.session.turn)
        self.session.play(number)
        if self.session.variation is None:
            self.played += [(*way, number)[:length] for length in range(1, len(way) + 2)]

    def run(self, operation: str, number: int) -> None:
        """Does what the screen does; what lies on the line is part of the game, also if it was a variation before."""
        self._run(operation, number)
        if self.session.variation is None and self.played:
            line = redo_line(self.session.turn)
            self.played += [line[:length] for length in range(1, len(line) + 1)]

    def _run(self, operation: str, number: int) -> None:
        session = self.session
        if operation in ("one", "two"):
            action = 1 if operation == "one" else 2
            if session.variation is not None:
                session.variation.apply(action)
            elif not session.is_looking_back and session.is_persons_turn and session.outcome is None:
                self.play(action)
        elif operation == "undo":
            if not session.leave_variation():
                session.undo()
        elif operation == "redo":
            if session.variation is None:
                session.redo()
        elif operation == "restart":
            session.leave_variation()
            session.restart()
        elif operation == "seek":
            session.seek(number)
        elif operation == "back":
            session.is_looking_back = True
            session.step_back()
        elif operation == "follow":
            session.is_looking_back = True
            session.follow()
        elif operation == "other line":
            session.leave_variation()
            session.is_looking_back = True
            session.other_line()
        elif operation == "variation":
            if session.variation is None:
                self.before = self.place()
                line = session.turn.line()
                session.begin_variation(line[max(0, len(line) - 1 - number % 4)])
        elif operation == "leave":
            session.leave_variation()
        elif operation == "take over":  # as a person's move does
            session.variation = None
            session.is_looking_back = False
            if session.player(session.turn) != YOU:
                session.take_seats({**session.players, session.seat(): YOU})
            if session.outcome is None:
                self.play(1 + number % 2)
        elif operation == "answer":
            if not session.is_looking_back and session.is_strategys_turn:
                self.play(best(session.state))
        elif operation == "seat":
            session.leave_variation()
            session.is_looking_back = False
            session.take_seats({"first": YOU, "second": ("perfect", YOU)[number % 2]})


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(journal_module, "monotonic", clock)
    return clock


def opened(folder: Path, pile: int = PILE) -> tuple[Library, Session, Journal]:
    """A new game and its journal."""
    library, session = library_in(folder), session_of(pile)
    return library, session, journal_of(library, session)


def gone_on_with(library: Library, journal: Journal) -> tuple[Session, Journal]:
    """A stored game, opened again as it was left."""
    found = library.resume(journal.stored)
    session = Session(found.controller, SEATS, found.stored.players)
    return session, journal_of(library, session, resumed=found)


def game_of(*operations: tuple[str, int]) -> Any:
    return example(list(operations), "", None)


ONE, TWO, VARIATION = ("one", 0), ("two", 0), ("variation", 0)


@game_of(ONE, VARIATION, TWO, ("leave", 0), ONE)
@game_of(ONE, ONE, ("variation", 1), TWO, ("leave", 0), ("undo", 0), ("redo", 0))
@game_of(ONE, VARIATION, TWO, TWO, ("back", 0), ("back", 0), ("redo", 0))
@game_of(ONE, VARIATION, TWO, TWO, TWO, ("seek", 2), ("take over", 0), ("undo", 0), ("other line", 0), ("undo", 0))
@game_of(ONE, TWO, ("undo", 0), ONE, ("undo", 0), ("other line", 0))
@example([("seek", 1), ("take over", 0)], "", [1, 2, 1])  # a recording
@given(
    st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 12)), max_size=40),
    st.sampled_from(["", "perfect"]),
    st.lists(st.integers(1, 2), max_size=6) | st.none(),
)
def test_whatever_is_done_the_game_is_found_as_it_was_left(
    operations: list[tuple[str, int]], second: str, recorded: list[int] | None
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        library, reader = library_in(Path(folder)), library_in(Path(folder))
        if recorded is None:
            session = session_of(PILE, second=second or YOU)
        else:
            controller = controller_of(PILE, *recorded)
            controller.go_to(controller.first)
            session = Session(controller, SEATS, {}, Replay("a.jsonl", "A pile", ""))
        twin, journal = Twin(session), journal_of(library, session)
        known = {tuple(recorded[:length]) for length in range(1, len(recorded) + 1)} if recorded else set()
        is_begun = False
        for operation, number in operations:
            twin.run(operation, number)
            journal.keep()
            assert journal.trouble == ""
            is_begun = is_begun or (bool(twin.played) and operation in ("one", "two", "take over"))
            if not is_begun:
                assert reader.games() == []
                continue
            found = resumed(reader, journal)
            assert found == (set(twin.played) | known, *twin.place())
            (stored,) = reader.games()
            assert dict(stored.players) == session.players
        journal.close()
        if is_begun:
            assert resumed(reader, journal) == (set(twin.played) | known, *twin.place())
        library.close()
        reader.close()


def test_a_game_is_listed_from_its_first_move_on_and_forgotten_without_one(tmp_path: Path) -> None:
    library = library_in(tmp_path)
    journal_of(library, session_of()).close()
    assert library.games() == []
    session = session_of()
    journal = journal_of(library, session, arguments="pile", source="a.jsonl")
    assert library.games() == []
    session.play(1)
    assert not journal.is_behind
    (stored,) = library.games()
    assert (stored.title, stored.arguments, stored.source, stored.turns, stored.ply) == (
        "A pile",
        "pile",
        "a.jsonl",
        1,
        1,
    )
    assert (stored.writer, stored.was_interrupted, stored.outcome) == (os.getpid(), False, "")
    journal.close()
    (stored,) = library.games()
    assert (stored.writer, stored.was_interrupted) == (0, False)


def test_a_game_between_strategies_is_not_stored(tmp_path: Path) -> None:
    library, session = library_in(tmp_path), session_of(first="perfect", second="perfect")
    journal = journal_of(library, session)
    session.play(1)
    session.play(2)
    journal.close()
    assert library.games() == []


def test_going_on_adds_to_the_game_and_takes_it_over(tmp_path: Path) -> None:
    library, session, journal = opened(tmp_path)
    for action in (1, 2, 1):
        session.play(action)
    session.undo()
    journal.close()
    again, going_on = gone_on_with(library, journal)
    assert library.games()[0].writer == os.getpid()
    again.play(2)
    assert resumed(library, going_on) == ({(1,), (1, 2), (1, 2, 1), (1, 2, 2)}, (1, 2, 2), (1, 2, 2))
    (stored,) = library.games()
    assert (stored.turns, stored.ply, stored.id) == (4, 3, journal.stored.id)


@pytest.mark.parametrize("is_restarted", [False, True])
def test_undo_costs_the_clean_star_in_later_sittings_until_a_restart(tmp_path: Path, is_restarted: bool) -> None:
    library, session, journal = opened(tmp_path, 3)
    session.play(1)
    session.undo()
    journal.close()
    again, going_on = gone_on_with(library, journal)
    again.redo()
    if is_restarted:
        again.restart()
        again.play(1)
    again.play(2)
    assert again.outcome is not None
    going_on.add_end(again.turn, again.outcome, ())
    assert [end.is_undone for end in results(library)] == [not is_restarted]


def test_an_end_is_stored_with_its_scores_and_going_back_reopens_the_game(tmp_path: Path) -> None:
    library, session, journal = opened(tmp_path, 3)
    session.play(1)
    journal.mark_helped("a hint")
    session.play(2)
    outcome = session.outcome
    assert outcome is not None
    for _ in range(2):  # again after a look back: it is known
        journal.add_end(session.turn, outcome, [Score("moves", 2, 2)])
    (stored,) = library.games()
    assert (stored.outcome, stored.is_won, stored.is_helped) == (outcome.name, outcome.is_win, True)
    with library.reading() as database:
        assert database.execute("SELECT turn, outcome, is_helped FROM ends").fetchall() == [(2, outcome.name, 1)]
        assert database.execute("SELECT aim, value, par FROM scores").fetchall() == [("moves", 2, 2)]
    assert journal.best_run() == ["1", "2"]
    session.undo()
    found = library.resume(journal.stored)
    assert (found.stored.outcome, found.stored.is_won, found.stored.ply) == ("", False, 1)
    going_on = journal_of(library, Session(found.controller, SEATS, found.stored.players), resumed=found)
    assert going_on.used(found.controller.turn.branches[0]).names == ("earlier help",)  # undo came later


def test_the_time_of_an_end_is_that_of_its_try_in_all_sittings(tmp_path: Path, clock: Clock) -> None:
    library, session, journal = opened(tmp_path, 3)

    def end(*numbers: int) -> None:
        for number in numbers:
            session.play(number)
        assert session.outcome is not None
        journal.add_end(session.turn, session.outcome, ())

    def seconds() -> list[float]:
        return [each.seconds for each in results(library, "games.id = ?", journal.stored.id)]

    clock.now += 30.0
    end(1, 2)
    session.restart()
    clock.now += 4.0
    session.play(2)
    assert seconds() == [30.0]
    journal.close()
    assert library.games()[0].seconds == 34.0
    clock.now += 1000.0  # it is closed
    session, journal = gone_on_with(library, journal)
    clock.now += 3.0
    end(1)
    session.restart()
    clock.now += 2.0
    end(1, 1, 1)
    assert seconds() == [30.0, 7.0, 2.0]


class TwoLevels(NimRules):
    """The second level begins with a pile of five."""

    def step(self, state: State, action: int) -> tuple[State, tuple[Event, ...]]:
        after, events = super().step(state, action)
        return after, (*events, LevelBegun(2)) if after.pile == 5 else events


def test_a_restart_begins_anew_and_undo_does_not(clock: Clock) -> None:
    controller = TurnController(NimRules(), 9)
    watch = Stopwatch(controller, 100.0)
    controller.apply(1)
    clock.now += 5
    controller.undo()
    controller.redo()
    clock.now += 1
    assert watch.seconds == 106.0
    controller.restart()
    assert watch.seconds == 0.0
    clock.now += 2
    controller.go_to(controller.restarted_from, ChangeKind.UNDONE)  # takes the restart back
    assert watch.seconds == 108.0
    controller.restart()
    clock.now += 2
    controller.apply(2)
    assert watch.seconds == 2.0


def test_a_later_level_is_restarted_at_the_time_when_it_began(clock: Clock) -> None:
    controller = TurnController(TwoLevels(), 7)
    watch = Stopwatch(controller)
    clock.now += 10
    controller.apply(2)
    for wasted in (7, 9):
        controller.apply(1)
        clock.now += wasted
        controller.restart()
        assert (controller.turn.ply, watch.seconds) == (1, 10.0)
    clock.now += 1
    assert watch.seconds == 11.0


def test_the_end_stops_the_watch(clock: Clock) -> None:
    controller = TurnController(NimRules(), 2)
    watch = Stopwatch(controller)
    for before, after in ((5, 5.0), (3, 3.0)):
        clock.now += before
        controller.apply(2)
        clock.now += 60
        assert watch.seconds == after
        controller.restart()


def test_where_nothing_can_be_written_any_more_it_is_said_once_and_the_game_goes_on(tmp_path: Path) -> None:
    library, session, journal = opened(tmp_path)
    told: list[str] = []
    journal.on_trouble = told.append
    session.play(1)
    with library.writing() as database:
        pages = database.execute("PRAGMA page_count").fetchone()[0]
        database.execute(f"PRAGMA max_page_count = {pages}")  # as on a full disk
    for _ in range(PILE // 2):
        session.play(1)
    assert len(told) == 1
    assert "\n" not in told[0]
    assert str(library.path) in told[0]
    assert session.turn.ply == 1 + PILE // 2
    stored = library.games()[0].ply
    assert 0 < stored < session.turn.ply
    journal.close()
    library.close()
    library = library_in(tmp_path)  # all up to there is whole
    assert resumed(library, journal)[1] == (1,) * stored


def test_damage_that_shows_later_is_said_and_the_file_set_aside_at_the_next_start(tmp_path: Path) -> None:
    library, session, journal = opened(tmp_path)
    told: list[str] = []
    journal.on_trouble = told.append
    session.play(1)
    library.close()
    data = bytearray(library.path.read_bytes())
    data[-4096 * 6 :] = b"\xff" * (4096 * 6)
    size = int.from_bytes(data[16:18], "big")
    for start in range(size, len(data), size):
        data[start : start + 8] = b"\xff" * 8
    library.path.write_bytes(data)
    library.connection = database_module.connect(library.path)
    session.play(1)
    session.play(2)
    assert len(told) == 1
    journal.close()  # doesn't say that all is in order
    library.close()
    again = library_in(tmp_path)
    (aside,) = tmp_path.glob("library.db.damaged-*")
    assert aside.name in again.notice
    assert aside.read_bytes() == data


# -- several programs on one library


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for others that write."""
    monkeypatch.setattr(database_module, "SQLITE_TIMEOUT_S", 0)
    monkeypatch.setattr(database_module, "SHORT_TIMEOUT_S", 0)
    monkeypatch.setattr(journal_module, "TURN_TIMEOUT_S", 0)
    monkeypatch.setattr(journal_module, "BUSY_TIMEOUT_S", 0)


@pytest.mark.usefixtures("impatient")
def test_what_is_played_while_another_process_writes_is_stored_once_it_lets_go(tmp_path: Path) -> None:
    library, session, journal = opened(tmp_path)
    told: list[str] = []
    journal.on_trouble = journal.on_behind = told.append
    session.play(1)
    with being_written(library.path):
        session.play(2)
        session.play(2)
        session.undo()
        session.undo()  # another branch, left before it could be written
        journal.mark_helped("a hint")
        session.play(1)
        assert (journal.is_behind, journal.trouble, len(told)) == (True, "", 1)
        assert resumed(library, journal)[1] == (1,)
    journal.keep()
    assert not journal.is_behind
    assert resumed(library, journal) == ({(1,), (1, 2), (1, 2, 2), (1, 1)}, (1, 1), (1, 1))
    assert library.games()[0].is_helped
    session.play(2)
    assert resumed(library, journal)[1] == (1, 1, 2)
    assert len(told) == 1


@pytest.mark.usefixtures("impatient")
def test_a_library_that_another_process_writes_to_is_opened_all_the_same(home: Path) -> None:
    first = library_in(home)
    session = session_of()
    earlier = journal_of(first, session)
    session.play(1)
    first.change(earlier.stored.id, writer=GONE)  # cut off: that is to be noted, too
    with being_written(first.path):
        lazy = LazyLibrary()
        library = lazy.get()
        assert (lazy.trouble, [stored.was_interrupted for stored in library.games()]) == ("", [True])
        session = session_of()
        journal = journal_of(library, session)
        session.play(2)
        assert journal.is_behind
    session.play(2)
    assert (journal.is_behind, resumed(library, journal)[1]) == (False, (2, 2))
    lazy.close()


@pytest.mark.usefixtures("impatient")
def test_a_game_opened_and_ended_while_another_process_writes_is_stored_with_its_end(tmp_path: Path) -> None:
    library, session = library_in(tmp_path), session_of(3)
    with being_written(library.path):
        journal = journal_of(library, session, daily="2026-11-22")
        session.play(1)
        session.play(2)
        assert session.outcome is not None
        journal.add_end(session.turn, session.outcome, [Score("moves", 2, 2)])
        assert journal.is_behind
    journal.close()
    (stored,) = library.games()
    assert (stored.ply, stored.outcome, stored.writer, stored.daily) == (2, session.outcome.name, 0, "2026-11-22")
    assert [end.scores for end in results(library, "games.id = ?", stored.id)] == [(Score("moves", 2, 2),)]


@pytest.mark.usefixtures("impatient")
def test_what_cant_be_stored_even_at_the_end_is_saved_as_a_recording(tmp_path: Path, home: Path) -> None:
    library, session, journal = opened(tmp_path)
    session.play(1)
    with being_written(library.path):
        session.play(2)
        journal.close()
    (path,) = (home / "recordings").iterdir()
    assert journal.saved == path
    assert path.name in journal.trouble
    assert list(load(path).actions) == ["1", "2"]


def test_after_trouble_a_game_is_left_in_order_all_the_same(tmp_path: Path) -> None:
    library, session, journal = opened(tmp_path)
    session.play(1)
    with library.writing() as database:
        database.execute("CREATE TEMP TRIGGER full BEFORE INSERT ON turns BEGIN SELECT RAISE(FAIL, 'no room'); END")
    session.play(2)
    assert journal.trouble
    journal.close()
    (stored,) = library.games()
    assert (stored.ply, stored.writer, stored.was_interrupted) == (1, 0, False)


def test_leaving_a_game_takes_it_from_nobody_else(tmp_path: Path) -> None:
    library, session, journal = opened(tmp_path)
    session.play(1)
    library.change(journal.stored.id, writer=GONE)  # opened elsewhere by now
    journal.close()
    (stored,) = library.games()
    assert stored.writer == GONE


def test_of_two_that_open_a_daily_the_first_with_a_turn_is_the_counted_try(tmp_path: Path) -> None:
    first, second = library_in(tmp_path), library_in(tmp_path)
    one, other = session_of(), session_of()
    day = {"daily": "2026-11-22"}
    journal, other_journal = journal_of(first, one, **day), journal_of(second, other, **day)
    one.play(1)
    other.play(1)
    assert (journal.stored.daily, other_journal.stored.daily) == ("2026-11-22", "")
    assert [stored.daily for stored in first.games("1")] in (["2026-11-22", ""], ["", "2026-11-22"])


def test_the_end_of_a_game_forgotten_elsewhere_is_reported_as_not_stored(tmp_path: Path) -> None:
    first, second = library_in(tmp_path), library_in(tmp_path)
    session = session_of(3)
    journal = journal_of(first, session)
    session.play(1)
    session.play(2)
    second.forget(journal.stored.id)
    assert session.outcome is not None
    journal.add_end(session.turn, session.outcome, ())
    assert journal.trouble


def test_a_game_that_is_open_twice_keeps_both_branches(tmp_path: Path) -> None:
    first, second = library_in(tmp_path), library_in(tmp_path)
    one = session_of()
    journal = journal_of(first, one)
    one.play(1)
    other, other_journal = gone_on_with(second, journal)
    one.play(1)
    other.play(2)
    one.play(2)
    other.play(2)
    one.undo()
    journal.close()
    every = {(1,), (1, 1), (1, 2), (1, 1, 2), (1, 2, 2)}
    assert resumed(second, other_journal)[0] == every
    other_journal.close()
    assert resumed(first, journal) == (every, (1, 1), (1, 1, 2))  # where the last change left it
    assert first.games() == second.games()


def test_what_is_removed_elsewhere_while_it_is_played_comes_back_with_the_next_turn(tmp_path: Path) -> None:
    first, second = library_in(tmp_path), library_in(tmp_path)
    session = session_of()
    journal = journal_of(first, session)
    session.play(1)
    second.remove(journal.stored.id)
    assert first.games() == []
    session.play(2)
    assert [stored.ply for stored in second.games()] == [2]
    second.forget(journal.stored.id)
    session.play(1)
    assert "\n" not in journal.trouble
    assert "removed" in journal.trouble


def test_a_level_is_not_forgotten_while_its_game_waits_for_the_first_move(tmp_path: Path) -> None:
    first, second = library_in(tmp_path), library_in(tmp_path)
    session = session_of()
    journal = journal_of(first, session)
    with first.writing() as database:
        database.execute("UPDATE games SET began = '2001-01-01 00:00:00'")
    second.tidy()
    session.play(1)
    assert journal.trouble == ""
    assert resumed(second, journal)[0] == {(1,)}
