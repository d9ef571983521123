"""Results of a tournament as a table and as CSV."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import fields
from textwrap import indent

from dungeon_tui.core.plain import in_columns
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai.solver import value_text
from dungeon_tui.games.chase.ai.tournament import Result, Tournament
from dungeon_tui.games.chase.model.state import Side

Worked = tuple[str, int, str, Mapping[str, float | int | None]]  # board, sites, strategy, work per move
_BAR = 30  # columns of the longest bar


def table_text(tournament: Tournament, found: Mapping[int, Result]) -> str:
    """A table for each board, with a line per monster and a column per rogue; `-` for games not yet played.

    Forfeits' reasons follow each table, errors of unreadable boards follow the last.
    """
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
    """The results as CSV, with a header; None is empty.

    If work was measured, each side's work per move follows: `monster_cells_per_move` and so on.
    """
    out, names = io.StringIO(), [field.name for field in fields(Result) if field.name != "work"]
    rows = [result.values() for result in found]
    for row in rows:
        row |= {f"{side}_{key}": value for side, share in row.pop("work", {}).items() for key, value in share.items()}
    names += sorted({key for row in rows for key in row} - {*names})
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def worked(found: Sequence[Result]) -> list[Worked]:
    """The mean work of each strategy on each board, for `work_text`."""
    shares: dict[tuple[str, int, str], list[dict[str, float | int | None]]] = {}
    for result in found:
        for side, name in ((Side.MONSTER.value, result.monster), (Side.ROGUE.value, result.rogue)):
            if result.work is not None:
                shares.setdefault((result.board, result.sites, f"{side} {name}"), []).append(result.work[side])

    def mean(each: Sequence[dict[str, float | int | None]], key: str) -> float | None:
        known = [value for share in each if (value := share[key]) is not None]
        return sum(known) / len(known) if known else None

    return [(*where, {key: mean(each, key) for key in each[0]}) for where, each in shares.items()]


def work_text(rows: Sequence[Worked]) -> str:
    """A table for each strategy: boards by size, with time and visited cells per move, and bars."""
    text = ""
    most = max((share["cells_per_move"] or 0 for *_, share in rows), default=0) or 1
    for name in dict.fromkeys(who for _, _, who, _ in rows):
        lines = [["sites", "per move", "cells per move", "board", ""]]
        for board, sites, who, share in sorted(rows, key=lambda row: row[1]):
            if who == name:
                cells = share["cells_per_move"]
                bar = "" if cells is None else "#" * max(1, round(_BAR * cells / most))
                time = f"{(share['seconds_per_move'] or 0) * 1e6:,.0f} µs"
                lines.append([str(sites), time, "-" if cells is None else f"{cells:,.0f}", printable(board), bar])
        text += f"{name}\n" + indent(in_columns(lines, ">>><<"), "  ")
    return text


def _exact_text(result: Result) -> str:
    """The number of sites and the exact value of a board."""
    known = UNREACHED if result.exact_outcome == "evades" else result.exact_monster_moves
    return f", {counted(result.sites, 'site')}: {'too large to solve' if known is None else value_text(known)}"


def _cell_text(result: Result | None) -> str:
    if result is None:
        return "-"
    if result.outcome == "captured":
        return f"{result.monster_moves}" + (" by rogue" if result.by == Side.ROGUE.value else "")
    return f"forfeit {result.by}" if result.outcome == "forfeit" else result.outcome
