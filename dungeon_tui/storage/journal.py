"""Saves a game while it is played: each turn is in the library before the next key is read."""

import json
import os
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import monotonic
from typing import Any

from dungeon_tui.core.catalogue import YOU, Game, find_games, of_any_seed
from dungeon_tui.core.fingerprints import fingerprint as fingerprint_of
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.session import Session
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Change, ChangeKind, Turn, TurnController
from dungeon_tui.storage.library import BusyError, End, Library, LibraryError, Resumed, StoredGame, timestamp
from dungeon_tui.storage.recordings import save
from dungeon_tui.storage.results import Result, best_result, daily_line, results, stars

_EARLIER_HELP = "earlier help"  # the library knows no more
_IsWon = Callable[[Any, Outcome], bool]
_Position = tuple[Turn[Any, Any], Turn[Any, Any], Mapping[str, str]]
TURN_TIMEOUT_S = 1.0
"""How long a turn waits while another program writes."""
BUSY_TIMEOUT_S = 0.05
"""The same, if another program was writing before."""


@dataclass(frozen=True, slots=True)
class Aids:
    """The aids used in a try: "a hint, undo" as a text; false if there are none."""

    helps: tuple[str, ...] = ()  # these cost the second star too, if there is no par
    undone: tuple[str, ...] = ()  # undo and, in a daily, a restart

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, in order."""
        return self.helps + self.undone

    def __bool__(self) -> bool:
        return bool(self.names)

    def __str__(self) -> str:
        return ", ".join(self.names)


class Journal:
    """Writes the turns of a session to the library, from a person's first move on.

    Variations are not saved. While another process holds the library, everything waits for the next `keep`. If the
    library can't be written any more, the game continues without it.
    """

    def __init__(
        self,
        library: Library,
        game: Game,
        session: Session,
        is_won: _IsWon,
        *,
        resumed: Resumed | None = None,
        **values: Any,
    ) -> None:
        """Opens the journal of a new session, in any thread; later turns are written in the game's thread.

        `is_won(state, outcome)` is true if a person has won. The session continues the `resumed` game, or is a new one
        with some `values`: title, arguments, daily, source. Raises LibraryError if nothing can be saved.
        """
        self._library, self._session, self._rules, self._is_won = library, session, session.controller.rules, is_won
        self._began = monotonic()
        self._seconds = 0.0  # of earlier sittings
        self._numbers: dict[Turn[Any, Any], int] = {session.controller.first: 0}
        self._used_at: dict[Turn[Any, Any], Aids] = {}  # the aids up to each end: later ones don't count there
        self._fresh: dict[Turn[Any, Any], None] = {}  # unwritten turns, in the order of their numbers
        self._waiting: list[Callable[[], object]] = []  # other writes that wait
        self._is_begun = False
        self._stored_position: _Position | None = None  # as written; None: no turn is
        self._cut_off = 0  # number of the turn at which it was opened
        self._is_undone = resumed is not None and resumed.stored.is_undone  # undo was used in this try
        self._is_restarted = False  # and a restart of a daily
        self._tried = set(() if resumed is None else resumed.controller.turn.line())  # its turns
        self._stored: StoredGame | None = None
        self._daily = str(values.pop("daily", ""))
        self._game = game
        self._values: dict[str, Any] = values
        self.saved: Path | None = None  # the recording with the turns that could not be written at the end
        self.is_at_once = True  # write each turn when it is played; False: only in `keep`
        self.trouble = ""  # why the game is no longer saved
        self.on_trouble: Callable[[str], object] = str
        self.is_behind = False  # another process is using the library
        self.on_behind: Callable[[str], object] = str
        controller = session.controller
        if resumed is not None:
            self._stored = resumed.stored
            self._numbers.update(resumed.numbers)
            self._seconds, self._is_begun, self._stored_position = resumed.stored.seconds, True, self._position()
            self._cut_off = resumed.stored.present
            ends = {end.turn: end for end in results(library, "games.id = ?", resumed.stored.id)}
            for turn, number in resumed.numbers.items():
                if end := ends.get(number):
                    undone = "undo" + " or a restart" * bool(end.daily)
                    self._used_at[turn] = Aids((_EARLIER_HELP,) * end.is_helped, (undone,) * end.is_undone)
            self._waiting.append(lambda: library.change(resumed.stored.id, writer=os.getpid()))
        else:
            self._level = game.levels().pack_level(controller.level)
            self._values = {
                "game": game.name,
                "rules": self._rules.VERSION,
                "seed": controller.seed,
                "players": session.players,
                "is_helped": bool(controller.first.branches),  # others have played a part of it
                **values,
            }
        with suppress(BusyError):
            if resumed is None:
                self._stored = self._begin()
            else:
                self._write_waiting()
        is_helped = resumed.stored.is_helped if resumed is not None else bool(self._values["is_helped"])
        self._helps = dict.fromkeys([_EARLIER_HELP] * is_helped)  # what helped the player, in order
        self.stopwatch = Stopwatch(session.controller, 0.0 if resumed is None else self._try_before(resumed, ends))
        session.controller.observe(self._follow)

    def _begin(self) -> StoredGame:
        with self._library.writing():  # in one transaction: another process may delete unused levels
            return self._library.begin(level=self._library.keep_level(self._level), **self._values)

    @property
    def stored(self) -> StoredGame:
        """The game in the library. Raises LibraryError if it could not be created there."""
        if self._stored is None:
            self._stored = self._begin()
        return self._stored

    @property
    def seconds(self) -> float:
        """Seconds that the game was open, in all sessions."""
        return self._seconds + monotonic() - self._began

    def _try_before(self, resumed: Resumed, ends: Mapping[int, Result]) -> float:
        """Seconds of earlier sessions that may belong to the current try; time of finished tries doesn't.

        A finished try has an end, reached without undo, on another branch of the first turn.
        """
        line = resumed.controller.turn.line()
        if len(line) == 1:
            return 0.0
        over = 0.0
        for turn, number in resumed.numbers.items():
            if (end := ends.get(number)) and not end.is_undone and line[1] not in turn.line():
                over += end.seconds
        return max(0.0, resumed.stored.seconds - over)

    def _follow(self, change: Change[Any, Any]) -> None:
        """Starts with a person's first move; from then on saves every turn outside variations."""
        session = self._session
        if session.variation is not None:
            return
        is_redo = change.kind is ChangeKind.REDONE and session.player(change.before) == YOU
        if change.kind is ChangeKind.RESTARTED and change.after.parent is None:
            self._begin_try(change.before)
        elif (change.kind is ChangeKind.UNDONE or is_redo) and not session.is_looking_back:
            self._is_undone = True
        if change.kind in (ChangeKind.APPLIED, ChangeKind.REDONE):
            self._tried |= {change.before, change.after}  # an answer of Learn comes before a turn played on
        is_own = change.kind is ChangeKind.APPLIED and session.player(change.before) == YOU
        self._is_begun = self._is_begun or (is_own and not session.is_looking_back)
        if self.is_at_once:
            self.keep()
        elif self._is_begun:
            self._note_turns(self._position())

    def keep(self) -> None:
        """Writes new turns, the current position and the players if they have changed, and everything that waits."""
        if self._is_begun and not self.trouble:
            self._attempt(self._write)

    def _position(self) -> _Position:
        """The current turn, the last turn that redo leads to, and the players; in a variation, as before it."""
        session = self._session
        variation = session.variation
        if variation is not None:
            return variation.start, variation.last, dict(session.players)
        return session.turn, session.line.turns[-1], dict(session.players)

    def _note_turns(self, position: _Position) -> None:
        numbers, fresh = self._numbers, self._fresh
        turn, last, _ = position
        if self._stored_position is None and not fresh:  # also those before a person's first move, as of a recording
            waiting = [self._session.controller.first]
            while waiting:
                branches = waiting.pop().branches
                fresh.update(dict.fromkeys(branches))
                waiting += branches
        for end in (turn, last):
            way: list[Turn[Any, Any]] = []
            each: Turn[Any, Any] | None = end
            while each is not None and each not in numbers and each not in fresh:
                way.append(each)
                each = each.parent
            fresh.update(dict.fromkeys(reversed(way)))

    def _write(self) -> None:
        position = turn, last, players = self._position()
        self._note_turns(position)
        if position == self._stored_position and not self._fresh:
            self._write_waiting()
            return
        fresh = self._fresh
        number = ChainMap({each: -number for number, each in enumerate(fresh, 1)}, self._numbers)
        text = self._rules.action_text
        rows = [(number[each.parent], text(each.action)) for each in fresh if each.parent is not None]
        outcome = self._rules.outcome(turn.state)
        is_first = self._stored_position is None
        with self._library.writing():
            stored = self._stored or self._begin()
            new = self._library.add_turns(
                stored.id,
                rows,
                present=number[turn],
                last=number[last],
                daily=self._daily if is_first else "",
                ply=turn.ply,
                outcome="" if outcome is None else outcome.name,
                is_won=outcome is not None and self._is_won(turn.state, outcome),
                is_undone=self._is_undone_before(turn),
                players=json.dumps(players),
                played=timestamp(),
                seconds=self.seconds,
                writer=os.getpid(),
            )
            if is_first and self._daily:
                (stored,) = self._library.games("id = ?", stored.id)  # it may be the counted try now
        self._stored, self._stored_position = stored, position
        self._numbers.update(zip(fresh, new, strict=True))
        fresh.clear()
        self._write_waiting()

    def _write_waiting(self) -> None:
        if self._waiting:
            with self._library.writing():
                for write in self._waiting:
                    write()
            self._waiting.clear()

    def _begin_try(self, before: Turn[Any, Any]) -> None:
        """Begins a try. Earlier undo no longer counts, except in a daily; earlier help counts until you have won."""
        outcome = self._rules.outcome(before.state)
        is_won = outcome is not None and self._is_won(before.state, outcome)
        self._is_restarted = self.is_daily and not is_won
        self._is_undone = self._is_restarted and self._is_branched(before)
        self._tried.clear()
        if not is_won:
            return
        if self._helps and not self.trouble:
            self._add(lambda: self._library.change(self.stored.id, is_helped=False))
        self._helps.clear()

    def mark_helped(self, by: str) -> None:
        """Notes that the player used `by`, say "a hint"; later ends of this try count as helped."""
        if not self._helps and not self.trouble:
            self._add(lambda: self._library.change(self.stored.id, is_helped=True))
        self._helps.setdefault(by)

    def forgive(self, turn: Turn[Any, Any]) -> None:
        """Counts another move played instead of this one as no undo: a lesson led back, which is help."""
        self._tried.discard(turn)

    def used(self, turn: Turn[Any, Any]) -> Aids:
        """The aids used in a game that ends with this turn."""
        if turn in self._used_at:
            return self._used_at[turn]
        undone = (*["undo"] * self._is_branched(turn), *["a restart"] * self._is_restarted)
        return Aids(tuple(self._helps), undone)

    def _is_undone_before(self, turn: Turn[Any, Any]) -> bool:
        return self._is_restarted or self._is_branched(turn)

    def _is_branched(self, turn: Turn[Any, Any]) -> bool:
        """True if undo was used in this try, or if it has another move anywhere on the way but at the first turn."""
        tries = (sum(branch in self._tried for branch in each.branches) for each in turn.line()[1:])
        return self._is_undone or any(count > 1 for count in tries)

    def add_end(self, turn: Turn[Any, Any], outcome: Outcome, scores: Sequence[Score]) -> None:
        """Saves the end of a game and its scores; does nothing if it is known, or the turn isn't saved."""
        if (self._numbers.get(turn) or turn in self._fresh) and not self.trouble:
            is_won, is_undone = self._is_won(turn.state, outcome), self._is_undone_before(turn)
            at = self.stored.played if self._is_cut_off(turn) else timestamp()
            ended = End(outcome.name, is_won, is_undone, self.stopwatch.seconds, at)
            self._used_at[turn] = self.used(turn)
            self._add(lambda: self._library.add_end(self.stored.id, self._numbers[turn], ended, scores))

    def was_cut_off(self, turn: Turn[Any, Any]) -> bool:
        """True if the game was opened at this turn after it had been interrupted there."""
        return self._is_cut_off(turn) and self.stored.was_interrupted

    def _is_cut_off(self, turn: Turn[Any, Any]) -> bool:
        return self._cut_off > 0 and self._numbers.get(turn) == self._cut_off

    def earlier(self, turn: Turn[Any, Any], *, of_all_seeds: bool) -> list[Result]:
        """Other results on the same level, seed and seats; `of_all_seeds`: with the same options, without undo."""
        is_counted = self._numbers.get(turn) and not (of_all_seeds and self._is_undone_before(turn))
        found = self._results(of_all_seeds=of_all_seeds) if is_counted else []
        return [each for each in found if not (self._is_of(turn, each) or (of_all_seeds and each.is_undone))]

    def stars(self, turn: Turn[Any, Any]) -> tuple[int, int]:
        """The stars of the game that ends with this turn, and of all on this level, seed and seats."""
        found = self._results()
        return stars(each for each in found if self._is_of(turn, each)), stars(found)

    def _is_of(self, turn: Turn[Any, Any], result: Result) -> bool:
        return (result.id, result.turn) == (self.stored.id, self._numbers.get(turn))

    def _results(self, *, of_all_seeds: bool = False) -> list[Result]:
        found = list[Result]()
        if not self.trouble and self._stored is not None:
            stored, where = self._stored, "games.game = ?"
            values: list[object] = [stored.game]
            if not of_all_seeds:
                where += " AND games.level = ? AND games.seed = ? AND games.players = ?"
                values += [stored.level, stored.seed, json.dumps(dict(self._session.players))]
            self._attempt(lambda: found.extend(results(self._library, where, *values)))
            if of_all_seeds:
                own = of_any_seed(self._game, stored.arguments)
                return [each for each in found if of_any_seed(self._game, each.arguments) == own]
        return found

    def levels_won(self) -> set[str]:
        """The arguments of the levels of this game that were won, whatever the seed or seats."""
        found = list[Result]()
        self._attempt(lambda: found.extend(results(self._library, "games.game = ?", self._game.name)))
        return {each.arguments for each in found if each.is_won}

    def best_run(self) -> list[str]:
        """The actions of the best result on the same level, seed and seats; empty without one."""
        best, turns = best_result(self._results()), list[tuple[int, int, str]]()
        if best is None:
            return []
        self._attempt(lambda: turns.extend(self._library.turns(best.id)))
        actions, wanted = list[str](), best.turn
        for number, parent, action in reversed(turns):
            if number == wanted:
                actions.append(str(action))
                wanted = parent
        return actions[::-1]

    @property
    def is_daily(self) -> bool:
        """True for the counted try of a daily."""
        return self._stored is not None and bool(self._stored.daily)

    def is_first_end(self, turn: Turn[Any, Any]) -> bool:
        """True if the game had no end before this turn."""
        ends = [each for each in self._results() if each.id == self.stored.id]
        return not ends or self._is_of(turn, ends[0])

    def daily_line(self) -> str:
        """The line with the day's results, after the counted try of a daily; else empty."""
        lines = [""]
        if self._stored is not None and self.is_daily and not self.trouble:
            day, games = date.fromisoformat(self._stored.daily), [game.name for game in find_games()]
            self._attempt(lambda: lines.append(daily_line(self._library, day, games)))
        return lines[-1]

    def close(self) -> None:
        """Ends the session in order; forgets a game without turns; saves a recording if nothing can be written."""
        library = self._library
        with suppress(LibraryError):
            if not self._is_begun:
                if self._stored is not None:
                    library.forget(self._stored.id)  # else it is forgotten a day later
            elif not self.trouble:
                turn, _, _ = self._position()
                fingerprint = fingerprint_of(turn.state)
                self._waiting.append(
                    lambda: library.leave(
                        self.stored.id, seconds=self.seconds, checked=self._numbers[turn], fingerprint=fingerprint
                    )
                )
                try:
                    self._write()
                except LibraryError as error:
                    self.trouble = f"The last turns are not saved: {error}"
                    self._save()
                    self.on_trouble(self.trouble)
            elif self._stored is not None:
                with library.timeout(BUSY_TIMEOUT_S):
                    library.leave(self._stored.id)

    def _save(self) -> None:
        title = str(self._values["title"]) if self._stored is None else self._stored.title
        with suppress(OSError):
            self.saved = save(self._session, self._game.name, title)
            self.trouble += f"; the game is saved as {printable(self.saved.name)}"

    def _add(self, write: Callable[[], object]) -> None:
        """Writes something other than turns, as soon as the game has one."""
        self._waiting.append(write)
        self.keep()

    def _attempt(self, access: Callable[[], object]) -> None:
        """Reads or writes; if another process holds the library, pending writes wait."""
        try:
            with self._library.timeout(BUSY_TIMEOUT_S if self.is_behind else TURN_TIMEOUT_S):
                access()
            self.is_behind = False
        except BusyError:
            if not self.is_behind:
                self.is_behind = True
                self.on_behind("Another program is using the library; your moves are saved when it has finished.")
        except LibraryError as error:
            self.trouble = f"The game is no longer saved: {error}"
            self.on_trouble(self.trouble)


