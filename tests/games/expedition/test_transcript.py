"""Expeditions as plain text."""

from __future__ import annotations

import io
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Corridor, Level, Room
from dungeon_tui.games.expedition.view import transcript
from tests.games.expedition.maps import level_of, read

LEVEL = replace(level_of("ab2 bc ac bd", costs={"c": 3}), name="four", lesson="Mind the corridor.")
PLAYED = """\
four: 4 rooms, 4 corridors. See all, from a.
Mind the corridor.

room  cost         corridors to
a        1  start  b (2), c
b        1         a (2), c, d
c        3         a, b
d        1         b

Best walk: a, c, b, d.
Cost: 5. Nothing is cheaper.

Commands: a room next to you, by its id or its label (*: not seen yet); q ends.
In a; next to it: b 3 *, c 3 *.
"""


def played(level: Level, typed: str) -> tuple[str, str]:
    """What is printed up to the first command, and from there on."""
    out = io.StringIO()
    plan = solver.plan(level)
    status, game = transcript.play(level, plan, partial(solver.compare, best=plan), io.StringIO(typed), out)
    assert status == 0
    text = out.getvalue()
    begin = text.index("In ") if "In " in text else text.index(transcript.HELP) + len(transcript.HELP)
    again = transcript.replay_text(game, plan, solver.compare)
    assert set(again.splitlines()) <= set(text.splitlines())
    return text[:begin], text[begin:]


def test_an_expedition_from_the_first_line_to_the_last() -> None:
    opening, rest = played(LEVEL, "b\na\nC b\n\nd\nthis is not read\n")
    assert opening + rest.partition("\n")[0] + "\n" == PLAYED
    assert rest == (
        "In a; next to it: b 3 *, c 3 *.\n"
        "b: 3, 3 in all; 2 of 4 seen.\n"
        "In b; next to it: a 3, c 3 *, d 1 *.\n"
        "a: 3, 6 in all; 2 of 4 seen.\n"
        "In a; next to it: b 3, c 3 *.\n"
        "c: 3, 9 in all; 3 of 4 seen.\n"
        "In c; next to it: a 1, b 1.\n"
        "b: 1, 10 in all; 3 of 4 seen.\n"
        "In b; next to it: a 3, c 3, d 1 *.\n"
        "d: 1, 11 in all; 4 of 4 seen.\n"
        "The party saw 4 of 4 rooms at a cost of 11.\n"
        "\n"
        "Best walk: a, c, b, d.\n"
        "Your walk costs 11, the best 5: +6.\n"
        "+3: a, b.\n"
        "+3: b, a, c.\n"
    )


def test_the_best_walk_is_told_so() -> None:
    assert played(LEVEL, "c b d")[1].endswith("Best walk: a, c, b, d.\nYour walk costs 5, and nothing is cheaper.\n")


def test_who_stops_early_is_told_what_it_will_cost() -> None:
    for typed in ("b q", "b\nq\n", "b\n"):
        rest = played(LEVEL, typed)[1]
        assert "You saw 2 rooms at a cost of 3.\n" in rest
        assert rest.endswith("Your walk costs 8, the best 5: +3.\n+3: a, b.\n")


def test_what_is_no_room_next_door_is_refused() -> None:
    rest = played(LEVEL, "d\nx\x1b[2J\nq")[1]
    assert "No corridor leads from a to d.\nThere is no room 'x\\\\x1b[2J' here.\nCommands: " in rest


def test_rooms_are_called_by_id_or_label_and_labels_may_have_blanks() -> None:
    nodes = [{"id": 1, "start": True}, {"id": 2, "label": "Great Hall"}, {"id": 3, "label": "Cell"},
             {"id": 4, "label": "cell"}, {"id": "q", "label": "Exit"}]  # fmt: skip
    level = read(nodes, [{"source": 1, "target": 2}, {"source": 2, "target": 3}, {"source": 2, "target": 4},
                         {"source": 4, "target": "q"}])  # fmt: skip
    opening, rest = played(level, "great hall\ncell\n3 2 4\nq\n")
    assert "2     Great Hall     1         1, Cell, cell\n" in opening
    assert "Several rooms are called 'cell': take the id.\n" in rest
    assert "Exit: 1, 5 in all; 5 of 5 seen.\n" in rest  # a room called q is a room
    assert played(level, "3\n2\ncell\n")[1].count("No corridor leads") == 1  # next to Great Hall both are


