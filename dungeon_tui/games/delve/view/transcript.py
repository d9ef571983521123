"""Dungeons, distance maps and whole games as plain text: printed as docs/games/delve.md describes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.catalogue import PlainEnd
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.plain import read_command
from dungeon_tui.core.rules import Event, IllegalActionError
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import LETTERS, counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import PLAYER, ROCK, Level
from dungeon_tui.games.delve.model.state import UNSEEN, Action, RockWorn, StairsTaken, State, Status, Stayed
from dungeon_tui.games.delve.view import words

PROMPT = "Command (h j k l y u b n: move, .: stay, < >: stairs, f: fog, q: quit):\n"
FOG, QUIT = "f", "q"


_LETTER_CODES = np.frombuffer(LETTERS.encode(), np.uint8)


def grid_text(glyphs: ByteGrid, player: Cell) -> str:
    """A line per row, with the player in it."""
    grid = glyphs.copy()
    grid[player] = PLAYER
    return _lines(grid)


def _lines(grid: ByteGrid) -> str:
    return "".join(f"{bytes(row).decode('ascii')}\n" for row in grid)


def distance_glyphs(looks: ByteGrid, distance: NDArray[np.int32], alphabet: str) -> ByteGrid:
    """A distance map drawn over the dungeon.

    Args:
        looks: (height, width) uint8, the dungeon's terrain.
        distance: (height, width) steps or turns.
        alphabet: "letters" (0-9, a-z, A-Z for 0 to 61) or "digits" (the last digit of each).

    Returns:
        (height, width) uint8 ASCII codes: the terrain where nothing reaches, and with letters above 61.
    """
    has_letters = alphabet == "letters"
    is_shown = (distance < len(LETTERS)) if has_letters else (distance != UNREACHED)
    indices = np.where(is_shown, distance, 0) % (len(LETTERS) if has_letters else 10)
    return np.where(is_shown, _LETTER_CODES[indices], looks)


def play(level: Level, seed: int, source: TextIO, out: TextIO) -> PlainEnd:
    """A whole game: each character of the source that is not blank is a command; its end counts as `q`."""
    controller: TurnController[Level, State, Action] = TurnController(rules, level, seed)
    is_foggy = False
    out.write(_depth_text(controller.state) + turn_text(controller.state, (), is_foggy=is_foggy))
    try:
        while controller.outcome is None:
            out.write(PROMPT)
            out.flush()
            command = read_command(source)
            if command in ("", QUIT):
                break
            if command == FOG:
                is_foggy = not is_foggy
                out.write(turn_text(controller.state, (), is_foggy=is_foggy))
                continue
            try:
                turn = controller.apply(rules.read_action(command))
            except IllegalActionError as error:
                out.write(f"{error}\n")
                continue
            except ValueError:
                out.write("I did not understand your command.\n")
                continue
            if any(isinstance(event, StairsTaken) for event in turn.events):
                out.write(_depth_text(turn.state))
            out.write(turn_text(turn.state, turn.events, is_foggy=is_foggy))
    except KeyboardInterrupt:  # what was played is kept all the same
        return PlainEnd(130, controller)
    state = controller.state
    ended = {Status.WON: "You won", Status.DIED: "You died"}.get(state.status, "You left")
    out.write(f"{ended} at depth {state.depth} after {counted(state.turns, 'turn')}.\n")
    return PlainEnd(0, controller)


def turn_text(state: State, events: Sequence[Event], *, is_foggy: bool) -> str:
    """The text of a turn: the board, its events, the score and an empty line."""
    told = words.told(state, events, is_foggy=is_foggy)
    lines = [sentence for event, sentence in told if not isinstance(event, Stayed | RockWorn)]
    monsters = counted(len(state.monsters), "monster")
    place = f"row {state.player.row} and column {state.player.col}"
    lines.append(f"Turn {state.turns}, depth {state.depth}, {monsters}. You are at {place}.")
    return board_text(state, is_foggy=is_foggy) + "".join(f"{line}\n" for line in lines) + "\n"


def board_text(state: State, *, is_foggy: bool) -> str:
    """The dungeon and all who are in it; in the fog, what was seen and who is. A killer is drawn over the player."""
    grid = state.seen.copy() if is_foggy else state.terrain.copy()
    grid[grid == UNSEEN] = ROCK
    grid[state.player] = PLAYER
    seen = rules.visible(state)
    for monster in state.monsters:
        if not is_foggy or seen[monster.cell]:
            grid[monster.cell] = ord(monster.glyph)
    return _lines(grid)


def _depth_text(state: State) -> str:
    return f"Depth {state.depth}\n"
