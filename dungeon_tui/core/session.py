"""A game in play: players by seat, the line of turns, and variations. Pure: no screen, no file, no clock."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dungeon_tui.core.catalogue import YOU
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.turns import ChangeKind, Turn, TurnController, TurnLine
from dungeon_tui.core.words import turn_name


@dataclass(frozen=True, slots=True)
class Replay:
    """The recording from which a session was opened."""

    file: str = ""
    title: str = ""  # of the level that was played
    trouble: str = ""  # where it diverges, if it does


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of a game with several players, and the strategies for them."""

    strategies: Mapping[str, Sequence[str]]  # by seat
    to_move: Callable[[Any], str]  # state -> the seat whose turn it is


class Variation:
    """Moves apart from the line; leaving it forgets them, and redo follows the line again."""

    def __init__(
        self, controller: TurnController[Any, Any, Any], origin: Turn[Any, Any], was_looking_back: bool
    ) -> None:
        self.origin = origin
        self.was_looking_back = was_looking_back
        self.start = controller.turn  # the turn to come back to
        self._controller = controller
        self._before: list[tuple[Turn[Any, Any], list[Turn[Any, Any]]]] = []  # turns, and their branches before a move
        self.last = origin  # the end of the line that was left
        while self.last.branches:
            self.last = self.last.branches[-1]
        controller.go_to(origin)

    def apply(self, action: Any) -> None:
        """Plays the next move of the variation."""
        self._before.append((self._controller.turn, [*self._controller.turn.branches]))
        self._controller.apply(action)

    def extend(self, actions: Iterable[Any]) -> None:
        """Adds moves and goes to the last one: observers see no other."""
        turn = self._controller.turn
        for action in actions:
            self._before.append((turn, [*turn.branches]))
            turn = self._controller.after(turn, action)
        self._controller.go_to(turn)

    def leave(self, to: Turn[Any, Any]) -> None:
        """Goes to a turn of the line; forgets the variation, and redo follows the line again."""
        self._controller.go_to(to)
        for turn, branches in reversed(self._before):
            turn.branches[:] = branches

    def keep(self) -> None:
        """Makes the moves up to the current turn part of the line; forgets the later ones."""
        way = {*self._controller.turn.line()}
        for turn, branches in reversed(self._before):
            turn.branches[:] = [each for each in branches if each not in way] + [*way.intersection(turn.branches)]


