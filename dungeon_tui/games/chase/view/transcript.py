"""Boards and whole chases as plain text: docs/games/chase.md says what is printed when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TextIO

from dungeon_tui.core.grid import EIGHT_WAYS
from dungeon_tui.core.plain import FAREWELL, read_command
from dungeon_tui.core.spoken import Words
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import sentence
from dungeon_tui.games.chase.ai.player import Player
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import CAPTURE, Level
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status
from dungeon_tui.games.chase.view.spoken import spoken

NOT_UNDERSTOOD = "I did not understand your command.\n"
PROMPTS = {side: f"You are the {side.value} (w a s d y u b n: move, e: stay, q: quit):" for side in Side}
QUIT = "q"
_KEYS = ("wk8", "sj2", "ah4", "dl6", "y7", "u9", "b1", "n3", "e.5")  # of the screen, too
_WAYS = (*EIGHT_WAYS, None)  # None stays
WAYS = {key: way for keys, way in zip(_KEYS, _WAYS, strict=True) for key in keys}
COMMANDS = "".join(WAYS) + QUIT

Game = TurnController[Level, State, Action]


def board_text(state: State) -> str:
    """The board, a line a row: each site is its glyph and a blank, a wall two blanks."""
    level = state.level
    rows = level.glyph_rows(state.monster, state.rogue)
    if state.rogue == state.monster:
        rows[state.rogue.row][state.rogue.col] = CAPTURE
    return "".join("".join(f"{glyph} " for glyph in row) + "\n" for row in rows)


def heading(state: State) -> str:
    """`Move 3` and an empty line if the monster moves next; empty before the rogue's move and after the end."""
    if state.side is Side.ROGUE or state.status is not Status.PLAYING:
        return ""
    return f"Move {state.monster_moves + 1}\n\n"


def turn_text(state: State, board: str | None = None) -> str:
    """Text of a move: the board that it led to, an empty line, and the last line if it was the last move.

    A forfeit leads to no board. What is given as the board stands for it and the empty line.
    """
    match state.status:
        case Status.PLAYING:
            last = ""
        case Status.CAPTURED:
            last = "Caught by monster\n"
        case Status.EVADED:
            last = f"Evaded for {state.monster_moves} moves\n"  # 1 moves too: scripts read it
        case Status.SAFE | Status.MISSED:
            last = f"{'Safe' if state.status is Status.SAFE else 'Not safe'} after {state.monster_moves} moves\n"
        case Status.FORFEIT:
            return f"Forfeit by {state.side.value}: {state.reason}\n"
    return (f"{board_text(state)}\n" if board is None else board) + last


def run_text(turns: Iterable[Turn[State, Action]]) -> str:
    """A whole chase, from the first turn of its line to the last."""
    return "".join((turn_text(turn.state) if turn.parent else "") + heading(turn.state) for turn in turns)


def run_values(turns: Sequence[Turn[State, Action]]) -> dict[str, Any]:
    """A chase as `chase run --json` prints it: its end, and each side's sites in order, the start first.

    Args:
        turns: all of its line, from the start to the end.
    """
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


def play(
    level: Level,
    players: Mapping[Side, Player | None],
    seed: int,
    source: TextIO,
    out: TextIO,
    actions: Iterable[str] = (),
    names: Mapping[str, str] | None = None,
) -> tuple[int, Game]:
    """A chase in which the sides without a player are asked: the end of the input counts as `q`.

    Where nobody is asked, this prints what `run_text` gives. Actions that were played already begin it, unprinted.
    `names` are those of the players, by seat.

    Returns:
        The exit status (130 after Ctrl-C, else 0), and what was played.

    Raises:
        StrategyError: a player can't play on this board.
    """
    game: Game = TurnController(rules, level, seed)
    game.apply_texts(actions)
    words = Words(spoken(board_text, players, COMMANDS), game, source, out, names)
    if level.task is not None:
        out.write(f"{level.note}\n\n")
    if None in players.values():
        out.write(f"{board_text(game.state)}\n")
    try:
        for player in players.values():
            if player is not None:
                player.prepare(level)
        while game.outcome is None:
            out.write("" if words.is_quiet else heading(game.state))
            player = players[game.state.side]
            action = _ask(game, words, out) if player is None else player.choose(game.state)
            if action is None:
                out.write(FAREWELL)
                break
            state = game.apply(action).state
            out.write(turn_text(state, words.hunters() if words.is_quiet else None))
    except KeyboardInterrupt:  # what was played is kept all the same
        return 130, game
    return 0, game


def _ask(game: Game, words: Words[State], out: TextIO) -> Move | None:
    """The move that a person chooses; None if they leave."""
    while True:
        words.prompt(f"{PROMPTS[game.state.side]}\n")
        if words.answered():
            continue
        command = read_command(words.source)
        if command in ("", QUIT):
            return None
        if command not in WAYS:
            out.write(NOT_UNDERSTOOD)
            continue
        state, way = game.state, WAYS[command]
        move = Move(state.site if way is None else state.site.neighbour(way))
        refusal = rules.objection(state, move)
        if refusal is None:
            return move
        out.write(f"{sentence(refusal)}\n")
