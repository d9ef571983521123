"""Expeditions as plain text."""

import io
from dataclasses import replace
from functools import partial

from dungeon_tui.core.plain import Console
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.state import State
from dungeon_tui.games.expedition.view import transcript
from tests.games.expedition.maps import level_of, read, walked

LEVEL = replace(level_of("ab2 bc ac bd", costs={"c": 3}), name="four", lesson="Mind the corridor.")
PLAYED = """\
four: 4 rooms, 4 corridors. Visit all, from a.
Mind the corridor.

room  cost         corridors to
a        1  start  b (2), c
b        1         a (2), c, d
c        3         a, b
d        1         b

Best walk: a, c, b, d.
Cost: 5. No walk is cheaper.

Commands: id or label of a neighbouring room; q: quit.
You are in a. Next to it: b for 3, unvisited; c for 3, unvisited.
"""


def played(level: Level, typed: str) -> tuple[str, str]:
    """What is printed up to the first command, and from there on."""
    out = io.StringIO()
    plan = solver.plan(level)
    end = transcript.play(level, plan, partial(solver.compare, best=plan), Console(io.StringIO(typed), out))
    assert end.exit_status == 0
    assert end.controller is not None
    text = out.getvalue()
    begin = text.index("In ") if "In " in text else text.index(transcript.HELP) + len(transcript.HELP)
    again = transcript.replay_text(end.controller, plan, solver.compare)
    assert set(again.splitlines()) <= set(text.splitlines())
    return text[:begin], text[begin:]


def compared(level: Level, rooms: str) -> tuple[State, solver.Comparison]:
    """The state after a walk, and the walk beside the best one."""
    state = walked(level, rooms)
    return state, solver.compare(state)


def test_an_expedition_from_the_first_line_to_the_last() -> None:
    opening, rest = played(LEVEL, "b\na\nC b\n\nd\nthis is not read\n")
    assert opening + rest.partition("\n")[0] + "\n" == PLAYED
    assert rest == (
        "You are in a. Next to it: b for 3, unvisited; c for 3, unvisited.\n"
        "b: 3, 3 in all; 2 of 4 visited.\n"
        "You are in b. Next to it: a for 3; c for 3, unvisited; d for 1, unvisited.\n"
        "a: 3, 6 in all; 2 of 4 visited.\n"
        "You are in a. Next to it: b for 3; c for 3, unvisited.\n"
        "c: 3, 9 in all; 3 of 4 visited.\n"
        "You are in c. Next to it: a for 1; b for 1.\n"
        "b: 1, 10 in all; 3 of 4 visited.\n"
        "You are in b. Next to it: a for 3; c for 3; d for 1, unvisited.\n"
        "d: 1, 11 in all; 4 of 4 visited.\n"
        "The party visited 4 of 4 rooms at a cost of 11.\n"
        "\n"
        "Best walk: a, c, b, d.\n"
        "Your walk costs 11, the best 5: +6.\n"
        "+3: a, b.\n"
        "+3: b, a, c.\n"
    )


def test_who_stops_early_sees_what_it_will_cost() -> None:
    for typed in ("b q", "b\nq\n", "b\n"):
        assert played(LEVEL, typed)[1].endswith(transcript.comparison_text(*compared(LEVEL, "b")))


def test_rooms_are_called_by_id_or_label_and_labels_may_have_blanks() -> None:
    nodes = [{"id": 1, "start": True}, {"id": 2, "label": "Great Hall"}, {"id": 3, "label": "Cell"},
             {"id": 4, "label": "cell"}, {"id": "q", "label": "Exit"}]  # fmt: skip
    level = read(nodes, [{"source": 1, "target": 2}, {"source": 2, "target": 3}, {"source": 2, "target": 4},
                         {"source": 4, "target": "q"}])  # fmt: skip
    opening, rest = played(level, "great hall\ncell\n3 2 4\nq\n")
    assert "2     Great Hall     1         1, Cell, cell\n" in opening
    assert "Several rooms are called 'cell': type the id.\n" in rest
    assert "Exit: 1, 5 in all; 5 of 5 visited.\n" in rest  # a room called q is a room
    assert played(level, "3\n2\ncell\n")[1].count("No corridor leads") == 1  # next to Great Hall both are


def test_in_fog_only_what_is_known_is_reported() -> None:
    opening, rest = played(replace(LEVEL, is_fogged=True), "d\nb\nd\nq")
    assert "Best walk" not in opening
    assert [line[0] for line in opening.splitlines() if line[1:3] == "  "] == ["a", "b", "c"]
    assert "start  b (2), c\nb        1         a (2)\nc " in opening  # b and c may have a corridor
    assert rest.count("Best walk: a, c, b, d.\n") == 1
    assert "'d'" in rest.partition("\nb: ")[0]  # that there is no such room
    assert "\nd: " in rest
