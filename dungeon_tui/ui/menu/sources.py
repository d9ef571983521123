"""The contents of the menu's screens: the library and the levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from textual.app import App
from textual.screen import Screen

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.storage import results, shelf
from dungeon_tui.storage.library import UNDER_WAY, LazyLibrary, Library
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog

if TYPE_CHECKING:
    from dungeon_tui.ui.snapshot import Drawn

FoundT = TypeVar("FoundT")

PREVIEW_DELAY_S = 0.12  # between highlighting a level and drawing it


class Sources:
    """Reads the library and the levels. All methods but `choose`, `continued` and `waiting` run in threads."""

    def __init__(
        self,
        games: Sequence[Game],
        library: LazyLibrary,
        choose: Callable[[Game, Opening], object],
        report_trouble: Callable[[], object],
    ) -> None:
        self.choose = choose  # opens a level
        self._games, self._library, self._report_trouble = games, library, report_trouble

    async def waiting(self) -> tuple[shelf.Item, Opening] | None:
        found = None
        try:
            library = await in_background(self._library.get)
            if library is not None:
                found = await in_background(shelf.waiting, library, self._games)
        except ValueError as error:
            self._library.trouble = str(error)
        self._report_trouble()
        return found

    async def continued(self, app: App[Any], game: Game, opening: Opening) -> Opening | None:
        """A level, or a game of it under way if you continue that one; None if you go back."""
        found = await in_background(self.under_way, game, opening)
        if found is None:
            return opening
        labels = {"enter": "Continue", "r": "Start over", "escape": "Back"}
        answers = [Answer(key, label, key) for key, label in labels.items()]
        text = f"Saved game: {found.summary}."
        answer = await app.push_screen_wait(ChoiceDialog(opening.title, text, answers))
        return {"enter": found, "r": opening}.get(answer)

    def under_way(self, game: Game, opening: Opening) -> Opening | None:
        """The unfinished game of a level that was played last; None if there is none or the library can't be read."""
        if not opening.arguments:
            return None
        return self._read(lambda library: shelf.under_way(library, game, opening.arguments))

    def seated(self, game: Game, opening: Opening) -> Opening:
        """The opening with the players of the last game of its level, if they may be kept; never with commands."""
        where = "game = ? AND arguments = ?", game.name, opening.arguments
        games = self._read(lambda library: library.games(*where)) if opening.keeps_players else None
        if not games or not all(map(str.isidentifier, games[0].players.values())):
            return opening
        return replace(opening, players=games[0].players)

    def records(self) -> Mapping[results.Level, results.Record]:
        """Records of all played levels; none if the library can't be read."""
        return self._read(results.records) or {}

    def levels_under_way(self, games: Sequence[Game]) -> Mapping[tuple[Game, str], Opening]:
        """The levels of unfinished games, by arguments, the one played last first; none of the player's files."""
        found, by_name = dict[tuple[Game, str], Opening](), {game.name: game for game in games}
        for stored in self._read(lambda library: library.games(UNDER_WAY)) or ():
            if stored.arguments and (game := by_name.get(stored.game)) is not None:
                with suppress(ValueError):
                    found[game, stored.arguments] = game.levels().named(stored.arguments)
        return found

    def day(self, day: date) -> tuple[Mapping[str, results.Result], int]:
        """The results of a day's dailies by game, and the days in a row up to it."""
        streak = self._read(lambda library: results.statistics(library, day).dailies.present)
        return self._read(lambda library: results.daily_results(library, day)) or {}, streak or 0

    def _read(self, read: Callable[[Library], FoundT]) -> FoundT | None:
        """Reads the library with a function; None if it can't be read."""
        with suppress(ValueError):
            if (library := self._library.get()) is not None:
                return read(library)
        return None

    def statistics_screen(self, glyphs: Glyphs) -> Callable[[], Screen[None]]:
        """Sums up the library; returns a function that makes the screen, for the app's thread. Raises ValueError."""
        from dungeon_tui.ui.menu.statistics import StatisticsScreen

        library, today = self._library.get(), date.today()
        if library is None:
            raise ValueError(self._library.trouble)
        titles = {game.name: game.title for game in self._games}
        return partial(StatisticsScreen, results.statistics(library, today), titles, today, glyphs)

    def decoded(self, code: str) -> tuple[Game, Opening]:
        from dungeon_tui.core.codes import decode, opening_of

        return opening_of(decode(code))

    def beginning(self, game: Game, opening: Opening, glyphs: Glyphs, space: tuple[int, int]) -> Drawn | None:
        from dungeon_tui.ui import snapshot  # loads numpy

        return snapshot.beginning(game, self.under_way(game, opening) or opening, glyphs, space)
