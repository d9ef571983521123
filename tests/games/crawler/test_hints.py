"""Hints in three steps, the aim, what is lost and the way back, exact play: by keys."""

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.crawler.ai import solver
from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
from dungeon_tui.games.crawler.ai.solver import Planner, Solver
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone, load_dungeon
from dungeon_tui.games.crawler.model.state import Action
from dungeon_tui.games.crawler.view.advice import solving as par_finder
from dungeon_tui.games.crawler.view.advice.hints import (
    Adviser,
    danger_text,
    line_layer,
    line_text,
    move_text,
)
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.games.crawler.view.analysis import CrawlerAnalysis
from dungeon_tui.ui.glyphs import ASCII, UNICODE
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import Tint
from dungeon_tui.ui.play import part as play_part
from dungeon_tui.ui.play.screen import PlayScreen
from tests.games.crawler.pictures import dungeon_of
from tests.ui import driving as ui
from tests.wording import numbers

TWO = (("o-$-", "-+--", "---?"), ("o-!",))
FOUND = Escape(1, ("dddss", "dd"), 1, 7, (), 0)  # the best line of TWO
WAY = "Make for the treasure, marked on the map."
HINTED = '[[levels]]\nhint = "Look around."\n'


def test_the_line_is_drawn_with_the_ways_in_which_cells_are_left() -> None:
    state = rules.start(dungeon_of("o-$- -+-- ---?"))
    for drawn, arrow in ((UNICODE, "→↓"), (ASCII, "62")):
        layer = line_layer(state, "dddss", drawn)
        assert ui.marks_of(layer, 3, 4) == {
            (0, 1): (arrow[0], Tint.PATH),
            (0, 2): (".", Tint.PATH),
            (0, 3): (arrow[1], Tint.PATH),
            (1, 3): (arrow[1], Tint.PATH),
            (2, 3): (".", Tint.PATH),
        }


def test_the_last_hint_explains_the_mark_for_a_wait() -> None:
    starts = [rules.start(alone(level)) for level in load_dungeon("tutorial").levels[:4]]
    texts = [Adviser(Solving(), UNICODE).advise(state, 2).text for state in (starts[0], starts[3])]
    assert ["○: stay there for 1 turn." in text for text in texts] == [False, True]


def test_where_one_waits_is_marked() -> None:
    state = rules.start(dungeon_of("o-$-"))
    for drawn, waits in ((UNICODE, "→○←"), (ASCII, "654")):
        row = Row(0, "o-$-", bytes(4))
        line_layer(state, "edeeda", drawn).paint(0, row)
        assert "".join(row.glyphs) == f"o{waits[1]}$-"  # where it begins, the adventurer stands
        line_layer(state, "dde", drawn).paint(0, row)
        assert row.glyphs[2] == "$"  # a thing is never hidden


def test_who_asks_again_has_it_searched_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    solver.prepare()
    limits: list[float] = []

    def in_vain(_: Solver, state: Any, aim: int, *, time_limit: float, stop: Event) -> Escape:
        limits.append(time_limit)
        return Escape(aim, (), 0, 3, (), 7, "time")

    escape_in_truth = Solver.escape
    monkeypatch.setattr(Solver, "escape", in_vain)
    solving, state = Solving(), rules.start(dungeon_of(*map(" ".join, TWO)))
    adviser = Adviser(solving, UNICODE)
    told = "No way out found, and no proof that there is none."
    assert all(adviser.advise(state, 0).text.startswith(told) for _ in range(3))
    first, *more = limits
    assert more == [2 * first, 4 * first]
    elsewhere, _ = rules.step(state, Action.RIGHT)
    adviser.advise(elsewhere, 0)
    adviser.advise(state, 0)  # back again
    assert limits[-2:] == [first, 8 * first]
    monkeypatch.setattr(Solver, "escape", escape_in_truth)
    assert adviser.advise(state, 1).text.startswith(move_text(FOUND))
    assert solving.planner(state).escape(state, 1, first).commands == ("dddss", "dd")  # what is known is not forgotten


def test_the_aim_that_you_set_is_taken_up_in_its_dungeon() -> None:
    adviser = Adviser(Solving(), UNICODE)
    adviser.begin(dungeon_of("o$!"))
    for chosen, aim in (("other 9", 1), ("picture 7", 7)):
        adviser.choose(chosen)
        assert adviser.aim == aim


