"""Who sits where: a person, or a strategy; and what of the line these players have played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dungeon_tui.core.catalogue import YOU
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.ui.play.analysis_screen import AnalysisScreen
from dungeon_tui.ui.play.game_view import GameView


class SeatsScreen(AnalysisScreen):
    """A game whose seats are taken. Games without seats are one person's throughout."""

    def __init__(
        self,
        view: GameView,
        controller: TurnController[Any, Any, Any],
        *,
        players: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(view, controller, **options)
        wanted = players or {}
        self.players = {seat: wanted.get(seat, YOU) for seat in view.SEATS}
        if self.is_replay:  # what a file names is let in only if we know it
            for seat, player in self.players.items():
                self.players[seat] = player if player in view.SEATS[seat] else YOU
        self._recorded_players = dict(self.players)
        view.persons = self.persons
        self.new_at: Turn[Any, Any] | None = None  # how far the present players have come: what follows is older

    @property
    def persons(self) -> tuple[str, ...]:
        """The seats of the person."""
        return tuple(seat for seat, player in self.players.items() if player == YOU)

    @property
    def has_person(self) -> bool:
        """Whether anybody plays by keys."""
        return not self.players or bool(self.persons)

    def player(self, turn: Turn[Any, Any]) -> str:
        """Whose turn comes next: a strategy, or YOU."""
        return self.players.get(self.view.seat(turn.state), YOU) if self.players else YOU

    @property
    def is_strategys_turn(self) -> bool:
        """Whether a strategy has to move."""
        return self.player(self.controller.turn) != YOU and self.controller.outcome is None

    @property
    def has_timeline(self) -> bool:
        """Where nobody plays by keys, too."""
        return not self.has_person or super().has_timeline

    def notes(self, state: Any) -> list[str]:
        """Who plays, after all else."""
        return [*super().notes(state), self.who()]

    def take_seats(self, players: Mapping[str, str]) -> None:
        """Other players take seats."""
        if dict(players) != self.players:
            self.players.update(players)
            self.view.persons = self.persons
            self.new_at = self.controller.turn
        self.show_turn()

    def who(self) -> str:
        """Who plays, in words."""
        return " ".join(f"{seat.capitalize()}: {player}." for seat, player in self.players.items())

    # -- what these players have played

    @property
    def goes_on(self) -> bool:
        """Also where a strategy has to move."""
        return self.is_strategys_turn or (super().goes_on and not self.is_ahead)

    @property
    def is_ahead(self) -> bool:
        """Whether what follows was played by others than those who play now."""
        return self.controller.turn is self.new_at and bool(self.controller.turn.branches)

    def follow(self) -> bool:
        """Goes to the next turn, where that was played by those who play now."""
        return not self.is_ahead and super().follow()

    def rejoin(self) -> None:
        """Back to the recording, and to who played it."""
        super().rejoin()
        self.take_seats(self._recorded_players)
        self.new_at = None

    def turn_to_judge(self) -> Turn[Any, Any]:
        """While one plays: where one's own last move led, whatever was answered; else the present one."""
        turn = self.controller.turn
        while not self.is_looking_back and turn.parent is not None and self.player(turn.parent) != YOU:
            turn = turn.parent
        return turn if turn.parent is not None else self.controller.turn

    def turns_to_undo(self) -> int:
        """How many turns lead back to a person's last decision; 0: there is none."""
        turn, turns = self.controller.turn.parent, 1
        while turn is not None and self.persons and self.player(turn) != YOU:
            turn, turns = turn.parent, turns + 1
        return 0 if turn is None else turns
