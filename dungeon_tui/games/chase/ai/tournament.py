"""Every monster against every rogue on a board, compared with exact play."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product

from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.player import StrategyError
from dungeon_tui.games.chase.ai.referee import load_player, play, run_values
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.state import Side


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a chase, and the end under perfect play; the fields are the keys of the JSON."""

    board: str
    sites: int
    exact_outcome: str | None  # "captured" or "evades"; None: the board is too large to solve
    exact_monster_moves: int | None
    monster: str
    rogue: str
    outcome: str = "refused"  # if a strategy can't play on the board; else "captured", "evaded" or "forfeit"
    monster_moves: int = 0
    by: str | None = None  # who captured or forfeited
    reason: str | None = None  # of a forfeit or a refusal


def play_board(
    monsters: Sequence[str], rogues: Sequence[str], seed: int, time_limit: float | None, level: Level
) -> list[Result]:
    """Plays all chases on a board, by monster and rogue. Raises StrategyError if a strategy can't be loaded."""
    value = None
    with suppress(ValueError):  # too many sites
        value = solver.value(rules.start(level))
    outcome = None if value is None else "evades" if value == UNREACHED else "captured"
    moves, sites = None if value == UNREACHED else value, len(solver.move_graph(level))
    results = []
    for hunter, prey in product(monsters, rogues):
        result = Result(level.name, sites, outcome, moves, hunter, prey)
        with (
            load_player(Side.MONSTER, hunter, time_limit) as monster,
            load_player(Side.ROGUE, prey, time_limit) as rogue,
        ):
            try:
                values = run_values(play(level, monster, rogue, seed).turn.line())
                values = {key: values[key] for key in ("outcome", "monster_moves", "by", "reason")}
            except StrategyError as error:
                values = {"reason": str(error)}
        results.append(replace(result, **values))
    return results
