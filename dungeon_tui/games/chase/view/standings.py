"""Results of a tournament as a table."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from textwrap import indent

from dungeon_tui.core.plain import in_columns
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai.solver import value_text
from dungeon_tui.games.chase.ai.tournament import Result
from dungeon_tui.games.chase.model.state import Side


def table_text(boards: Iterable[Sequence[Result]], moves: int) -> str:
    """A table for each board: a line per monster, a column per rogue; then the reasons of forfeits."""
    text = ""
    for results in boards:
        rows, first = [["monster", *dict.fromkeys(each.rogue for each in results)]], results[0]
        for name, of_one in groupby(results, key=lambda result: result.monster):
            rows.append([name, *map(_cell_text, of_one)])
        exact = UNREACHED if first.exact_outcome == "evades" else first.exact_monster_moves
        value = "too large to solve" if exact is None else value_text(exact)
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
