"""Every sentence that the expedition can say, held in wording.txt; --update-golden writes the file anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import starmap
from pathlib import Path

import pytest

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.games.expedition.ai import recursion, solver
from dungeon_tui.games.expedition.model import generator, rules
from dungeon_tui.games.expedition.model.dungeon import read_map
from dungeon_tui.games.expedition.model.level import read_level
from dungeon_tui.games.expedition.model.state import Walk
from dungeon_tui.games.expedition.view import recursion as words
from dungeon_tui.games.expedition.view import story, transcript
from dungeon_tui.games.expedition.view.drawing import drawing_of
from dungeon_tui.games.expedition.view.screen import explore, reason_to_stop
from tests.games.expedition.maps import file_of, level_of, played, read, walked
from tests.games.expedition.test_level import BAD, BAD_TEXTS
from tests.games.expedition.test_screen import analysis_of, foggy, placed, view_of
from tests.wording import usage_errors

Sentences = Iterator[tuple[str, str]]

LINE = level_of("ab bc cd", start="b")
MET = read(
    [{"id": "a", "start": True}, {"id": "b", "cost": 4, "label": "Crypt", "trap": True, "curio": True}],
    [{"source": "a", "target": "b", "cost": 2, "darkness": True}],
)
APART = level_of("ab cd")
FAR_END = level_of("ab cd", coverage=Fraction(50), end=3)
ROUND = placed(coverage=Fraction(60), is_round_trip=True)
UNPROVEN = solver.Plan(9, (0, 1), 4, False, 7, "greedy")


def refusal(of: str, action: Callable[[], object]) -> tuple[str, str]:
    """What is refused, and what the error says."""
    with pytest.raises((LevelError, IllegalActionError, ValueError)) as caught:
        action()
    return of, str(getattr(caught.value, "message", caught.value))


def of_the_model() -> Sentences:
    for number, (nodes, edges, more) in enumerate(BAD, 1):
        yield refusal(f"level {number}", partial(read_level, file_of(nodes, edges, **more)))
    for number, text in enumerate(BAD_TEXTS, 1):
        yield refusal(f"text {number}", partial(read_level, LevelFile("map", text.encode())))
    ones = file_of([{"id": 1, "start": True}, {"id": "1"}])
    yield refusal("start", partial(read_level, ones, start="1"))
    yield refusal("end", partial(read_level, ones, end="x"))
    yield refusal("generate", partial(generator.generate, 1, 257))
    yield refusal("generate", partial(generator.generate, 1, 5, 5))
    yield from usage_errors("games/expedition/commands.py")
    yield refusal("action", partial(rules.read_action, "[1]"))
    for room in ("d", "\x1b[2J"):
        yield "refused", str(rules.objection(rules.start(LINE), Walk(room)))
    yield "refused when over", str(rules.objection(walked(LINE, "abcd"), Walk("c")))
    yield "outcome", str(rules.outcome(walked(LINE, "abcd")))


_LEAVES = ((0, 0), (0, 1, True), (0, 1), (1, 3, True), (1, 1000))


def of_the_screen() -> Sentences:
    view, start = view_of(), rules.start(LINE)
    for direction in (None, Direction.UP, Direction.DOWN, Direction.LEFT):
        yield refusal("refused", partial(view.action_towards, rules.start(placed()), direction))
    for level in (placed(), ROUND):
        yield from (("greeting", line.text) for line in view.greeting(level))
        facts = story.standing(rules.start(level))
        yield "panel", "; ".join([facts.goal, facts.title, facts.subtitle, *map(" ".join, facts.rows), *facts.short])
    yield "arrival", story.arrival(rules.start(MET), walked(MET, "b"))
    yield "arrival", story.arrival(walked(LINE, "a"), walked(LINE, "ab"))
    yield "journey ends", reason_to_stop(start, walked(LINE, "a"))
    yield "journey refused", str(explore(rules.start(level_of(""))))
    for cell in (Cell(0, 0), *(drawing_of(LINE).boxes[room].middle for room in (1, 3))):
        yield "journey refused", str(view.route(start, cell))
    for level in (ROUND, MET):
        yield from (("cell", story.room_text(rules.start(level), room)) for room in range(2))
        yield "cell", story.corridor_text(level, level.corridors[0])
    yield from (("legend", " ".join(sign)) for sign in view.legend())
    yield from (("note", note) for note in (story.WALK_NOTE, *starmap(story.plan_note, _LEAVES)))


def of_the_planner() -> Sentences:
    for level, plan in ((LINE, solver.plan(LINE)), (APART, solver.plan(APART)), (LINE, UNPROVEN)):
        for step in (0, 1, 2):
            for known_only in (False, True):
                yield "hint", story.hint_text(rules.start(level), plan, step, known_only=known_only)
    yield "hint", story.ALL_IS_SEEN
    for view in (view_of(), foggy(view_of())):
        analysis = analysis_of(view)
        for turn in (*played(LINE, "cbabcd").turn.line(), *played(APART, "b").turn.line()):
            yield "verdict", analysis.judge(turn).text
            why = analysis.why(turn)
            yield from [("why", why)] if isinstance(why, str) else []
        yield "curve", str(view.curve(rules.start(FAR_END)))
    best = solver.compare(walked(LINE, "abcd"))
    worse = solver.compare(walked(level_of("ab bc cd de ef", start="c"), "dcbcdcbaabcdef".replace("aa", "a")))
    five = replace(worse, legs=worse.legs[:1] * 5)
    for compared in (best, worse, five, replace(best, best=UNPROVEN)):
        for was_foggy in (False, True):
            told = story.comparison_sentences(LINE, compared, was_foggy=was_foggy, mark="!")
            yield from (("ending", each) for each in told)


def of_the_recursion() -> Sentences:
    level = read_map("memo-fails")
    asked = recursion.questions(level)
    yield "recursion", words.INTRODUCTION
    for kind in recursion.Kind:
        question = next(each for each in asked if each.kind is kind)
        yield "recursion", words.happening_text(level, (question, False))
        yield "recursion", words.happening_text(level, (question, True))
    for name in ("memo-fails", "path"):
        yield "recursion", words.verdict_text(recursion.questions(read_map(name)))
    yield from (("explorer", transcript.sure_text(sure)) for sure in (None, 7))


def of_the_transcript() -> Sentences:
    for level in (LINE, ROUND, FAR_END):
        yield "task", transcript.task_text(level)
    yield "help", transcript.HELP
    for level, plan in ((LINE, UNPROVEN), *((level, solver.plan(level)) for level in (LINE, APART, FAR_END))):
        yield "plan", transcript.plan_text(level, plan)
    yield "rooms", transcript.rooms_text(MET, 0b11)
    points = [*solver.curve(LINE)]
    yield "curve", transcript.curve_text(LINE, points)
    yield "curve", transcript.curve_text(LINE, [points[0], (points[1][0], 0)])
    game = played(LINE, "")
    for word in ("c", "a", "x\x1b[2J"):
        yield f"answer to {word!r}", transcript.answered(game, word)
    cells = read([{"id": 1, "start": True}, *({"id": number, "label": "Cell"} for number in (2, 3))],
                 [{"source": 1, "target": 2}, {"source": 1, "target": 3}])  # fmt: skip
    yield "answer to 'cell'", transcript.answered(played(cells, ""), "cell")
    for rooms in ("abcd", "cbabcd", "c"):
        state = walked(LINE, rooms)
        compared = solver.compare(state)
        yield "comparison", transcript.comparison_text(state, compared)
        unsure = replace(compared, best=replace(compared.best, is_proven=False), is_proven=False)
        yield "comparison", transcript.comparison_text(state, unsure)


def test_every_sentence_is_worded_as_it_was(golden: Callable[[Path, str], None]) -> None:
    told = [
        f"{of}: {line}"
        for sentences in (of_the_model, of_the_screen, of_the_planner, of_the_recursion, of_the_transcript)
        for of, text in sentences()
        for line in text.splitlines()
    ]
    golden(Path(__file__).with_name("wording.txt"), "\n".join(dict.fromkeys(told)) + "\n")
