"""Every monster against every rogue on a board, compared with exact play; and the table of the results."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby, product
from textwrap import indent

from dungeon_tui.core.plain import in_columns
from dungeon_tui.core.words import counted
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


def table_text(boards: Iterable[Sequence[Result]], moves: int) -> str:
    """A table for each board: a line per monster, a column per rogue; then the reasons of forfeits."""
    text = ""
    for results in boards:
        rows, first = [["monster", *dict.fromkeys(each.rogue for each in results)]], results[0]
        for name, of_one in groupby(results, key=lambda result: result.monster):
            rows.append([name, *map(_cell_text, of_one)])
        exact = UNREACHED if first.exact_outcome == "evades" else first.exact_monster_moves
        value = "too large to solve" if exact is None else solver.value_text(exact)
        notes = "".join(
            f"{each.monster} against {each.rogue}: {f'forfeit by {each.by}: ' * bool(each.by)}{each.reason}\n"
            for each in results
            if each.reason is not None
        )
        table = in_columns(rows, "<" * len(rows[0]))
        text += f"{first.board}, {counted(first.sites, 'site')}: {value}\n{indent(table + notes, '  ')}\n"
    return f"{text}Numbers: monster moves until the capture. Evaded: for {counted(moves, 'monster move')}.\n"


def _cell_text(result: Result) -> str:
    if result.outcome == "captured":
        return f"{result.monster_moves}" + " by rogue" * (result.by == Side.ROGUE.value)
    return f"forfeit {result.by}" if result.outcome == "forfeit" else result.outcome
