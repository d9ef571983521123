"""The chase on screen: seats, exact play, what threw a game away, whole chases by keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.turns import TurnController
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import read_board
from dungeon_tui.games.chase.model.level import Level, read_level
from dungeon_tui.games.chase.model.state import Forfeit, Move, Side, Status
from dungeon_tui.games.chase.view.analysis import SHOWN_SAFE, ChaseAnalysis
from dungeon_tui.games.chase.view.screen import ChaseView
from dungeon_tui.ui.glyphs import ASCII, UNICODE
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from tests.ui.driving import Opened, dialogue, last_message, opened, paint, sees, sees_no, tinted, wait_until

CORRIDOR = "M + + @"  # captured in 3
LOOP = "M + +\n+   +\n+ + @"  # lives for ever
POCKET = "+ + M\n+   +\n+ + @ + +"  # the same loop, and a dead end
WATCHED = {"monster": "bfs", "rogue": "flee"}


def board(rows: str, note: str = "") -> Level:
    """A board from its rows, padded to a square."""
    lines = rows.split("\n")
    size = max(len(lines), *((len(line) + 1) // 2 for line in lines))
    lines += [""] * (size - len(lines))
    text = "\n".join([str(size), *lines]) + f"\n{note}\n"
    return read_level(LevelFile("made.txt", text.encode()), "made")


def chasing(level: Level, players: dict[str, str] | None = None, size: tuple[int, int] = (110, 34)) -> Opened:
    """The app with a board open and painted."""
    return opened("chase", level, players=players, size=size)


async def ply(pilot: Pilot[Any], screen: PlayScreen, number: int) -> None:
    """The game comes to a ply."""
    await wait_until(pilot, lambda: screen.controller.turn.ply == number)


# -- playing


async def test_the_help_names_the_maps_that_there_are() -> None:
    async with chasing(board(LOOP)) as (pilot, _):
        await pilot.press("question_mark")
        page = pilot.app.screen
        assert isinstance(page, HelpScreen)
        text = " ".join(page.page().plain.split())
        assert "the capture by either's site" in text
        assert "tunnelling" not in text


async def test_the_monster_answers_a_move_of_the_rogue() -> None:
    async with chasing(board(LOOP), {"monster": "bfs"}) as (pilot, screen):
        await ply(pilot, screen, 1)
        await pilot.press("left")
        await ply(pilot, screen, 3)
        state = screen.controller.state
        assert state.rogue == Cell(2, 1)
        assert state.side is Side.ROGUE
        await pilot.press("backspace")
        await ply(pilot, screen, 1)


async def test_who_plays_the_monster_wins_by_the_capture() -> None:
    async with chasing(board(CORRIDOR), {"rogue": "flee"}) as (pilot, screen):
        for number in (2, 4):
            await pilot.press("right")
            await ply(pilot, screen, number)
        await pilot.press("right")
        shown = await dialogue(pilot)
        assert screen.controller.state.status is Status.CAPTURED
        await sees(pilot, "The rogue is caught")
        await sees(pilot, "The monster caught the rogue in 3 monster moves.")
        assert shown._answers[0].shown == "q"  # a victory: leaving comes first


async def test_a_wall_is_no_move_and_says_so() -> None:
    async with chasing(board(CORRIDOR)) as (pilot, screen):
        await pilot.press("down")
        assert last_message(screen) == "The monster can't go from row 0, column 0 to row 1, column 0."
        assert screen.controller.turn.ply == 0


async def test_two_strategies_play_by_themselves_to_the_end() -> None:
    async with chasing(board(CORRIDOR), WATCHED) as (pilot, screen):
        await wait_until(pilot, lambda: screen.controller.state.status is Status.CAPTURED)
        await sees(pilot, "The monster caught the rogue in 3 monster moves.")
        assert isinstance(pilot.app.screen, PlayScreen)  # no dialogue asks those who only watch


async def test_a_strategy_that_breaks_the_rules_forfeits(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def jump(state):\n    return (0, 0)\n")
    async with chasing(board(LOOP), {"monster": "bfs", "rogue": f"{tmp_path}/mine.py:jump"}) as (pilot, screen):
        await wait_until(pilot, lambda: screen.controller.state.status is Status.FORFEIT)
        await sees(pilot, "Forfeit by the rogue: moved from row 2, column 2 to row 0, column 0, which is no move.")


def test_a_player_that_is_not_there_forfeits() -> None:
    game = find_game("chase")
    assert game is not None
    view = ChaseView(game)
    action = view.choose(rules.start(board(LOOP)), "nobody")
    assert isinstance(action, Forfeit)
    assert "nobody" in action.reason
    view.close()


@pytest.mark.parametrize(
    ("players", "ply_number", "focus"),
    [({"monster": "bfs"}, 1, "@"), ({"rogue": "flee"}, 0, "M"), ({}, 0, "M")],
)
async def test_the_map_follows_whom_one_plays(players: dict[str, str], ply_number: int, focus: str) -> None:
    async with chasing(board(LOOP), players) as (pilot, screen):
        await ply(pilot, screen, ply_number)
        state = screen.controller.state
        assert screen.view.focus_cell(state) == {"M": state.monster, "@": state.rogue}[focus]


# -- exact play


def analysis_of(level: Level, *moves: tuple[int, int]) -> tuple[ChaseAnalysis, TurnController[Any, Any, Any]]:
    controller = TurnController(rules, level)
    for row, col in moves:
        controller.apply(Move(Cell(row, col)))
    analysis = ChaseAnalysis(UNICODE)
    analysis.prepare(controller.state)
    return analysis, controller


def test_a_move_into_a_capture_is_a_mistake_and_why_leads_there() -> None:
    analysis, controller = analysis_of(board(POCKET), (1, 2), (2, 3))
    before, after = (analysis.judge(turn) for turn in controller.turn.line()[1:])
    assert (before.is_mistake, before.label, before.height) == (False, "∞", 1.0)
    assert after.is_mistake
    assert after.height < 0.9
    line = analysis.why(controller.turn)
    assert not isinstance(line, str)
    for action in line:
        controller.apply(action)
    assert controller.state.status is Status.CAPTURED
    assert controller.state.monster_moves - 1 == int(after.label)


def test_a_good_move_has_nothing_to_refute() -> None:
    analysis, controller = analysis_of(board(LOOP), (0, 1), (2, 1))
    said = analysis.why(controller.turn)
    assert said == "The rogue's last move kept its value: the rogue is safe for ever."
    assert analysis.why(controller.first) == "No move was made yet."


def test_a_slower_capture_is_no_mistake_but_has_a_better_line() -> None:
    analysis, controller = analysis_of(board(CORRIDOR), (0, 0))
    judgement = analysis.judge(controller.turn)
    assert (judgement.is_mistake, judgement.is_slip, judgement.whose) == (False, True, "the monster's")
    line = analysis.why(controller.turn)
    assert not isinstance(line, str)
    assert len(line) == 6  # three moves of each side, from the rogue's on


def test_a_capture_let_go_shows_how_the_rogue_gets_away() -> None:
    level = read_board("three-short-ways")
    start = rules.start(level)
    wrong = next(to for to, value in solver.move_values(start).items() if value == UNREACHED)
    analysis, controller = analysis_of(level, wrong)
    assert analysis.judge(controller.turn).is_mistake
    line = analysis.why(controller.turn)
    assert not isinstance(line, str)
    assert len(line) == SHOWN_SAFE
    for action in line:
        controller.apply(action)
    assert solver.value(controller.state) == UNREACHED


@pytest.mark.parametrize(("glyphs", "safe"), [(UNICODE, "∞"), (ASCII, "=")])
def test_moves_are_numbered_by_their_value(glyphs: Any, safe: str) -> None:
    level = board(POCKET)
    state, _ = rules.step(rules.start(level), Move(Cell(1, 2)))
    layer = ChaseAnalysis(glyphs).layer(state)
    rows = [Row(0, ".....", bytes(5)) for _ in range(3)]
    for number, row in enumerate(rows):
        layer.paint(number, row)
    values = solver.move_values(state)
    assert values[Cell(2, 1)] == UNREACHED
    assert rows[2].glyphs[1] == safe
    assert rows[2].tints[1] == Tint.SAFE
    assert rows[2].glyphs[3] == str(values[Cell(2, 3)])
    assert rows[2].tints[3] == Tint.DANGER
    assert rows[2].glyphs[2] == "."  # the rogue's own glyph stays
    assert rows[2].texts[2] == "@1"
    assert rows[2].meanings[3] == Meaning.NOTE


def test_the_note_names_the_best_moves_first_and_groups_the_others() -> None:
    level = board(POCKET)
    state, _ = rules.step(rules.start(level), Move(Cell(1, 2)))
    note = ChaseAnalysis(UNICODE).note(state)
    assert note.startswith("Exact play: the rogue is safe for ever. Best for the rogue:")
    assert note.endswith("Others by value: 3: →; 1: stay; 0: ↑.")


async def test_analysis_tells_the_verdict_and_marks_the_blunder() -> None:
    async with chasing(board(POCKET), {"monster": "perfect"}) as (pilot, screen):
        await ply(pilot, screen, 1)
        await pilot.press("A")
        await sees(pilot, "the rogue is safe for ever")
        await pilot.press("right")
        await ply(pilot, screen, 3)
        await pilot.press("left_curly_bracket")
        await ply(pilot, screen, 2)
        await sees(pilot, "captured in 3 monster moves")
        await pilot.press("c")
        await wait_until(pilot, lambda: screen.controller.state.status is Status.CAPTURED)
        await pilot.press("c")
        await ply(pilot, screen, 2)
        await pilot.press("A")
        await sees_no(pilot, "captured in 3 monster moves")


# -- overlays and words


async def test_four_kinds_of_distances() -> None:
    async with chasing(board(CORRIDOR)) as (pilot, screen):
        for key, title, row in (
            ("o", "Distances from the monster", "M12@"),
            ("t", "Distances from the rogue", "M21@"),
            ("t", "Captures, were the monster there", "M21@"),
            ("t", "Captures, were the rogue there", "M13@"),
        ):
            await pilot.press(key)
            await sees(pilot, title)
            await wait_until(pilot, lambda row=row: "".join(paint(screen)[0].glyphs) == row)  # from a thread


async def test_danger_is_where_the_monster_can_step() -> None:
    async with chasing(board(LOOP)) as (pilot, screen):
        await pilot.press("x")
        assert tinted(screen, Tint.DANGER) == {(0, 0), (0, 1), (1, 0)}


async def test_a_click_takes_the_first_step_there() -> None:
    async with chasing(board(CORRIDOR)) as (pilot, screen):
        screen.travel.travel_to(Cell(0, 2))
        await ply(pilot, screen, 1)
        assert screen.controller.state.monster == Cell(0, 1)
        screen.travel.travel_to(Cell(1, 1))
        await sees(pilot, "That is a wall.")


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_all_of_it_fits(size: tuple[int, int]) -> None:
    async with chasing(board(LOOP, "Round and round."), {"monster": "bfs"}, size=size) as (pilot, screen):
        await ply(pilot, screen, 1)
        await sees(pilot, "Round and round.")
        await pilot.press("A")
        await sees(pilot, "rogue is safe for ever")


async def test_a_board_too_large_for_captures_says_so_and_shows_none() -> None:
    level = board("\n".join([". " * 71] * 70 + [". " * 69 + "M @"]))
    async with chasing(level) as (pilot, screen):
        await pilot.press("o")
        await wait_until(pilot, lambda: screen.distances.overlay.layer() is not None)
        for _ in range(2):  # in a thread, then at once
            await pilot.press("t", "t")
            await wait_until(pilot, lambda: not screen.distances.overlay.is_on)
            assert "5,041" in last_message(screen) or "5041" in last_message(screen)
            screen.distances.overlay.kind = "from the monster"
            await pilot.press("o")
            await wait_until(pilot, lambda: screen.distances.overlay.layer() is not None)


async def test_a_hint_speaks_of_the_present_position() -> None:
    async with chasing(board(CORRIDOR, "lesson"), size=(80, 24)) as (pilot, screen):
        await pilot.press("right", "slash")
        await wait_until(pilot, lambda: last_message(screen).startswith("From here: captured in 2 monster moves."))
        await pilot.press("left", "slash")
        value = solver.value(screen.controller.state)
        await wait_until(pilot, lambda: last_message(screen).startswith(f"From here: captured in {value} monster"))