def test_par_is_searched_on_with_the_next_request(monkeypatch: pytest.MonkeyPatch) -> None:
    finder, made = Solving(), dungeon_of("$o$-!")
    monkeypatch.setattr(par_finder, "PAR_TIME_LIMIT_S", 0.0)
    assert not any(point.is_proven for point in finder.par_of(made).points)
    monkeypatch.setattr(par_finder, "PAR_TIME_LIMIT_S", 60.0)
    found = finder.par_of(made)
    assert [(point.treasure, point.moves) for point in found.points] == [(1, 3), (2, 5)]
    assert found.is_all
    assert finder.par_of(made) is found


async def test_three_hints(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, *TWO, sidecar=HINTED)) as (pilot, screen):
        await pilot.press("slash", "slash")  # it asks first
        await ui.wait_until(pilot, ui.says(screen, "The author says: Look around."))
        await pilot.press("slash")
        await ui.wait_until(pilot, ui.says(screen, f"{move_text(FOUND)} {{hint}} "))
        assert ui.glyphs(screen)[0] == "@→$·"
        await pilot.press("slash")
        await ui.wait_until(pilot, ui.says(screen, f"{line_text(screen.session.state, FOUND)} {{hint}} "))
        await ui.wait_until(pilot, lambda: ui.tinted(screen, Tint.PATH))
        assert ui.glyphs(screen) == ["@→$↓", "·░·↓", "···∩"]
        await pilot.press("slash")
        assert ui.tinted(screen, Tint.PATH) == set()
        await pilot.press("slash")
        await ui.wait_until(pilot, ui.says(screen, "The author says: Look around."))
        await pilot.press("right", "right", "left")  # past the treasure: the level is no longer whole
        await pilot.press("slash")
        await ui.wait_until(pilot, ui.says(screen, "Make for the door, marked on the map."))
        assert ui.tinted(screen, Tint.FRONTIER) == {(2, 3)}  # the target
        await pilot.press("right")
        assert ui.tinted(screen, Tint.FRONTIER) == set()


async def test_one_plays_on_while_a_hint_is_thought_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stops: list[Event] = []
    found = Planner.escape

    def slow(self: Planner, state: Any, aim: int, time_limit: float = 9.0, stop: Event | None = None) -> Escape:
        if stop is not None and not stops:  # the first hint
            stops.append(stop)
            stop.wait(20)
        return found(self, state, aim, time_limit, stop)

    monkeypatch.setattr(Planner, "escape", slow)
    async with ui.playing(ui.write_dungeon(tmp_path, *TWO)) as (pilot, screen):
        await pilot.press("slash")
        await ui.wait_until(pilot, ui.says(screen, play_part.THINKING))
        await pilot.press("right")
        assert ui.position(screen) == (0, 1)
        await pilot.press("slash", "slash")  # of here: the other one is no longer wanted
        await ui.wait_until(pilot, ui.says(screen, WAY))
        assert stops[0].is_set()


async def test_the_aim(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, ("o-$-", "-+-$", "+++!", "$+++"))) as (pilot, screen):
        await ui.sees(pilot, "2 treasures 5 moves")  # par is known
        await ui.do(pilot, "aim")
        assert numbers(ui.last_message(screen)) == [2, 5]  # treasures, and moves
        await ui.sees(pilot, "Treasure 0, aim 2")
        await pilot.press(*4 * ["slash"])
        await ui.wait_until(pilot, lambda: numbers(ui.last_message(screen)) == [5, 2])  # moves, treasures
        await ui.do(pilot, "aim")  # there are no more
        assert numbers(ui.last_message(screen)) == [1, 5]
        await pilot.press("slash")  # another aim begins at the first step
        await ui.wait_until(pilot, lambda: ui.last_message(screen).count("/ ") == 1)


async def test_a_lost_game_says_so_as_soon_as_it_is_opened(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, ("o$-",))) as (pilot, _):
        await ui.sees(pilot, "No way out is left.")


async def test_an_aim_out_of_reach_is_lowered_once(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, ("?-o$",), ("-o$!",))) as (pilot, screen):
        await ui.sees(pilot, "2 treasures 6 moves")
        await ui.do(pilot, "aim")
        await pilot.press("left", "left")
        assert screen.messages.texts[-2] == "Level 1: 2 moves with 0 treasures, par 4 with 1."
        await ui.sees(pilot, "2 treasures are out of reach: your aim is now 1.")
        await ui.do(pilot, "aim")  # to no treasure that can't be had
        assert numbers(ui.last_message(screen)) == [1, 4]


def test_who_loses_the_aim_can_still_lose_the_way_out() -> None:
    game = TurnController(rules, dungeon_of("?o$", "?o$!"))
    analysis, texts = CrawlerAnalysis(Solving(), lambda: 2, UNICODE), []
    for letter in "aa":
        game.apply_texts(letter)
        judged = analysis.judge(game.turn)
        texts.append((judged.text, judged.is_mistake))
    first = "no way out with 2 treasures; 2 more moves to the gate"
    assert texts == [(first, True), ("no way out", True)]


