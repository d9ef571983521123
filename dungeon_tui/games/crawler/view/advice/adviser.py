"""The adviser: hints in three steps, and the line out, for the treasure that is aimed at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dungeon_tui.core.words import sentence
from dungeon_tui.games.crawler.model.level import AMULET, TREASURE
from dungeon_tui.games.crawler.model.state import State, Status
from dungeon_tui.games.crawler.view.advice.hints import line_layer, line_note, line_text, move_text, none_text, way_text
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.games.crawler.view.words import treasures
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape

_OVER = "the game is over: undo leads back"
_AHEAD = 0.5  # seconds for the first hint, before anybody asks
_COPIES = 4  # times the treasure of a level that doubles


class Adviser:
    """Gives hints, one step further each time. Answers may take a while: ask in a thread."""

    def __init__(self, solving: Solving, glyphs: Glyphs) -> None:
        self.aim = 1  # treasure
        self._solving, self._glyphs = solving, glyphs
        self._asked: tuple[State, int] | None = None  # the state of the last hint, and its step
        self._line_note = ""  # of the line drawn last
        self._told_on = 0  # the level whose written hint was told last

    # -- the aim

    def aim_at(self, state: State) -> int:
        """The treasure to leave with, at least."""
        return self.aim if self.aim > 1 else state.dungeon.least_treasure

    def next_aim(self, state: State) -> str:
        """Aims at one treasure more; after the most that there could be, at one."""
        self.aim = self.aim + 1 if self.aim < most_treasure(state) else 1
        self._line_note, self._asked = "", None
        self.stop_thinking()
        return f"Hints and analysis aim at {self._aim_text}."

    @property
    def _aim_text(self) -> str:
        return f"the fewest moves out with at least {treasures(self.aim)}"

    # -- hints

    def think_ahead(self, state: State) -> None:
        """Loads the solver, and thinks of the first hint, before anybody asks."""
        planner = self._solving.planner(state)
        if self._solving.may_think_ahead(state):
            planner.escape(state, self.aim_at(state), _AHEAD)

    def hint(self, state: State) -> str:
        """The next step for a state: the way, then the move, then the whole line; empty if it was cancelled."""
        if state.status is not Status.PLAYING:
            return sentence(_OVER)
        before = self._asked[1] if self._asked is not None and self._asked[0] is state else 0
        step = min(before + 1, 3)
        self._asked = state, step
        written = ""
        if step == 1 and self._told_on != state.number:
            self._told_on = state.number
            written = state.dungeon.note(state.number).hint
        self._solving.newest("outlook")  # a search that nobody waits for gives way
        found = self._solving.escape(state, self.aim_at(state), "hint")
        if found.ended == "stopped":
            return ""
        told = self._step_text(state, found, step)
        return f"{told} The author says: {written}" if written else told

    def _step_text(self, state: State, found: Escape, step: int) -> str:
        if found.moves is None:
            again = " {hint} again searches longer." if found.ended == "time" else ""
            more = " {outlook}: since when." if found.is_proven else ""
            if self.aim_at(state) > 1:
                more = " {aim}: another aim."
            return f"{none_text(found)}{again}{more}"
        if step == 1:
            return f"{way_text(state, found)} {{hint}} again: the move."
        if step == 2:
            return f"{move_text(found)} {{hint}} again: the whole line."
        return f"{line_text(state, found)} {{plan}} hides it."

    def wants_line(self, state: State) -> bool:
        """True if the last hint was the whole line."""
        return self._asked is not None and self._asked[0] is state and self._asked[1] == 3

    def stop_thinking(self) -> None:
        """Ends the search for a hint."""
        self._solving.newest("hint")

    # -- the line out

    def knows_line(self, state: State) -> bool:
        """True if the best line is at hand, or the proof that there is none."""
        found = self._solving.known(state, self.aim_at(state))
        return found is not None and found.is_proven

    def line(self, state: State) -> CellLayer:
        """The line on the present level. Raises ValueError where none is known, or the game is over."""
        if state.status is not Status.PLAYING:
            raise ValueError(_OVER)
        found = self._solving.escape(state, self.aim_at(state), "line")
        if found.moves is None:
            raise ValueError(none_text(found))
        self._line_note = line_note(found, self._glyphs)
        return line_layer(state, found.commands[0], self._glyphs)

    @property
    def line_note(self) -> str:
        """The meaning of the line drawn last."""
        return self._line_note or f"The line out: {self._glyphs.ways_text} lead along {self._aim_text}."


def most_treasure(state: State) -> int:
    """More treasure than can be carried out; where a level doubles, a guess."""
    boards = [state.board.copy(), *(level.tiles for level in state.dungeon.levels[state.number :])]
    return state.treasure + sum(
        int(np.count_nonzero(tiles == TREASURE)) * (_COPIES if np.any(tiles == AMULET) else 1) for tiles in boards
    )
