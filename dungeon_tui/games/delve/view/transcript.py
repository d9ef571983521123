"""Dungeons, distance maps and whole games as plain text: printed as docs/games/delve.md describes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.catalogue import PlainEnd
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.plain import read_command
from dungeon_tui.core.rules import Event, IllegalActionError, LevelBegun
from dungeon_tui.core.spoken import Words
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import LETTERS
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import AMULET, PLAYER, ROCK, Level, terrain
from dungeon_tui.games.delve.model.state import UNSEEN, Action, RockWorn, State, Stayed
from dungeon_tui.games.delve.view import words
from dungeon_tui.games.delve.view.spoken import spoken

PROMPT = "Command (h j k l y u b n: move, .: stay, < >: stairs, f: fog, q: quit):\n"
FOG, QUIT = "f", "q"
_LETTER_CODES = np.frombuffer(LETTERS.encode(), np.uint8)


def level_text(level: Level, player: Cell, distance: NDArray[np.int32] | None, alphabet: str) -> str:
    """A line for each row of the dungeon, with the player in it, and with the distances that are given.

    Args:
        level: any.
        player: a cell of it.
        distance: (height, width) steps or turns; None shows the terrain alone.
        alphabet: "letters" (0-9, a-z, A-Z for 0 to 61; above that and where nothing reaches the terrain is shown) or
            "digits" (the last digit of each).
    """
    grid = terrain(level)
    if distance is not None:
        codes = _LETTER_CODES if alphabet == "letters" else _LETTER_CODES[:10]
        is_shown = distance < (len(codes) if alphabet == "letters" else UNREACHED)
        grid[is_shown] = codes[distance[is_shown] % len(codes)]
    grid[player] = PLAYER
    return _lines(grid)


def _lines(grid: ByteGrid) -> str:
    return "".join(f"{bytes(row).decode('ascii')}\n" for row in grid)


def play(level: Level, seed: int, source: TextIO, out: TextIO, actions: Iterable[str] = ()) -> PlainEnd:
    """Plays a game: each character of the source that is not blank is a command; its end counts as `q`.

    Actions that were played already begin it, unprinted.

    Returns:
        The exit status (130 after Ctrl-C, else 0), and what was played.
    """
    controller: TurnController[Level, State, Action] = TurnController(rules, level, seed)
    controller.apply_texts(actions)
    is_foggy = False
    answers = spoken(lambda state: board_text(state, is_foggy=is_foggy), lambda: is_foggy)
    asked = Words(answers, controller, source, out)
    text = turn_text(controller.state, (LevelBegun(controller.state.depth),), is_foggy=is_foggy)
    try:
        while True:
            out.write(text)
            if controller.outcome is not None:
                break
            asked.prompt(PROMPT)
            if asked.answered():
                text = ""
                continue
            command = read_command(asked.source)
            if command in ("", QUIT):
                break
            try:
                is_foggy ^= command == FOG
                events = () if command == FOG else controller.apply(rules.read_action(command)).events
            except IllegalActionError as error:
                text = f"{error}\n"
            except ValueError:
                text = f"{words.NOT_UNDERSTOOD}\n"
            else:
                board = asked.hunters() if asked.is_quiet else None
                text = turn_text(controller.state, events, is_foggy=is_foggy, board=board)
    except KeyboardInterrupt:  # what was played is kept all the same
        return PlainEnd(130, controller)
    out.write(f"{words.farewell(controller.state)}\n")
    return PlainEnd(0, controller)


def turn_text(state: State, events: Sequence[Event], *, is_foggy: bool, board: str | None = None) -> str:
    """The text of a turn: the depth of a dungeon entered, the board, the events, the score and an empty line.

    What is given as the board stands in its place.
    """
    told = words.told(state, events, is_foggy=is_foggy)
    lines = [sentence for event, sentence in told if not isinstance(event, Stayed | RockWorn)]
    entered = "".join(f"Depth {event.number}\n" for event in events if isinstance(event, LevelBegun))
    text = "".join(f"{line}\n" for line in (*lines, words.score(state), ""))
    return entered + (board_text(state, is_foggy=is_foggy) if board is None else board) + text


def board_text(state: State, *, is_foggy: bool) -> str:
    """Lines of the map with player and monsters; in fog only terrain seen and monsters in view."""
    grid = state.seen.copy() if is_foggy else state.terrain.copy()
    grid[grid == UNSEEN] = ROCK
    if state.amulet is not None and grid[state.amulet] != ROCK:
        grid[state.amulet] = AMULET
    grid[state.player] = PLAYER
    seen = rules.visible(state)
    for monster in state.monsters:
        if not is_foggy or seen[monster.cell]:
            grid[monster.cell] = ord(monster.glyph)
    return _lines(grid)
