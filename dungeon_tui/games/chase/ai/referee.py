"""Finds players by name, and plays whole chases between them."""

import os
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from dungeon_tui.core.files import VISITOR
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.ai.program_strategy import Hidden, ProgramStrategy
from dungeon_tui.games.chase.ai.strategies import STRATEGIES
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status
from dungeon_tui.judge.program import is_startable
from dungeon_tui.storage.settings import own_programs

TIME_LIMIT = 1.0  # seconds per move
_BARE = re.compile(r"[\w-]*")  # a strategy's name, perhaps mistyped; never a program, even if the shell knows one
_MAX_LIMIT_S = 86_400.0  # some systems' timers accept little more


def load_player(side: Side, name: str, time_limit: float | None = None, hidden: Hidden = None) -> Player:
    """The player of a name, ready to choose; close it when done. Raises StrategyError, with a line that says why.

    `name` is a key of STRATEGIES[side]; FILE.py:function; a command; or @NAME from the settings.
    """
    limit = min(time_limit or TIME_LIMIT, _MAX_LIMIT_S)
    table = STRATEGIES[side]
    if name in table:
        return Player(side, name, limit, table[name])
    if VISITOR in os.environ:
        raise StrategyError("visitors can play against the built-in strategies only")
    command = _program(name) if name.startswith("@") else name
    path, _, function = command.rpartition(":")
    is_command = not _BARE.fullmatch(name) and is_startable(command)
    if path and function and not (is_command and not path.endswith(".py")):
        return ProgramStrategy(side, name, limit, path, function, hidden=hidden)
    if is_command:
        return ProgramStrategy(side, name, limit, command, hidden=hidden)
    if name.removesuffix(":").endswith(".py") and " " not in name:
        own = printable(name.rstrip(":"))
        raise StrategyError(f"{printable(name)}: name a function of the file: {own}:FUNCTION")
    own = "FILE.py:FUNCTION, a command that speaks docs/protocol.md, or @NAME from the settings"
    raise StrategyError(f"there is no {side.value} {printable(repr(name))}: {', '.join(table)}, {own}")


def _program(name: str) -> str:
    programs = own_programs()
    if name[1:] not in programs:
        there = ", ".join(f"@{each}" for each in programs) or "none"
        raise StrategyError(f"the settings have no program {printable(name)} in their table [programs]: {there}")
    return programs[name[1:]]


def play(level: Level, monster: Player, rogue: Player, seed: int = 0) -> TurnController[Level, State, Action]:
    """Plays a chase to its end. Raises StrategyError."""
    players = {Side.MONSTER: monster, Side.ROGUE: rogue}
    for player in players.values():
        player.prepare(level)
    controller: TurnController[Level, State, Action] = TurnController(rules, level, seed)
    while controller.outcome is None:
        controller.apply(players[controller.state.side].choose(controller.state))
    return controller


def run_values(turns: Sequence[Turn[State, Action]]) -> dict[str, Any]:
    """A whole chase as `chase run --json` prints it: its end, and each side's sites from the start."""
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
