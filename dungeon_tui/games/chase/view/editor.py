"""The chase's part of the editor: tiles, files, and exact values of the board as you draw it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell, cells_of
from dungeon_tui.core.level import LevelFile, level_name
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.tasks import best_line, is_safe
from dungeon_tui.games.chase.model import level as boards
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import CORRIDOR, ROGUE, ROOM, WALL, Level, level_text, read_level
from dungeon_tui.games.chase.model.players import seats
from dungeon_tui.games.chase.model.state import Move, State
from dungeon_tui.games.chase.view.picture import Picture, shown_tiles
from dungeon_tui.ui.editor.craft import Brush, Craft, Draft, LevelCheck, OddCells, ShownLine, draft_picture
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer, Layer, MapSource
from dungeon_tui.ui.palette import Meaning, Tint

MONSTER = ord("M")  # in drafts; files may use other letters
_SIDE = 12  # rows and columns of a new board


@dataclass(frozen=True, eq=False)
class ChaseCheck(LevelCheck):
    """The value of a drawn board, if known."""

    value: int | None = None  # monster moves until the capture; UNREACHED: never
    trouble: str = ""  # why there is no value
    values: Mapping[Cell, int] = field(default_factory=dict)  # of each site if the rogue stood there
    line: tuple[Cell, ...] = ()  # best moves of both sides, the monster's first


def judging(level: Level, width: int, tell: Callable[..., object]) -> Iterator[ChaseCheck]:
    """Yields a board's unreachable sites, then its value; `width`: columns of the drawing. Runs in another process."""
    graph, state = solver.move_graph(level), rules.start(level)
    lost = graph.cells[np.minimum(graph.distances(level.monster), graph.distances(level.rogue)) == UNREACHED]
    flat = lost[:, 0].astype(np.intp) * width + lost[:, 1]
    odd = (OddCells("neither side can reach these", flat),) if len(lost) else ()
    check = ChaseCheck(odd, is_checked=True)
    yield check
    try:
        values = solver.solve(level)[:, graph.site(level.monster)]
    except ValueError as error:
        yield replace(check, is_over=True, trouble=str(error))
        return
    line = tuple(move.to for move in best_line(state))
    by_site = dict(zip(cells_of(graph.cells), values.tolist(), strict=True))
    value = solver.value(state)
    check = replace(check, is_over=True, is_won=value == UNREACHED, line_count=1)
    yield replace(check, value=value, values=by_site, line=line)


def preparing(tell: Callable[..., object]) -> Iterator[None]:
    """Loads or compiles the solver, as the first task of the judge's process."""
    solver.solve(CRAFT.level(CRAFT.empty(), ""))
    yield


