"""The chase on screen: seats, exact play, what threw a game away, a whole chase by keys."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from dungeon_tui.core.catalogue import YOU, find_game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import sentence
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.strategies import SHOWN_SAFE
from dungeon_tui.games.chase.ai.tasks import best_line, prospects
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import read_board
from dungeon_tui.games.chase.model.level import Level, Task
from dungeon_tui.games.chase.model.players import SURVIVE
from dungeon_tui.games.chase.model.state import Forfeit, Move, Side, State, Status
from dungeon_tui.games.chase.model.tasks import ENDS, goal, players
from dungeon_tui.games.chase.view.advice import advise, drawn_way
from dungeon_tui.games.chase.view.analysis import ChaseAnalysis
from dungeon_tui.games.chase.view.guide import ChaseGuide
from dungeon_tui.games.chase.view.openings import named
from dungeon_tui.games.chase.view.screen import ChaseView, reason_to_refuse, reason_to_stop
from dungeon_tui.storage.journal import Aids
from dungeon_tui.ui.glyphs import ASCII, UNICODE
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.analysis import MoveMarks
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.snapshot import beginning
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.key_bar import KeyBar
from tests.games.chase.boards import DEAD_END, POCKET, RING, after, board, board_rows, start
from tests.ui.driving import Opened, dialogue, do, last_message, opened, paint, sees, shown, wait_until
from tests.ui.nim import ask_players
from tests.wording import numbers


def chasing(level: Level, players: dict[str, str] | None = None) -> Opened:
    """The app with a board open and painted."""
    return opened("chase", level, players=players, size=(110, 34))


async def ply(pilot: Pilot[Any], screen: PlayScreen, number: int) -> None:
    """The game comes to a ply."""
    await wait_until(pilot, lambda: screen.controller.turn.ply == number)


def view_of() -> ChaseView:
    game = find_game("chase")
    assert game is not None
    return ChaseView(game)


@pytest.mark.parametrize(
    ("arguments", "monster", "rogue"),
    [("open-room", Cell(2, 2), Cell(5, 5)), ("open-room --rogue perfect --monster you", Cell(1, 1), Cell(5, 5))],
)
def test_a_preview_shows_the_board_on_which_you_move_first(arguments: str, monster: Cell, rogue: Cell) -> None:
    game = find_game("chase")
    assert game is not None
    drawn = beginning(game, named(arguments), UNICODE)
    assert drawn is not None
    assert [drawn.source.row(each.row, 0, 8).glyphs[each.col] for each in (monster, rogue)] == ["M", "@"]


def test_the_cell_of_a_capture_shows_both_pieces() -> None:
    state = replace(start(*DEAD_END), rogue=start(*DEAD_END).monster, status=Status.CAPTURED, by=Side.MONSTER)
    row = view_of().picture(state).row(state.monster.row, 0, 4)
    assert (row.glyphs[state.monster.col], str(row.texts[state.monster.col])) == ("*", "M@")


@pytest.mark.parametrize(
    ("status", "persons", "name"),
    [
        (Status.CAPTURED, ("monster",), "monster"),
        (Status.CAPTURED, ("rogue",), "monster"),
        (Status.EVADED, ("monster",), "rogue"),
        (Status.EVADED, ("rogue",), "rogue"),
        (Status.EVADED, (), "rogue"),
    ],
)
def test_the_end_shows_who_won(status: Status, persons: tuple[str, ...], name: str) -> None:
    view = view_of()
    view.persons = persons
    assert [figure for figure, _ in view.figures(replace(start(*RING), status=status, by=Side.MONSTER))] == [name]


# -- goals


def played(arguments: str) -> tuple[ChaseView, State]:
    """A view whose persons and strategies are an opening's, and the start."""
    view, opening = view_of(), named(arguments)
    view.players = opening.players
    view.persons = tuple(seat for seat, player in opening.players.items() if player == YOU)
    state = rules.start(opening.load())
    view.prepare(state)
    return view, state


@pytest.mark.parametrize(
    ("arguments", "goal"),
    [
        ("open-room --rogue perfect", "Catch the rogue. Par: 6 moves."),
        ("open-room --monster perfect", "Survive 5 moves: the most against this monster."),
        ("open-room --monster random", "Survive 5 moves."),
        ("single-loop --rogue cycle --moves 50", "Nobody can catch this rogue in 50 moves."),
        ("single-loop --rogue random --moves 50", "Catch the rogue, if it errs."),
    ],
)
def test_a_board_has_the_goal_that_its_opponent_allows(arguments: str, goal: str) -> None:
    view, state = played(arguments)
    assert view.facts(Turn(state)).goal == goal


