"""The chase on screen: what its states look like, in glyphs and words."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.chase import rules
from dungeon_tui.games.chase.dungeon import title
from dungeon_tui.games.chase.level import TILE_NAMES, Level
from dungeon_tui.games.chase.picture import Picture
from dungeon_tui.games.chase.state import Action, Captured, Evaded, Forfeited, Move, Moved, Side, State
from dungeon_tui.ui.game_view import GameView
from dungeon_tui.ui.keys import Use
from dungeon_tui.ui.map_source import CellLayer, Layer, MapSource
from dungeon_tui.ui.message_log import Line
from dungeon_tui.ui.overlay import DistanceField, Same
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.side_panel import Facts


class ChaseView(GameView):
    """How the chase looks."""

    USES = frozenset({Use.EIGHT_WAYS})

    def picture(self, state: State) -> MapSource:
        """The board with both of them."""
        return Picture(state, self.glyphs)

    def focus_cell(self, state: State) -> Cell:
        """The site of the side to move."""
        return state.site

    def changed_rows(self, before: State, after: State) -> Iterable[int] | None:
        """The rows that were left and entered."""
        return {before.monster.row, before.rogue.row, after.monster.row, after.rogue.row}

    def greeting(self, level: Level) -> Iterable[Line]:
        """The board's lesson."""
        yield Line(level.lesson or f"Welcome to {title(level)}.")

    def facts(self, turn: Turn[State, Action]) -> Facts:
        """Who moves, how long it has lasted."""
        state = turn.state
        return Facts(
            title=title(state.level),
            subtitle=f"{state.level.size} x {state.level.size}",
            rows=(
                ("To move", state.side.value),
                ("Moves", counted(state.monster_moves, "monster move")),
            ),
            short=(f"{state.side.value} to move", counted(state.monster_moves, "monster move")),
        )

    def story(self, turn: Turn[State, Action]) -> Iterable[Line]:
        """The end in words; plain steps need none."""
        for event in turn.events:
            match event:
                case Moved(side=side, start=start, to=to) if start == to:
                    yield Line(f"The {side.value} stays.")
                case Captured(by=Side.MONSTER, monster_moves=moves):
                    yield Line(f"The monster has caught the rogue in {counted(moves, 'move')}.", Meaning.FOE)
                case Captured(monster_moves=moves):
                    yield Line(
                        f"The rogue stepped onto the monster after {counted(moves, 'monster move')}.", Meaning.FOE
                    )
                case Evaded(monster_moves=moves):
                    yield Line(f"The rogue has evaded the monster for {counted(moves, 'move')}.", Meaning.WAY_OUT)
                case Forfeited(by=side, reason=reason):
                    yield Line(f"Forfeit by the {side.value}: {reason}.", Meaning.DOOR)
                case _:
                    pass

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        """To the neighbouring cell, whatever it is: the rules say whether that is a move."""
        return Move(state.site if direction is None else state.site.neighbour(direction))

    def make_layer(self, name: str, state: State) -> Layer:
        """None yet."""
        return CellLayer()

    def cell_text(self, state: State, cell: Cell) -> str:
        """Where, and what stands there."""
        if not cell.is_inside(state.level.size, state.level.size):
            return ""
        return f"Row {cell.row}, column {cell.col}: {TILE_NAMES[int(state.level.tiles[cell])]}"

    def places(self, state: State) -> Sequence[tuple[str, Cell]]:
        """Both of them."""
        return [(state.level.letter, state.monster), ("@", state.rogue)]

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        """One step."""
        if Move(cell) in rules.legal_actions(state):
            return [Move(cell)]
        return "Only a neighbouring site can be reached in one move."

    def reason_to_stop(self, before: State | None, after: State) -> str:
        """Nothing."""
        return ""

    def distance_key(self, state: State) -> Hashable:
        """The board and both sites."""
        return Same(state.level), state.monster, state.rogue

    def distances(self, state: State, kind: str, has_arrows: bool) -> DistanceField:
        """Steps from the monster."""
        raise NotImplementedError

    def hint(self, state: State) -> str:
        """The note."""
        return state.level.lesson

    def legend(self) -> Sequence[tuple[str, str]]:
        """The tiles."""
        return [("@", "the rogue"), ("A-Z", "the monster")]

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """How it ended."""
        return outcome.name.capitalize(), outcome.reason

    def flash_layer(self, turn: Turn[State, Action]) -> Layer | None:
        """Nothing."""
        return None
