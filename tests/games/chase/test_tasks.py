"""Tasks: each can be met, none is given away, and what makes them holds what it says."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import pytest

from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, PackedLevel
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import STRATEGIES
from dungeon_tui.games.chase.ai.tasks import SIMPLE, idea, is_given_away, is_safe, only_moves, prospects, solved_idea
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import pack_level, read_board
from dungeon_tui.games.chase.model.level import ROOM, Level, Task
from dungeon_tui.games.chase.model.players import AIMS, CATCH, SAFETY, SURVIVE
from dungeon_tui.games.chase.model.state import Move, Side, State, Status
from dungeon_tui.games.chase.model.tasks import CHAPTERS, listed
from dungeon_tui.games.chase.view.ending import text
from dungeon_tui.games.chase.view.openings import BOARDS, named, openings, unpack_level
from tests import processes
from tests.games.chase.boards import DEAD_END, RING, board

printed, refused = (partial(use, "chase") for use in (processes.printed, processes.refused))
LISTED = tuple(listed())


def posed(level: Level, aim: str, opponent: str, moves: int) -> Level:
    return replace(level, task=Task(aim, opponent), moves=moves, is_safe=is_safe)


def is_met(state: State) -> bool:
    end = rules.outcome(state)
    return end.is_win == (state.level.task.seat == "rogue")


def positions(state: State, is_made: Callable[[State, Cell], bool] = lambda state, to: True) -> Iterator[State]:
    """All that can happen against the opponent that the task names, slowly: each position and number of moves once.

    `is_made`: tells the own moves to look at."""
    task = state.level.task
    assert task is not None
    seen, waiting = set(), [state]
    while waiting:
        state = waiting.pop()
        key = state.monster, state.rogue, state.side, state.monster_moves
        if key in seen:
            continue
        seen.add(key)
        yield state
        if rules.outcome(state) is None:
            own = state.side.value == task.seat
            sites = rules.neighbours(state.level, state.site) if own else [STRATEGIES[state.side][task.opponent](state)]
            waiting += [rules.step(state, Move(to))[0] for to in sites if not own or is_made(state, to)]


def test_there_are_sixty_in_six_chapters_which_the_menu_shows_in_order() -> None:
    tasks = [*listed().values()]
    chapters = [task.chapter for task in tasks]
    assert (len(tasks), chapters) == (60, sorted(chapters))
    assert [opening.title for opening in openings()][:60] == [task.title for task in tasks]
    groups = [opening.group for opening in openings()]
    assert [*dict.fromkeys(groups)] == [*(f"{number}. {name}" for number, name in enumerate(CHAPTERS, 1)), BOARDS]
    assert {task.task.aim for task in tasks} == set(AIMS)
    assert len({(task.chapter, task.board) for task in tasks}) == 60, "no chapter has a board twice"
    titles = [opening.title for opening in openings()]
    assert len(set(titles)) == len(titles)
    ideas = [task.idea for task in tasks]
    assert len(set(ideas)) == len(ideas)
    assert all(idea.endswith(".") and len(idea) <= 68 for idea in ideas), "one line of the dialog at 80 columns"


@dataclass(frozen=True, slots=True)
class Decision:
    """An only-move on a task's line."""

    state: State
    to: Cell
    before: Cell  # the own site one move earlier

    @property
    def is_sacrifice(self) -> bool:
        """True if the rogue comes nearer to the monster, or the monster does not come nearer."""
        foe = self.state.monster if self.state.side is Side.ROGUE else self.state.rogue
        steps = solver.path_lengths(self.state.level, foe)
        is_nearer = steps(self.to) < steps(self.state.site)
        return is_nearer == (self.state.side is Side.ROGUE)

    @property
    def is_turn(self) -> bool:
        """True if it turns by more than a right angle."""
        here, to, before = self.state.site, self.to, self.before
        return (to.row - here.row) * (here.row - before.row) + (to.col - here.col) * (here.col - before.col) < 0

    @property
    def is_at_door(self) -> bool:
        """True if it leads from a room into a corridor, or back."""
        return self.state.level.tiles[self.state.site] != self.state.level.tiles[self.to]

    @property
    def is_detour(self) -> bool:
        """True if a monster on the shortest path to the rogue would play another move."""
        return self.state.side is Side.MONSTER and STRATEGIES[Side.MONSTER]["bfs"](self.state) != self.to