@pytest.mark.parametrize("name", ["five-good-moves", "four-dead-ends", "comb"])
def test_a_rogue_is_to_survive_as_long_as_any_line_does_against_its_opponent(name: str) -> None:
    view, state = played(f"{name} --moves 9")
    goal, seen, lasted = prospects(state.level, Task(SURVIVE, "bfs")), {state}, -1
    while seen and lasted < 9:
        lasted += 1
        hunted = [rules.moved(each, goal.reply(each)) for each in seen]
        free = [each for each in hunted if each.monster != each.rogue]
        seen = {rules.moved(each, to) for each in free for to in rules.neighbours(each.level, each.rogue)}
    assert view.facts(Turn(state)).goal.startswith(f"Survive {lasted} moves")


def test_a_rogue_that_no_one_could_save_wins_by_the_last_move_of_perfect_play() -> None:
    for waits in (False, True):
        view, state = played("open-room --monster perfect --moves 2000")
        while (end := rules.outcome(state)) is None:
            is_waiting = waits and state.side is Side.ROGUE
            state, _ = rules.step(state, Move(state.rogue if is_waiting else solver.best_moves(state)[0]))
        assert view.is_won(state, end, ["rogue"]) == (not waits)


@pytest.mark.parametrize(
    ("arguments", "head", "rule"),
    [
        ("--task two-yards-1", [], "The monster takes the shortest way to the rogue."),
        ("comb", [read_board("comb").lesson], "The monster always makes the best move."),
    ],
)
def test_the_greeting_gives_keys_and_the_panel_says_who_you_are_and_how_the_other_moves(
    arguments: str, head: list[str], rule: str
) -> None:
    view, state = played(arguments)
    *first, last = (line.text for line in view.greeting(state.level))
    assert (first, view.facts(Turn(state)).subtitle) == (head, rule)
    assert last.startswith("Keys: ")
    assert view.facts(Turn(state)).rows[0][0] == "You are"
    assert view.facts(Turn(state)).caption == ENDS[SURVIVE]
    last, _ = rules.step(replace(state, monster_moves=state.level.moves - 1), Move(state.monster))
    assert view._replies(last).endswith("Staying: the game ends.")


def test_a_new_boards_monster_never_catches_you_in_its_first_move() -> None:
    state, found = (rules.start(named(f"--kind walls --size 10 --seed {seed}").load()) for seed in (10, 9))
    assert (found.level.name, found.monster, found.rogue) == ("seed-9-10-walls", state.monster, state.rogue)


def test_the_frame_shows_your_goal_first_and_arrows_point_to_both_pieces() -> None:
    view, turn = view_of(), Turn(rules.start(read_board("thirty-six-rooms")))
    view.persons = ("rogue",)
    assert view.facts(turn).short[0] == view.facts(turn).goal
    state = turn.state
    assert [cell for cell, *_ in view.picture(state).landmarks or ()] == [state.monster, state.rogue]


# -- playing


async def test_who_plays_the_monster_looks_around_and_wins_by_the_capture() -> None:
    async with chasing(board(*DEAD_END), {"rogue": "flee"}) as (pilot, screen):
        await pilot.press("question_mark")
        page = pilot.app.screen
        assert isinstance(page, HelpScreen)
        assert "The rogue takes" in page.page().plain
        await pilot.press("escape")

        for key, row in (("o", "M12@"), ("t", "M21@")):
            await pilot.press(key)
            await wait_until(pilot, lambda row=row: "".join(paint(screen)[0].glyphs) == row)  # from a thread
        await pilot.press("o", "x")
        assert "".join(paint(screen)[0].glyphs)[1] == "○"  # the reply to a step, which is to stay

        await pilot.press("down")
        assert last_message(screen) == sentence(str(rules.objection(screen.controller.state, Move(Cell(1, 0)))))
        assert screen.controller.turn.ply == 0
        screen.travel.travel_to(Cell(0, 2))  # the first step there
        await ply(pilot, screen, 2)
        await pilot.press("right")
        await ply(pilot, screen, 4)
        await pilot.press("right")
        await dialogue(pilot)
        assert screen.controller.state.status is Status.CAPTURED
        await sees(pilot, "You caught the rogue")