class ChaseCraft(Craft):
    """Boards of the chase."""

    word = "board"
    file_note = "Play it with dungeon-tui chase play FILE."
    help = """Press a tile's key to choose it as the brush and paint it; the mouse paints with the brush.
After each change the panel shows in how many moves the rogue is captured, or that it is safe.
On marked cells the rogue would be safe; the panel shows the value of the cell at the cursor.
Boards are square: saving fills the missing part with walls.
`+` is a tile here, so zoom with {editor.larger} and {editor.smaller}; {editor.help} shows this help."""
    brushes = {
        ROOM: Brush("room", "full_stop,minus"),
        CORRIDOR: Brush("corridor", "plus"),
        WALL: Brush("wall", "number_sign,space"),
        MONSTER: Brush("monster", "M,m"),
        ROGUE: Brush("rogue", "at,o"),
    }
    pieces = (MONSTER, ROGUE)
    ground, blank, first_brush = ROOM, WALL, ROOM
    most_side, most_bytes = boards.MAX_SIDE, boards.MOST_BYTES
    names = boards.TILE_NAMES | {MONSTER: "the monster", ROGUE: "the rogue"}
    meanings = {ROOM: Meaning.FLOOR, CORRIDOR: Meaning.FLOOR, WALL: Meaning.WALL, MONSTER: Meaning.FOE}
    counted = {ROOM: "Rooms", CORRIDOR: "Corridors"}
    line_label, line_help = "Best line", "draw the best moves of both sides"
    next_line = "Next line"
    check, prepare = ChaseCheck, staticmethod(preparing)

    def empty(self) -> Draft:
        tiles = np.full((_SIDE, _SIDE), WALL, np.uint8)
        tiles[2:-2, 2:-2] = ROOM
        pieces = {MONSTER: Cell(2, 2), ROGUE: Cell(_SIDE - 4, _SIDE - 4)}
        return Draft(Board.of(tiles), pieces, self, (chr(MONSTER), ""))

    def read(self, file: LevelFile) -> Draft:
        level = read_level(file)
        pieces = {MONSTER: level.monster, ROGUE: level.rogue}
        return Draft(Board.of(level.tiles.copy()), pieces, self, (level.letter, level.note))

    def text(self, draft: Draft) -> str:
        return level_text(draft.level())

    def level(self, draft: Draft, file: str) -> Level:
        size = max(draft.height, draft.width)
        missing = (0, size - draft.height), (0, size - draft.width)
        tiles = np.pad(draft.board.array(), missing, constant_values=WALL)
        tiles.setflags(write=False)
        name = level_name(file) if file else "drawn"
        letter, note = draft.rest
        return Level(name, tiles, draft.pieces[MONSTER], draft.pieces[ROGUE], letter, note)

    def play(self, draft: Draft, name: str) -> tuple[Level, Mapping[str, str]]:
        return replace(draft.level(name), is_safe=is_safe), seats(None, None)

    def question(self, draft: Draft, file: str) -> tuple[Any, ...]:
        return judging, draft.level(file), draft.width

    def check_text(self, check: ChaseCheck) -> str:
        if check.value is None:
            return sentence(check.trouble) if check.trouble else ""
        safe = [*check.values.values()].count(UNREACHED)
        marked = f"safe on {safe:,} of {counted(len(check.values), 'cell')}" if safe else "safe nowhere"
        return f"{solver.value_text(check.value).capitalize()}; {marked}"

    def no_more_lines(self, check: ChaseCheck) -> str:
        return sentence(check.trouble) if check.trouble else "The board is solved: this is the best line."

    def line(self, draft: Draft, check: ChaseCheck, number: int, glyphs: Glyphs) -> ShownLine:
        states: list[State] = [rules.start(draft.level())]
        for to in check.line:
            states.append(rules.step(states[-1], Move(to))[0])

        def picture(moment: int) -> tuple[MapSource, Cell, Layer]:
            layer = CellLayer()
            for ply in range(moment, len(check.line)):
                layer.tint([check.line[ply]], Tint.PATH if ply % 2 else Tint.FOE)
            return Picture(states[moment], glyphs), states[moment].rogue, layer

        assert check.value is not None
        text = f"{solver.value_text(check.value).capitalize()}: the best moves of both sides."
        return ShownLine(number, text, states, picture)

    def picture(self, draft: Draft, glyphs: Glyphs) -> MapSource:
        letter, _ = draft.rest
        pieces = {MONSTER: (letter, Meaning.FOE), ROGUE: (chr(ROGUE), Meaning.YOU)}
        return draft_picture(draft, shown_tiles(glyphs), pieces)

    def layers(self, draft: Draft, check: ChaseCheck) -> Iterable[Layer]:
        layer = CellLayer()
        layer.tint([cell for cell, value in check.values.items() if value == UNREACHED], Tint.SAFE)
        return [layer]

    def here(self, draft: Draft, check: ChaseCheck, cell: Cell) -> str:
        if cell not in check.values or draft[cell] in (WALL, MONSTER):
            return ""
        value = check.values[cell]
        return "the rogue is safe" if value == UNREACHED else f"captured in {value}"


CRAFT = ChaseCraft()
