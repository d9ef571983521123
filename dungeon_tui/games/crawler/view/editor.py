"""The crawler's part of the editor: its tiles, files and checks, which a solver in another process yields."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import numpy as np

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.crawler.ai import solver
from dungeon_tui.games.crawler.ai.par import Par, point_text
from dungeon_tui.games.crawler.ai.par_search import extended
from dungeon_tui.games.crawler.model import level as level_file
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.check import Oddity, has_neighbour, oddities
from dungeon_tui.games.crawler.model.dungeon import Dungeon, alone
from dungeon_tui.games.crawler.model.level import ADVENTURER, AMULET, DOOR, MONSTER, OPEN, PILLAR, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.view.advice.hints import line_layer
from dungeon_tui.games.crawler.view.picture import MEANINGS, Picture
from dungeon_tui.ui.editor.craft import DUNGEON_BRUSHES, SEARCH_LIMIT_S, Brush, Craft, Draft, LevelCheck, ShownLine
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Layer, MapSource

_MEMORY = 1 << 30  # limit in bytes of the search
_UNKNOWN = Par()
_MOST_LINES = 99  # each with more treasure than the one before; amulets make their number infinite


@dataclass(frozen=True, eq=False)
class CrawlerCheck(LevelCheck):
    """The known facts about a draft: its oddities, and its shortest lines out."""

    oddities: tuple[Oddity, ...] = ()
    par: Par = _UNKNOWN
    ended: str = ""  # why the search ended, as in Escape
    states: int = 0  # visited
    all_treasure: int = 0  # on the level; 0 if amulets can make more


def judging(
    level: level_file.Level, is_followed: bool, lines: int, tell: Callable[..., object]
) -> Iterator[CrawlerCheck]:
    """Yields better and better checks: oddities, then at most so many lines; `tell` gets the states visited."""
    there_is = 0 if np.any(level.tiles == AMULET) else int(np.count_nonzero(level.tiles == TREASURE))
    odd = tuple(oddities(level, is_followed=is_followed))
    check = CrawlerCheck(odd, is_checked=True, all_treasure=there_is)
    yield check
    state = rules.start(alone(level))
    question = solver.Solver(state.dungeon, by_door=True, memory=_MEMORY)
    end = monotonic() + SEARCH_LIMIT_S
    treasure = 0
    while not check.is_over:
        before = check.states
        found = question.escape(
            state,
            treasure,
            time_limit=max(end - monotonic(), 0),
            progress=lambda _, states, __: tell(before + states),  # noqa: B023  # called before it changes
        )
        states = before + found.states
        par = extended(check.par, found, states)
        treasure = found.treasure + 1
        is_over = found.moves is None or not found.is_proven or len(par.points) == lines
        is_won = True if par.points else False if par.is_all else None
        check = replace(check, is_over=is_over, is_won=is_won, line_count=len(par.points))
        check = replace(check, par=par, ended=found.ended, states=states)
        yield check


def preparing(tell: Callable[..., object]) -> Iterator[None]:
    """Compiles or loads the search; the first task of the solver's process. Yields None."""
    solver.prepare()
    yield


