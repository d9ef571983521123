"""Hints in three steps: where to go, the move, the whole line drawn on the map."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from dungeon_tui.core.turns import Turn
from dungeon_tui.engine.kernel_cache import Compiling
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.keys import ADVICE, Command, Key
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import Advice, Hints
from dungeon_tui.ui.play.overlay import Distances
from dungeon_tui.ui.play.part import Part, Scene, Stage

THINK_AHEAD_DELAY_S = 0.5  # after the first frame

HINT = Key("hint", "slash", "Hint", "where to go, then the move, then the whole line on the map", ADVICE, 7)
_NEXT = "the move", "the whole line"
_LAST = len(_NEXT)


class Hinting(Part):
    """Gives the next step of a hint for the current state. On while something is drawn."""

    def __init__(self, stage: Stage, feature: Hints, distances: Distances) -> None:
        super().__init__(stage)
        self._distances = distances  # a hint and the numbers give way to each other
        self._feature = feature
        self._given: tuple[Any, int, Advice] | None = None  # state, step, advice
        self._requested: Any = None  # the state whose hint is being computed
        self._owed = 0  # further requests meanwhile

    def commands(self) -> Sequence[Command]:
        return [Command(HINT, self.hint)]

    def begin(self) -> None:
        """Starts thinking ahead in a thread, if the game can."""
        if self._feature.think_ahead is not None:
            think = partial(self._start, self._think_ahead, group="ahead", exclusive=True)
            self._stage.set_timer(THINK_AHEAD_DELAY_S, think)

    async def _think_ahead(self) -> None:
        assert self._feature.think_ahead is not None
        turn, before = self._session.turn, self._view.facts(self._session.turn).goal
        with suppress(ValueError):  # reported on request
            await in_background(self._feature.think_ahead, self._session.state)
        self._stage.refresh_facts()
        self._say_new_goal(turn, before)

    def _say_new_goal(self, turn: Turn[Any, Any], before: str) -> None:
        goal = self._view.facts(turn).goal
        if goal != before and self._session.turn is turn:  # what was found tells it exactly
            self._stage.say_goal(goal, before)

    def show(self, scene: Scene) -> None:
        self.is_on = not self._distances.is_on and self._given is not None and self._given[0] is scene.turn.state
        if self.is_on and self._given is not None and (layer := self._given[2].layer) is not None:
            scene.layers.append(layer)

    def hide(self) -> None:
        self._given, self.is_on = None, False

    def follow(self, turn: Turn[Any, Any]) -> None:
        """Keeps the rest of the line drawn if the turn's move follows it."""
        if self._given is None or turn.parent is None or self._given[0] is not turn.parent.state:
            return
        first, *rest = self._given[2].line or (None,)
        if rest and first == turn.action:
            self._given = turn.state, _LAST, Advice("", line=rest)
            self._start(self._advise, turn.state, True, group="follow", exclusive=True)

    @property
    def _has_more(self) -> bool:
        _, step, advice = self._given or (None, _LAST, Advice(""))
        return not advice.is_all and (step < _LAST or advice.then != "")

    def hint(self) -> None:
        state = self._session.state
        if self._stage.preferences.settings.hints == "never":
            self._say("Hints are off in your settings.", transient=True)
            return
        if self.is_on and self._given is not None and self._given[0] is state and not self._has_more:
            self.close()
            self._say("Hint hidden.", transient=True)
        elif self._requested is not state:
            if self._requested is not None and self._feature.stop is not None:
                self._feature.stop()
            self._stage.end_choosing()
            self._distances.hide()
            self._requested, self._owed = state, 0
            self._start(self._hint, state, group="hint")
        elif not Compiling.depth:  # else you would miss the first steps
            self._owed = min(self._owed + 1, _LAST)

    async def _hint(self, state: Any) -> None:
        try:
            await self._advise(state)
            while self._requested is state and self._owed and self._session.state is state:
                self._owed -= 1
                await self._advise(state)
        finally:
            if self._requested is state:
                self._requested = None

    async def _advise(self, state: Any, is_silent: bool = False) -> None:
        turn, before = self._session.turn, self._view.facts(self._session.turn).goal
        step = 0 if self._given is None or self._given[0] is not state else self._given[1] + self._has_more
        advice = await self._stage.thought(self._feature.advise, state, step)
        if advice is None or not advice.text:
            return
        if self._session.state is not state:
            if self._requested is state and self._session.outcome is None:  # its answer may have been promised
                self._say("You moved on before the hint came: {hint} asks again.", transient=True)
            return
        asks = advice.is_help and not is_silent and self._stage.preferences.settings.hints == "ask first"
        if asks and self._stage.asks_first(HINT, gives_solution=False):
            return
        is_whole = advice.layer is not None and step >= (1 if advice.is_all else _LAST)
        if advice.is_help:
            self._stage.mark_helped("a hint")
            self._stage.is_agreed |= is_whole
        then = "" if advice.is_all else advice.then or "".join(_NEXT[step : step + 1])
        further = f" {{hint}} again: {then}." if then else " {hint} hides it." * is_whole
        if not is_silent:
            self._say_new_goal(turn, before)
            self._say(f"{advice.text}{further}", Meaning.PRIZE, transient=True)
        self._given = (state, step, advice)
        self._owed = 0 if advice.is_all else self._owed
        self.is_on = advice.layer is not None
        self._stage.refresh_turn()
