"""The game in words, for the screen and for plain text: events, cells, ways."""

from collections.abc import Sequence

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.guide import MapGuide
from dungeon_tui.core.meaning import Meaning
from dungeon_tui.core.words import Table, Telling, counted
from dungeon_tui.games._template.model import rules
from dungeon_tui.games._template.model.rules import WALL, WAY_OUT, WAYS, Action, Escaped, Slid, State

GOAL = "Slide to the way out."
EVENTS: Table = {
    Slid: Telling(lambda event, _: f"You slide to {event.cell.text}.", motion="step"),
    Escaped: Telling("You grab hold, and are out.", Meaning.WAY_OUT),
}


class TemplateGuide(MapGuide[State]):
    """The slide in words."""

    commands = "w a s d: up, left, down, right; q: quit."
    keys = {way: action.value for way, action in WAYS.items()}
    names = {action.value: way.words for way, action in WAYS.items()}

    def here(self, state: State) -> Cell:
        return state.cell

    def name(self, state: State, cell: Cell) -> str:
        return {WALL: "wall", WAY_OUT: "way out"}.get(state.level.tile(cell), "")

    def landmarks(self, state: State) -> Sequence[tuple[str, Cell]]:
        rows = enumerate(state.level.rows)
        return [(tile, Cell(row, col)) for row, tiles in rows for col, tile in enumerate(tiles) if tile == WAY_OUT]

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        ways, queue = {state.cell: list[Action]()}, [state]
        for here in queue:
            for action in rules.legal_actions(here):
                after, _ = rules.step(here, action)
                if after.cell not in ways:
                    ways[after.cell] = [*ways[here.cell], action]
                    queue.append(after)
        return ways.get(cell) or f"No slide ends at {cell.text}."

    def standing(self, state: State) -> str:
        return f"{counted(state.slides, 'slide')}. {GOAL}"

    def hint(self, state: State) -> str:
        if not (way := self.way_out(state)):
            return "No way leads out from here: undo, or restart."
        keys = self.typed(state, way)
        return f"Type {keys}: {self.runs(keys)}, to the way out. None is shorter."

    def way_out(self, state: State) -> Sequence[Action]:
        """The fewest slides to a way out; empty: there are none."""
        ways = [way for _, cell in self.landmarks(state) if not isinstance(way := self.route(state, cell), str)]
        return min(ways, key=len, default=())
