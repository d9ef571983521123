"""The spoken words of the chase, for its screen and for plain text."""

from collections.abc import Sequence

from dungeon_tui.core.grid import EIGHT_WAYS, Cell, Direction
from dungeon_tui.core.guide import MapGuide
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver, tasks
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import TILE_NAMES
from dungeon_tui.games.chase.model.state import Action, Move, State, own_moves


class ChaseGuide(MapGuide[State]):
    """Spoken words for the side to move."""

    commands = (
        "w s a d: up, down, left, right; y u b n: up-left, up-right, down-left, down-right; e: stay; q: quit."
        " Diagonal steps lead from room to room only, also between two walls."
    )
    keys = dict(zip(EIGHT_WAYS, "wsadyubn", strict=True))
    names = {key: way.words for way, key in keys.items()} | {"e": "stay"}

    def here(self, state: State) -> Cell:
        return state.site

    def name(self, state: State, cell: Cell) -> str:
        """The other side, or the tile if it differs from yours."""
        if cell in (state.monster, state.rogue) and cell != state.site:
            return state.side.other.value
        kind = _kind(state, cell)
        return "" if kind == _kind(state, state.site) else kind

    def landmarks(self, state: State) -> Sequence[tuple[str, Cell]]:
        return [(state.level.letter, state.monster), ("@", state.rogue)]

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        if not rules.is_site(state.level, cell):
            return "That is a wall."
        away, way = solver.path_lengths(state.level, cell), [state.site]
        if away(state.site) == UNREACHED:
            return "You can't get there."
        while way[-1] != cell:
            way.append(min(sorted(rules.neighbours(state.level, way[-1])), key=away))
        return [Move(to) for to in way[1:]]

    def typed(self, state: State, actions: Sequence[Action]) -> str:
        ways = {state.site.neighbour(way): key for way, key in self.keys.items()}
        return ways.get(actions[0].to, "e") if isinstance(actions[0], Move) else ""

    def ways(self, state: State) -> Sequence[Direction]:
        sites = rules.neighbours(state.level, state.site)
        return [way for way in EIGHT_WAYS if state.site.neighbour(way) in sites]

    def underfoot(self, state: State) -> str:
        stuck = "" if self.ways(state) else " You can't leave it."
        return f"You are the {state.side.value}, in a {_kind(state, state.site)}.{stuck}"

    def standing(self, state: State) -> str:
        return f"{own_moves(state, state.side):,} of {counted(state.level.moves, 'move')} made."

    def who(self, state: State) -> str:
        return self.near(state, state.side.other.value)

    def hint(self, state: State) -> str:
        line = tasks.best_line(state)
        if not line:
            return "The goal is lost from here: undo or restart."
        key = self.typed(state, line)
        value = "" if state.level.task else f" {capitalised(solver.value_text(solver.value(state)))}."
        return f"Type {key}: {self.names[key]}.{value}"


def _kind(state: State, cell: Cell) -> str:
    size = state.level.size
    return TILE_NAMES[int(state.level.tiles[cell])] if cell.is_inside(size, size) else "wall"