def decisions(level: Level) -> tuple[list[Decision], int, list[Move]]:
    """The only-moves on a task's line, how often the opponent waits on it, and the line."""
    task, state = prospects(level), rules.start(level)
    found, waits, line = [], 0, task.line(state)
    before = level.monster if task.side is Side.MONSTER else level.rogue
    for action in line:
        if state.side is task.side:
            if task.has_only_move(state):
                found.append(Decision(state, action.to, before))
            before = state.site
        else:
            waits += action.to == state.site
        state, _ = rules.step(state, action)
    return found, waits, line


def is_of_chapter(chapter: int, level: Level, found: list[Decision]) -> bool:
    """True if a task's only-moves are about what its chapter is about."""
    return {
        1: level.task is not None and level.task.aim != CATCH and is_safe(rules.start(replace(level, task=None))),
        2: any(each.is_at_door for each in found),
        3: any(each.is_detour for each in found),
        4: any(each.is_sacrifice for each in found),
        5: any(each.is_turn for each in found),
        6: len(found) >= 5,
    }[chapter]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (at % 4 > 0)) for at, name in enumerate(LISTED)]
)
def test_a_listed_task_takes_the_decisions_that_it_says_and_is_met_by_its_line(name: str) -> None:
    task = listed()[name]
    level = named(f"--task {name}").load()
    assert level.tiles[level.monster] == level.tiles[level.rogue] == ROOM
    state = rules.start(level)
    assert task.task.aim != SAFETY or not is_safe(state)
    found, waits, line = decisions(level)
    assert len(found) == len(only_moves(level)) >= 2
    assert is_of_chapter(task.chapter, level, found)
    assert not waits, "no opponent stands still"
    found = prospects(level)
    simple = SIMPLE[found.side] if task.chapter > 1 else SIMPLE[found.side][:1]  # the first is about running in circles
    assert not is_given_away(level, simple), "neither waiting nor one corner nor a simple strategy meets it"
    for action in line:
        if state.side is found.side:
            assert found.is_open(state)
        elif task.task.opponent == "perfect":
            values = solver.move_values(state)
            best = (max if state.side is Side.ROGUE else min)(values.values())
            assert values[action.to] == best
        else:
            assert action == Move(STRATEGIES[state.side][task.task.opponent](state))
        state, _ = rules.step(state, action)
        assert task.chapter > 1 or is_safe(state), "it keeps a loop"
    assert is_met(state)
    assert level.note != read_board(task.board).note
    shown = text(state, rules.outcome(state), [task.task.seat], None)
    assert shown[0] == "Solved"
    assert shown[1].endswith(f"\n{task.idea}")


def test_only_a_solved_task_shows_its_idea() -> None:
    task = listed()[LISTED[0]]
    found, state = prospects(task.level()), rules.start(task.level())
    while (end := rules.outcome(state)) is None:
        to = state.site if state.side is found.side else found.reply(state)
        state, _ = rules.step(state, Move(to))
    assert task.idea not in text(state, end, [task.task.seat], None)[1]
    met = replace(end, is_win=not end.is_win)
    assert solved_idea(task.level(), met) == f"The idea of this level:\n{task.idea}"
    assert not solved_idea(replace(task.level(), rogue=task.monster), met)


@pytest.mark.parametrize("aim", AIMS)
def test_a_task_can_be_met_exactly_where_some_line_of_all_that_can_happen_meets_it(aim: str) -> None:
    opponent = "bfs" if aim != CATCH else "flee"
    for level in (board(*DEAD_END), board(*RING), read_board("smallest-loop")):
        for moves in (1, 3, 5):
            start = rules.start(posed(level, aim, opponent, moves))
            ends = [state for state in positions(start) if rules.outcome(state) is not None]
            assert prospects(start.level).is_open(start) == any(map(is_met, ends))


