"""The way to the place where an action is possible: its key marks the way, then walks it."""

from typing import Any

from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import Lead, Leads
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.travel import Travel


class Signpost(Part):
    """Marks the way for the current state. On while the way is drawn."""

    def __init__(self, stage: Stage, leads: Leads | None, travel: Travel) -> None:
        super().__init__(stage)
        self._leads, self._travel = leads, travel
        self._shown: tuple[Any, Any, Lead] | None = None  # state, action, way

    def show(self, scene: Scene) -> None:
        self.is_on = self._shown is not None and self._shown[0] is scene.turn.state
        if self.is_on and self._shown is not None:
            scene.layers.append(self._shown[2].layer)

    def forget(self) -> None:
        self._shown, self.is_on = None, False

    def lead(self, action: Any) -> bool:
        """Marks the way to an action, the second time walks it; False if there is none or the action is possible."""
        state, rules = self._session.state, self._session.controller.rules
        if self._leads is None or self._session.outcome is not None or rules.objection(state, action) is None:
            return False
        if self.is_on and self._shown is not None and self._shown[:2] == (state, action):
            cell = self._shown[2].cell
            self.forget()
            self._travel.travel_to(cell)
            return True
        if (found := self._leads.way(state, action)) is None:
            return False
        self._shown, self.is_on = (state, action, found), True
        self._say(found.text, Meaning.DOOR, transient=True)
        self._stage.refresh_turn(())
        return True
