"""The crawler on screen: what its states look like, in glyphs and words."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from importlib import import_module
from itertools import chain

import numpy as np

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import LevelBegun, Outcome
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler import rules
from dungeon_tui.games.crawler.dungeon import Dungeon
from dungeon_tui.games.crawler.level import (
    AMULET,
    DOOR,
    MONSTER,
    OPEN,
    PILLAR,
    TILE_NAMES,
    TREASURE,
    WAY_OUT,
)
from dungeon_tui.games.crawler.picture import NewQuarters, Picture
from dungeon_tui.games.crawler.state import (
    ACTION_OF,
    Action,
    AmuletTaken,
    Died,
    DoorTaken,
    Doubled,
    DoublingRefused,
    Escaped,
    MonstersAdvanced,
    State,
    Status,
    Stayed,
    StayReason,
    TreasureTaken,
)
from dungeon_tui.games.crawler.transcript import treasures
from dungeon_tui.ui.distance_layer import DistanceField
from dungeon_tui.ui.game_view import GameView
from dungeon_tui.ui.keys import Use
from dungeon_tui.ui.map_source import CellLayer, Layer, MapSource
from dungeon_tui.ui.message_log import Line
from dungeon_tui.ui.overlay import Same
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.side_panel import Facts

_PLACES_LISTED = 200
_STOPPED_BY = {
    StayReason.CHOSEN: "You stay where you are.",
    StayReason.EDGE: "You bump into the edge of the map.",
    StayReason.PILLAR: "You bump into a pillar.",
    StayReason.MONSTER: "A monster bars the way.",
    StayReason.NO_TREASURE: "The way out stays shut: you need a treasure first.",
}


class CrawlerView(GameView):
    """How the crawler looks."""

    USES = frozenset({Use.SIGHT, Use.DANGER})
    LAYERS = {"sight": "Lines of sight", "danger": "Danger"}

    def picture(self, state: State) -> MapSource:
        """The board with the adventurer."""
        return Picture(state.board, state.adventurer, self.glyphs)

    def focus_cell(self, state: State) -> Cell:
        """The adventurer's cell."""
        return state.adventurer

    def changed_rows(self, before: State, after: State) -> Iterable[int] | None:
        """The rows of what was changed, left and entered."""
        cells = after.board.changed_cells(before.board)
        if cells is None:
            return None
        return chain({before.adventurer.row, after.adventurer.row}, (cells // after.board.width).tolist())

    def greeting(self, level: Dungeon) -> Iterable[Line]:
        """The dungeon, and what was odd about its files."""
        yield Line(level.sidecar.summary or f"Welcome to {level.title}.")
        for warning in level.warnings:
            yield Line(f"Note: {warning}", Meaning.DOOR)

    def facts(self, turn: Turn[State, Action]) -> Facts:
        """Level, treasure, moves, monsters in sight."""
        state = turn.state
        dungeon = state.dungeon
        note = dungeon.note(state.number)
        distances = sorted(chain.from_iterable(seen for _, seen in rules.sight_lines(state).values()))
        seen = "none in sight"
        if distances:
            seen = f"{len(distances)} in sight"
        height, width = state.board.height, state.board.width
        level = f"Level {state.number} of {max(dungeon.asked, len(dungeon.levels))}"
        rows = [
            ("Treasure", f"{state.treasure}"),
            ("Moves", f"{state.moves}"),
            ("Monsters", seen),
        ]
        if distances:
            rows.append(("Nearest", f"{counted(distances[0], 'step')} away"))
        rows += [("You are at", f"row {state.adventurer.row}, column {state.adventurer.col}")]
        rows += [("Map", f"{height} x {width}")]
        monsters = f"{counted(len(distances), 'monster')} in sight"
        return Facts(
            title=dungeon.title,
            subtitle=f"{level}: {note.name}" if note.name else level,
            caption=f"by {note.author}" if note.author else "",
            rows=tuple(rows),
            short=(
                level,
                treasures(state.treasure),
                counted(state.moves, "move"),
                monsters if distances else "no monster in sight",
                f"map {height} x {width}",
            ),
        )

    def story(self, turn: Turn[State, Action]) -> Iterable[Line]:
        """The turn's events in words; plain steps need none."""
        for event in turn.events:
            match event:
                case Stayed(reason=reason):
                    yield Line(_STOPPED_BY[reason])
                case TreasureTaken(treasure=treasure):
                    yield Line(f"Treasure! You have {treasures(treasure)} now.", Meaning.PRIZE)
                case AmuletTaken():
                    yield Line("The amulet crumbles, and the ground begins to rumble.", Meaning.MAGIC)
                case Doubled(height=height, width=width):
                    yield Line(f"The level has doubled to {height} x {width}.", Meaning.MAGIC)
                case DoublingRefused(cells=cells, limit=limit):
                    yield Line(f"Nothing happens: {cells:,} cells would be above the limit of {limit:,}.")
                case MonstersAdvanced(direction=direction, distances=distances, destroyed=destroyed):
                    yield Line(_advance_text(direction, distances), Meaning.FOE)
                    for tile in destroyed:
                        yield Line(f"It crushes {_A[tile]}.", Meaning.FOE)
                case Died():
                    yield Line("A monster has you.", Meaning.FOE)
                case DoorTaken(left_behind=left):
                    rest = f", leaving {treasures(left)} behind" if left else ""
                    yield Line(f"You go through the door{rest}.", Meaning.DOOR)
                case LevelBegun(number=number):
                    name = turn.state.dungeon.note(number).name
                    yield Line(f"Level {number}{': ' + name if name else ''}.")
                case Escaped():
                    yield Line("You have escaped the dungeon!", Meaning.WAY_OUT)
                case _:
                    pass

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        """Four ways, and staying."""
        return Action.STAY if direction is None else ACTION_OF[direction]

    def make_layer(self, name: str, state: State) -> Layer:
        """Lines of sight, or danger."""
        return self._sight_layer(state) if name == "sight" else self._danger_layer(state)

    def cell_text(self, state: State, cell: Cell) -> str:
        """Where, and what stands there."""
        if not cell.is_inside(state.board.height, state.board.width):
            return ""
        tile = state.board[cell]
        name = "you, the adventurer" if cell == state.adventurer and tile != MONSTER else TILE_NAMES[tile]
        if tile == WAY_OUT and state.treasure == 0:
            name += ", shut until you own treasure"
        return f"Row {cell.row}, column {cell.col}: {name}"

    def places(self, state: State) -> Sequence[tuple[str, Cell]]:
        """All that is neither floor nor pillar, the nearest first."""
        tiles = state.board.array()
        found = np.argwhere((tiles != OPEN) & (tiles != PILLAR))
        distances = np.abs(found - np.array(state.adventurer)).sum(axis=1)
        nearest = found[np.argsort(distances, kind="stable")[:_PLACES_LISTED]]
        return [(chr(tiles[row, col]), Cell(int(row), int(col))) for row, col in nearest]

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        """A shortest walk."""
        tile = state.board[cell]
        if cell == state.adventurer:
            return "You are there already."
        if tile == PILLAR:
            return "That is a pillar: nobody can stand there."
        if tile == MONSTER:
            return "A monster stands there."
        if tile == WAY_OUT and state.treasure == 0:
            return "The way out stays shut: you need a treasure first."
        # Loaded here, in the thread that asks for it: the engine is slow to import, and the first frame needs none.
        solver = self.game.load("solver")
        try:
            actions: tuple[Action, ...] = solver.route(state, cell)
        except solver.NoRouteError as error:
            return f"You can't go there: {error}."
        return actions

    def reason_to_stop(self, before: State | None, after: State) -> str:
        """A monster that was not seen before."""
        if after.status is not Status.PLAYING or (before is not None and before.number != after.number):
            return ""
        if before is None:
            return "A monster sees you." if _monsters_in_sight(after) else ""
        return "A monster comes into sight." if _monsters_in_sight(after) > _monsters_in_sight(before) else ""

    def distance_key(self, state: State) -> Hashable:
        """The board, by identity: one that is not changed is the same object; and the adventurer's cell."""
        return Same(state.board), state.adventurer

    def distances(self, state: State, kind: str, has_arrows: bool) -> DistanceField:
        """Steps from the adventurer, four ways."""
        distance, steps = self.game.load("solver").distances(state, has_arrows)
        engine = import_module("dungeon_tui.engine")
        return DistanceField(kind, distance, steps, engine.UNREACHED, engine.farthest(distance))

    def hint(self, state: State) -> str:
        """The sidecar's hint."""
        return state.dungeon.note(state.number).hint or "Nobody left a hint for this level."

    def layer_note(self, name: str) -> str:
        """What the lines and crosses mean."""
        glyphs = self.glyphs
        if name == "sight":
            return f"Sight: {glyphs.horizontal} {glyphs.vertical} mark the lines along which monsters see you."
        return f"Danger: {glyphs.cross} marks where your next turn would be the last."

    def legend(self) -> Sequence[tuple[str, str]]:
        """The tiles."""
        shown = {OPEN: self.glyphs.floor, PILLAR: self.glyphs.wall}
        return [("o", "you, the adventurer"), *((shown.get(tile, chr(tile)), TILE_NAMES[tile]) for tile in TILE_NAMES)]

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """Treasure, moves, time, and what was left behind."""
        minutes, rest = divmod(int(seconds), 60)
        time = f"{minutes} min {rest} s" if minutes else f"{rest} s"
        moves = counted(state.moves, "move")
        title = {
            Status.ESCAPED: "You have escaped the dungeon!",
            Status.DIED: "A monster has you",
        }.get(state.status, "No level lies behind this door")
        lines = [f"{treasures(state.treasure)}, {moves}, {time}."]
        if state.status is Status.ESCAPED:
            left = state.left_behind
            lines.append(f"Left behind: {treasures(left)}." if left else "You left no treasure behind.")
        elif state.status is Status.DIED:
            lines.append("Undo takes the last move back.")
        else:
            lines.insert(0, outcome.reason)
        return title, "\n".join(lines)

    def flash_layer(self, turn: Turn[State, Action]) -> Layer | None:
        """The new quarters, once."""
        for event in turn.events:
            if isinstance(event, Doubled):
                return NewQuarters(event.height // 2, event.width // 2)
        return None

    def _sight_layer(self, state: State) -> CellLayer:
        layer = CellLayer()
        tiles = state.board
        for direction, (_, distances) in rules.sight_lines(state).items():
            is_upright = direction in (Direction.UP, Direction.DOWN)
            line = self.glyphs.vertical if is_upright else self.glyphs.horizontal
            cell = state.adventurer
            for _ in range(distances[-1] if distances else 0):
                cell = cell.neighbour(direction)
                is_floor = tiles[cell] == OPEN
                layer.mark(cell, line if is_floor else None, Meaning.PATH if is_floor else None, Tint.SIGHT)
        return layer

    def _danger_layer(self, state: State) -> CellLayer:
        layer = CellLayer()
        for cell in rules.deadly_cells(state):
            is_floor = state.board[cell] == OPEN and cell != state.adventurer
            layer.mark(cell, self.glyphs.cross if is_floor else None, Meaning.FOE if is_floor else None, Tint.DANGER)
        return layer


_A = {TREASURE: "a treasure", AMULET: "an amulet", DOOR: "a door", WAY_OUT: "a way out"}
_SIDES = {
    Direction.UP: "above",
    Direction.DOWN: "below",
    Direction.LEFT: "on the left",
    Direction.RIGHT: "on the right",
}


def _advance_text(direction: Direction, distances: tuple[int, ...]) -> str:
    side = _SIDES[direction]
    nearest = distances[0] - 1
    steps = f"{counted(nearest, 'step')} away"
    if len(distances) == 1:
        return f"The monster {side} comes closer: {steps}." if nearest else f"The monster {side} pounces."
    return f"{len(distances)} monsters {side} come closer: the nearest {steps if nearest else 'pounces'}."


def _monsters_in_sight(state: State) -> int:
    return sum(len(distances) for _, distances in rules.sight_lines(state).values())
