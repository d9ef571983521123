"""Who sits beside the player: hints in three steps, what is aimed at, whether the game can still be won."""

from __future__ import annotations

from enum import Enum
from threading import Event, Lock
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import sentence
from dungeon_tui.games.crawler.ai.fate import Fate, last_chance, lost_text, mark_text
from dungeon_tui.games.crawler.ai.par.record import Par, par_of
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import AMULET, TREASURE
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.advice.hints import line_layer, line_note, line_text, move_text, none_text, way_text
from dungeon_tui.games.crawler.view.transcript import treasures
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.play.game_view import Outlook

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.par.finding import Frontier
    from dungeon_tui.games.crawler.ai.planner import Planner
    from dungeon_tui.games.crawler.ai.search.plan import Escape

_PATIENCE = 10.0  # seconds that an answer may take which somebody waits for
_BEHIND = 3.0  # seconds for what nobody asked for
_ALL = 5.0  # seconds for par with ever more treasure
_MEMORY = 1 << 30  # bytes for the same
_AHEAD = 0.5  # seconds for the first hint, before anybody asks
_MOST_CELLS = 1 << 16  # of a board of which it is looked at each repaint what is known
_OVER = "the game is over: undo leads back"
_COPIES = 4  # times the treasure of a level that doubles


class Watch(Enum):
    """When to tell that the game can't be won any more."""

    OFF = "never"
    ASKED = "when you press F"
    ALWAYS = "at once"


