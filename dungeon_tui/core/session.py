"""A game being played: who sits where, the line of turns, a variation beside it, and what was kept of it.

Pure: no screen, no file, no clock. Screens ask it and tell it; it never calls back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dungeon_tui.core.catalogue import YOU
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.turns import Turn, TurnController, TurnLine


@dataclass(frozen=True, slots=True)
class Replay:
    """The recording that a session was opened from."""

    file: str = ""
    title: str = ""  # of the level that was played
    trouble: str = ""  # where it diverges; empty: nowhere


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of a game with several players, and the strategies that may sit there."""

    strategies: Mapping[str, Sequence[str]]  # by seat
    to_move: Callable[[Any], str]  # state -> the seat whose turn it is


class Variation:
    """Moves played out beside the line; leaving it forgets them, and redo leads along the line again."""

    def __init__(
        self, controller: TurnController[Any, Any, Any], origin: Turn[Any, Any], was_looking_back: bool
    ) -> None:
        """Begins a variation, and goes to its origin.

        Args:
            controller: the game.
            origin: the turn after which the variation departs; the present one, or another one of its line.
            was_looking_back: True if nobody was playing when it began.
        """
        self.origin = origin
        self.was_looking_back = was_looking_back
        self.start = controller.turn  # the turn to come back to
        self._controller = controller
        self._line: list[Turn[Any, Any]] = []  # the turns that redo led to from the origin on
        self._added: Turn[Any, Any] | None = None
        self.last = origin  # the end of the line that was left
        while self.last.branches:
            self.last = self.last.branches[-1]
            self._line.append(self.last)
        controller.go_to(origin)

    def apply(self, action: Any) -> None:
        """Plays the next move of the variation, after the present turn."""
        before = self._controller.turn
        known = len(before.branches)
        self._controller.apply(action)
        if self._added is None and len(before.branches) > known:
            self._added = before.branches[-1]

    def leave(self, to: Turn[Any, Any]) -> None:
        """Goes to a turn of the line that was left; forgets the variation, and redo leads along that line again."""
        self._controller.go_to(to)
        if self._added is not None:
            self._controller.discard(self._added)
        for turn in self._line:
            self._controller.prefer(turn)


