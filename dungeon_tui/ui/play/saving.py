"""Saves the game in the library and as recordings, and makes share codes."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from dungeon_tui.core.codes import CodeError, encode, share_of
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import reason
from dungeon_tui.storage import recordings
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.keys import GAME, Command, Key
from dungeon_tui.ui.page import Played, page
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.part import BUSY_MESSAGE_DELAY_S, Part, Stage

_SAVE = Key("save", "ctrl+s", "Save", "save a recording to send", GAME)


class Saving(Part):
    """Follows the journal's troubles, writes recordings, makes share codes."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._saved: tuple[Turn[Any, Any], Path] | None = None  # last turn of the last recording, and its file

    def commands(self) -> Sequence[Command]:
        return [
            Command(_SAVE, self.save),
            Command(Key("page", "", "Save as a web page", "save all turns as one page to send", GAME), self.save_page),
            Command(Key("share", "", "Share", "copy a code that opens this position", GAME), self.share),
        ]

    def begin(self) -> None:
        if (journal := self._stage.journal) is not None:
            journal.on_trouble, journal.on_behind = partial(self._say, meaning=Meaning.FOE), self._wait_for_library
        if self._session.trouble and not self._session.is_replay:
            self._say(self._session.trouble, Meaning.FOE)

    def _wait_for_library(self, text: str) -> None:
        self._say(text, Meaning.FOE)
        self._stage.set_timer(BUSY_MESSAGE_DELAY_S, self._catch_up)

    def _catch_up(self) -> None:
        journal = self._stage.journal
        assert journal is not None
        journal.keep()
        if journal.is_behind:
            self._stage.set_timer(BUSY_MESSAGE_DELAY_S, self._catch_up)

    def save(self) -> None:
        """Saves a recording up to the current turn; at the first turn or in a variation, of the whole game."""
        session = self._session
        turn, is_variation = session.turn, session.variation is not None
        if turn.parent is None or is_variation:
            turn = session.turn_to_keep
        if turn.parent is None:
            self._say("Nothing to save yet.", transient=True)
        elif session.replay is not None and session.replay.file and turn is session.recorded[-1]:
            self._say(f"Already saved: {printable(session.replay.file)}")
        elif (path := self._save(turn)) is not None:
            is_part = session.turn.branches and turn is session.turn
            mine = f" your game up to {session.turn_name(turn)}, not this variation"
            what = mine if is_variation else " up to this turn" if is_part else ""
            self._say(f"Saved{what}: {printable(path.name)}, in {printable(str(path.parent))}")

    def _save(self, turn: Turn[Any, Any]) -> Path | None:
        session = self._session
        if self._saved is not None and self._saved[0] is turn:
            return self._saved[1]
        title = (session.replay.title if session.replay is not None else "") or self._view.facts(turn).title
        try:
            path = recordings.save(session, self._view.game.name, title, turn)
        except OSError as error:
            self._say(f"Could not save: {reason(error)}.", Meaning.FOE)
            return None
        self._saved = turn, path
        return path

    async def save_page(self) -> None:
        session = self._session
        title = (session.replay.title if session.replay is not None else "") or self._view.facts(session.turn).title
        last, line = session.turn_to_keep, session.line
        is_judged = last.ply < len(line.judgements) and line.turns[last.ply] is last
        judged = line.judgements[: last.ply + 1] if is_judged else ()
        arguments, players = session.arguments, session.players
        shown = Played(self._view.game, session.controller, last, title, arguments, players, judged=judged)
        try:
            text = await in_background(page, shown)
            path = recordings.save_page(self._view.game.name, title, text)
        except (OSError, ValueError) as error:
            self._say(f"Could not save the page: {reason(error)}.", Meaning.FOE)
        else:
            self._say(f"Saved: {printable(path.name)}, in {printable(str(path.parent))}")

    # -- share codes

    async def share(self) -> None:
        try:
            code = await in_background(self._code)
        except CodeError as error:
            self._say(f"No code: {error}. Save a recording with {{save}} and send the file instead.", Meaning.FOE)
            return
        self._stage.app.copy_to_clipboard(code)
        self._say(f"Copied. Open it from the menu or with dungeon-tui open: {code}")

    def _code(self) -> str:
        session = self._session
        return encode(share_of(self._view.game, session.controller, session.arguments, session.players))
