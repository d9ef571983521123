"""The chase's rules, one sentence after another, and whole chases beside the slow twin."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.recording import record, reexecute
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Action, Ended, Forfeit, Move, Moved, Side, State, Status
from tests.games.chase.boards import OPEN, after, board, board_rows, start, twin_of


def test_staying_comes_first_then_the_eight_ways_in_their_order() -> None:
    state = start("...", ".M.", "..@")
    ways = [(1, 1), (0, 1), (2, 1), (1, 0), (1, 2), (0, 0), (0, 2), (2, 0), (2, 2)]
    assert [tuple(action.to) for action in rules.legal_actions(state)] == ways
    assert [tuple(cell) for cell in rules.neighbours(state.level, Cell(1, 1))] == ways


@pytest.mark.parametrize(
    ("to", "why"),
    [((0, 2), "one step"), ((2, 2), "one step"), ((4, 4), "one step"), ((-1, 0), "ends"), ((0, -1), "ends"),
     ((1, 0), "a wall"), ((1, 1), "diagonal")],
)  # fmt: skip
def test_what_is_no_move_is_refused_and_changes_nothing(to: tuple[int, int], why: str) -> None:
    state = rules.start(board("M...", " +..", "....", "...@"))
    assert why in str(rules.objection(state, Move(Cell(*to))))
    with pytest.raises(IllegalActionError, match=why):
        rules.step(state, Move(Cell(*to)))


@pytest.mark.parametrize(("plies", "by", "is_win"), [(0, Side.MONSTER, True), (1, Side.ROGUE, False)])
def test_whoever_forfeits_loses(plies: int, by: Side, is_win: bool) -> None:
    state, events = rules.step(after(start(*OPEN), *[(0, 0)][:plies]), Forfeit("it went\nthrough a wall"))
    outcome = rules.outcome(state)
    assert outcome is not None
    assert events == (Ended(outcome),)
    assert (state.status, state.by, state.monster_moves) == (Status.FORFEIT, by, plies)
    assert (outcome.name, outcome.is_win, state.reason) == ("forfeit", is_win, "it went through a wall")
    assert state.reason in outcome.reason


@example(("M@", ".."), 3, [0, 2])  # the rogue steps onto the monster
@given(board_rows(), st.integers(1, 6), st.lists(st.integers(0, 8), max_size=14))
def test_chases_go_as_the_slow_twin_plays_them(rows: tuple[str, ...], limit: int, choices: list[int]) -> None:
    state = rules.start(board(*rows, moves=limit))
    twin = twin_of(rows)
    for choice in choices:
        assert (state.side.value, state.monster, state.rogue) == (twin.mover(), twin.monster, twin.rogue)
        legal = rules.legal_actions(state)
        assert sorted(tuple(action.to) for action in legal) == sorted(twin.moves(twin.here()))
        action = legal[choice % len(legal)]
        moved = Moved(state.side, state.site, action.to)
        state, events = rules.step(state, action)
        twin.move((action.to.row, action.to.col))
        assert (state.monster_moves, state.ply) == (twin.monster_moves(), len(twin.turns))
        ended, outcome = twin.end(limit), rules.outcome(state)
        assert events == ((moved, Ended(outcome)) if ended else (moved,))
        assert (state.status.value, outcome and outcome.name) == ((ended, ended) if ended else ("playing", None))
        if ended:
            assert state.by == (Side(twin.turns[-1]) if ended == "captured" else None)
            assert outcome.is_win == (ended == "evaded")
            return


REASONS = st.text(max_size=30)


@given(REASONS)
def test_a_forfeit_is_recorded_and_comes_out_the_same_whatever_its_reason(reason: str) -> None:
    controller: TurnController[object, State, Action] = TurnController(rules, board(*OPEN))
    controller.apply(Forfeit(reason))
    verdict = reexecute(record(controller, "chase"))[1]
    assert (verdict.is_ok, verdict.outcome) == (True, "forfeit"), verdict.message
    assert controller.state.reason.isprintable()