async def test_replies_go_if_you_play_the_opponent_too() -> None:
    async with chasing(board(*RING), {"monster": YOU, "rogue": "perfect"}) as (pilot, screen):
        await pilot.press("x", "right")
        await ply(pilot, screen, 2)
        await do(pilot, "step.back", "left")
        await ply(pilot, screen, 2)
        assert {*screen.session.persons} == {"monster", "rogue"}


async def test_replies_follow_a_change_of_players_at_once() -> None:
    async with chasing(board(*DEAD_END), {"monster": YOU, "rogue": "flee"}) as (pilot, screen):
        await pilot.press("x")
        assert "".join(paint(screen)[0].glyphs)[1] == "○"
        await ask_players(pilot)
        await pilot.press("down", "left", "enter")  # a random rogue: nobody knows its replies
        await wait_until(pilot, lambda: screen.session.players["rogue"] == "random")
        assert "".join(paint(screen)[0].glyphs) == "M++@"


async def test_hints_of_a_task_lead_to_its_end() -> None:
    level = named("--task five-good-moves-3").load()
    state = rules.start(level)
    while rules.outcome(state) is None:
        texts = [advise(state, step, ChaseAnalysis(UNICODE)).text for step in range(3)]
        if state.side is Side.ROGUE:
            assert len(set(texts)) == 3
            assert texts[0].startswith("The idea: ") == (state.monster_moves == 1)  # at its first turn alone
        else:
            assert {*texts} == {"It is the monster's move."}
        state, _ = rules.step(state, best_line(state)[0])
    assert state.status is Status.EVADED


@pytest.mark.parametrize(
    ("state", "text", "drawn", "cell", "look"),
    [
        (
            start(*DEAD_END),
            "Moves 1 to 3: →, →, →",
            ["M12@", *["░░░░"] * 3],
            (0, 1),
            (Meaning.FOE, Tint.PATH),
        ),
        (
            after(start(*RING), (0, 1)),
            "Moves 1 to 8: ←, ←, ↑, ↑, →, →, ↓, ↓, then again from move 1",
            ["4M6", "3░7", "21@"],
            (1, 0),
            (Meaning.YOU, Tint.PATH),
        ),
    ],
)
def test_a_hint_draws_your_path_once_in_the_look_of_your_piece(
    state: State, text: str, drawn: list[str], cell: tuple[int, int], look: tuple[Meaning, Tint]
) -> None:
    advice, source = advise(state, 2, ChaseAnalysis(UNICODE)), view_of().picture(state)
    assert advice.text == f"{text}."
    assert advice.layer is not None
    rows = [source.row(row, 0, source.width) for row in range(source.height)]
    for number, row in enumerate(rows):
        advice.layer.paint(number, row)
    assert ["".join(row.glyphs) for row in rows] == drawn
    assert (rows[cell[0]].meanings[cell[1]], rows[cell[0]].tints[cell[1]]) == look


def test_a_path_that_comes_back_or_waits_has_each_of_its_numbers_and_steps() -> None:
    state = replace(start(*DEAD_END), side=Side.ROGUE)
    sites = [Cell(0, col) for col in (3, 2, 2, 1, 2, 1)]
    row = view_of().picture(state).row(0, 0, 4)
    drawn_way(state, Side.ROGUE, sites).paint(0, row)
    assert {cell: str(text) for cell, text in row.texts.items()} == {1: "3,5", 2: "1,2,4"}
    row = view_of().picture(state).row(0, 0, 4)
    drawn_way(state, Side.ROGUE, sites[:3]).paint(0, row)
    assert {cell: str(text) for cell, text in row.texts.items()} == {2: "1,2"}, "a wait"


def test_the_cells_on_which_a_rogue_would_be_safe_are_shaded_if_it_is_to_reach_one() -> None:
    view, state = view_of(), rules.start(named("--task five-good-moves-1").load())
    view.prepare(state)
    row = view.picture(state).row(6, 0, state.level.size)
    view.warning_layer(state).paint(6, row)
    safe = [cell.col for cell in solver.safe_sites(state) if cell.row == 6]
    assert [col for col, tint in enumerate(row.tints) if tint == Tint.SAFE] == safe != []


