"""Boards and whole chases as plain text: docs/games/chase.md says what is printed when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any, TextIO

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.plain import FAREWELL, ask, read_command
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai.referee import Player
from dungeon_tui.games.chase.ai.solver import value_text
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import shipped_names
from dungeon_tui.games.chase.model.level import ROGUE, Level
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status

ASK_BOARD = "Please enter the name of a board:\n"
PROMPTS: Mapping[Side, str] = MappingProxyType(
    {side: f"You are the {side.value} (w a s d y u b n: move, e: stay, q: quit):" for side in Side}
)
CAPTURE = "*"
QUIT = "q"
WAYS: Mapping[str, Direction | None] = MappingProxyType(
    {
        key: way
        for keys, way in (
            ("wk8", Direction.UP),
            ("sj2", Direction.DOWN),
            ("ah4", Direction.LEFT),
            ("dl6", Direction.RIGHT),
            ("y7", Direction.UP_LEFT),
            ("u9", Direction.UP_RIGHT),
            ("b1", Direction.DOWN_LEFT),
            ("n3", Direction.DOWN_RIGHT),
            ("e.5", None),
        )
        for key in keys
    }
)  # the keys of the screen; None stays

Game = TurnController[Level, State, Action]


def board_text(state: State) -> str:
    """The board, a line a row: each site is its glyph and a blank, a wall two blanks."""
    level = state.level
    rows = [[chr(tile) for tile in row] for row in level.tiles.tolist()]
    rows[state.monster.row][state.monster.col] = level.letter
    rows[state.rogue.row][state.rogue.col] = CAPTURE if state.rogue == state.monster else chr(ROGUE)
    return "".join("".join(f"{glyph} " for glyph in row) + "\n" for row in rows)


def heading(state: State) -> str:
    """Line before the monster's next move; empty where none follows."""
    if state.side is Side.ROGUE or state.status is not Status.PLAYING:
        return ""
    return f"Move {state.monster_moves + 1}\n\n"


def turn_text(state: State) -> str:
    """Text of a move: the board that it led to, an empty line, and the last line if it was the last move.

    A forfeit leads to no board.
    """
    board = "" if state.status is Status.FORFEIT else f"{board_text(state)}\n"
    return board + last_line(state)


def last_line(state: State) -> str:
    """Last line of a chase; empty while it goes on."""
    match state.status:
        case Status.CAPTURED:
            return "Caught by monster\n"
        case Status.EVADED:
            return f"Evaded for {state.monster_moves} moves\n"  # 1 moves too: scripts read it
        case Status.FORFEIT:
            assert state.by is not None
            return f"Forfeit by {state.by.value}: {state.reason}\n"
        case Status.PLAYING:
            return ""


def run_text(turns: Iterable[Turn[State, Action]]) -> str:
    """A whole chase, from the first turn of its line to the last."""
    return "".join((turn_text(turn.state) if turn.parent else "") + heading(turn.state) for turn in turns)


def run_values(turns: Sequence[Turn[State, Action]]) -> dict[str, Any]:
    """The same as JSON holds it; the lists of sites begin with the start."""
    end = turns[-1].state
    sites = {Side.MONSTER: [turns[0].state.monster], Side.ROGUE: [turns[0].state.rogue]}
    for before, turn in pairwise(turns):
        if isinstance(turn.action, Move):
            sites[before.state.side].append(turn.action.to)
    return {
        "outcome": end.status.value,
        "monster_moves": end.monster_moves,
        "by": end.by.value if end.by else None,
        "reason": end.reason if end.status is Status.FORFEIT else None,
        **{side.value: sites[side] for side in Side},
    }


def solution_text(level: Level, value: int, best: Sequence[Cell]) -> str:
    """End of a chase if neither side errs, as `solver.value` and `solver.best_moves` found it."""
    advice = f"best first moves of the monster: {'; '.join(cell.place for cell in best)}"
    if value == UNREACHED:
        advice = "no first move of the monster changes that"
    return f"{level.name}: {value_text(value)}\n{advice}\n"


def solution_values(sites: int, value: int, best: Sequence[Cell]) -> dict[str, Any]:
    """The same as JSON holds it."""
    return {
        "outcome": "evades" if value == UNREACHED else "captured",
        "monster_moves": None if value == UNREACHED else value,
        "best_monster_moves": best,
        "sites": sites,
        "states": 2 * sites * sites,
    }


def ask_board(source: TextIO, out: TextIO) -> str:
    """The name of a board, which a person gives; empty if they leave."""
    return ask(f"Boards: {', '.join(shipped_names())}\n{ASK_BOARD}", source, out)


def play(
    level: Level, players: Mapping[Side, Player | None], seed: int, source: TextIO, out: TextIO
) -> tuple[int, Game]:
    """A chase in which the sides without a player are asked: the end of the input counts as `q`.

    Where nobody is asked, this prints what `run_text` gives.

    Returns:
        The exit status, and what was played.

    Raises:
        StrategyError: a player can't play on this board.
    """
    game: Game = TurnController(rules, level, seed)
    if None in players.values():
        out.write(f"{board_text(game.state)}\n")
    try:
        for player in players.values():
            if player is not None:
                player.prepare(level)
        while game.outcome is None:
            out.write(heading(game.state))
            player = players[game.state.side]
            action = _ask(game.state, source, out) if player is None else player.choose(game.state)
            if action is None:
                out.write(FAREWELL)
                break
            out.write(turn_text(game.apply(action).state))
    except KeyboardInterrupt:  # what was played is kept all the same
        return 130, game
    return 0, game


def _ask(state: State, source: TextIO, out: TextIO) -> Move | None:
    """The move that a person chooses; None if they leave."""
    while True:
        out.write(f"{PROMPTS[state.side]}\n")
        out.flush()
        command = read_command(source)
        if command in ("", QUIT):
            return None
        if command not in WAYS:
            out.write("I did not understand your command.\n")
            continue
        way = WAYS[command]
        move = Move(state.site if way is None else state.site.neighbour(way))
        if rules.objection(state, move) is None:
            return move
        out.write(f"{_refusal(state, move)}\n")


def _refusal(state: State, move: Move) -> str:
    """Reason why a step is no move."""
    if rules.is_site(state.level, move.to):
        return "Diagonally you can go from room to room only."
    return "There is a wall." if move.to.is_inside(state.level.size, state.level.size) else "There the board ends."
