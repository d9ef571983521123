"""Results of a tournament as a table and as CSV."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from textwrap import indent

from dungeon_tui.core.plain import in_columns
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai.solver import value_text
from dungeon_tui.games.chase.ai.tournament import Result, Tournament
from dungeon_tui.games.chase.model.state import Side


def table_text(tournament: Tournament, found: Mapping[int, Result]) -> str:
    """A table for each board: a line per monster, a column per rogue; then reasons of forfeits, last the errors."""
    text, by_name = "", {(each.board, each.monster, each.rogue): each for each in found.values()}
    for level in tournament.boards:
        rows, notes, exact = [["monster", *tournament.rogues]], "", ""
        for name in tournament.monsters:
            results = [by_name.get((level.name, name, rogue)) for rogue in tournament.rogues]
            rows.append([name, *map(_cell_text, results)])
            for result in filter(None, results):
                exact = _exact_text(result)
                if result.reason is not None:
                    forfeit = f"forfeit by {result.by}: " if result.outcome == "forfeit" else ""
                    notes += f"{name} against {result.rogue}: {forfeit}{result.reason}\n"
        text += f"{level.name}{exact}\n" + indent(in_columns(rows, "<" * len(rows[0])) + notes, "  ") + "\n"
    text += "".join(f"Not played: {line}\n" for line in tournament.unread) + ("\n" if tournament.unread else "")
    limit = max(level.moves for level in tournament.boards)
    return f"{text}Numbers: monster moves until the capture. Evaded: for {counted(limit, 'monster move')}.\n"


def csv_text(found: Sequence[Result]) -> str:
    """The results as CSV, with a header; None is empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [field.name for field in fields(Result)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(asdict, found))
    return out.getvalue()


def _exact_text(result: Result) -> str:
    known = UNREACHED if result.exact_outcome == "evades" else result.exact_monster_moves
    return f", {counted(result.sites, 'site')}: {'too large to solve' if known is None else value_text(known)}"


def _cell_text(result: Result | None) -> str:
    if result is None:
        return "-"
    if result.outcome == "captured":
        return f"{result.monster_moves}" + (" by rogue" if result.by == Side.ROGUE.value else "")
    return f"forfeit {result.by}" if result.outcome == "forfeit" else result.outcome
