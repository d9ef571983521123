"""Every sentence that the chase can say, held in wording.txt; --update-golden writes the file anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from dungeon_tui.core.arguments import UnknownLevelError
from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.turns import TurnController
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase import commands
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.ai.referee import load_player
from dungeon_tui.games.chase.ai.strategies import STRATEGIES
from dungeon_tui.games.chase.ai.tasks import is_safe
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Task, read_level
from dungeon_tui.games.chase.model.players import CATCH, SAFETY, SURVIVE
from dungeon_tui.games.chase.model.state import Action, Forfeit, Move, Side, State
from dungeon_tui.games.chase.model.tasks import listed
from dungeon_tui.games.chase.view import transcript
from dungeon_tui.games.chase.view.advice import advise
from dungeon_tui.games.chase.view.analysis import ChaseAnalysis
from dungeon_tui.games.chase.view.editor import CRAFT, judging
from dungeon_tui.games.chase.view.judged import broken, judged
from dungeon_tui.games.chase.view.openings import named
from dungeon_tui.games.chase.view.screen import _WORDINGS, ChaseView, route, settled
from dungeon_tui.ui.glyphs import ASCII, UNICODE
from dungeon_tui.ui.play.analysis import moves_told
from tests.games.chase.boards import DEAD_END, OPEN, POCKET, RING, TOO_LARGE, board, start
from tests.games.chase.test_level import INVALID
from tests.wording import sentences, usage_errors

CHASES: dict[str, tuple[tuple[str, ...], tuple[tuple[int, int] | str, ...]]] = {
    "start": (POCKET, ()),
    "best moves": (POCKET, ((1, 2),)),
    "a mistake": (POCKET, ((1, 2), (2, 3))),
    "a slower capture": (DEAD_END, ((0, 0),)),
    "caught": (DEAD_END, ((0, 1), (0, 3), (0, 2), (0, 3), (0, 3))),
    "caught itself": (("M@", ".."), ((0, 0), (0, 0))),
    "evaded": (RING, ((0, 0), (2, 2)) * 3),
    "monster forfeits": (RING, ("it slept",)),
    "rogue forfeits": (RING, ((0, 1), "")),
}
NAMED = ("long-way-round-1", "open-room-3", "open-room-4", "close-together-2", "three-short-ways-2", "cornered-2")


def chase(rows: tuple[str, ...], actions: tuple[tuple[int, int] | str, ...]) -> TurnController[Any, State, Action]:
    controller: TurnController[Any, State, Action] = TurnController(rules, board(*rows, moves=3))
    for action in actions:
        controller.apply(Forfeit(action) if isinstance(action, str) else Move(Cell(*action)))
    return controller


def said(error: type[Exception], function: Callable[..., object], *arguments: object) -> str:
    try:
        return f"no error: {function(*arguments)}"
    except error as caught:
        return str(caught)


def of_chases() -> Iterator[tuple[str, object]]:
    game = find_game("chase")
    assert game is not None
    view = ChaseView(game)
    for name, drawn in CHASES.items():
        controller = chase(*drawn)
        turn, state, outcome = controller.turn, controller.state, controller.outcome
        yield f"{name}: story", [line.text for line in view.story(turn)]
        facts = view.facts(turn)
        yield f"{name}: facts", [facts.goal, facts.title, facts.subtitle, facts.caption, *facts.rows, *facts.short]
        yield f"{name}: hint", [advise(state, step).text for step in range(3)]
        yield f"{name}: settled", settled(turn)
        for glyphs in (UNICODE, ASCII):
            yield (
                f"{name}: analysis",
                "; ".join(moves_told("Exact play", "...", ChaseAnalysis(glyphs).moves(state), False)),
            )
        yield f"{name}: judged", ChaseAnalysis(UNICODE).judge(turn).text
        why = ChaseAnalysis(UNICODE).why(turn)
        yield f"{name}: why", why if isinstance(why, str) else f"a line of {len(why)}"
        yield f"{name}: refused", rules.objection(state, Move(Cell(9, 9)))
        if outcome is not None:
            yield f"{name}: ending", view.ending(state, outcome, 1.0)
    state = start(*OPEN)
    yield "greeting", [line.text for line in view.greeting(state.level)]
    yield "hint where it can't be solved", advise(rules.step(start(*TOO_LARGE), Move(Cell(0, 0)))[0], 0).text
    for cell in (Cell(0, 0), Cell(1, 1), Cell(3, 3), Cell(9, 9)):
        yield "cell", view.cell_text(state, cell)
    yield "cell", view.cell_text(chase(*CHASES["caught"]).state, Cell(0, 3))
    for cell in (Cell(0, 1), Cell(2, 1)):
        yield "route", route(start("M   ", "    ", " .  ", "   @"), cell)
    yield "legend", view.legend()
    yield from _WORDINGS.items()


def of_refusals() -> Iterator[tuple[str, object]]:
    for name, (text, *_) in INVALID.items():
        data = text if isinstance(text, bytes) else text.encode()
        yield f"level: {name}", said(LevelError, read_level, LevelFile("a.txt", data))
    state = start("M+  ", "+ . ", "    ", "   @")
    for cell in (Cell(0, -1), Cell(1, 1), Cell(1, 2)):
        yield "refused", rules.objection(state, Move(cell))
    for name in ("nobody", "own.py", "none/own.py:go"):
        yield "player", said(StrategyError, load_player, Side.ROGUE, name)
    answers: dict[str, Callable[[State], Any]] = {
        "no move": lambda _: (9, 9),
        "no site": lambda _: "nowhere",
        "an error": lambda _: [][0],
    }
    for name, answer in answers.items():
        player = Player(Side.MONSTER, "own", 60.0, answer)
        player._level = state.level
        yield f"forfeit: {name}", player.choose(state)
    with load_player(Side.ROGUE, "perfect") as player:
        yield "too large", said(StrategyError, player.prepare, board(*TOO_LARGE))


def of_endings() -> Iterator[tuple[str, object]]:
    game = find_game("chase")
    assert game is not None
    for name, drawn in CHASES.items():
        controller = chase(*drawn)
        for persons in (("rogue",), ("monster",), ()) if controller.outcome is not None else ():
            view = ChaseView(game)
            view.persons = persons
            view.prepare_ending(controller.turn)
            yield f"{name}: ending for {persons}", view.ending(controller.state, controller.outcome, 1.0)
    for aim, moves in ((CATCH, 3), (CATCH, 2), (SURVIVE, 2), (SURVIVE, 3), (SAFETY, 3)):
        level = replace(board(*DEAD_END, moves=moves), task=Task(aim, "perfect"), is_safe=is_safe)
        controller = TurnController(rules, level)
        while (outcome := controller.outcome) is None:
            side = controller.state.side
            choose = STRATEGIES[side]["bfs" if side is Side.MONSTER else "flee"]
            controller.apply(Move(choose(controller.state)))
        view = ChaseView(game)
        view.persons = (Task(aim, "perfect").seat,)
        view.prepare_ending(controller.turn)
        yield f"{aim} {moves}: ending", view.ending(controller.state, outcome, 1.0)


def of_tasks() -> Iterator[tuple[str, object]]:
    for name in NAMED:
        task = listed()[name]
        yield "task", [task.group, task.title, task.level().note]
    yield "no such task", said(UnknownLevelError, named, "--task nobody")
    yield "no board", said(UnknownLevelError, named, "")


def of_commands() -> Iterator[tuple[str, object]]:
    yield "values", [solver.value_text(value) for value in (0, 1, 2, UNREACHED)]
    for side, prompt in transcript.PROMPTS.items():
        yield f"prompt {side.value}", prompt
    yield "not understood", transcript.NOT_UNDERSTOOD
    yield "ask", commands.ASK_BOARD
    yield "died", commands.DIED
    yield from usage_errors("games/chase/commands.py")


def of_boards_drawn() -> Iterator[tuple[str, object]]:
    for rows in (RING, POCKET, ("M@ .", "    ", "    ", "+   "), TOO_LARGE):
        level = board(*rows)
        *_, verdict = judging(level, level.size, print)
        yield "editor", [CRAFT.told(verdict), CRAFT.no_more_lines(verdict), *(odd.message for odd in verdict.oddities)]
    yield from (("editor", text) for text in sentences("games/chase/view/editor.py"))
    yield "editor", said(ValueError, CRAFT.tiles_of, "x")


def of_verdicts() -> Iterator[tuple[str, object]]:
    boards = [board(*rows, moves=5) for rows in ((" . ", "M @", " .."), (" .@", ".  ", " M "))]
    for side, program in (("rogue", "flee"), ("monster", "greedy"), ("rogue", "nobody")):
        yield f"{program} judged", judged(boards, (side,), False, 0, 1.0, None, program).summary
    yield "nothing found", broken(("rogue",), 0, 1.0, 0.0, print, "perfect").told
    yield from (("judge", text) for text in sentences("games/chase/judging.py"))


def test_every_sentence_stands_in_the_golden_file(golden: Callable[[Path, str], None]) -> None:
    lines = (
        f"{name}: {text}"
        for part in (of_chases, of_endings, of_refusals, of_tasks, of_commands, of_boards_drawn, of_verdicts)
        for name, text in part()
    )
    golden(Path(__file__).with_name("wording.txt"), "".join(line.replace("\n", " / ") + "\n" for line in lines))