@pytest.mark.parametrize(("persons", "won"), [(("monster",), False), (("rogue",), True), ((), True)])
def test_the_log_tells_the_end_in_the_colour_of_who_plays(persons: tuple[str, ...], won: bool) -> None:
    view, level = view_of(), replace(board(*RING), moves=1)
    view.persons = persons
    state = after(rules.start(level), (0, 1))
    final, events = rules.step(state, Move(state.rogue))
    *_, line = view.story(Turn(final, Move(state.rogue), events))
    assert line.meaning == (Meaning.WAY_OUT if won else Meaning.FOE)


def test_a_player_that_is_not_there_forfeits() -> None:
    view = view_of()
    action = view.choose(start(*RING), "nobody")
    assert isinstance(action, Forfeit)
    assert "nobody" in action.reason
    view.close()


@pytest.mark.parametrize(("persons", "focus"), [(["rogue"], "@@"), (["monster"], "MM"), (["monster", "rogue"], "M@")])
def test_the_map_follows_whom_one_plays_or_holds_both(persons: list[str], focus: str) -> None:
    view, far = view_of(), start("M" + 18 * "+" + "@", *19 * [20 * " "])
    view.persons = tuple(persons)
    for expected, state in zip(focus, (far, after(far, (0, 1))), strict=True):
        assert view.focus_cell(state) == {"M": state.monster, "@": state.rogue}[expected]


def test_a_journey_is_one_move_or_the_reason_against_it() -> None:
    state = start("M+  ", "+ ..", "    ", "  @.")
    assert ChaseGuide().route(state, Cell(1, 0)) == [Move(Cell(1, 0))]
    wall, island = ChaseGuide().route(state, Cell(1, 1)), ChaseGuide().route(state, Cell(1, 3))
    assert isinstance(wall, str)
    assert isinstance(island, str)
    assert wall != island


# -- exact play


def analysis_of(level: Level, *moves: tuple[int, int]) -> tuple[ChaseAnalysis, TurnController[Any, Any, Any]]:
    controller = TurnController(rules, level)
    for row, col in moves:
        controller.apply(Move(Cell(row, col)))
    analysis = ChaseAnalysis(UNICODE)
    analysis.prepare(controller.state)
    return analysis, controller


@pytest.mark.parametrize(
    ("opponent", "fault"), [(("monster", "bfs"), "your"), (("rogue", "flee"), "the rogue's"), (None, "the rogue's")]
)
def test_a_fault_of_the_only_person_is_yours(opponent: tuple[str, str] | None, fault: str) -> None:
    state = replace(start(*DEAD_END), side=Side.ROGUE)
    turn = Turn(*rules.step(state, Move(state.rogue))[:1], Move(state.rogue), (), Turn(state))
    assert ChaseAnalysis(UNICODE, lambda: opponent).judge(turn).whose == fault


def refuted(analysis: ChaseAnalysis, controller: TurnController[Any, Any, Any]) -> int:
    """Plays the refutation of the last move; its length."""
    line = analysis.why(controller.turn)
    assert not isinstance(line, str)
    for action in line:
        controller.apply(action)
    return len(line)


def test_a_move_into_a_capture_is_a_mistake_and_why_leads_there() -> None:
    analysis, controller = analysis_of(board(*POCKET), (1, 2), (2, 3))
    before, judged = (analysis.judge(turn) for turn in controller.turn.line()[1:])
    assert (before.is_mistake, before.height) == (False, 1.0)
    assert judged.is_mistake
    assert judged.height < 0.9
    refuted(analysis, controller)
    assert controller.state.status is Status.CAPTURED
    assert controller.state.monster_moves - 1 == numbers(judged.text)[0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("horseshoe-1", "Go ↖ ({move.up-left}). Any other move leaves no way to safety."),
        ("gatehouse-1", "Go ←. Any other move lasts to move 6 at best."),
        ("two-landings-1", "Go ↓. Every other move is as good."),
    ],
)
def test_a_hint_names_its_move_first_then_the_others(name: str, text: str) -> None:
    opening = named(f"--task {name}")
    _, controller = analysis_of(opening.load())
    if opening.players["monster"] != YOU:
        controller.apply(Move(prospects(controller.level).reply(controller.state)))
    assert advise(controller.state, 1, ChaseAnalysis(UNICODE)).text == text


