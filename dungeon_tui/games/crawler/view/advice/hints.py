"""Hints in three steps, the last of which draws the line out over the map."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile
from operator import itemgetter
from typing import TYPE_CHECKING

from dungeon_tui.core.adventure import treasures
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import DOOR, MONSTER, OPEN, WAY_OUT
from dungeon_tui.games.crawler.model.state import STEPS, Action, State, Status
from dungeon_tui.games.crawler.view.advice.solving import AHEAD_TIME_LIMIT_S, Solving
from dungeon_tui.games.crawler.view.words import SIDES, THE, WAYS, first_thing
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.distance_layer import way_layer
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import Advice

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.par import Point
    from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape

OVER = "the game is over; undo takes you back"


class Adviser:
    """Gives hints in three steps; answers may take seconds."""

    def __init__(self, solving: Solving, glyphs: Glyphs) -> None:
        self.aim, self._name = 1, ""  # treasure, the dungeon's name
        self.chosen = ""  # the aim that you set last, after the name of its dungeon, as in the settings
        self._missed = 0, 0  # the level, and the aim that was lowered there
        self._solving, self._glyphs = solving, glyphs

    # -- the aim

    def begin(self, dungeon: Dungeon) -> None:
        """Takes the aim that the dungeon's stars ask for, or the least."""
        self._name, self.aim = dungeon.name, max(dungeon.sidecar.treasure, dungeon.least_treasure)

    def choose(self, chosen: str | bool) -> None:
        """Takes up the aim that you set, if it was for this dungeon."""
        self.chosen = str(chosen)
        if own := re.fullmatch(rf"{re.escape(self._name)} (\d{{1,3}})", self.chosen):
            self.aim = int(own[1])

    def wanted(self, state: State) -> int:
        """The treasure for which par counts."""
        return max(self.aim, state.treasure)

    def missed(self, state: State) -> int:
        """The aim that was lowered on this level, or 0."""
        return self._missed[1] if self._missed[0] == state.number else 0

    def lower_aim(self, state: State) -> bool:
        """Lowers an aim that is proven out of reach to the most treasure that isn't; True if it did. May take long."""
        wanted, least = self.aim, state.dungeon.least_treasure
        for aim in range(wanted, least - 1, -1) if wanted > least else ():
            if self._solving.planner(state).escape(state, aim, AHEAD_TIME_LIMIT_S).lower_bound is not None:
                is_lower = aim < wanted == self.aim  # you may have chosen another one meanwhile
                if is_lower:
                    self.aim, self._missed = aim, (state.number, wanted)
                return is_lower
        return False

    def next_aim(self, state: State) -> str:
        """Raises the aim, to the next treasure that raises par, from the most back to the least; says so."""
        if state.status is not Status.PLAYING:
            return sentence(OVER)
        par, above = self._solving.known_par(state.dungeon), self._above(state, self.aim)
        self.aim, self._missed = above.treasure if above else state.dungeon.least_treasure, (0, 0)
        self.chosen = f"{self._name} {self.aim}"
        self.stop_thinking()
        text, wanted = f"Aim: {treasures(self.aim)} in all.", state.dungeon.sidecar.treasure
        if point := None if par is None else par.at(self.aim):
            whose = " of the whole dungeon" * (len(state.dungeon.levels) > 1)
            text += f" Par{whose}: {'at most ' * (not point.is_proven)}{counted(point.moves, 'move')}."
        return text + f" Stars ask for {wanted:,}." * (wanted not in (0, self.aim))

    def _above(self, state: State, aim: int) -> Point | None:
        """Par for more treasure than an aim, unless that is quickly proven to be out of reach."""
        par = self._solving.known_par(state.dungeon)
        point = None if par is None else par.at(max(aim, state.treasure) + 1)
        if point is None or not self._solving.may_think_ahead(state):  # not before the solver is compiled
            return point
        found = self._solving.planner(state).escape(state, point.treasure, AHEAD_TIME_LIMIT_S)
        return None if found.lower_bound is None else point

    # -- hints

    def think_ahead(self, state: State) -> None:
        """Loads the solver and, on small boards, searches for the first hint."""
        planner = self._solving.planner(state)
        if self._solving.may_think_ahead(state):
            self.lower_aim(state)
            planner.escape(state, self.aim, AHEAD_TIME_LIMIT_S)

    def advise(self, state: State, step: int) -> Advice:
        """Advice for a state: the target, then the move, then the whole line; empty if cancelled."""
        if state.status is not Status.PLAYING:
            return Advice(sentence(OVER), is_all=True)
        self._solving.newest("outlook")  # stops that search, for which you don't wait
        found = self._solving.escape(state, self.aim, "hint")
        if found.ended == "stopped":
            return Advice("")
        while found.lower_bound is None and self.lower_aim(state):
            found = self._solving.escape(state, self.aim, "hint")
        if found.lower_bound is None:
            return Advice("No way out is left: {last_chance} goes back.", is_all=True)
        if found.moves is None:
            again = " {hint} again searches longer." if found.ended == "time" else ""
            none = f"No way out{haul_text(found.wanted)} found, and no proof that there is none."
            return Advice(f"{none}{again}{' {aim}: another aim.' * (self.aim > 1)}", is_all=True)
        if step >= 2:
            return line_advice(state, found, step - 2, self._glyphs)
        if step == 0 and (author := author_hint(state)):
            return Advice(f"The author says: {author}")
        target, (_, cell, tile) = CellLayer(), first_thing(state, found.commands[0])
        target.tint([cell], Tint.FRONTIER)
        if step == 0:
            return Advice(f"{danger_text(state, found)} {THE[tile]}, marked on the map.", target)
        if way := STEPS.get(action := Action(found.commands[0][0])):
            to, _ = rules.destination(state, action)
            target.mark_over(to, state.board[to] == OPEN, self._glyphs.way(way), Meaning.PATH, Tint.FRONTIER)
        return Advice(move_text(found), target)

    def stop_thinking(self) -> None:
        """Stops the search for a hint in any thread."""
        self._solving.newest("hint")

    def perfect_line(self, first: State) -> list[Action]:
        """The best line from the start of the dungeon for the aim. Raises ValueError without a proven one."""
        found = self._solving.escape(first, self.aim, "ghost")
        if found.moves is None or not found.is_proven:
            raise ValueError("no line out of this dungeon is proven to be the best")
        return [Action(letter) for commands in found.commands for letter in commands]


