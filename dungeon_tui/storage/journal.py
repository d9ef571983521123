"""Keeping a game while it is played: each turn is in the library before the next key is read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from time import monotonic
from typing import Any

from dungeon_tui.core.catalogue import YOU, Game, find_games
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.session import Session
from dungeon_tui.core.stopwatch import Stopwatch
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Change, ChangeKind, Turn, TurnController
from dungeon_tui.storage.exchange import ends_of
from dungeon_tui.storage.library import BusyError, End, KeptGame, Library, LibraryError, Resumed, timestamp
from dungeon_tui.storage.recordings import save
from dungeon_tui.storage.results import Result, best_result, daily_line, results

_IsWon = Callable[[Any, Outcome], bool]
_Place = tuple[Turn[Any, Any], Turn[Any, Any], Mapping[str, str]]
_PATIENCE = 1.0  # seconds that a turn waits for others that write
_AGAIN = 0.05  # while it is known that they do


class Journal:
    """Writes the turns of a session to the library, from the first move of a person on.

    Variations are not kept, as nothing of them stays when they are left. As long as another process holds the library,
    all that is to be kept waits for the next `keep`. Where the library can't be written any more, the game goes on
    without it.
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
        """Opens the journal of a session, in any thread; the turns that follow are written in the thread of the game.

        Args:
            library: it is kept there.
            game: the session is one of this game.
            session: just opened.
            is_won: tells of a state and an outcome if a person has won.
            resumed: the game of the library that the session goes on with; None: a new one.
            values: further columns of a new game: title, arguments, daily, source.

        Raises:
            LibraryError: nothing can be kept.
        """
        self._library, self._session, self._rules, self._is_won = library, session, session.controller.rules, is_won
        self._began = monotonic()
        self._seconds = 0.0  # of earlier sittings
        self._numbers: dict[Turn[Any, Any], int] = {session.controller.first: 0}
        self._fresh: dict[Turn[Any, Any], None] = {}  # not written as yet, in the order in which they are numbered
        self._waiting: list[Callable[[], object]] = []  # what else is to be written
        self._is_begun = False
        self._kept_place: _Place | None = None  # None: no turn is kept
        self._cut_off = 0  # number of the end at which it was opened
        self._kept: KeptGame | None = None
        self._daily = str(values.pop("daily", ""))
        self._game = game.name
        self._values: dict[str, Any] = values
        self.saved: Path | None = None  # the recording that has what could not be kept at the end
        self.is_at_once = True  # a turn is written when it is played; False: only by `keep`
        self.trouble = ""  # why it is not kept any more
        self.on_trouble: Callable[[str], object] = str
        self.is_behind = False  # another process has the library; what was not written will be
        self.on_behind: Callable[[str], object] = str
        controller = session.controller
        if resumed is not None:
            self._kept = resumed.kept
            self._numbers.update(resumed.numbers)
            self._seconds, self._is_begun, self._kept_place = resumed.kept.seconds, True, self._place()
            self._cut_off = resumed.kept.present
            self._waiting.append(lambda: library.change(resumed.kept.id, writer=os.getpid()))
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
                self._kept = self._begin()
            else:
                self._write_waiting()
        self._is_helped = resumed.kept.is_helped if resumed is not None else bool(self._values["is_helped"])
        self.stopwatch = Stopwatch(session.controller, 0.0 if resumed is None else self._try_before(resumed))
        session.controller.observe(self._follow)

    def _begin(self) -> KeptGame:
        with self._library.writing():  # at once: another process forgets levels of no game
            return self._library.begin(level=self._library.keep_level(self._level), **self._values)

    @property
    def kept(self) -> KeptGame:
        """The game in the library.

        Raises:
            LibraryError: it could not be begun there.
        """
        if self._kept is None:
            self._kept = self._begin()
        return self._kept

    @property
    def controller(self) -> TurnController[Any, Any, Any]:
        """The game that is kept."""
        return self._session.controller

    @property
    def players(self) -> Mapping[str, str]:
        """Its players, by seat."""
        return self._session.players

    @property
    def seconds(self) -> float:
        """Seconds that the game was open, in all sittings."""
        return self._seconds + monotonic() - self._began

    def _try_before(self, resumed: Resumed) -> float:
        """Seconds of earlier sittings that may belong to the present try: all but those of tries that were ended.

        Such a try is known by its end, up to which nothing was taken back, on another branch of the first turn.
        """
        line = resumed.controller.turn.line()
        if len(line) == 1:
            return 0.0
        ends = {end.turn: end for end in ends_of(self._library, resumed.kept) if not end.is_undone}
        over = 0.0
        for turn, number in resumed.numbers.items():
            if (end := ends.get(number)) is not None and line[1] not in turn.line() and isinstance(end.seconds, float):
                over += end.seconds
        return max(0.0, resumed.kept.seconds - over)

    def _follow(self, change: Change[Any, Any]) -> None:
        """Begins with a person's first move; from there on keeps every turn that is played outside of variations."""
        session = self._session
        if session.variation is not None:
            return
        is_own = change.kind is ChangeKind.APPLIED and session.player(change.before) == YOU
        self._is_begun = self._is_begun or (is_own and not session.is_looking_back)
        if self.is_at_once:
            self.keep()
        elif self._is_begun:
            self._note_turns()

    def keep(self) -> None:
        """Writes the new turns on the line, the place on it and the players, if any of these has changed.

        And all that waited, where the library was another process's before.
        """
        if self._is_begun and not self.trouble and (self._place() != self._kept_place or self._waiting):
            self._note_turns()
            self._attempt(self._write)

    def _place(self) -> _Place:
        """The turn where play stands, the last one that redo leads to, and the players by seat.

        During a variation, as they were when it was opened.
        """
        session = self._session
        variation = session.variation
        if variation is not None:
            return variation.start, variation.last, dict(session.players)
        return session.turn, session.line.turns[-1], dict(session.players)

    def _note_turns(self) -> None:
        """Notes the turns that are to be written."""
        numbers, fresh = self._numbers, self._fresh
        turn, last, _ = self._place()
        if (
            self._kept_place is None and not fresh
        ):  # what was played before a person's first move, too: of a recording, all of it
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
        """Writes all that is not written as yet: all of it, or nothing."""
        if self._place() == self._kept_place and not self._fresh:
            self._write_waiting()
            return
        place = turn, last, players = self._place()
        fresh, numbers = self._fresh, self._numbers
        places = {each: -number for number, each in enumerate(fresh, 1)}

        def number_of(each: Turn[Any, Any]) -> int:
            return places[each] if each in places else numbers[each]

        rows = [
            (number_of(each.parent), self._rules.action_text(each.action)) for each in fresh if each.parent is not None
        ]
        outcome = self._rules.outcome(turn.state)
        is_first = self._kept_place is None
        with self._library.writing():
            kept = self._kept or self._begin()
            new = self._library.add_turns(
                kept.id,
                rows,
                present=number_of(turn),
                last=number_of(last),
                daily=self._daily if is_first else "",
                ply=turn.ply,
                outcome="" if outcome is None else outcome.name,
                is_won=outcome is not None and self._is_won(turn.state, outcome),
                players=json.dumps(players),
                played=timestamp(),
                seconds=self.seconds,
                writer=os.getpid(),
            )
            if is_first and self._daily:
                (kept,) = self._library.games("id = ?", kept.id)  # it may be the counted try now
        self._kept, self._kept_place = kept, place
        numbers.update(zip(fresh, new, strict=True))
        fresh.clear()
        if self._waiting:
            self._write_waiting()

    def _write_waiting(self) -> None:
        with self._library.writing():
            for write in self._waiting:
                write()
        self._waiting.clear()

    def mark_helped(self) -> None:
        """Notes that a hint or the analysis was looked at: the ends of this game count as helped from here on."""
        if not self._is_helped and not self.trouble:
            self._is_helped = True
            self._add(lambda: self._library.change(self.kept.id, is_helped=True))

    def add_end(self, turn: Turn[Any, Any], outcome: Outcome, scores: Sequence[Score]) -> None:
        """Keeps the end that a turn is, with its scores; does nothing where it is known, or the turn isn't kept."""
        if (self._numbers.get(turn) or turn in self._fresh) and not self.trouble:
            is_won, is_undone = self._is_won(turn.state, outcome), not turn.is_straight()
            at = self.kept.played if self._is_cut_off(turn) else timestamp()
            ended = End(outcome.name, is_won, is_undone, self.stopwatch.seconds, at)
            self._add(lambda: self._library.add_end(self.kept.id, self._numbers[turn], ended, scores))

    def was_cut_off(self, turn: Turn[Any, Any]) -> bool:
        """True if the game was opened at this turn, after it had been ended there from outside."""
        return self._is_cut_off(turn) and self.kept.was_interrupted

    def _is_cut_off(self, turn: Turn[Any, Any]) -> bool:
        return self._cut_off > 0 and self._numbers.get(turn) == self._cut_off

    def earlier(self, turn: Turn[Any, Any]) -> list[Result]:
        """The results of the same level, seed and seats without this turn's; none where the turn isn't kept."""
        if not (number := self._numbers.get(turn)):
            return []
        return [each for each in self._results() if (each.id, each.turn) != (self.kept.id, number)]

    def _results(self) -> list[Result]:
        """All results of the same level, seed and seats."""
        found = list[Result]()
        if not self.trouble and self._kept is not None:
            where = "games.level = ? AND games.seed = ? AND games.players = ? AND games.game = ?"
            kept = self._kept
            values = kept.level, kept.seed, json.dumps(dict(self._session.players)), kept.game
            self._attempt(lambda: found.extend(results(self._library, where, *values)))
        return found

    def best_run(self) -> list[str]:
        """The actions, from the start on, of the best result of the same level, seed and seats; none without any."""
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

    def daily_line(self) -> str:
        """The line with its day's results, if it is the counted try of a daily that has ended; else empty."""
        lines = [""]
        if self._kept is not None and self._kept.daily and not self.trouble:
            day, games = date.fromisoformat(self._kept.daily), [game.name for game in find_games()]
            self._attempt(lambda: lines.append(daily_line(self._library, day, games)))
        return lines[-1]

    def note_recording(self, name: str) -> None:
        """Notes the name of the recording that the game was saved as: lists show both as one."""
        if self._is_begun and not self.trouble:
            self._add(lambda: self._library.change(self.kept.id, source=name))

    def close(self) -> None:
        """Ends the sitting: the game was left in order. One without turns is forgotten.

        Where nothing can be written even now, the game's line is saved as a recording.
        """
        library = self._library
        with suppress(LibraryError):
            if not self._is_begun:
                if self._kept is not None:
                    library.forget(self._kept.id)  # else it is forgotten a day later
            elif not self.trouble:
                turn, _, _ = self._place()
                fingerprint = self._rules.fingerprint(turn.state)
                self._note_turns()
                self._waiting.append(
                    lambda: library.leave(
                        self.kept.id, seconds=self.seconds, checked=self._numbers[turn], fingerprint=fingerprint
                    )
                )
                try:
                    self._write()
                except LibraryError as error:
                    self.trouble = f"The last turns are not kept: {error}"
                    self._save()
                    self.on_trouble(self.trouble)
            elif self._kept is not None and not library.is_damaged:
                with library.patience(_AGAIN):
                    library.leave(self._kept.id)

    def _save(self) -> None:
        """Saves the line as a recording."""
        session = self._session
        title = str(self._values["title"]) if self._kept is None else self._kept.title
        with suppress(OSError):
            turn, players = session.turn_to_keep, session.players
            self.saved = save(session.controller, self._game, players, title, turn, session.arguments)
            self.trouble += f"; the game is saved as {printable(self.saved.name)}"

    def _add(self, write: Callable[[], object]) -> None:
        """Writes something else than turns, as soon as the game has one."""
        self._waiting.append(write)
        self.keep()

    def _attempt(self, access: Callable[[], object]) -> None:
        """Reads or writes; where another process has the library, all that was to be written waits."""
        try:
            with self._library.patience(_AGAIN if self.is_behind else _PATIENCE):
                access()
            self.is_behind = False
        except BusyError:
            if not self.is_behind:
                self.is_behind = True
                self.on_behind("Another program has the library; what you play is kept as soon as it lets go.")
        except LibraryError as error:
            self.trouble = f"From here on the game is not kept: {error}"
            self.on_trouble(self.trouble)
