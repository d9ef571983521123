"""Share codes of the present turn, for the clipboard."""

from __future__ import annotations

from collections.abc import Sequence

from dungeon_tui.core.codes import CodeError, encode, share_of
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.keys import GAME, Command, Key
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.part import Part, Stage

_SHARE = Key("share", "S", "S", "Share", "copy a code of this position, for others to open", GAME)


class Sharing(Part):
    """Makes codes, shows them, and copies them."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def commands(self) -> Sequence[Command]:
        """The key that makes a code."""
        return [Command(_SHARE, self.share)]

    async def share(self) -> None:
        """Shows a code of the present turn and copies it; where there is none, says why, and what to send instead."""
        try:
            code = await in_background(self._code)
        except CodeError as error:
            self._stage.say(f"No code: {error}. {{save}} keeps a recording, which can be sent as a file.", Meaning.FOE)
            return
        self._stage.app.copy_to_clipboard(code)
        self._stage.say(f"Copied; the menu opens it, and so does dungeon-tui open: {code}")

    def _code(self) -> str:
        session = self._stage.session
        return encode(share_of(self._stage.view.game, session.controller, session.arguments, session.players))