# -- words, and the line drawn


def danger_text(state: State, found: Escape) -> str:
    """First words of a hint: whether to leave the row or column of the nearest monster that sees you."""
    seen = [(steps[0], side) for side, (_, steps) in rules.sight_lines(state).items() if steps]
    _, side = min(seen, key=itemgetter(0), default=(0, None))
    way = STEPS.get(Action(found.commands[0][0]))
    if way is None or side is None or way.value[0] * side.value[0] + way.value[1] * side.value[1]:
        return "Make for"
    line = "row" if side in (Direction.LEFT, Direction.RIGHT) else "column"
    return f"The monster {SIDES[side]} sees you: leave its {line} now, then make for"


def author_hint(state: State) -> str:
    """The author's hint for a level from which nothing is gone yet, and that has not doubled; else empty."""
    first, now = state.dungeon.levels[state.number - 1].tiles, state.board.array()
    is_whole = all((first == tile).sum() == (now == tile).sum() for tile in THE)
    return state.dungeon.notes[state.number - 1].hint * is_whole


def move_text(found: Escape) -> str:
    """Second step of a hint: the line's next command."""
    action = Action(found.commands[0][0])
    return "Stay here for a turn ({stay})." if action is Action.STAY else f"Go {WAYS[action]}."


def way_text(state: State, found: Escape) -> str:
    """The moves of a line on this level, and where it leaves it."""
    tile = DOOR if found.commands[1:] or state.dungeon.is_left_by_door else WAY_OUT
    return f"{counted(len(found.commands[0]), 'more move')} to {THE[tile]}"


def line_text(state: State, found: Escape) -> str:
    """Third step of a hint: the moves on this level, and what the line is best for."""
    whole = (haul := haul_text(found.wanted)) + " in all" * bool(haul and found.commands[1:])
    return f"{way_text(state, found)}, the shortest way out{whole}{' found so far' * (not found.is_proven)}."


def stays_text(commands: str, glyphs: Glyphs) -> str:
    """For how many turns to stay before a line's first step, and on the marked cells, in order."""
    stay = Action.STAY.value
    first, *later = map(len, re.findall(f"^{stay}*|{stay}+", commands))
    text = f"First stay here for {counted(first, 'turn')}. " if first else ""
    *others, last = later or [0]
    turns = "".join(f"{turns}, then " for turns in others) + counted(last, "turn")
    return f"{text}{glyphs.stay}: stay there for {turns}." if later else text.rstrip()


def haul_text(haul: int) -> str:
    """The treasure of a way out, if it is more than any way out needs."""
    return f" with {treasures(haul)}" if haul > 1 else ""


def line_advice(state: State, found: Escape, number: int, glyphs: Glyphs) -> Advice:
    """Third step of a hint and further ones: the line on this level, a leg (`number`, from 0) at a time."""
    commands = found.commands[0]
    path, legs = legs_of(state, commands)
    leg, *later = legs[number:]
    drawn = f"Drawn: moves {leg.start + 1:,} to {leg.stop:,}." * (len(leg) < len(commands))
    is_crossed = MONSTER in [state.board[cell] for cell in path[leg.start : leg.stop + 1]]
    moving = "Monsters on it will have moved." * is_crossed
    stays = stays_text(commands[leg.start : leg.stop], glyphs)
    beyond = "The map ends there until it doubles." * (not later and leg.stop < len(commands))
    texts = line_text(state, found) * (number == 0), drawn, moving, stays, beyond
    layer = line_layer(state, commands, glyphs, number)
    line = [*map(Action, commands)]
    return Advice(" ".join(filter(None, texts)), layer, line, then="the next moves" if later else "")


def legs_of(state: State, commands: str) -> tuple[list[Cell], list[range]]:
    """The cells of a line on the current level as it is now, yours first, and its legs, which cross no cell twice."""
    moments = zip(commands, rules.moments(state.apart(), commands), strict=False)
    cells = (rules.destination(moment, Action(letter))[0] for letter, moment in moments)
    size = state.board.height, state.board.width
    path = [state.adventurer, *takewhile(lambda cell: cell.is_inside(*size), cells)]
    starts, seen = [0], {state.adventurer}
    for index, (here, cell) in enumerate(pairwise(path)):
        if cell != here and cell in seen:
            starts.append(index)
            seen = {here}
        seen.add(cell)
    return path, [range(*bounds) for bounds in pairwise([*starts, len(path) - 1])]


def line_layer(state: State, commands: str, glyphs: Glyphs, number: int = 0) -> CellLayer:
    """The cells of a leg of a line, on floor with the direction in which it leaves them."""
    path, legs = legs_of(state, commands)
    steps = ((path[index], STEPS.get(Action(commands[index]))) for index in legs[number])
    away = (step for step in steps if step[0] != state.adventurer)
    layer = way_layer(away, lambda cell: state.board[cell] == OPEN, glyphs)
    layer.tint([path[legs[number].stop]], Tint.PATH)
    return layer