class Session:
    """One game from its opening until it is closed; no strategy moves while `is_looking_back`."""

    def __init__(
        self,
        controller: TurnController[Any, Any, Any],
        seats: Seats | None = None,
        players: Mapping[str, str] | None = None,
        replay: Replay | None = None,
        arguments: str = "",
    ) -> None:
        """Opens a game at its current turn. Without seats, one person plays all; a `replay`'s line is recorded."""
        self.controller = controller
        self.replay = replay
        self.arguments = arguments
        self.line = TurnLine(controller.turn)
        self.recorded = tuple(self.line.turns) if replay is not None else ()
        self.is_replay = replay is not None
        self.is_looking_back = self.is_replay  # you look at turns without playing on; strategies wait
        self.trouble = replay.trouble if replay is not None else ""  # the fault of the recording, in words
        self.variation: Variation | None = None
        self.new_at: Turn[Any, Any] | None = None  # the last turn of the current players, where older ones follow
        self._seated_at = 0  # the ply at which they took their seats
        self._seats = seats
        self.players: dict[str, str] = {}
        for seat, known in (seats.strategies if seats is not None else {}).items():
            player = (players or {}).get(seat, YOU)
            # A file may name no player that is not known here.
            self.players[seat] = player if replay is None or player in known else YOU
        self.own_name: Callable[[Turn[Any, Any]], str] = lambda turn: ""  # a game's name of a turn; empty: its number
        controller.observe(lambda change: self.line.follow(change.after))

    # -- the present

    @property
    def turn(self) -> Turn[Any, Any]:
        """The current turn."""
        return self.controller.turn

    @property
    def state(self) -> Any:
        """The current state."""
        return self.controller.turn.state

    @property
    def outcome(self) -> Outcome | None:
        """The outcome in the current turn; None while the game continues."""
        return self.controller.outcome

    @property
    def has_ended(self) -> bool:
        """True if a person's game is over, even while you look back at an earlier turn. False in a variation."""
        is_open = self.variation is None and self.has_person and not self.is_replay
        return is_open and self.controller.rules.outcome(self.line.turns[-1].state) is not None

    @property
    def can_retry_level(self) -> bool:
        """True if the game was lost on a later level than its first."""
        last = self.line.turns[-1]
        outcome = self.controller.rules.outcome(last.state)
        return outcome is not None and not outcome.is_win and any(turn.begins_level for turn in last.line()[1:])

    @property
    def last(self) -> Turn[Any, Any]:
        """The last turn of your game: of its line while you look back or are in a variation, else the current one."""
        if self.variation is not None:
            return self.variation.last
        return self.line.turns[-1] if self.is_looking_back else self.turn

    # -- seats

    @property
    def persons(self) -> tuple[str, ...]:
        """The seats that people play; none in a game without seats."""
        return tuple(seat for seat, player in self.players.items() if player == YOU)

    @property
    def has_person(self) -> bool:
        """True if a person plays a seat, or the game has no seats."""
        return not self.players or YOU in self.players.values()

    def seat(self, turn: Turn[Any, Any] | None = None) -> str:
        """The seat to move at a turn, by default the current one; empty in games without seats."""
        return self._seats.to_move((turn or self.turn).state) if self._seats is not None else ""

    def player(self, turn: Turn[Any, Any]) -> str:
        """The player to move at a turn: the name of a strategy, or YOU."""
        return self.players.get(self.seat(turn), YOU)

    def own_moves(self, turn: Turn[Any, Any]) -> int:
        """Counts the moves up to a turn: the person's; the first side's if none or several play; without seats all."""
        if not self.players:
            return turn.ply
        line, persons = turn.line(), self.persons
        seat = persons[0] if len(persons) == 1 else self.seat(line[0])
        return sum(self.seat(each) == seat for each in line[:-1])

    def turn_name(self, turn: Turn[Any, Any]) -> str:
        """The name of a turn: "the start", "turn 3", or with several seats, whose turns are half moves, "move 3"."""
        number = self.own_moves(turn)
        by_number = f"{self.unit} {number:,}" if number and self.players else turn_name(number)
        return self.own_name(turn) or by_number

    @property
    def unit(self) -> str:
        """The word for the moves that `own_moves` counts."""
        return "move" if self.players else "turn"

    def is_persons(self, turn: Turn[Any, Any]) -> bool:
        """True if a person moves at a turn, or only strategies play."""
        return not self.has_person or self.player(turn) == YOU

    @property
    def is_strategys_turn(self) -> bool:
        """True if a strategy moves in the current turn."""
        return bool(self.players) and self.player(self.turn) != YOU and self.outcome is None

    @property
    def is_persons_turn(self) -> bool:
        """True if a person moves next and is not looking back; also after the end of the game."""
        return not self.is_looking_back and (not self.players or self.player(self.turn) == YOU)

    def take_seats(self, players: Mapping[str, str]) -> bool:
        """Seats players. The turns ahead belong to those before them. False if the same players sat there already."""
        if dict(players) == self.players:
            return False
        self.players.update(players)
        self.new_at, self._seated_at = self.turn, self.turn.ply
        return True

    # -- moves

    def play(self, action: Any, *, continues_command: bool = False) -> None:
        """Plays an action of a current player. Raises IllegalActionError if it is illegal."""
        before = self.turn
        self.controller.apply(action).continues_command = continues_command
        if self.new_at is before:
            self.new_at = self.turn

    @property
    def is_ahead(self) -> bool:
        """True if turns of earlier players follow the current turn."""
        return self.turn is self.new_at and bool(self.turn.branches)

    @property
    def goes_on(self) -> bool:
        """True if a strategy moves next, or existing turns follow that may be played again."""
        return self.is_strategys_turn or (bool(self.turn.branches) and not self.is_ahead)

    def follow(self) -> bool:
        """Goes to the next existing turn; False if there is none, or it `is_ahead`."""
        return not self.is_ahead and self.controller.redo()

    def undo(self) -> bool:
        """Goes back by a person's command and plays on there; if no person plays, by one turn. False if there is none.

        Directly after a restart it takes that back.
        """
        back = self.turn_to_undo
        if back is not None and self.has_person and not self.is_replay:
            self.is_looking_back = False
        return back is not None and self.controller.go_to(back, ChangeKind.UNDONE)

    @property
    def turn_to_undo(self) -> Turn[Any, Any] | None:
        """The turn to which `undo` goes back: after a restart the turn that it left."""
        if self.controller.restarted_from is not None:
            return self.controller.restarted_from
        turn = self.turn
        while turn.parent is not None:
            begins_command, turn = not turn.continues_command, turn.parent
            if begins_command and (not self.persons or self.player(turn) == YOU):
                return turn
        return None

    def redo(self) -> bool:
        """Goes forward by a person's command or to the last turn; if no person plays, by one turn. False at the end."""
        has_moved = False
        while self.controller.redo():
            has_moved = True
            is_inside = any(each.continues_command for each in self.turn.branches[-1:])
            if not is_inside and (not self.persons or self.player(self.turn) == YOU):
                break
        return has_moved

    def restart(self) -> bool:
        """Goes back to the start of the level, in a replay to look at it again; False if already there."""
        self.is_looking_back = self.is_replay
        has_gone = self.controller.restart()
        if self.turn.ply < self._seated_at:  # the line is of earlier players
            self.new_at, self._seated_at = self.turn, self.turn.ply
        return has_gone

    def turn_to_judge(self) -> Turn[Any, Any]:
        """The turn after the person's last move, before any reply. While you look back or watch: the current turn."""
        turn = self.turn
        while not self.is_looking_back and self.has_person and turn.parent and self.player(turn.parent) != YOU:
            turn = turn.parent
        return turn

    # -- along the line

    def seek(self, ply: int) -> None:
        """Looks back at the turn with this ply, or at the nearest end. Leaves a variation that begins later."""
        self.is_looking_back = True
        if self.variation is not None and ply < self.variation.origin.ply:
            self._return_to(self.variation.origin)
        self.controller.go_to(self.line.turns[min(max(ply, 0), len(self.line) - 1)])

    def step_back(self) -> bool:
        """Goes one turn back, from the origin of a variation out of it; False at the first turn."""
        has_gone = self.controller.undo()
        if self.variation is not None and self.turn.ply < self.variation.origin.ply:
            self._return_to(self.turn)
        return has_gone

    def other_line(self) -> int | None:
        """Switches to another branch at the next turn that has several, else at the last. Returns its ply, or None."""
        fork = self.line.fork_beside(self.turn.ply)
        if fork is None:
            return None
        turn = self.line.turns[fork]
        if fork < self.turn.ply:
            self.controller.go_to(turn)
        self.controller.prefer(turn.branches[0])
        self._follow_anew(self.turn, self.turn.ply)
        return fork

    # -- a variation

    def begin_variation(self, origin: Turn[Any, Any]) -> Variation:
        """Opens a variation after a turn, and goes there; strategies wait until it is left."""
        was_looking_back, self.is_looking_back = self.is_looking_back, True
        self.variation = Variation(self.controller, origin, was_looking_back)
        return self.variation

    @property
    def is_refuting_last_move(self) -> bool:
        """True while a variation refutes the person's last move against another seat; undo takes that back, too."""
        line = self.variation
        is_present = line is not None and not line.was_looking_back and line.origin.ply <= line.start.ply
        return is_present and bool(self.players)

    def leave_variation(self) -> bool:
        """Returns to the turn where the variation was opened; False without a variation."""
        if self.variation is None:
            return False
        self.is_looking_back = self.variation.was_looking_back
        self._return_to(self.variation.start)
        return True

    def play_on(self) -> bool:
        """Ends looking back, even in a variation: the next move is a person's. True if it leaves later turns behind."""
        left, self.variation, self.is_looking_back = self.variation, None, False
        if left is not None:
            left.keep()
            self._follow_anew(self.turn, left.origin.ply)
        return bool(self.turn.branches) or (left is not None and left.last is not left.origin)

    def _return_to(self, turn: Turn[Any, Any]) -> None:
        assert self.variation is not None
        variation = self.variation
        variation.leave(turn)
        self.variation = None  # after the jump, whose observers still see the variation
        origin = variation.origin
        self._follow_anew(max(turn, origin, key=lambda each: each.ply), origin.ply)

    def _follow_anew(self, turn: Turn[Any, Any], ply: int) -> None:
        """Makes `line` the turns through this one, where redo takes another way from a ply on."""
        self.line.forget_after(ply)
        self.line.follow(turn)

    # -- saving

    @property
    def turn_to_keep(self) -> Turn[Any, Any]:
        """The last turn to save: the current one or, when looking back, the line's last; variations don't count."""
        if self.variation is not None:
            return self.variation.last if self.variation.was_looking_back else self.variation.start
        return self.line.turns[-1] if self.is_looking_back else self.turn
