"""A session: who sits where, the way along the line, variations, and what would be lost. Played by nim."""

from typing import Any

import pytest

from dungeon_tui.core.session import Replay, Session
from tests.nim_rules import SEATS, controller_of

FILE = "nim.jsonl"
YOURS: dict[str, str] = {}  # both seats are a person's
SECOND, FIRST = {"second": "perfect"}, {"first": "perfect"}
NOBODY = FIRST | SECOND


def session_of(*actions: int, players: dict[str, str] = YOURS) -> Session:
    """A game in which these actions were played, by whoever sat there."""
    session = Session(controller_of(10), SEATS, players)
    for action in actions:
        session.play(action)
    return session


def replay_of(*actions: int, players: dict[str, str] = YOURS, trouble: str = "") -> Session:
    controller = controller_of(10, *actions)
    controller.go_to(controller.first)
    return Session(controller, SEATS, players, Replay(FILE, "A pile", trouble))


def ply(session: Session) -> int:
    return session.turn.ply


def line(session: Session) -> list[int]:
    turn = session.turn
    while turn.branches:
        turn = turn.branches[-1]
    assert turn is session.line.turns[-1]
    return [turn.action for turn in session.line.turns[1:]]


# -- seats


@pytest.mark.parametrize(
    ("players", "actions", "seat", "is_strategys"),
    [
        (YOURS, (), "first", False), (YOURS, (1,), "second", False),
        (SECOND, (), "first", False), (SECOND, (2,), "second", True),
        (FIRST, (), "first", True), (FIRST, (1, 1), "first", True),
        (NOBODY, (), "first", True), (NOBODY, (2,) * 5, "second", False),  # it is over
    ],
)  # fmt: skip
def test_whoever_sits_there_has_to_move(
    players: dict[str, str], actions: tuple[int, ...], seat: str, is_strategys: bool
) -> None:
    session = session_of(*actions, players=players)
    assert (session.seat(), session.is_strategys_turn) == (seat, is_strategys)
    assert session.is_persons_turn == (seat not in players)
    assert session.player(session.turn) == players.get(seat, "you")
    assert session.persons == tuple(each for each in ("first", "second") if each not in players)
    assert session.has_person == bool(session.persons)
    assert (session.outcome is None) == (session.state.pile > 0)


def test_a_game_without_seats_is_one_persons() -> None:
    session = Session(controller_of(10))
    assert (session.is_replay, session.recorded, session.trouble) == (False, (), "")
    assert (session.players, session.persons, session.seat(), session.player(session.turn)) == ({}, (), "", "you")
    assert session.has_person
    assert not session.is_strategys_turn
    session.play(1)
    session.play(2)
    assert session.undo()
    assert ply(session) == 1


def test_a_recording_seats_only_whom_one_knows() -> None:
    assert replay_of(players={"first": "evil.py:run", "second": "slow"}).players == {"first": "you", "second": "slow"}
    assert session_of(players={"second": "mine.py:hunt"}).players["second"] == "mine.py:hunt"  # named by whoever plays


# -- undo, redo, restart: to decisions that a person makes


@pytest.mark.parametrize(
    ("players", "played", "back", "forth"),
    [
        (YOURS, 3, [2, 1, 0], [1, 2, 3]),
        (SECOND, 4, [2, 0], [2, 4]),
        (SECOND, 3, [2, 0], [2, 3]),
        (FIRST, 3, [1], [3]),  # their opening stays
        (NOBODY, 3, [2, 1, 0], [1, 2, 3]),
    ],
)
def test_undo_and_redo_pass_over_what_strategies_played(
    players: dict[str, str], played: int, back: list[int], forth: list[int]
) -> None:
    session = session_of(*played * [1], players=players)
    for steps, go in ((back, session.undo), (forth, session.redo)):
        plies = []
        while go():
            plies.append(ply(session))
        assert plies == steps
    assert session.restart()
    assert ply(session) == 0
    assert not session.restart()
    assert session.undo()  # takes the restart back
    assert ply(session) == forth[-1]


@pytest.mark.parametrize(("session", "looks_back"), [(session_of(1, 1), False), (replay_of(1, 1), True)])
def test_undo_while_looking_back_takes_a_move_of_the_game_back(session: Session, looks_back: bool) -> None:
    session.seek(2)
    assert session.undo()
    assert (ply(session), session.is_looking_back) == (1, looks_back)


def test_restarting_looks_back_at_a_recording_and_plays_a_game() -> None:
    for session, looks_back in ((session_of(1, 1), False), (replay_of(1, 1), True)):
        assert session.is_looking_back == looks_back == session.is_replay == (not session.is_persons_turn)
        session.seek(2)
        assert session.is_looking_back
        assert not session.is_persons_turn
        session.restart()
        assert session.is_looking_back == looks_back


def test_new_players_are_not_carried_along_what_others_played() -> None:
    session = session_of(1, 1, 1, 1, players=NOBODY)
    session.seek(2)
    assert not session.take_seats(dict(session.players))
    assert (session.is_ahead, session.goes_on) == (False, True)
    assert session.take_seats({"first": "you", "second": "perfect"})
    assert (session.is_ahead, session.goes_on) == (True, False)
    assert not session.follow()
    session.play(2)
    assert not session.is_ahead  # nothing follows
    assert session.goes_on  # by a strategy
    session.seek(2)
    assert session.follow()  # their own move
    assert line(session) == [1, 1, 2]