class Adviser:
    """Knows the best lines, and how much was told of them. Its answers come from threads."""

    def __init__(self, game: Game, glyphs: Glyphs) -> None:
        self.aim = 1  # treasure
        self.is_compiling = False
        self.watch = Watch.ASKED
        self._game, self._glyphs = game, glyphs
        self._planner: Planner | None = None
        self._loading, self._finding = Lock(), Lock()
        self._frontier: tuple[Dungeon, Frontier] | None = None
        self._asked: tuple[State, int] | None = None  # for which state a hint was given, how often
        self._line_note = ""  # of the line drawn last
        self._told_on = 0  # the level whose written hint was told last
        self._stops: dict[str, Event] = {}  # of the newest search of each kind

    def planner(self, state: State) -> Planner:
        """Loaded once it is asked for, in a thread: it brings the engine, and the first frame needs none.

        No clock is to run before that: the very first time all kernels are compiled.
        """
        with self._loading:
            if self._planner is None or self._planner.dungeon is not state.dungeon:
                solver = self._game.load("ai.solver")
                self.is_compiling = not solver.is_prepared()
                try:
                    solver.prepare()
                finally:
                    self.is_compiling = False
                self._planner = self._game.load("ai.planner").Planner(state.dungeon)
            return self._planner

    def think_ahead(self, state: State) -> None:
        """Loads the search, thinks of the first hint, and finds par where none is read."""
        planner = self.planner(state)
        if state.status is Status.PLAYING and state.board.height * state.board.width <= _MOST_CELLS:
            planner.escape(state, self.aim_at(state), _AHEAD)
            self.par_of(state.dungeon)

    def close(self) -> None:
        """Ends all that is searched."""
        for stop in self._stops.values():
            stop.set()
        if self._planner is not None:
            self._planner.stop.set()

    # -- what is aimed at

    def aim_at(self, state: State) -> int:
        """The treasure to leave with, at least."""
        return self.aim if self.aim > 1 else state.dungeon.least_treasure

    def next_aim(self, state: State) -> str:
        """One treasure more; after the most that there could be, one."""
        self.aim = self.aim + 1 if self.aim < most_treasure(state) else 1
        self._line_note, self._asked = "", None
        self.stop_thinking()
        return f"Hints and analysis aim at {self.aim_text}."

    @property
    def aim_text(self) -> str:
        """What is aimed at."""
        return f"the fewest moves out with at least {treasures(self.aim)}"

    # -- hints

    def hint(self, state: State) -> str:
        """First where to, then the next move, then the whole line."""
        if state.status is not Status.PLAYING:
            return sentence(_OVER)
        before = self._asked[1] if self._asked is not None and self._asked[0] is state else 0
        asked = min(before + 1, 3)
        self._asked = state, asked
        written = ""
        if asked == 1 and self._told_on != state.number:
            self._told_on = state.number
            written = state.dungeon.note(state.number).hint
        self._newest("outlook")  # whatever is looked at behind the game can wait
        found = self._escape(state, "hint")
        if found.ended == "stopped":
            return ""
        told = self._step(state, found, asked)
        return f"{told} The author says: {written}" if written else told

    def _step(self, state: State, found: Escape, asked: int) -> str:
        if found.moves is None:
            again = " / again searches longer." if found.ended == "time" else ""
            more = " N: another aim." if self.aim_at(state) > 1 else " F: since when." if found.is_proven else ""
            return f"{none_text(found)}{again}{more}"
        match asked:
            case 1:
                return f"{way_text(state, found)} / again: the move."
            case 2:
                return f"{move_text(found)} / again: the whole line."
            case _:
                return f"{line_text(state, found)} P hides it."

    def wants_line(self, state: State) -> bool:
        """Whether the last hint was the whole line."""
        return self._asked is not None and self._asked[0] is state and self._asked[1] == 3

    def stop_thinking(self) -> None:
        """Ends the search for a hint."""
        self._newest("hint")

    def knows_line(self, state: State) -> bool:
        """Whether the best line is at hand, or that there is none."""
        found = self._known(state)
        return found is not None and found.is_proven

    def line(self, state: State) -> CellLayer:
        """The line on the present level. Raises ValueError where none is known, or the game is over."""
        if state.status is not Status.PLAYING:
            raise ValueError(_OVER)
        found = self._escape(state, "line")
        if found.moves is None:
            raise ValueError(none_text(found))
        self._line_note = line_note(found, self._glyphs)
        return line_layer(state, found.commands[0], self._glyphs)

    @property
    def line_note(self) -> str:
        """What the line drawn last is."""
        return self._line_note or f"The line out: {self._glyphs.ways_text} lead along {self.aim_text}."

    # -- how well it was played

    def par_of(self, dungeon: Dungeon) -> Par:
        """Par as it lies beside the levels, or as far as it is found in a few seconds; the next time further."""
        if stored := par_of(dungeon).dungeon:
            return stored
        start = rules.start(dungeon)
        self.planner(start)  # which sees to it that nothing is compiled while the time runs
        stop = self._newest("frontier")  # whoever searches goes on no longer; what was found stays
        with self._finding:
            if self._frontier is None or self._frontier[0] is not dungeon:
                found = self._game.load("ai.par.finding").Frontier(start, dungeon.is_left_by_door, memory=_MEMORY)
                self._frontier = dungeon, found
            frontier = self._frontier[1]
            frontier.search(_ALL, stop)
            return frontier.par

    def known_par(self, dungeon: Dungeon) -> Par | None:
        """Par that was found, if it is at hand."""
        return self._frontier[1].par if self._frontier is not None and self._frontier[0] is dungeon else None

    def may_find_more(self, dungeon: Dungeon) -> bool:
        """Whether par that was found is cut short by time alone."""
        return self._frontier is not None and self._frontier[0] is dungeon and not self._frontier[1].is_over

    def par_for(self, state: State) -> Par | None:
        """Par to measure a way out by: stored, found before, or found in a few seconds; None where it is not."""
        if stored := par_of(state.dungeon).dungeon:
            return stored
        known = self.known_par(state.dungeon)
        if known is not None and any(point.is_proven and point.treasure >= state.treasure for point in known.points):
            return known
        start = rules.start(state.dungeon)
        found = self.planner(start).escape(start, max(state.treasure, 1), _BEHIND, self._newest("par"))
        par: Par = self._game.load("ai.par.finding").extended(Par(), found, found.states)
        return par if par.points else None

    # -- whether it can still be won

    def next_watch(self) -> str:
        """Says another time that the game is lost."""
        watches = list(Watch)
        self.watch = watches[(watches.index(self.watch) + 1) % len(watches)]
        return f"No way out left: told {self.watch.value}."

    def outlook(self, turn: Turn[State, Action], *, is_asked: bool) -> Outlook:
        """Whether the game can still be won, and since when not."""
        if self.watch is Watch.OFF and not is_asked:
            return Outlook("")
        planner, stop = self.planner(turn.state), self._newest("outlook")
        deadline = monotonic() + (_PATIENCE if is_asked else _BEHIND)

        def fate_of(state: State) -> Fate:
            return planner.fate(state, max(deadline - monotonic(), 0.0), stop)

        fate, status = fate_of(turn.state), turn.state.status
        if fate is Fate.UNKNOWN:
            return Outlook("Whether a way out is left is not known: neither a way nor a proof was found in time.")
        if fate is Fate.OPEN:
            return Outlook("A way out is left." if status is Status.PLAYING else "You are out.")
        line = turn.line()
        chance = last_chance([each.state for each in line], fate_of)
        if stop.is_set():
            return Outlook("")
        back = None if chance.ply is None else line[chance.ply]
        lost_from = turn if not chance.is_exact else line[0 if chance.ply is None else chance.ply + 1]
        return Outlook(lost_text(status, chance), True, back, lost_from, mark_text(chance))

    def _escape(self, state: State, kind: str) -> Escape:
        """The best line, for somebody who waits: each time that it was searched in vain, longer."""
        planner, aim = self.planner(state), self.aim_at(state)
        return planner.escape(state, aim, planner.patience(state, aim), self._newest(kind))

    def _known(self, state: State) -> Escape | None:
        return None if self._planner is None else self._planner.known(state, self.aim_at(state))

    def _newest(self, kind: str) -> Event:
        """What stops a search that begins now; the one of this kind before it ends."""
        if kind in self._stops:
            self._stops[kind].set()
        self._stops[kind] = stop = Event()
        return stop


def most_treasure(state: State) -> int:
    """More than can be carried out; where a level doubles, at a guess."""
    boards = [state.board.copy(), *(level.tiles for level in state.dungeon.levels[state.number :])]
    return state.treasure + sum(
        int(np.count_nonzero(tiles == TREASURE)) * (_COPIES if np.any(tiles == AMULET) else 1) for tiles in boards
    )
