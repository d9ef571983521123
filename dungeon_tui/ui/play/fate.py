"""Games that can be lost long before they end: says so on request or automatically, and finds the way back."""

from collections.abc import Sequence
from typing import Any

from dungeon_tui.core.turns import ChangeKind, Turn
from dungeon_tui.core.words import capitalised
from dungeon_tui.ui.keys import ADVICE, Command, Key
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.analysis import AnalysisBoard
from dungeon_tui.ui.play.features import Fate as FateFeature
from dungeon_tui.ui.play.features import Outlook
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.replay import ONE_LIFE, Replay
from dungeon_tui.ui.widgets.message_log import LogLine

_OUTLOOK = Key("outlook", "", "Fate", "say whether you can still win, and since when not", ADVICE)
_CHANCE = Key("last_chance", "U", "Last chance", "back to the last turn that you could win from", ADVICE, 3)


class Fate(Part):
    """Reports whether the game can still be won. On once a loss has been reported."""

    def __init__(self, stage: Stage, feature: FateFeature, replay: Replay, board: AnalysisBoard | None) -> None:
        super().__init__(stage)
        self._feature = feature
        self._replay, self._board = replay, board
        self._doom = Outlook("")  # the loss reported last
        self._is_reported = False  # the loss has been reported
        self._was_watched = False

    def commands(self) -> Sequence[Command]:
        return [Command(_OUTLOOK, self.tell_outlook), Command(_CHANCE, self.go_to_last_chance)]

    def show(self, scene: Scene) -> None:
        if self.is_doomed and self._setting != "never":
            scene.alerts.append(self._doom.mark)

    @property
    def _setting(self) -> str:
        return self._stage.preferences.settings.lost if self._feature.has_setting else "asked"

    @property
    def is_doomed(self) -> bool:
        """True if the current turn is in the part of the game reported as lost."""
        lost = self._doom.lost_from
        turns = self._session.line.turns
        return lost is not None and lost.ply <= self._session.turn.ply and turns[lost.ply] is lost

    async def tell_outlook(self) -> None:
        found = await self._ask(_OUTLOOK)
        if found is not None:
            self._tell(found)

    async def go_to_last_chance(self) -> None:
        self._replay.stop_play()
        if self._stage.is_final:
            self._say(ONE_LIFE, transient=True)
            return
        found = await self._ask(_CHANCE)
        if found is None:
            return
        if found.last_chance is None:
            self._tell(found)
            return
        if self._board is not None:
            self._board.is_on = False  # it would show the answer
        self._session.controller.go_to(found.last_chance, ChangeKind.UNDONE)
        self._stage.refresh_turn()
        move = found.move or f"your move {self._session.own_moves(found.last_chance) + 1:,}"
        self._say(f"Back before {move}: from here you can still win.", transient=True)

    def watch(self) -> None:
        """Checks in a thread whether the game is lost and logs it once, if this game is watched for that."""
        setting, is_lesson = self._setting, self._feature.is_watched(self._session.state)
        is_watched = setting == "at once" or (setting == "asked" and is_lesson)
        if not self.is_doomed or (is_watched and not self._was_watched):
            self._is_reported = False
        self._was_watched = is_watched
        session = self._session
        is_open = session.variation is None and session.outcome is None and not session.is_strategys_turn
        if is_watched and not self._is_reported and is_open:  # said after the answer: it stays bright
            self._start(self._watch, group="watch", exclusive=True)

    async def _watch(self) -> None:
        turn = self._session.turn
        found = await self._stage.in_thread(self._feature.outlook, turn, False)
        if found is not None and found.is_lost and self._session.turn is turn:
            self._tell(found)

    async def doom(self, turn: Turn[Any, Any]) -> Outlook:
        """Since when the game was lost, at a lost end; empty if that is unknown."""
        if self._setting == "never":
            return Outlook("")
        return await self._stage.thought(self._feature.outlook, turn, False) or Outlook("")

    async def _ask(self, key: Key) -> Outlook | None:
        """Outlook of the current turn; None if the turn changed meanwhile or there is nothing to report."""
        turn = self._session.turn
        found = await self._stage.thought(self._feature.outlook, turn, True)
        if found is None or not found.text or self._session.turn is not turn:
            return None
        if not (self.is_doomed or self._was_watched):  # else nothing new is told
            self._stage.mark_helped(key.label)
        return found

    def _tell(self, found: Outlook) -> None:
        lost, rest = found.lost_from, ""
        is_told = self._stage.is_final or "{last_chance}" in found.text
        if lost is not None and lost.parent is not None and not is_told:
            move = capitalised(found.move or f"your move {self._session.own_moves(lost):,}")
            did = f"{move} did that: " * (found.last_chance in (None, lost.parent))
            rest = f" {did}{{last_chance}} goes back."
        if found.is_lost:
            self._doom, self._is_reported, self.is_on = found, True, True
            self._stage.say_line(LogLine(found.text + rest, Meaning.FOE))  # goes with undo
        else:
            self._say(found.text, Meaning.PRIZE, transient=True)  # another move may change it
        self._stage.refresh_turn()