@pytest.mark.parametrize(
    ("players", "played", "is_looking_back", "judged"),
    [
        (SECOND, 4, False, 3), (SECOND, 4, True, 4), (SECOND, 3, False, 3), (YOURS, 4, False, 4),
        (FIRST, 1, False, 0), (FIRST, 0, False, 0),
    ],
)  # fmt: skip
def test_a_persons_own_last_move_is_judged_while_they_play(
    players: dict[str, str], played: int, is_looking_back: bool, judged: int
) -> None:
    session = session_of(*played * [1], players=players)
    session.is_looking_back = is_looking_back
    assert session.turn_to_judge().ply == judged


# -- along the line


@pytest.mark.parametrize(("wanted", "found"), [(0, 0), (2, 2), (4, 4), (-1, 0), (99, 4)])
def test_seeking_goes_along_the_line_and_no_further(wanted: int, found: int) -> None:
    session = session_of(1, 1, 2, 1)
    session.undo()
    session.seek(wanted)
    assert (ply(session), line(session), session.is_looking_back) == (found, [1, 1, 2, 1], True)


def test_other_lines_come_one_after_the_other() -> None:
    session = session_of(1, 1, 1)
    assert session.other_line() is None
    session.seek(1)
    session.play(2)
    session.play(2)
    assert session.other_line() == 1  # behind: back to the fork
    assert (ply(session), line(session)) == (1, [1, 1, 1])
    session.restart()
    assert session.other_line() == 1  # ahead: one stays
    assert (ply(session), line(session)) == (0, [1, 2, 2])


# -- variations


def varied(session: Session, origin: int, *actions: int) -> Session:
    session.begin_variation(session.line.turns[origin]).extend(actions)
    return session


@pytest.mark.parametrize(("start", "origin"), [(2, 2), (3, 2), (5, 2), (5, 5), (1, 3), (0, 5)])
@pytest.mark.parametrize("is_looking_back", [False, True])
@pytest.mark.parametrize("actions", [(), (2, 2), (1, 1), (1, 2)])  # elsewhere, along the line, and in part along it
def test_leaving_a_variation_comes_back_to_where_it_was_opened(
    start: int, origin: int, is_looking_back: bool, actions: tuple[int, ...]
) -> None:
    session = session_of(1, 1, 1, 1, 1)
    session.seek(start)
    session.is_looking_back = is_looking_back
    varied(session, origin, *actions)
    assert (ply(session), session.is_looking_back) == (origin + len(actions), True)
    assert session.leave_variation()
    assert (ply(session), line(session), session.is_looking_back) == (start, [1] * 5, is_looking_back)
    assert all(len(turn.branches) <= 1 for turn in session.line.turns)
    assert not session.leave_variation()


@pytest.mark.parametrize(
    ("way", "lands", "is_left"),
    [
        (lambda session: session.seek(4), 4, False), (lambda session: session.seek(3), 3, False),
        (lambda session: session.seek(2), 2, False), (lambda session: session.seek(0), 0, True),
        (lambda session: (session.step_back(), session.step_back()), 2, False),
        (lambda session: (session.step_back(), session.step_back(), session.step_back()), 1, True),
    ],
)  # fmt: skip
def test_a_variation_is_left_before_its_origin(way: Any, lands: int, is_left: bool) -> None:
    session = varied(session_of(1, 1, 1, 1, 1), 2, 2, 2)
    way(session)
    assert (ply(session), session.variation is None) == (lands, is_left)
    assert line(session) == ([1] * 5 if is_left else [1, 1, 2, 2])


def test_a_variation_along_another_branch_leaves_the_line_as_it_was() -> None:
    session = session_of(1, 1, 1)
    session.seek(1)
    session.play(2)
    session.play(2)
    session.seek(1)
    varied(session, 1, 1, 1).leave_variation()
    assert line(session) == [1, 2, 2]


def test_a_variation_that_stays_becomes_the_line() -> None:
    session = varied(session_of(1, 1, 1), 1, 2, 2, 2)
    session.step_back()
    assert session.play_on()
    session.play(1)
    assert line(session) == [1, 2, 2, 1]
    assert [len(turn.branches) for turn in session.line.turns] == [1, 2, 1, 1, 0], "moves only shown are forgotten"
    assert session.other_line() == 1
    assert line(session) == [1, 1, 1]


# -- what is kept


def test_what_is_stored_is_what_was_played() -> None:
    session = session_of(1, 1, 1, 1)
    session.undo()
    assert session.turn_to_keep.ply == 3  # while one plays: up to here
    assert varied(session, 2, 2, 2, 2).turn_to_keep.ply == 3
    session.leave_variation()
    session.seek(1)
    assert session.turn_to_keep.ply == 4  # while one looks back: all of it
    assert varied(session, 0, 2, 2).turn_to_keep.ply == 4
