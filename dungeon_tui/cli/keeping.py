"""Saves plain-text games in the library while they are played, as games on a screen are."""

import select
import sys
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from dungeon_tui.core.catalogue import YOU, Game, Opening
from dungeon_tui.core.plain import tell
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.session import Seats, Session
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage.folders import home
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.library import NAME, Library, LibraryError, Resumed

_MAX_DELAY_S = 1.0  # of saving a turn while more commands wait


class Keeper:
    """Saves a plain-text game; reports problems on standard error, and the game continues."""

    def __init__(self, game: Game, opening: Opening, resumed: Resumed | None = None) -> None:
        self._game, self._opening, self._resumed = game, opening, resumed
        self._library: Library | None = None
        self._journal: Journal | None = None
        self._saved_at = 0.0

    def begin(self, controller: TurnController[Any, Any, Any], players: Mapping[str, str]) -> Callable[[], object]:
        """Follows a game from its current turn on; returns the function to call when a player gets help."""

        def is_won(_: Any, outcome: Outcome) -> bool:
            return self._judged(controller, players)[0] if players else outcome.is_win

        # Follow the game as a session, as the screen does.
        opening, resumed = self._opening, self._resumed
        person = next((seat for seat, player in players.items() if player == YOU), next(iter(players), ""))
        seats = Seats(dict.fromkeys(players, ()), lambda _: person) if players else None
        session = Session(controller, seats, players, arguments=opening.arguments)
        # A resumed game keeps the numbers of its turns in the library.
        if resumed is not None:
            known = zip(controller.turn.line(), resumed.controller.turn.line(), strict=True)
            numbers = {turn: resumed.numbers[old] for turn, old in known}
            resumed = Resumed(resumed.stored, controller, numbers)
        # Write it into the library; without one the game goes on unsaved.
        try:
            self._library = Library(home() / NAME)
            if self._library.notice:
                tell(self._library.notice)
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
            tell(f"This game is not saved: {error}")
            return bool
        self._journal.is_at_once = False
        self._journal.on_trouble = self._journal.on_behind = tell
        return self._journal.mark_helped

    def keep(self) -> None:
        """Saves played turns before the next command is read, unless the command has arrived already."""
        if self._journal is not None and (_waits() or monotonic() - self._saved_at > _MAX_DELAY_S):
            self._journal.keep()
            self._saved_at = monotonic()

    def close(self) -> None:
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
        from dungeon_tui.ui.outcome import judged  # here: it loads Textual

        return judged(self._game.name, controller, players)


def _waits() -> bool:
    """True if the next command hasn't arrived yet."""
    try:
        return sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0)[0]
    except (OSError, ValueError):  # it is no file, or the system can't tell
        return True