@pytest.mark.parametrize(
    ("aim", "seed", "said", "is_missed"),
    [
        (CATCH, 5, "At some point, step away from", lambda before, after: after <= before),
        (SAFETY, 1, "At some point, come closer to", lambda before, after: after >= before),
    ],
)
def test_a_new_task_is_not_met_against_its_idea(aim: str, seed: int, said: str, is_missed: Callable[..., bool]) -> None:
    def is_made(state: State, to: Cell) -> bool:
        steps = solver.path_lengths(level, state.monster if state.side is Side.ROGUE else state.rogue)
        return is_missed(steps(state.site), steps(to))

    level = named(f"--task {aim} --seed {seed} --size 8").load()
    assert idea(rules.start(level)).startswith(said)
    assert not any(rules.outcome(state) and is_met(state) for state in positions(rules.start(level), is_made))


@pytest.mark.parametrize(("aim", "met"), [(CATCH, 3), (SURVIVE, 2)])
def test_against_exact_play_the_value_decides(aim: str, met: int) -> None:
    """Along the dead end the capture takes 3 monster moves."""
    for moves in (1, 2, 3, 4):
        level = posed(board(*DEAD_END), aim, "perfect", moves)
        assert prospects(level).is_open(rules.start(level)) == (moves >= met if aim == CATCH else moves <= met)


def test_safety_ends_it_once_the_rogue_has_moved_and_is_missed_after_the_last_move() -> None:
    level = posed(board(*DEAD_END), SAFETY, "bfs", 1)
    state = rules.step(rules.step(rules.start(level), Move(level.monster))[0], Move(level.rogue))[0]
    assert (state.status, rules.outcome(state).is_win) == (Status.MISSED, False)
    ring = posed(board(*RING), SAFETY, "bfs", 1)
    state = rules.start(ring)
    for side in Side:
        state = rules.step(state, Move(STRATEGIES[side]["perfect"](state)))[0]
    assert (state.status, solver.value(state)) == (Status.SAFE, UNREACHED)


@pytest.mark.parametrize("aim", AIMS)
def test_a_seed_makes_the_tightest_task_that_takes_decisions_and_always_the_same(aim: str) -> None:
    opening = named(f"--task {aim} --seed 2")
    level, again = opening.load(), opening.load()
    assert fingerprint(rules.start(level)) == fingerprint(rules.start(again))
    assert (level.task.aim, opening.players[level.task.seat]) == (aim, "you")
    assert only_moves(level, SIMPLE[Side(level.task.seat)][0])[0] == 1
    assert not is_given_away(level, SIMPLE[Side(level.task.seat)])
    for moves in (level.moves - 1, level.moves, level.moves + (aim != SURVIVE)):
        other = replace(level, moves=moves)
        is_open = moves <= level.moves if aim == SURVIVE else moves >= level.moves
        assert prospects(other).is_open(rules.start(other)) == is_open


def test_a_task_is_packed_and_unpacked() -> None:
    level = named(f"--task {LISTED[0]}").load()
    again = unpack_level(pack_level(level))
    assert (again.task, again.moves, again.note) == (level.task, level.moves, level.note)
    assert fingerprint(rules.start(again)) == fingerprint(rules.start(level))
    packed = pack_level(level)
    with pytest.raises(LevelError, match="catch, survive, safety"):
        unpack_level(PackedLevel(packed.files, {**packed.options, "task": "sleep bfs"}))


def test_a_task_is_shown_before_it_is_played_in_plain_text() -> None:
    name = "braid-1"
    text = printed("play", "--task", name, "--plain", given=b"e" * 8)
    assert text.startswith(f"{listed()[name].level().note}\n\n")
    assert text.endswith("Caught by monster\n")
    assert "--task" in refused("play", "--task", name, "--moves", "3", status=2)
    assert "catch" in refused("play", "--task", "nobody", status=2)
