"""The plain transcript, character for character, and a person at the keyboard."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.chase.ai.player import Player
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.state import Action, Forfeit, Move, Side
from dungeon_tui.games.chase.view import transcript
from dungeon_tui.ui.play.screen import DIAGONAL_STEP_KEYS, STAY_KEY, STEP_KEYS
from tests import naive_chase_rules as naive
from tests.games.chase.boards import board, board_rows

SMALL = board("M .", "+.@", " ..")


def run_text(level: Level, *actions: Action | tuple[int, int]) -> str:
    controller: transcript.Game = TurnController(rules, level)
    for action in actions:
        controller.apply(Move(Cell(*action)) if isinstance(action, tuple) else action)
    return transcript.run_text(controller.turn.line())


def lines(*rows: str) -> str:
    """Text whose lines are written with a stroke at the end, so that their blanks can be seen."""
    assert all(row.endswith("|") for row in rows)
    return "".join(f"{row[:-1]}\n" for row in rows)


def test_a_capture_by_the_monster() -> None:
    assert run_text(SMALL, (1, 0), (1, 2), (1, 1), (1, 2), (1, 2)) == lines(
        "Move 1|", "|", ".   . |", "M . @ |", "  . . |", "|", ".   . |", "M . @ |", "  . . |", "|",
        "Move 2|", "|", ".   . |", "+ M @ |", "  . . |", "|", ".   . |", "+ M @ |", "  . . |", "|",
        "Move 3|", "|", ".   . |", "+ . * |", "  . . |", "|",
        "Caught by monster|",
    )  # fmt: skip


def test_forfeits_show_no_board() -> None:
    assert run_text(SMALL, Forfeit("it slept")) == "Move 1\n\nForfeit by monster: it slept\n"
    shown = lines("M   . |", "+ . @ |", "  . . |", "|")
    assert run_text(SMALL, (0, 0), Forfeit("it fled")) == f"Move 1\n\n{shown}Forfeit by rogue: it fled\n"


def test_a_chase_that_is_not_over_ends_where_it_is() -> None:
    shown = lines("M   . |", "+ . @ |", "  . . |", "|")
    assert run_text(SMALL) == "Move 1\n\n"
    assert run_text(SMALL, (0, 0)) == f"Move 1\n\n{shown}"
    assert run_text(SMALL, (0, 0), (1, 2)) == f"Move 1\n\n{shown}{shown}Move 2\n\n"


@given(board_rows(), st.integers(1, 5), st.lists(st.integers(0, 8), max_size=12))
def test_the_transcript_is_that_of_the_slow_twin(rows: tuple[str, ...], limit: int, choices: list[int]) -> None:
    controller: transcript.Game = TurnController(rules, board(*rows, moves=limit))
    twin = naive.read(f"{len(rows)}\n" + "\n".join(map(" ".join, rows)))
    expected = "Move 1\n\n"
    for choice in choices:
        legal = rules.legal_actions(controller.state)
        action = legal[choice % len(legal)]
        controller.apply(action)
        twin.move((action.to.row, action.to.col))
        expected += "".join(f"{row}\n" for row in twin.rows()) + "\n"
        ended = twin.end(limit)
        if ended:
            expected += "Caught by monster\n" if ended == "captured" else f"Evaded for {limit} moves\n"
            break
        if twin.mover() == "monster":
            expected += f"Move {twin.monster_moves() + 1}\n\n"
    assert transcript.run_text(controller.turn.line()) == expected


# at the keyboard


class Fixed(Player):
    """Goes where it was told to, move after move, then stays; may wait for Ctrl-C."""

    def __init__(self, side: Side, *sites: tuple[int, int], is_stopped: bool = False) -> None:
        super().__init__(side, "fixed", 1.0)
        self._sites = list(sites)
        self._is_stopped = is_stopped

    def prepare(self, level: Level) -> None:
        pass

    def close(self) -> None:
        pass

    def _answer(self, state: object) -> Cell:
        if self._is_stopped and not self._sites:
            raise KeyboardInterrupt
        return Cell(*self._sites.pop(0)) if self._sites else state.site  # type: ignore[attr-defined]


def played(
    typed: str, monster: Player | None, rogue: Player | None, level: Level = SMALL
) -> tuple[int, transcript.Game, str]:
    out = io.StringIO()
    seats = {Side.MONSTER: monster, Side.ROGUE: rogue}
    status, controller = transcript.play(level, seats, 3, io.StringIO(typed), out)
    return status, controller, out.getvalue()


PROMPT = {side: f"{prompt}\n" for side, prompt in transcript.PROMPTS.items()}


def test_where_strategies_play_alone_it_is_the_transcript_of_a_run() -> None:
    status, controller, text = played("", Fixed(Side.MONSTER, (1, 0), (1, 1), (1, 2)), Fixed(Side.ROGUE))
    assert status == 0
    assert controller.outcome is not None
    assert controller.seed == 3
    assert text == run_text(SMALL, (1, 0), (1, 2), (1, 1), (1, 2), (1, 2))


def test_a_person_plays_the_rogue() -> None:
    status, controller, text = played("w q", Fixed(Side.MONSTER, (1, 0)), None)
    shown = run_text(SMALL, (1, 0), (0, 2)).split("Move 2\n\n")[0].split("\n\n")
    assert text == (
        f"{transcript.board_text(rules.start(SMALL))}\n"
        f"Move 1\n\n{shown[1]}\n\n{PROMPT[Side.ROGUE]}{shown[2]}\n\n"
        f"Move 2\n\n{shown[2]}\n\n{PROMPT[Side.ROGUE]}Thank you for playing!\n"
    )
    assert (status, controller.state.rogue, controller.outcome) == (0, Cell(0, 2), None)


def test_a_person_plays_the_monster_and_wins() -> None:
    _, controller, text = played("s\nd\nd", None, Fixed(Side.ROGUE))
    assert text.endswith("Caught by monster\n")
    assert text.count(PROMPT[Side.MONSTER]) == 3
    assert controller.state.monster_moves == 3


def test_two_people_take_turns() -> None:
    _, controller, text = played("swdq", None, None)
    prompts = [line for line in text.splitlines() if line.startswith("You are the ")]
    assert [prompt.split()[3] for prompt in prompts] == ["monster", "rogue", "monster", "rogue"]
    assert (controller.state.monster, controller.state.rogue) == (Cell(1, 1), Cell(0, 2))


def test_the_end_of_the_input_is_q() -> None:
    assert played("e", Fixed(Side.MONSTER), None)[2] == played("eq", Fixed(Side.MONSTER), None)[2]


CENTRE = board(".....", ".....", "..@..", ".....", "....M")


@pytest.mark.parametrize("key", sorted(transcript.WAYS))
def test_the_keys_are_those_of_the_screen(key: str) -> None:
    _, controller, _ = played(f"{key}q", Fixed(Side.MONSTER), None, CENTRE)
    named = {"full_stop" if key == "." else key}
    (way,) = [
        way
        for way, bound in {**STEP_KEYS, **DIAGONAL_STEP_KEYS, "": STAY_KEY}.items()
        if named & set(bound.keys.split(","))
    ]
    there = Cell(2, 2).neighbour(Direction[way]) if way else Cell(2, 2)
    assert controller.state.rogue == there


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("d", "There the board ends."),
        ("9", "There the board ends."),
        ("x", "I did not understand your command."),
        ("\x1b", "I did not understand your command."),
        ("W", "I did not understand your command."),
    ],
)
def test_what_is_no_move_is_told_and_asked_again(typed: str, said: str) -> None:
    _, controller, text = played(typed, Fixed(Side.MONSTER), None)
    assert f"{PROMPT[Side.ROGUE]}{said}\n{PROMPT[Side.ROGUE]}Thank you" in text
    assert controller.turn.ply == 1


def test_walls_and_corridors_stop_with_a_word() -> None:
    _, controller, text = played("dn", None, Fixed(Side.ROGUE))
    assert f"{PROMPT[Side.MONSTER]}There is a wall.\n{PROMPT[Side.MONSTER]}" in text
    assert controller.state.monster == Cell(1, 1)  # a diagonal from room to room past a wall
    _, controller, text = played("n", None, Fixed(Side.ROGUE), board("M+.", "++.", "..@"))
    assert "Diagonally you can go from room to room only.\n" in text
    assert controller.turn.ply == 0


def test_ctrl_c_keeps_what_was_played() -> None:
    status, controller, _ = played("", Fixed(Side.MONSTER, (0, 0), is_stopped=True), Fixed(Side.ROGUE))
    assert (status, controller.turn.ply) == (130, 2)


def test_a_strategy_that_cheats_forfeits() -> None:
    _, controller, text = played("", Fixed(Side.MONSTER, (9, 9)), None)
    assert text.splitlines()[-1].startswith("Forfeit by monster: moved from row 0, column 0 to row 9, column 9")
    assert controller.outcome is not None
