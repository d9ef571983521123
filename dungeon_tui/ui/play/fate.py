"""Games that can be lost long before they end: told when asked for, or at once; and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted, turn_name
from dungeon_tui.ui.keys import ADVICE, Command, Key
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import Fate as FateFeature
from dungeon_tui.ui.play.features import Outlook
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.replay import ONE_LIFE, Replay

_OUTLOOK = Key("outlook", "F", "F", "Fate", "say whether a way out is left, and since when not", ADVICE)
_CHANCE = Key("last_chance", "X", "X", "Last chance", "back to the last turn that could be won", ADVICE)


class Fate(Part):
    """Tells whether a way to win is left. It is on once the game was told to be lost."""

    def __init__(self, stage: Stage, feature: FateFeature, replay: Replay) -> None:
        self._stage = stage
        self._session = stage.session
        self._feature = feature
        self._replay = replay
        self._doom = Outlook("")  # of the game that was told last to be lost
        self._is_told = False  # since it is lost, and since somebody wants to know
        self._was_watched = False
        self.is_watched = feature.is_watched

    def commands(self) -> Sequence[Command]:
        """The keys of the outlook, and of the way back to the last chance."""
        return [Command(_OUTLOOK, self.tell_outlook), Command(_CHANCE, self.go_to_last_chance)]

    def show(self, scene: Scene) -> None:
        """Adds the alert that the game is lost, as long as that holds and may be told."""
        is_hidden = self._feature.is_hidden() or self._session.outcome is not None
        if self._is_doomed and not is_hidden:
            scene.alerts.append(self._doom.mark)

    @property
    def _is_doomed(self) -> bool:
        """True if the present turn is the first one that people were told is lost, or follows it."""
        lost = self._doom.lost_from
        turns = self._session.line.turns
        return lost is not None and lost.ply <= self._session.turn.ply and turns[lost.ply] is lost

    async def tell_outlook(self) -> None:
        """Says in the log whether the game can still be won."""
        found = await self._ask()
        if found is not None:
            self._tell(found)

    async def go_to_last_chance(self) -> None:
        """Goes back to the last turn that could still be won; where there is none, says how the game stands."""
        self._replay.stop_play()
        if self._stage.is_final:
            self._stage.mention(ONE_LIFE)
            return
        found = await self._ask()
        if found is None:
            return
        if found.last_chance is None:
            self._tell(found)
            return
        self._stage.mark_helped()
        lost = self._session.turn.ply - found.last_chance.ply
        self._session.controller.go_to(found.last_chance)
        self._stage.refresh_turn()
        back = f"Back at {turn_name(found.last_chance.ply)}, {counted(lost, 'turn')} earlier"
        self._stage.mention(f"{back}: from here there is still a way out.")

    def watch(self) -> None:
        """Finds out in a thread if the game is lost, and says so; only where that is watched for, and not told yet."""
        is_watched = self._feature.is_watched()
        if not self._is_doomed or (is_watched and not self._was_watched):
            self._is_told = False
        self._was_watched = is_watched
        session = self._session
        if is_watched and not self._is_told and session.variation is None and session.outcome is None:
            self._stage.run_worker(self._watch(), group="watch", exclusive=True)

    async def _watch(self) -> None:
        turn = self._session.turn
        found = await self._stage.in_thread(self._feature.outlook, turn, False)
        if found is not None and found.is_lost and self._session.turn is turn:
            self._tell(found)

    async def last_chance(self, turn: Turn[Any, Any]) -> Turn[Any, Any] | None:
        """The last turn before a lost end that could still be won; None where there is none."""
        found = await self._stage.thought(self._feature.outlook, turn, False)
        return None if found is None else found.last_chance

    async def _ask(self) -> Outlook | None:
        """The present turn's outlook; None where another turn is present by then, or there is nothing to say."""
        turn = self._session.turn
        found = await self._stage.thought(self._feature.outlook, turn, True)
        return found if found is not None and found.text and self._session.turn is turn else None

    def _tell(self, found: Outlook) -> None:
        self._stage.mark_helped()
        if found.is_lost:
            self._doom, self._is_told, self.is_on = found, True, True
        self._stage.say(found.text, Meaning.FOE if found.is_lost else Meaning.PRIZE)
        self._stage.refresh_turn(())
