"""Nim on screen (see nim_rules), with seats and an exact judgement of it."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from threading import Event as Signal
from typing import Any

import numpy as np
from textual.pilot import Pilot

from dungeon_tui.core.catalogue import Opening
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.recording import Recording, record
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.map.distance_layer import DistanceField
from dungeon_tui.ui.map.source import MapSource, Row
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.analysis import Analysis, MoveValue
from dungeon_tui.ui.play.features import Advice, Hints, Journeys, Numbers, Strategies
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.form_dialog import FormDialog
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.side_panel import Facts
from tests.nim_rules import SEATS, NimRules, State, Taken, best, controller_of
from tests.storage import nim_game
from tests.ui.driving import begun, running, wait_until

SOLVABLE = 10_000  # of a pile


class NimAnalysis(Analysis):
    name = "Exact play"

    def __init__(self) -> None:
        self.prepared = self.judged = 0
        self.gate = Signal()  # shut: preparing waits
        self.gate.set()

    def prepare(self, state: State) -> None:
        self.gate.wait(10)
        if state.pile > SOLVABLE:
            raise ValueError(f"This pile is too large to be solved: {state.pile}.")
        self.prepared += 1

    def judge(self, turn: Turn[State, int]) -> Judgement:
        self.judged += 1
        state = turn.state
        has_first_won = (state.pile % 3 != 0) == (state.seat == "first")
        is_mistake = turn.parent is not None and turn.parent.state.pile % 3 != 0 and state.pile % 3 != 0
        text = f"the {'first' if has_first_won else 'second'} one wins"
        whose = "" if turn.parent is None else f"the {turn.parent.state.seat} one's"
        return Judgement(text, 1.0 if has_first_won else 0.0, is_mistake, whose=whose)

    def moves(self, state: State) -> Sequence[MoveValue]:
        lost = {number: (state.pile - number) % 3 != 0 for number in NimRules().legal_actions(state)}
        return [
            MoveValue(number, Cell(0, number), None if is_lost else 0, "lost" if is_lost else "", f"{number}")
            for number, is_lost in lost.items()
        ]

    def why(self, turn: Turn[State, int]) -> Sequence[int] | str:
        if not self.judge(turn).is_mistake:
            return "That was no mistake."
        actions, state = [], turn.state
        while state.pile:
            actions.append(best(state))
            state, _ = NimRules().step(state, actions[-1])
        return actions


class Pile(MapSource):
    height = 1

    def __init__(self, pile: int) -> None:
        self._pile, self.width = pile, max(pile, 3)

    def row(self, row: int, start: int, stop: int) -> Row:
        text = ("*" * self._pile).ljust(self.width, ".")[start:stop]
        return Row(start, text, bytes([Meaning.FLOOR]) * len(text))


class NimView(GameView):
    """Its capabilities ask its methods, which tests may replace."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.analysis = NimAnalysis()
        self.features = (
            Strategies(SEATS, lambda *asked: self.choose(*asked), lambda state, outcome, seats: outcome.name in seats),
            Journeys(lambda state: [], lambda *asked: self.route(*asked), lambda before, after: ""),
            Numbers(("walking",), lambda state: state, lambda *asked: self.distances(*asked)),
            Hints(lambda state, step: Advice("Leave three.", is_all=True)),
            self.analysis,
        )
        self.asked: list[tuple[int, str]] = []
        self.gate = Signal()  # shut: the slow one waits
        self.thinking = self.most_thinking = 0  # threads
        self.is_closed = False

    def choose(self, state: State, player: str) -> int:
        self.asked.append((state.ply, player))
        self.thinking += 1
        self.most_thinking = max(self.most_thinking, self.thinking)
        try:
            if player == "broken":
                raise ValueError("The broken one is broken.")
            if player == "slow":
                self.gate.wait(10)
        finally:
            self.thinking -= 1
        return best(state) if player == "perfect" else 1

    def route(self, state: State, cell: Cell) -> Sequence[int]:
        return [1] * cell.col

    def distances(self, state: State, kind: str, has_arrows: bool) -> DistanceField:
        width = max(state.pile, 3)
        return DistanceField(kind, np.arange(width, dtype=np.int32)[None], None, 1 << 30, width - 1)

    def close(self) -> None:
        self.is_closed = True

    def picture(self, state: State) -> MapSource:
        return Pile(state.pile)

    def focus_cell(self, state: State) -> Cell:
        return Cell(0, 0)

    def facts(self, turn: Turn[State, int]) -> Facts:
        return Facts(
            "Nim", "", (("Pile", str(turn.state.pile)),), (f"pile of {turn.state.pile}",), goal="Take the last one."
        )

    def story(self, turn: Turn[State, int]) -> Iterable[LogLine]:
        for event in turn.events:
            if isinstance(event, Taken):
                yield LogLine(f"The {event.seat} one takes {event.number}.")

    def action_towards(self, state: State, direction: Direction | None) -> int:
        return {Direction.LEFT: 1, Direction.RIGHT: 2}.get(direction, 9) if direction else 9

    def cell_text(self, state: State, cell: Cell) -> str:
        return f"column {cell.col}"

    def legend(self, state: State) -> Sequence[tuple[str, str]]:
        return [("*", "one of the pile")]

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        return "It is over", outcome.reason


class NimGame(nim_game.NimGame):
    @property
    def rules_text(self) -> str:
        return "Take one or two."

    def view(self) -> type[NimView]:
        return NimView


GAME = NimGame()


def nim_app(pile: int = 10, *, load: Any = None, ascii_only: bool = False, **players: str) -> DungeonApp:
    """The app with a pile, or with what `load` loads."""
    opening = Opening("A pile", load or (lambda: pile), players=players)
    app = DungeonApp(GAME, opening, ascii_only=ascii_only)
    app.animation_level = "none"
    return app


@asynccontextmanager
async def nim(
    pile: int = 10, *, size: tuple[int, int] = (110, 40), **options: Any
) -> AsyncIterator[tuple[Pilot[Any], PlayScreen]]:
    """A pile open and painted."""
    app = nim_app(pile, **options)
    async with running(app, size=size, notifications=True) as pilot:
        screen = await begun(pilot)
        yield pilot, screen


def taken(screen: PlayScreen) -> list[int]:
    """What was taken on the way to the present turn."""
    return [turn.action for turn in screen.controller.turn.line()[1:]]


def seats(screen: PlayScreen) -> Mapping[str, str]:
    return screen.session.players


async def ply_is(pilot: Pilot[Any], screen: PlayScreen, ply: int) -> None:
    """The game has come to a turn, and nobody is about to move."""
    await wait_until(
        pilot,
        lambda: screen.controller.turn.ply == ply and not screen.seats.is_answering and not screen.seats.is_playing,
    )


async def ask_players(pilot: Pilot[Any]) -> None:
    await pilot.press("m")
    await wait_until(pilot, lambda: isinstance(pilot.app.screen, FormDialog) and pilot.app.screen.query("FieldList"))


RECORDED = [2, 1, 1, 1, 1, 2, 1, 1]


def recording_of(actions: list[int], strategies: dict[str, str], pile: int = 10) -> Recording:
    return record(controller_of(pile, *actions), "nim", strategies)


def recorded() -> Recording:
    """A game that the person lost to the perfect one."""
    return recording_of(RECORDED, {"first": "you", "second": "perfect"})
