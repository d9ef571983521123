"""Every sentence that the rescue can say, in one file."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.rescue.ai.algorithms import ALGORITHMS, find_algorithm, solve
from dungeon_tui.games.rescue.ai.race import run_lane, verdict
from dungeon_tui.games.rescue.model import generator, rules
from dungeon_tui.games.rescue.model.dungeon import set_task
from dungeon_tui.games.rescue.model.level import LEAST, MOST, Level
from dungeon_tui.games.rescue.model.purchase import bargain
from dungeon_tui.games.rescue.model.rules import Action, Guess, SetOut, Walk, least_health
from dungeon_tui.games.rescue.view import screen, transcript, words
from dungeon_tui.games.rescue.view.advice import advise
from dungeon_tui.games.rescue.view.analysis import RescueAnalysis, check_size, need_field
from dungeon_tui.games.rescue.view.probe import probe_field
from dungeon_tui.ui.glyphs import UNICODE
from tests.games.rescue.grids import CLASSIC, TOO_MUCH, level_of, played, state_of
from tests.games.rescue.test_level import INVALID, read
from tests.wording import usage_errors

BEYOND = [[-MOST, -MOST]]
FORK = [[0, -2, 9], [0, -9, -9], [-1, -5, -2]]


def asked(grid: list[list[int]], fee: int | None, *actions: str) -> TurnController[Any, Any, Any]:
    """A purchase at that fee, or with None a guess, after some actions."""
    controller = TurnController(rules, set_task(lambda: level_of(grid), fee, is_guessed=True))
    controller.apply_texts(actions)
    return controller


RESCUES = {
    "guesses": played(CLASSIC, "guess 20", "guess 1", "guess 30", "guess 28", "guess 3", "guess 7"),
    "saved": played(CLASSIC, "health 30", "down", "down", "right", "right"),
    "saved on a best way": played(CLASSIC, "health 7", "right", "right", "down", "down"),
    "saved on a best way with more": played([[1, 0]], "health 2", "right"),
    "died": played(CLASSIC, "health 9", "right", "down"),
    "died of too little": played(CLASSIC, "health 6", "down"),
    "died where all do": played(BEYOND, "health 10"),
    "bought": asked(FORK, 2, "health 4", "right", "right", "left", "left", "down", "down", "right", "right"),
    "bought too much": asked(FORK, 0, "health 6", "right", "right", "left", "left", "down", "down", "right", "right"),
    "bought too little": asked(FORK, 2, "health 1", "right"),
    "guessed": asked(CLASSIC, None, "guess 20", "guess 7"),
    "guessed in vain": asked(CLASSIC, None, *["guess 1"] * 6),
}
ENTRIES = ["10", "+0010", "seven", "7.5", "", "-", "٧", "0", "-3", str(MOST + 1), "9" * 5000, "-" + "9" * 5000]
LARGE = Level("large", np.zeros((4000, 4000), np.int32))


def refused(function: Callable[..., object], *arguments: object) -> str:
    """The text of the ValueError that a function raises."""
    try:
        return f"accepted: {function(*arguments)}"
    except LevelError as error:
        return f"{error.line}:{error.column}: {error.message}"
    except ValueError as error:
        return str(error)


def sentences() -> Iterator[tuple[str, object]]:
    view, analysis = screen.RescueView(find_game("rescue")), RescueAnalysis()  # type: ignore[arg-type]
    for name, game in RESCUES.items():
        for turn in game.turn.line():
            yield from ((f"{name}, event", line.text) for line in view.story(turn))
            if least_health(turn.state.level) <= MOST:
                yield f"{name}, judged", analysis.judge(turn).text
                yield f"{name}, moves", "; ".join(f"{move.name}: {move.cost}" for move in analysis.moves(turn.state))
        for turn in (game.first, game.turn):
            facts = view.facts(turn)
            yield f"{name}, facts", f"{', '.join(map(': '.join, facts.rows))} | {', '.join(facts.short)}"
        if (outcome := rules.outcome(game.state)) is not None:
            yield f"{name}, ending", " / ".join(view.ending(game.state, outcome, 0))
    for text in ENTRIES:
        yield f"health typed as {text[:20]}", refused(words.read_health, text)
    waiting, walking, over = (state_of(CLASSIC, *actions) for actions in ([], ["health 9", "right"], ["health 1"]))
    known = state_of(CLASSIC, "guess 7")
    actions: dict[str, Action] = {
        "guess 8": Guess(8),
        "guess 0": Guess(0),
        **{way.name.lower(): Walk(way) for way in Direction},
    }
    for moment, state in {"waiting": waiting, "walking": walking, "over": over, "guessed": known}.items():
        for name, action in actions.items():
            yield f"{moment}, {name}", rules.objection(state, action)
        yield f"{moment}, health key", screen.health_question(state)
        yield f"{moment}, guess key", screen.guess_question(state)
        yield from ((f"{moment}, hint", advise(UNICODE, state, step).text) for step in range(3))
        yield f"{moment}, way to the end", screen.route(state, Cell(2, 2))
    yield "guess key, with what is known", screen.guess_question(state_of(CLASSIC, "guess 3", "guess 9"))
    for cell in (Cell(0, 0), Cell(0, 1), Cell(1, 1)):
        yield "walking, way", screen.route(walking, cell)
    yield "waiting for a turn", refused(view.action_towards, walking, None)
    for cell in (Cell(0, 0), Cell(0, 2), Cell(2, 2)):
        yield "cell", view.cell_text(walking, cell)
    yield "cell", view.cell_text(state_of([[0]]), Cell(0, 0))
    for level in (level_of(CLASSIC), *(asked(CLASSIC, fee).state.level for fee in (0, 2, None))):
        yield "goal", words.goal(level)
        yield "greeting", "".join(line.text for line in view.greeting(level))
        yield "opening", transcript.opening_text(level).partition("\n")[2].partition("\n\n")[0]
        yield "help", transcript.help_text(level)
        for key in (screen.health_question, screen.guess_question):
            yield "question", key(rules.start(level))
    for state in (asked(FORK, 2, "health 7", "right").state, asked(FORK, 2).state, asked(CLASSIC, None).state):
        for name, action in {**actions, "health 9": SetOut(9)}.items():
            yield f"bought, {name}", rules.objection(state, action)
        yield from (("bought, hint", advise(UNICODE, state, step).text) for step in range(3))
        yield "bought, way", screen.route(state, Cell(2, 2))
        yield "bought, best way", refused(view.best_layer, state) if state.level.is_guessed else ""
    yield "cheapest way", transcript.bargain_text(walking.level, bargain(asked(FORK, 2).state.level))
    yield "no guess", refused(probe_field, asked(CLASSIC, None).state, "probe", False)
    explain = probe_field(asked(CLASSIC, None, "guess 3").state, "probe", False).explain
    assert explain is not None
    yield from (("a guess at work", told and told.text) for told in map(explain, (1, 2, 3)))
    yield from ((f"legend {sign}", text) for sign, text in view.legend())
    yield "too large for needs", refused(check_size, LARGE)
    yield "analysis, over", analysis.why(played(CLASSIC, "health 1").turn)
    explain = need_field(waiting, "need", False).explain
    assert explain is not None
    for step in (1, 2, 5):
        told = explain(step)
        yield f"need computed in step {step}", told and told.text
    for name in ALGORITHMS:
        yield f"{name}, too much", refused(solve, level_of(TOO_MUCH), name)
        if name not in ("tabulated", "wavefront"):
            yield f"{name}, too large", refused(solve, LARGE, name)
    yield "recursive, too deep", refused(solve, level_of([[0] * 500]), "recursive")
    yield "unknown algorithm", refused(find_algorithm, "quick")
    lanes = [run_lane(level_of(CLASSIC), name) for name in ("recursive", "memoised", "wavefront")]
    yield "race", verdict(lanes)
    yield "race, cut", verdict([*lanes, run_lane(level_of(CLASSIC), "recursive", 3)])
    yield "race, trouble", run_lane(level_of(CLASSIC), "recursive", 3).trouble
    for arguments in ((1, 0, 3), (1, 3, 3, 5, 4), (1, 3, 3, LEAST - 1, 0), (1, 10**5, 10**5), (-1, 3, 3)):
        yield f"uniform {arguments}", refused(generator.generated, "uniform", *arguments)
    yield "puzzle", refused(generator.puzzle, "maze", 1, 5, 5)
    yield "puzzle", refused(generator.puzzle, "uphill", 1, 2, 2)
    yield from ((f"puzzle {name}", lesson) for name, (lesson, _) in generator.PUZZLES.items())
    for name, (text, *_) in INVALID.items():
        yield f"file, {name}", refused(read, text)
    for typed in ("x", "guess seven", "health 9 w ddd"):
        out = io.StringIO()
        transcript.play(level_of(CLASSIC), io.StringIO(typed), out)
        yield f"transcript of {typed}", out.getvalue().partition(transcript.HELP)[2].partition("\nThe least")[0]
    yield "large grid", transcript.grid_text(level_of([[0] * 30] * 50)).splitlines()[-1]
    yield "relief", transcript.relief_line(level_of(CLASSIC), (Cell(1, 0), 3))
    yield "relief", transcript.relief_line(level_of(CLASSIC), None)
    yield "solution", transcript.solution_text(level_of(CLASSIC), "wavefront", solve(level_of(CLASSIC), "wavefront"))
    yield from usage_errors("games/rescue/commands.py")


def test_wording(golden: Callable[[Path, str], None]) -> None:
    lines = [f"{event}: {said}".strip().replace("\n", " / ") for event, said in sentences()]
    golden(Path(__file__).with_name("wording.txt"), "\n".join(lines))
