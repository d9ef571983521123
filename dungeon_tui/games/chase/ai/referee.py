"""Finds the players that names stand for, and lets two of them play a whole chase."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from time import perf_counter

from dungeon_tui.core.files import VISITOR
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.chase.ai.external import External
from dungeon_tui.games.chase.ai.guest import Guest
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.ai.strategies import STRATEGIES
from dungeon_tui.games.chase.ai.work import Work, counting
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.state import Action, Side, State
from dungeon_tui.judge.program import is_startable
from dungeon_tui.storage.settings import own_programs

TIME_LIMIT = 1.0  # seconds a move
_BARE = re.compile(r"[\w-]*")  # a name of ours, or mistyped: no program, even where the shell knows one
_LONGEST_LIMIT = 86_400.0  # seconds; the clocks of some systems can't be set to much more


def load_player(side: Side, name: str, time_limit: float | None = None) -> Player:
    """The player of a name, ready to be asked; close it in the end.

    Args:
        side: whose moves it makes.
        name: a key of STRATEGIES[side]; FILE.py:function, which runs that file; a command, which runs a program; or
            @NAME, which stands for one of these two in the settings.
        time_limit: seconds a move, no more than a day's; None: TIME_LIMIT.

    Raises:
        StrategyError: there is none of that name, or the file can't be loaded; one line that says why.
    """
    limit = min(time_limit or TIME_LIMIT, _LONGEST_LIMIT)
    table = STRATEGIES[side]
    if name in table:
        return Player(side, name, limit, table[name])
    if VISITOR in os.environ:
        raise StrategyError("visitors play against strategies that are here, and run no programs")
    command = _program(name) if name.startswith("@") else name
    path, _, function = command.rpartition(":")
    is_command = not _BARE.fullmatch(name) and is_startable(command)
    if path and function and not (is_command and not path.endswith(".py")):
        return Guest(side, command, limit)
    if is_command:
        return External(side, name, limit, command)
    if name.removesuffix(":").endswith(".py") and " " not in name:
        own = printable(name.rstrip(":"))
        raise StrategyError(f"{printable(name)}: say which function of the file: {own}:FUNCTION")
    own = "FILE.py:FUNCTION, a command that speaks docs/protocol.md, or @NAME of the settings"
    raise StrategyError(f"there is no {side.value} {printable(repr(name))}: {', '.join(table)}, {own}")


def _program(name: str) -> str:
    """The command that the settings call `@NAME`."""
    programs = own_programs()
    if name[1:] not in programs:
        there = ", ".join(f"@{each}" for each in programs) or "none"
        raise StrategyError(f"the settings have no program {printable(name)}, in their table [programs]: {there}")
    return programs[name[1:]]


def play(
    level: Level, monster: Player, rogue: Player, seed: int = 0, works: Mapping[Side, Work] | None = None
) -> TurnController[Level, State, Action]:
    """A chase on a board, played to its end; the seed decides what the strategies leave to chance.

    Args:
        level: the board.
        monster: moves first.
        rogue: moves second.
        seed: of the chase.
        works: where the work of each side is added up; None: nobody wants to know.

    Raises:
        StrategyError: one of the players can't play on this board.
    """
    players = {Side.MONSTER: monster, Side.ROGUE: rogue}
    for player in players.values():
        player.prepare(level)
    controller: TurnController[Level, State, Action] = TurnController(rules, level, seed)
    while controller.outcome is None:
        player, state = players[controller.state.side], controller.state
        if works is None:
            controller.apply(player.choose(state))
            continue
        with counting() as cells:
            began = perf_counter()
            action = player.choose(state)
            seconds = perf_counter() - began
        cells.append(len(rules.neighbours(level, state.site)))
        works[player.side].add(seconds, sum(cells) if player.is_counted else None)
        controller.apply(action)
    return controller