async def analysing(pilot: Any, screen: PlayScreen) -> None:
    await pilot.press("A", "A")
    await ui.wait_until(pilot, lambda: screen.board.is_on)


async def test_the_next_level_drops_an_analysis_of_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Event()
    monkeypatch.setattr(CrawlerAnalysis, "prepare", lambda *_: gate.wait(5))
    async with ui.playing(ui.write_dungeon(tmp_path, ("o?",), ("o$!",))) as (pilot, screen):
        await pilot.press("A", "A")
        await ui.wait_until(pilot, lambda: screen.board.is_preparing)
        await pilot.press("right")
        gate.set()
        await pilot.pause(0.05)
        assert (screen.board.is_preparing, screen.board.is_on) == (False, False)


async def test_every_move_is_valued(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, ("-----?M", "-o-----"), ("o$!",))) as (pilot, screen):
        await analysing(pilot, screen)
        valued = "Best: →. 1 move worse: stay. 2 moves worse: ←. Lost later: ↑."
        await ui.wait_until(pilot, lambda: valued in ui.words(str(screen.panel.render())))
        texts = {(at, col): str(text) for at, row in enumerate(ui.paint(screen)) for col, text in row.texts.items()}
        assert texts == {(0, 1): "×", (1, 2): "★", (1, 0): "+2", (1, 1): "@+1"}
        assert ui.tinted(screen, Tint.SAFE) == {(1, 2)}
        assert not ui.tinted(screen, Tint.DANGER)  # red kills at once
        assert ui.glyphs(screen)[1].startswith("2@★")


async def test_turns_are_judged_and_their_faults_can_be_gone_to(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, ("-----?M", "-o-----"), ("o$!",))) as (pilot, screen):
        await pilot.press("right", "left", "right", "up", "right")
        await analysing(pilot, screen)
        await ui.wait_until(pilot, lambda: len(screen.session.line.judgements) == 6)
        judged = screen.session.line.judgements
        assert [judgement.fault for judgement in judged] == ["", "", "a slip", "", "a mistake", ""]
        assert numbers(judged[2].text) == [5, 2]
        assert numbers(judged[4].text) == []
        await ui.wait_until(pilot, lambda: any("{" in text for text in screen.messages.texts))
        await pilot.press("left_curly_bracket")
        assert screen.controller.turn.ply == 3  # before it
        await ui.wait_until(pilot, lambda: ui.glyphs(screen)[0][2] == "!")  # where it went
        await pilot.press("c")
        await ui.wait_until(pilot, lambda: screen.session.variation is not None)
        await pilot.press(*5 * ["right_square_bracket"])
        await ui.wait_until(pilot, lambda: screen.controller.turn.ply == 9)
        assert screen.controller.outcome.is_win
        await pilot.press("c")
        assert screen.controller.turn.ply == 3


@pytest.mark.parametrize(
    ("letters", "text", "is_slip"),
    [
        ("a", "4 more moves to the gate, 2 over par", True),
        ("e", "3 more moves to the gate, 1 over par", True),
        ("d", "2 more moves to the gate", False),
        ("ad", "3 more moves to the gate, 2 over par", False),
        ("eaad", "4 more moves to the gate, 5 over par", False),
    ],
)
def test_without_an_aim_the_fewest_moves_on_this_level_count(letters: str, text: str, is_slip: bool) -> None:
    game = TurnController(rules, dungeon_of("o?", "$-o$-!"))
    game.apply_texts(f"ed{letters}")
    judged = CrawlerAnalysis(Solving(), lambda: 1, UNICODE).judge(game.turn)
    assert (judged.text, judged.is_slip) == (text, is_slip)


def test_a_stored_par_gives_hints_before_the_solver_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Solving, "planner", None)
    first = rules.start(load_dungeon("tutorial"))
    line = Adviser(Solving(), UNICODE).perfect_line(first)
    for made, state in enumerate(rules.moments(first, "".join(action.value for action in line[:26]))):
        found = Solving().escape(state, 1, "hint")
        assert found.is_proven
        assert "".join(found.commands) == "".join(action.value for action in line[made:])


def test_the_first_hint_says_to_leave_the_row_of_a_monster() -> None:
    for board, text in (
        ("o--M ---- $--! ----", "The monster on the right sees you: leave its row now, then make for"),
        ("o+-M ---- $--! ----", "Make for"),
    ):
        state = rules.start(dungeon_of(board))
        found = Solving().escape(state, 1, "hint")
        assert danger_text(state, found) == text