def test_why_refutes_the_move_that_lost_the_task_and_travel_stops_near_the_other_side() -> None:
    level = named("--task keyhole-3").load()
    analysis, controller = analysis_of(level)
    turns = []
    for way in (Direction.RIGHT, Direction.LEFT):
        controller.apply(Move(controller.state.site.neighbour(way)))
        turns.append(controller.turn)
        controller.apply(Move(prospects(level).reply(controller.state)))
    assert analysis.blamed(turns[1]) is turns[0]
    assert analysis.blamed(controller.first) is controller.first
    far, near, nearer = (start(row, *4 * ["     "]) for row in ("M+++@", "M++@ ", "M+@  "))
    assert [bool(reason_to_stop(*each)) for each in ((None, nearer), (far, near), (near, far))] == [False, True, False]
    assert [bool(reason_to_refuse(after(nearer, (0, 0)), Move(Cell(0, col)))) for col in (1, 3)] == [True, False]


def test_a_slower_capture_is_no_mistake_but_has_a_better_line() -> None:
    analysis, controller = analysis_of(board(*DEAD_END), (0, 0))
    judgement = analysis.judge(controller.turn)
    assert (judgement.is_mistake, judgement.is_slip, judgement.whose) == (False, True, "the monster's")
    assert refuted(analysis, controller) == 6  # three moves of each side, from the rogue's on


def test_a_capture_let_go_shows_how_the_rogue_gets_away() -> None:
    level = read_board("three-short-ways")
    values = solver.move_values(rules.start(level))
    analysis, controller = analysis_of(level, next(to for to, value in values.items() if value == UNREACHED))
    assert analysis.judge(controller.turn).is_mistake
    assert refuted(analysis, controller) == SHOWN_SAFE
    assert solver.value(controller.state) == UNREACHED


def test_what_holds_its_value_or_is_over_has_nothing_to_refute() -> None:
    analysis, controller = analysis_of(board(*RING), (0, 1), (2, 1))
    assert isinstance(analysis.why(controller.turn), str)
    assert isinstance(analysis.why(controller.first), str)
    controller.apply(Forfeit("it slept"))
    judgement = analysis.judge(controller.turn)
    assert (judgement.height, judgement.is_mistake, judgement.is_slip) == (1.0, True, False)
    assert isinstance(analysis.why(controller.turn), str)
    assert not analysis.moves(controller.state)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_moves_cost_what_they_lose_and_those_that_lose_all_say_so(glyphs: Any) -> None:
    state = after(start(*POCKET), (1, 2))
    values = solver.move_values(state)
    assert values[Cell(2, 1)] == UNREACHED
    moves = {move.cell: move for move in ChaseAnalysis(glyphs).moves(state)}
    assert moves[Cell(2, 1)].is_best
    assert str(values[Cell(2, 3)]) in moves[Cell(2, 3)].losing
    picture = ChaseView(find_game("chase"), glyphs).picture(state)
    row = Row(0, ".....", bytes(5))
    MoveMarks(picture, 1, glyphs).costs([*moves.values()]).paint(2, row)
    assert [row.glyphs[1], row.glyphs[3]] == [glyphs.star, glyphs.cross]
    assert (row.tints[1], row.tints[3], row.meanings[3]) == (Tint.SAFE, Tint.DANGER, Meaning.NOTE)
    assert (row.glyphs[2], str(row.texts[2])[0]) == (".", "@")  # the rogue's own glyph stays


def test_in_a_task_the_analysis_judges_against_its_opponent_as_hints_do() -> None:
    analysis, controller = analysis_of(named("--task hourglass-1").load())
    lost = None
    while lost is None:
        to = best_line(controller.state)[0].to
        moves = {move.cell: move for move in analysis.moves(controller.state)}
        assert not moves or moves[to].is_best
        lost = next((move for move in moves.values() if move.losing and controller.state.monster_moves > 1), None)
        controller.apply(Move(to) if lost is None else lost.action)
        assert analysis.judge(controller.turn).is_mistake == (lost is not None)
    assert analysis.why(controller.turn) == "Staying gets caught at once."


