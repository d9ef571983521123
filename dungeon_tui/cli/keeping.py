"""Games without a screen, kept in the library while they are played, as those on a screen are."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from dungeon_tui.core.catalogue import YOU, Game, Opening
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.session import Seats, Session
from dungeon_tui.core.text import one_line
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.library import NAME, Library, LibraryError, Resumed
from dungeon_tui.storage.places import home

_MOST = 1.0  # seconds that a turn may wait while more commands are there to be read


class Keeper:
    """Keeps what is played in plain text; what goes wrong is told on standard error, and the game goes on."""

    def __init__(self, game: Game, opening: Opening, resumed: Resumed | None = None) -> None:
        """Waits for a game to begin.

        Args:
            game: will be played.
            opening: what is known of it.
            resumed: the game of the library that is gone on with; None: it is a new one.
        """
        self._game, self._opening, self._resumed = game, opening, resumed
        self._library: Library | None = None
        self._journal: Journal | None = None
        self._kept_at = 0.0

    def begin(self, controller: TurnController[Any, Any, Any], players: Mapping[str, str]) -> Callable[[], object]:
        """Follows a game from its present turn on; returns the function to call when a player is helped."""

        def is_won(_: Any, outcome: Outcome) -> bool:
            return self._judged(controller, players)[0] if players else outcome.is_win

        opening, resumed = self._opening, self._resumed
        person = next((seat for seat, player in players.items() if player == YOU), next(iter(players), ""))
        seats = Seats(dict.fromkeys(players, ()), lambda _: person) if players else None
        session = Session(controller, seats, players, arguments=opening.arguments)
        if resumed is not None:
            known = zip(controller.turn.line(), resumed.controller.turn.line(), strict=True)
            numbers = {turn: resumed.numbers[old] for turn, old in known}
            resumed = Resumed(resumed.kept, controller, numbers)
        try:
            self._library = Library(home() / NAME)
            if self._library.notice:
                _tell(self._library.notice)
            if self._library.is_readonly:
                return bool
            self._journal = Journal(
                self._library,
                self._game,
                session,
                is_won,
                resumed=resumed,
                title=opening.title,
                arguments=opening.arguments,
                daily="" if opening.day is None else opening.day.isoformat(),
                is_helped=bool(opening.actions),
            )
        except (LibraryError, OSError) as error:
            _tell(f"This game is not kept: {error}")
            return bool
        self._journal.is_at_once = False
        self._journal.on_trouble = self._journal.on_behind = _tell
        return self._journal.mark_helped

    def keep(self) -> None:
        """Keeps the turns that were played, before a command is read; not yet where the next ones are there already."""
        if self._journal is not None and (_waits() or monotonic() - self._kept_at > _MOST):
            self._journal.keep()
            self._kept_at = monotonic()

    def close(self) -> None:
        """Keeps the rest, and the end with its scores, and leaves the game in order."""
        if self._journal is not None:
            controller = self._journal.controller
            self._journal.keep()
            if controller.outcome is not None:
                _, scores = self._judged(controller, self._journal.players)
                self._journal.add_end(controller.turn, controller.outcome, scores)
            self._journal.close()
        if self._library is not None:
            self._library.close()

    def _judged(self, controller: TurnController[Any, Any, Any], players: Mapping[str, str]) -> Any:
        from dungeon_tui.ui.outcome import judged

        return judged(self._game.name, controller, players)


def _waits() -> bool:
    """True if the next command is still to be typed."""
    try:
        return sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0)[0]
    except (OSError, ValueError):  # it is no file, or the system can't tell
        return True


def _tell(text: str) -> None:
    print(one_line(text), file=sys.stderr)