def test_in_fog_only_what_is_known_is_told() -> None:
    opening, rest = played(replace(LEVEL, is_fogged=True), "b\nd\nq")
    assert "Best walk" not in opening
    assert [line[0] for line in opening.splitlines() if line[1:3] == "  "] == ["a", "b", "c"]
    assert "a        1  start  b (2), c\nb        1         a (2), c\n" in opening.replace(", c\nc", ", c\nc")
    assert rest.count("Best walk: a, c, b, d.\n") == 1


def test_a_room_not_known_cannot_be_named_in_fog() -> None:
    assert "There is no room 'd' here." in played(replace(LEVEL, is_fogged=True), "d\nq")[1]


def test_what_cannot_be_done_is_said() -> None:
    assert "It can't be done: 2 of 4 rooms can be seen, 4 are asked for.\n" in played(level_of("ab cd"), "")[0]
    level = level_of("ab cd", coverage=Fraction(50), end=3)
    assert "It can't be done: no way leads to d.\n" in played(level, "b")[0]
    assert played(level_of("ab cd", is_fogged=True), "b\nq")[1].endswith("can be seen, 4 are asked for.\n")


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"coverage": Fraction(75)}, "See 3 of 4, from a."),
        ({"is_round_trip": True}, "See all, from a and back."),
        ({"end": 3}, "See all, from a to d."),
    ],
)
def test_what_is_asked_is_said(asked: dict[str, object], line: str) -> None:
    assert transcript.task_text(replace(LEVEL, **asked)) == f"four: 4 rooms, 4 corridors. {line}\n"  # type: ignore[arg-type]


def test_nothing_to_do_is_done_at_once() -> None:
    opening, rest = played(level_of(""), "")
    assert "Best walk: a.\nCost: 0. Nothing is cheaper.\n" in opening
    assert rest == "\nBest walk: a.\nYour walk costs 0, and nothing is cheaper.\n"


def test_events_are_told_of_rooms_and_corridors() -> None:
    rooms = Room("a", "a"), Room("b", "Crypt", 4, None, ("trap", "darkness"))
    level = Level("two", rooms, (Corridor((0, 1), 0, ("curio",)),), 0)
    assert transcript.rooms_text(level, 0b11) == (
        "room         cost                  corridors to\n"
        "a               1  start           Crypt (curio)\n"
        "b     Crypt     4  trap, darkness  a (curio)\n"
    )


def test_what_is_not_proven_is_said_to_be_so() -> None:
    plan = solver.Plan(9, (0, 1), 4, False, 7, "greedy")
    assert transcript.plan_text(LEVEL, plan) == "Best walk: a, b.\nCost: 9. Not proven: nothing costs less than 7.\n"
    state = rules.start(LEVEL)
    comparison = solver.Comparison((0,), 9, plan, (), False)
    assert transcript.comparison_text(state, comparison).endswith("Your walk costs 9, the best that is known.\n")
    comparison = replace(comparison, cost=11, legs=(solver.Leg(0, 0, 2),))
    assert transcript.comparison_text(state, comparison).endswith("+2.\n+2: a.\nThe time was too short to prove it.\n")


def test_the_curve_is_a_line_a_number_of_rooms() -> None:
    points = [*solver.curve(LEVEL)]
    bar = "#" * transcript.BAR
    assert transcript.curve_text(LEVEL, points).splitlines() == [
        "rooms  percent  cost",
        "    1     25.0     0",
        f"    2     50.0     3  {bar[:24]}",
        f"    3     75.0     4  {bar[:32]}",
        f"    4    100.0     5  {bar}",
    ]
    unsure = replace(points[1], lower_bound=1)
    assert transcript.curve_text(LEVEL, [points[0], unsure]).endswith(
        " (at least 1)\nNo more is known: 2 of 4 rooms.\n"
    )