class Session:
    """One game from its opening to the moment it is left.

    Nobody plays while `is_looking_back`; a person's own move ends that.
    """

    def __init__(
        self,
        controller: TurnController[Any, Any, Any],
        seats: Seats | None = None,
        players: Mapping[str, str] | None = None,
        replay: Replay | None = None,
        arguments: str = "",
    ) -> None:
        """Opens a game at its present turn.

        Args:
            controller: the game.
            seats: of a game with several players; None: one person plays all.
            players: by seat, a strategy or YOU, the default.
            replay: the recording it was opened from, if it was; the line of the controller is the recorded one.
            arguments: of `GAME play`, which open the level; empty: it has no name there.
        """
        self.controller = controller
        self.replay = replay
        self.arguments = arguments
        self.line = TurnLine(controller.turn)
        self.recorded = tuple(self.line.turns) if replay is not None else ()
        self.is_replay = self.is_looking_back = replay is not None
        self.trouble = replay.trouble if replay is not None else ""  # the fault of the recording, in words
        self.variation: Variation | None = None
        self.new_at: Turn[Any, Any] | None = None  # the last turn of the present players, where older ones follow
        self._seats = seats
        self.players: dict[str, str] = {}
        for seat, known in (seats.strategies if seats is not None else {}).items():
            player = (players or {}).get(seat, YOU)
            # A file may name no player that is not known here.
            self.players[seat] = player if replay is None or player in known else YOU
        self._recorded_players = dict(self.players)
        controller.observe(lambda change: self.line.follow(change.after))

    # -- the present

    @property
    def turn(self) -> Turn[Any, Any]:
        """The present turn."""
        return self.controller.turn

    @property
    def state(self) -> Any:
        """The present state."""
        return self.controller.turn.state

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game, if the present turn is one; None while the game goes on."""
        return self.controller.outcome

    # -- seats

    @property
    def persons(self) -> tuple[str, ...]:
        """The seats that people play; none in a game without seats, which one person plays."""
        return tuple(seat for seat, player in self.players.items() if player == YOU)

    @property
    def has_person(self) -> bool:
        """True if a person plays a seat, or the game has no seats."""
        return not self.players or YOU in self.players.values()

    def seat(self, turn: Turn[Any, Any] | None = None) -> str:
        """The seat to move at a turn, by default the present one; empty in games without seats."""
        return self._seats.to_move((turn or self.turn).state) if self._seats is not None else ""

    def player(self, turn: Turn[Any, Any]) -> str:
        """The player to move at a turn: the name of a strategy, or YOU."""
        return self.players.get(self.seat(turn), YOU)

    def is_persons(self, turn: Turn[Any, Any]) -> bool:
        """True if a person moves at a turn; of a game that only strategies play, at every turn."""
        return not self.has_person or self.player(turn) == YOU

    @property
    def is_strategys_turn(self) -> bool:
        """True if a strategy has to move in the present turn."""
        return bool(self.players) and self.player(self.turn) != YOU and self.outcome is None

    @property
    def is_persons_turn(self) -> bool:
        """True if no strategy has the next move and nobody looks back; after the end of the game too."""
        return not self.is_looking_back and (not self.players or self.player(self.turn) == YOU)

    def take_seats(self, players: Mapping[str, str]) -> bool:
        """Seats players; turns that follow the present one are now of others. False if they sat there already."""
        if dict(players) == self.players:
            return False
        self.players.update(players)
        self.new_at = self.turn
        return True

    # -- moves

    def play(self, action: Any) -> None:
        """Plays an action of one of the present players.

        Raises:
            IllegalActionError: the rules don't allow it here; nothing has changed.
        """
        before = self.turn
        self.controller.apply(action)
        if self.new_at is before:
            self.new_at = self.turn

    @property
    def is_ahead(self) -> bool:
        """True if turns follow the present one that were played before the present players took their seats."""
        return self.turn is self.new_at and bool(self.turn.branches)

    @property
    def goes_on(self) -> bool:
        """True if the next turn takes no person: a strategy has to move, or a turn to be played again follows."""
        return self.is_strategys_turn or (bool(self.turn.branches) and not self.is_ahead)

    def follow(self) -> bool:
        """Goes to the next turn that was played already; False at the last one, or where `is_ahead` is true."""
        return not self.is_ahead and self.controller.redo()

    def undo(self) -> bool:
        """Goes back to the last turn at which a person was to move; one turn if no person plays. False if none was."""
        turn, turns = self.turn.parent, 1
        while turn is not None and self.persons and self.player(turn) != YOU:
            turn, turns = turn.parent, turns + 1
        return turn is not None and self.controller.undo(turns)

    def redo(self) -> bool:
        """Goes forward to the next turn at which a person is to move, or to the last; one turn if no person plays.

        Returns:
            False where no turn follows.
        """
        has_moved = False
        while self.controller.redo():
            has_moved = True
            if not self.persons or self.player(self.turn) == YOU:
                break
        return has_moved

    def restart(self) -> bool:
        """Goes back to the start of the level; a replay is looked at again, not played. False if already there."""
        self.is_looking_back = self.is_replay
        return self.controller.restart()

    def turn_to_judge(self) -> Turn[Any, Any]:
        """The turn that a person's own last move led to, before any answers; while one looks back, the present one."""
        turn = self.turn
        while not self.is_looking_back and turn.parent is not None and self.player(turn.parent) != YOU:
            turn = turn.parent
        return turn if turn.parent is not None else self.turn

    # -- along the line

    def seek(self, ply: int) -> None:
        """Looks back: goes to the turn of the line at a ply, or to its nearest end.

        A variation is left for its origin, and for turns before that.
        """
        self.is_looking_back = True
        if self.variation is not None and ply <= self.variation.origin.ply:
            self._return_to(self.variation.origin)
        self.controller.go_to(self.line.turns[min(max(ply, 0), len(self.line) - 1)])

    def step_back(self) -> bool:
        """Goes one turn back, and at the origin of a variation out of it; False at the first turn."""
        has_gone = self.controller.undo()
        if self.variation is not None and self.turn.ply <= self.variation.origin.ply:
            self._return_to(self.variation.origin)
        return has_gone

    def other_line(self) -> int | None:
        """Switches to the next branch of the first turn from here on that has several, else of the last one before.

        Returns:
            The ply of that turn; None where no turn has several branches.
        """
        fork = self.line.fork_beside(self.turn.ply)
        if fork is None:
            return None
        turn = self.line.turns[fork]
        if fork < self.turn.ply:
            self.controller.go_to(turn)
        self.controller.prefer(turn.branches[0])
        self._follow_anew(self.turn, self.turn.ply)
        return fork

    @property
    def has_left_recording(self) -> bool:
        """True if this is a replay, and redo leads to another last turn than was recorded."""
        return self.is_replay and self.line.turns[-1] is not self.recorded[-1]

    def rejoin(self) -> None:
        """Goes back to where play left the recording; redo leads along that again, with the players who played it."""
        turn = self.turn
        while turn.parent is not None and not self._is_recorded(turn):
            turn = turn.parent
        self.controller.go_to(turn)
        for each in self.recorded[turn.ply + 1 :]:
            self.controller.prefer(each)
        self._follow_anew(turn, turn.ply)
        self.take_seats(self._recorded_players)
        self.new_at = None

    def _is_recorded(self, turn: Turn[Any, Any]) -> bool:
        return turn.ply < len(self.recorded) and self.recorded[turn.ply] is turn

    # -- a variation

    def begin_variation(self, origin: Turn[Any, Any]) -> Variation:
        """Opens a variation that departs from a turn, and goes there; nobody plays until it is left."""
        self.variation = Variation(self.controller, origin, self.is_looking_back)
        self.is_looking_back = True
        return self.variation

    def leave_variation(self) -> bool:
        """Comes back to the turn where the variation was opened; False where none is."""
        if self.variation is None:
            return False
        self.is_looking_back = self.variation.was_looking_back
        self._return_to(self.variation.start)
        return True

    def _return_to(self, turn: Turn[Any, Any]) -> None:
        assert self.variation is not None
        variation = self.variation
        variation.leave(turn)
        self.variation = None  # from here on: those who hear of the way back still know that it leads out of one
        origin = variation.origin
        self._follow_anew(max(turn, origin, key=lambda each: each.ply), origin.ply)

    def _follow_anew(self, turn: Turn[Any, Any], ply: int) -> None:
        """Makes `line` the turns through this one, where redo leads elsewhere than before from a ply on."""
        self.line.forget_after(ply)
        self.line.follow(turn)

    # -- what is kept of it

    @property
    def turn_to_keep(self) -> Turn[Any, Any]:
        """The turn up to which the game was played: the present one; while one looks back, the last one that follows.

        During a variation, the one that this was when it was opened.
        """
        if self.variation is not None:
            return self.variation.last if self.variation.was_looking_back else self.variation.start
        return self.line.turns[-1] if self.is_looking_back else self.turn
