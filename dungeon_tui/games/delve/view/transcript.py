"""Dungeons, distance maps and whole games in plain text; docs/games/delve.md shows the output."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core import plain_play
from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.catalogue import PlainEnd
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.plain import Console
from dungeon_tui.core.plain_play import Script
from dungeon_tui.core.rules import Event, LevelBegun
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import LETTERS
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.finds import GLYPHS
from dungeon_tui.games.delve.model.level import AMULET, PLAYER, ROCK, Level, terrain
from dungeon_tui.games.delve.model.state import UNSEEN, Action, RockWorn, State
from dungeon_tui.games.delve.view import words
from dungeon_tui.games.delve.view.guide import COMMANDS, DelveGuide

PROMPT = "Command (h j k l y u b n: move, .: stay, < >: stairs, f: fog, q: quit):\n"
PROMPT_WITH_FINDS = PROMPT.replace("f: fog", "S: haste, F: frost, B: bomb, f: fog")
FOG = "f"
_LETTER_CODES = np.frombuffer(LETTERS.encode(), np.uint8)


def level_text(level: Level, player: Cell, distance: NDArray[np.int32] | None, alphabet: str) -> str:
    """The dungeon as text with the player, or distances in "letters" (to 61) or "digits" (the last of each)."""
    grid = terrain(level)
    if distance is None:
        grid[player] = PLAYER
    else:
        codes = _LETTER_CODES if alphabet == "letters" else _LETTER_CODES[:10]
        is_shown = distance < (len(codes) if alphabet == "letters" else UNREACHED)
        grid[is_shown] = codes[distance[is_shown] % len(codes)]
    return _lines(grid)


def _lines(grid: ByteGrid) -> str:
    return "".join(f"{bytes(row).decode('ascii')}\n" for row in grid)


def play(level: Level, seed: int, console: Console, actions: Iterable[str] = ()) -> PlainEnd:
    """Plays a game in plain text, `actions` first: each other character is a command; the end counts as `q`."""
    controller: TurnController[Level, State, Action] = TurnController(rules, level, seed)
    controller.apply_texts(actions)
    is_foggy = False

    def text(events: Sequence[Event], board: str | None) -> str:
        return turn_text(controller.state, events, is_foggy=is_foggy, board=board)

    def switch_fog(board: str | None) -> str:
        nonlocal is_foggy
        is_foggy = not is_foggy
        return text((), board)

    script = Script(
        guide=DelveGuide(lambda: is_foggy),
        opening=text((LevelBegun(controller.state.depth),), None),
        board=lambda state: board_text(state, is_foggy=is_foggy),
        turn=lambda turn, board: text(turn.events, board),
        read_action=lambda state, command: rules.read_action(command),
        prompt=PROMPT_WITH_FINDS if controller.state.is_fair else PROMPT,
        closing=lambda state, has_left: f"{words.farewell(state)}\n",
        others={FOG: switch_fog},
        letters=COMMANDS,
    )
    return plain_play.play(script, controller, console)


def turn_text(state: State, events: Sequence[Event], *, is_foggy: bool, board: str | None = None) -> str:
    """The text of a turn: the depth of a new dungeon, the board or its replacement, events, score, an empty line."""
    texts = words.event_texts(state, events, is_foggy=is_foggy)
    lines = [sentence for event, sentence, _ in texts if not isinstance(event, RockWorn)]
    entered = "".join(f"Depth {event.number}\n" for event in events if isinstance(event, LevelBegun))
    text = "".join(f"{line}\n" for line in (*lines, words.score(state), ""))
    return entered + (board_text(state, is_foggy=is_foggy) if board is None else board) + text


def board_text(state: State, *, is_foggy: bool) -> str:
    """Lines of the map with player and monsters; in fog only seen terrain and monsters in sight."""
    grid = state.seen.copy() if is_foggy else state.terrain.copy()
    grid[grid == UNSEEN] = ROCK
    if state.amulet is not None and grid[state.amulet] != ROCK:
        grid[state.amulet] = AMULET
    for cell, name in state.things:
        if grid[cell] != ROCK:
            grid[cell] = ord(GLYPHS[name])
    for bomb in state.bombs:
        grid[bomb.cell] = ord(GLYPHS["bomb"])
    grid[state.player] = PLAYER
    seen = rules.visible(state)
    for monster in state.monsters:
        if not is_foggy or seen[monster.cell]:
            grid[monster.cell] = ord(monster.kind.glyph)
    return _lines(grid)