class Stopwatch:
    """Measures the current try. Undo does not stop it; a restart sets it back to when its level began."""

    def __init__(self, controller: TurnController[Any, Any, Any], before: float = 0.0) -> None:
        self._before = before
        self._since = monotonic()
        self._given_up = 0.0  # the seconds of the try that the last restart ended
        self._begun: dict[Turn[Any, Any], float] = {controller.first: 0.0}  # by the first turn of each level
        self._ends: dict[Turn[Any, Any], float] = {}  # by the last turn
        self._controller = controller
        controller.observe(self._follow)

    @property
    def seconds(self) -> float:
        """The seconds of the current try; at its end, those when it came."""
        return self._ends.get(self._controller.turn, self._before + monotonic() - self._since)

    def _follow(self, change: Change[Any, Any]) -> None:
        turn = change.after
        if change.kind is ChangeKind.RESTARTED:
            self._given_up = self.seconds
            self._before, self._since = self._begun.get(turn, self.seconds), monotonic()
        elif change.kind is ChangeKind.UNDONE and turn.ply > change.before.ply:  # a restart is taken back
            self._before += self._given_up - self._begun.get(change.before, 0.0)
        elif turn.begins_level:
            self._begun.setdefault(turn, self.seconds)
        if change.kind is ChangeKind.APPLIED:
            self._ends.pop(turn, None)  # from an earlier try
            if self._controller.outcome is not None:
                self._ends[turn] = self.seconds