@pytest.mark.parametrize(
    ("arguments", "has_costs"), [("--task single-pillar-1", False), ("comb --monster you --rogue flee", True)]
)
async def test_the_legend_of_the_analysis_has_costs_only_if_a_move_has_one(arguments: str, has_costs: bool) -> None:
    opening = named(arguments)
    async with opened("chase", opening.load(), players=dict(opening.players), size=(80, 24)) as (pilot, screen):
        await ply(pilot, screen, not has_costs)
        await pilot.press("A", "A")
        await wait_until(pilot, lambda: screen.board.is_on)
        assert ("2 moves worse" in screen.board.legend) == has_costs
        await pilot.press("/", "/", "/")
        await sees(pilot, "Moves 1 to ")
        assert has_costs or paint(screen)[6].glyphs[5] == "1"  # the hint's step lies above the star of its cell


async def test_a_free_board_tells_the_move_that_lost_the_goal() -> None:
    opening = named("wrong-loop")
    async with opened("chase", opening.load(), players=opening.players, size=(80, 24)) as (pilot, screen):
        await ply(pilot, screen, 1)
        await sees(pilot, "Survive 30 moves")
        await pilot.press("e")
        await sees(pilot, "Lost by move")


async def test_a_lost_task_is_reported_at_once_and_its_last_chance_is_a_key_away() -> None:
    level = named("--task five-good-moves-1").load()
    assert level.task is not None
    analysis, _ = analysis_of(level)
    async with opened("chase", level, players=players(level.task), size=(80, 24)) as (pilot, screen):
        assert screen.fate is not None
        await ply(pilot, screen, 1)
        assert "Undo" not in str(screen.query_one(KeyBar).render())  # the monster's move alone
        while not (losing := [each for each in analysis.moves(screen.controller.state) if each.losing]):
            turn = screen.controller.turn
            screen.play(best_line(turn.state)[0])
            await ply(pilot, screen, turn.ply + 2)
        assert not screen.fate.is_on
        lost_ply = screen.controller.turn.ply
        screen.play(losing[0].action)  # staying, which is no capture yet
        await wait_until(pilot, lambda: screen.fate is not None and screen.fate.is_on)
        assert goal(level.task, level.moves) in str(screen.panel.render())
        own = screen.session.own_moves(screen.controller.turn)
        assert own == sum(turn.parent.state.side.value == level.task.seat for turn in screen.controller.turn.line()[1:])
        await pilot.press("c")
        await wait_until(pilot, lambda: screen.session.variation)
        await pilot.press("backspace")  # takes back the move that was refuted
        assert (screen.controller.turn.ply, screen.board.is_on) == (lost_ply, False)
        assert screen.journal.used(screen.controller.turn).names == ("undo",), "the refutation shows no good move"
        await pilot.press("ctrl+y")
        await do(pilot, "last_chance")
        await wait_until(pilot, lambda: screen.controller.turn.ply == lost_ply)
        assert screen.view.used.names == ("undo",)
        await pilot.press("A", "A")
        await wait_until(pilot, lambda: screen.board.is_on)
        await pilot.press("}")
        await wait_until(pilot, lambda: screen.board.shown_fault is not None)


@pytest.mark.parametrize(("helps", "stars"), [((), 2), (("a hint",), 1)])
def test_undo_and_restarts_cost_a_daily_task_one_star_only(helps: tuple[str, ...], stars: int) -> None:
    view, level = view_of(), named("--task five-good-moves-1").load()
    assert level.task is not None
    view.persons, view.used = (level.task.seat,), Aids(helps, ("undo", "a restart"))
    assert view.facts(Turn(rules.start(level))).rows[-1][0].startswith("★" * stars + " ")


@given(rows=board_rows(), data=st.data())
def test_a_move_that_costs_nothing_keeps_the_value(rows: tuple[str, ...], data: st.DataObject) -> None:
    state = start(*rows)
    for _ in range(data.draw(st.integers(0, 5))):
        if not (actions := rules.legal_actions(state)):
            break
        state, _ = rules.step(state, data.draw(st.sampled_from(actions)))
    moves = ChaseAnalysis(UNICODE).moves(state)
    if state.status is Status.PLAYING:
        assert sorted(move.cell for move in moves if move.is_best) == solver.best_moves(state)
    assert all((move.loss is None) == bool(move.losing) for move in moves)


async def test_pieces_are_drawn_on_small_cells_too() -> None:
    async with opened("chase", read_board("gatekeeper"), size=(80, 24)) as (pilot, _):
        for figure in "▐M▌", "█@█":
            await wait_until(pilot, lambda figure=figure: figure in shown(pilot.app))