class CrawlerCraft(Craft):
    """Levels of the crawler."""

    word = "level"
    file_note = "A dungeon's levels are NAME1.txt, NAME2.txt ..."
    help = """The keys of the tiles select the brush and paint; the mouse paints with it.
After each change the solver shows how few moves get you out, or that the level can't be won.
Odd tiles are marked: treasure that can't be reached, a monster next to the start.
Since `+` and `-` are tiles here, {editor.larger} and {editor.smaller} zoom; since `?` is one, {editor.help} helps."""
    brushes = {
        **{code: DUNGEON_BRUSHES[chr(code)] for code in (OPEN, PILLAR, TREASURE, AMULET)},
        PILLAR: DUNGEON_BRUSHES[chr(PILLAR)]._replace(name="wall"),
        MONSTER: Brush("monster", "M,m"),
        DOOR: DUNGEON_BRUSHES[chr(DOOR)],
        WAY_OUT: DUNGEON_BRUSHES[chr(WAY_OUT)]._replace(name="gate"),
        ADVENTURER: DUNGEON_BRUSHES[chr(ADVENTURER)],
    }
    pieces = (ADVENTURER,)
    ground = blank = OPEN
    first_brush = PILLAR
    most_side, most_bytes = 999_999, level_file.MOST_BYTES
    names = level_file.TILE_NAMES | {ADVENTURER: "the start"}
    meanings = MEANINGS
    counted = {TREASURE: "Treasure", AMULET: "Amulets", MONSTER: "Monsters", DOOR: "Doors", WAY_OUT: "Gates"}
    line_label, line_help = "Line out", "a shortest line out; again: more treasure"
    next_line = "With more treasure"
    check, prepare = CrawlerCheck, staticmethod(preparing)

    def empty(self) -> Draft:
        return Draft(Board.of(np.full((10, 20), OPEN, np.uint8)), {ADVENTURER: Cell(1, 1)}, self)

    def read(self, file: LevelFile) -> Draft:
        level = level_file.read_level(file)
        return Draft(Board.of(level.tiles), {ADVENTURER: level.start}, self)

    def text(self, draft: Draft) -> str:
        return level_file.level_text(draft.level())

    def level(self, draft: Draft, file: str) -> level_file.Level:
        return level_file.Level(file, draft.board.copy(), draft.start)

    def play(self, draft: Draft, name: str) -> tuple[Dungeon, Mapping[str, str]]:
        return alone(draft.level(name)), {}

    def is_prepared(self) -> bool:
        return solver.is_prepared()

    def question(self, draft: Draft, file: str) -> tuple[Any, ...]:
        return judging, draft.level(file), has_neighbour(file, 1), _MOST_LINES

    def check_text(self, check: CrawlerCheck) -> str:
        par = check.par
        if not par.points:
            return _no_line_text(check) if check.is_over else ""
        first, last = par.points[0], par.points[-1]
        text = f"Can be left in {point_text(first)}{' (proven)' * first.is_proven}"
        if last is not first:
            haul = f"{'all ' * (last.treasure == check.all_treasure > 1)}{last.treasure:,}"
            known = "" if last.is_proven else f" so far, {last.bound:,} at least"
            text += f"; in {last.moves:,} with {haul}{known}"
        if not check.is_over:
            return f"{text}; thinking ..."
        return f"{text}{'; more treasure unknown' * (last.is_proven and not par.is_all)}"

    def no_more_lines(self, check: CrawlerCheck) -> str:
        points = check.par.points
        if not check.par.is_all:
            return "No line with more treasure is known." if points else "No line out is known."
        if not points:
            return "Proven: there is no way out."
        most = f"at most {counted(points[-1].treasure, 'treasure')}" if points[-1].treasure else "no treasure"
        return f"Proven: {most} can be carried out."

    def line(self, draft: Draft, check: CrawlerCheck, number: int, glyphs: Glyphs) -> ShownLine:
        point = check.par.points[number]
        commands = point.commands[0]
        states = list(rules.moments(rules.start(alone(draft.level())), commands))

        def picture(moment: int) -> tuple[MapSource, Cell, Layer]:
            state = states[moment]
            source = Picture(state.board, state.adventurer, glyphs)
            return source, state.adventurer, line_layer(state, commands[moment:], glyphs)

        return ShownLine(number, f"{sentence(point_text(point))} {commands}", states, picture)

    def picture(self, draft: Draft, glyphs: Glyphs) -> MapSource:
        return Picture(draft.board, draft.start, glyphs)

    def more(self, check: CrawlerCheck) -> tuple[tuple[str, str], ...]:
        points = [(f"{point.treasure:,}", counted(point.moves, "move")) for point in check.par.points]
        return (("Treasure", "fewest moves"), *points) if len(points) > 1 else ()


def _no_line_text(check: CrawlerCheck) -> str:
    if check.par.is_all:
        bars = [odd.bar for odd in check.oddities if odd.bar]
        return f"Can't be won: {bars[0] if bars else 'no walk gets out'} (proven)"
    if check.ended == "size" and not check.states:
        return "Too large to solve"
    reasons = {"size": "on boards small enough to search", "memory": "before the memory was full"}
    return f"No line out found {reasons.get(check.ended, f'within {SEARCH_LIMIT_S} s')}"


CRAFT = CrawlerCraft()
