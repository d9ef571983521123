"""A game of two seats that is solved exactly: take one or two of a pile, whoever takes the last one wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dungeon_tui.core.catalogue import Opening
from dungeon_tui.core.level import LevelFile, PackedLevel
from dungeon_tui.core.rules import Event, IllegalActionError, Outcome
from dungeon_tui.core.session import Seats
from dungeon_tui.core.turns import TurnController


@dataclass(frozen=True, slots=True)
class State:
    pile: int
    ply: int = 0

    @property
    def seat(self) -> str:
        return ("first", "second")[self.ply % 2]


class Taken(Event):
    seat: str
    number: int


STRATEGIES = ("perfect", "greedy", "slow", "broken")
SEATS = Seats(dict.fromkeys(("first", "second"), STRATEGIES), lambda state: state.seat)


class NimRules:
    VERSION = 1
    UNLISTED: frozenset[type] = frozenset()

    def start(self, level: int, seed: int = 0) -> State:
        return State(level)

    def legal_actions(self, state: State) -> Sequence[int]:
        return [number for number in (1, 2) if number <= state.pile]

    def objection(self, state: State, action: int) -> str | None:
        return None if action in self.legal_actions(state) else f"You can't take {action}."

    def step(self, state: State, action: int) -> tuple[State, tuple[Event, ...]]:
        if (problem := self.objection(state, action)) is not None:
            raise IllegalActionError(problem)
        return State(state.pile - action, state.ply + 1), (Taken(state.seat, action),)

    def outcome(self, state: State) -> Outcome | None:
        if state.pile:
            return None
        winner = State(0, state.ply - 1).seat
        return Outcome(winner, f"The {winner} one took the last.", winner == "first")

    def action_text(self, action: int) -> str:
        return str(action)

    def read_action(self, text: str) -> int:
        return int(text)


class NimLevels:
    def openings(self) -> list[Opening]:
        return []

    def open_file(self, typed: str) -> Opening:
        raise NotImplementedError

    def pack_level(self, level: int) -> PackedLevel:
        return PackedLevel((LevelFile("pile", str(level).encode()),))

    def unpack_level(self, packed: PackedLevel) -> int:
        return int(packed.files[0].data)


def controller_of(pile: int, *actions: int) -> TurnController[Any, Any, Any]:
    """A game with a pile of which these were taken."""
    controller: TurnController[Any, Any, Any] = TurnController(NimRules(), pile)
    for action in actions:
        controller.apply(action)
    return controller


def best(state: State) -> int:
    return state.pile % 3 or 1
