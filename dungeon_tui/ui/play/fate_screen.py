"""Whether a game can still be won: said when asked for, or as soon as it can't; and the way back to where it could."""

from __future__ import annotations

from functools import partial
from typing import Any

from textual import work

from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import counted, turn_name
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.game_view import GameView, Outlook
from dungeon_tui.ui.play.keys import Use
from dungeon_tui.ui.play.players_screen import PlayersScreen


class FateScreen(PlayersScreen):
    """A game that may be lost long before it ends."""

    def __init__(self, view: GameView, controller: TurnController[Any, Any, Any], **options: Any) -> None:
        super().__init__(view, controller, **options)
        self._doom: Outlook | None = None  # of the game that was told last to be lost
        self._is_told = False  # since it is lost, and since somebody wants to know
        self._is_watched = False
        self.chance: Turn[Any, Any] | None = None  # while a dialogue tells of a game that was lost: its last chance

    def alerts(self) -> list[str]:
        """That the game is lost, as long as that holds."""
        doom = self._doom if self._is_doomed and not self.view.hides_outlook else None
        return [*super().alerts(), *([] if doom is None or self.controller.outcome is not None else [doom.mark])]

    @property
    def _is_doomed(self) -> bool:
        """Whether the present turn is one of the lost ones that were told of."""
        lost, turn = None if self._doom is None else self._doom.lost_from, self.controller.turn
        self.line.follow(turn)
        return lost is not None and lost.ply <= turn.ply and self.line.turns[lost.ply] is lost

    @work(exclusive=True, group="outlook")
    async def action_outlook(self) -> None:
        """Says whether the game can still be won."""
        self.interrupt()
        found = await self._ask()
        if found is not None:
            self._tell(found)

    @work(exclusive=True, group="outlook")
    async def action_last_chance(self) -> None:
        """Goes back to the last turn that could still be won."""
        self.interrupt()
        self.drop_cursor()
        self.pause()
        self.leave_aside()
        found = await self._ask()
        if found is None:
            return
        if found.last_chance is None:
            self._tell(found)
            return
        lost = self.controller.turn.ply - found.last_chance.ply
        self.controller.go_to(found.last_chance)
        self.show_turn()
        back = f"Back at {turn_name(found.last_chance.ply)}, {counted(lost, 'turn')} earlier"
        self.mention(f"{back}: from here a way still leads out.")

    def watch_outlook(self) -> None:
        """Looks behind the game whether it can still be won, if that is wanted, and not told yet."""
        is_watched = self.view.watches_outlook
        if not self._is_doomed or (is_watched and not self._is_watched):
            self._is_told = False
        self._is_watched = is_watched
        if is_watched and not self._is_told and self.aside is None and self.controller.outcome is None:
            self._watch()

    @work(exclusive=True, group="watch")
    async def _watch(self) -> None:
        turn = self.controller.turn
        found = await self.in_thread(partial(self.view.outlook, turn, is_asked=False))
        if found is not None and found.is_lost and self.controller.turn is turn:
            self._tell(found)

    async def look_for_chance(self, outcome: Outcome) -> None:
        """Before the end is told: finds out until when a game that was lost could have been won."""
        self.chance, turn = None, self.controller.turn
        if Use.FATE in self.view.uses and not self.view.is_won(turn.state, outcome, self.persons):
            found = await self.thought(partial(self.view.outlook, turn, is_asked=False))
            self.chance = None if found is None else found.last_chance

    async def _ask(self) -> Outlook | None:
        """The present turn's outlook; None where that is no longer present, or nothing is to be said."""
        turn = self.controller.turn
        found = await self.thought(partial(self.view.outlook, turn, is_asked=True))
        return found if found is not None and found.text and self.controller.turn is turn else None

    def _tell(self, found: Outlook) -> None:
        if found.is_lost:
            self._doom, self._is_told = found, True
        self.say(found.text, Meaning.FOE if found.is_lost else Meaning.PRIZE)
        self.show_turn(())
