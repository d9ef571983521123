"""The game on screen. It decides nothing."""

from collections.abc import Iterable, Sequence

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import IllegalActionError, Outcome
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted, duration, event_texts
from dungeon_tui.games._template.model.rules import ICE, START, WALL, WAY_OUT, WAYS, Action, State
from dungeon_tui.games._template.view.guide import EVENTS, GOAL, TemplateGuide
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.source import MapSource, Row
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import Advice, Hints, Journeys
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.side_panel import Facts


class Picture(MapSource):
    """A state as the map shows it: glyphs with meanings, which colour them."""

    def __init__(self, state: State, glyphs: Glyphs) -> None:
        self.height, self.width = len(state.level.rows), len(state.level.rows[0])
        self._state = state
        self._glyphs = {WALL: glyphs.wall, ICE: glyphs.floor, START: glyphs.floor, WAY_OUT: WAY_OUT}

    def row(self, row: int, start: int, stop: int) -> Row:
        meanings = {WALL: Meaning.WALL, WAY_OUT: Meaning.WAY_OUT}
        tiles = self._state.level.rows[row][start:stop]
        glyphs = "".join(self._glyphs[tile] for tile in tiles)
        cells = Row(start, glyphs, bytes(meanings.get(tile, Meaning.FLOOR) for tile in tiles))
        if row == self._state.cell.row:
            cells.put(self._state.cell.col, START, Meaning.YOU)
        return cells


class TemplateView(GameView):
    """The slide on screen; ui/play/features.py lists what else a game may offer."""

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self.guide = guide = TemplateGuide()
        self.features = (
            Journeys(guide.landmarks, guide.route, lambda before, after: ""),
            Hints(lambda state, step: Advice(guide.hint(state), is_all=True)),
        )

    def picture(self, state: State) -> Picture:
        return Picture(state, self.glyphs)

    def focus_cell(self, state: State) -> Cell:
        return state.cell

    def facts(self, turn: Turn[State, Action]) -> Facts:
        slides = counted(turn.state.slides, "slide")
        return Facts(self.game.title, turn.state.level.file.name, (("Slides", slides),), (slides,), goal=GOAL)

    def story(self, turn: Turn[State, Action]) -> Iterable[LogLine]:
        return [
            LogLine(text, meaning) for event in turn.events for text, meaning in event_texts(EVENTS, event, turn.state)
        ]

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        if direction not in WAYS:
            raise IllegalActionError("on ice one slides up, down, left or right")
        return WAYS[direction]

    def cell_text(self, state: State, cell: Cell) -> str:
        return f"{cell.text}: {'you' if cell == state.cell else self.guide.name(state, cell) or 'ice'}"

    def legend(self, state: State) -> Sequence[tuple[str, str]]:
        return [(START, "you"), (self.glyphs.wall, "wall"), (self.glyphs.floor, "ice"), (WAY_OUT, "way out")]

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        return "You are out", f"{counted(state.slides, 'slide')}, {duration(seconds)}."
