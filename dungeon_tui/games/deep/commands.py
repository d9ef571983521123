"""The deep's command line."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from dungeon_tui.core.arguments import daily, spelled
from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.level import LevelError, read_level_file
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.ui.command_line import (
    DailyOption,
    DateOption,
    ForceOption,
    JsonOption,
    chosen_day,
    refuse_empty,
    told_in_a_line,
    write_output,
    written,
)

if TYPE_CHECKING:
    from dungeon_tui.games.deep.model.campaign import Campaign

app = typer.Typer()


def play(
    campaign: Annotated[
        str | None, typer.Argument(metavar="CAMPAIGN", help="A shipped campaign, or a file; - is standard input.")
    ] = None,
    is_daily: DailyOption = False,
    day: DateOption = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Makes a descent: ten levels, one life.")] = None,
) -> Play:
    """Play a campaign, or a descent."""
    day = chosen_day(is_daily, day)
    if [campaign, day, seed].count(None) < 2:
        raise typer.BadParameter("either a CAMPAIGN, a daily one or a --seed, not two of them")
    from dungeon_tui.games.deep.model.campaigns import STORY, load_campaign, names
    from dungeon_tui.games.deep.view.openings import named, open_file

    if day is not None or seed is not None:
        with told_in_a_line():
            return opened(named(daily(day) if day is not None else spelled("", {"seed": seed})))
    if campaign is None:
        return Play(None, partial(_play_plain, named(STORY)))
    if campaign in names():
        return opened(named(campaign))
    load_campaign(campaign)  # what is wrong with it is told at once
    return opened(open_file(campaign))


def opened(opening: Opening) -> Play:
    """The play of a campaign that was opened by its arguments, or one of a code."""
    return Play(opening, partial(_play_plain, opening))


def best(campaign: Campaign) -> int | None:
    """None: no campaign is proven as a whole."""
    return None


def _play_plain(opening: Opening, source: TextIO, out: TextIO, messages: TextIO) -> PlainEnd:
    """Plays a campaign in plain text."""
    from dungeon_tui.games.deep.view import transcript

    return transcript.play(opening.load(), source, out, opening.actions)


@app.command()
def convert(
    prefix: Annotated[str, typer.Argument(metavar="PREFIX", help="The crawler's levels: PREFIX1.txt, PREFIX2.txt ...")],
    output: Annotated[Path | None, written("--output", "campaign")] = None,
    force: ForceOption = False,
) -> None:
    """Make a campaign of a dungeon of the classic crawler."""
    from dungeon_tui.games.deep.model.campaigns import converted

    with told_in_a_line():
        text = converted(prefix)
    write_output(output, text)


@app.command()
def check(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", callback=refuse_empty, help="Campaign files; - is standard input.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Say all that is wrong with campaign files, each fault with its line and column."""
    from dungeon_tui.games.deep.model.campaign import MOST_BYTES, parse_campaign

    if files.count("-") > 1:
        raise typer.BadParameter("standard input can be read only once", param_hint="FILE")
    entries, bad = [], 0
    for path in files:
        try:
            errors = parse_campaign(read_level_file(path, MOST_BYTES)).errors
        except LevelError as error:
            errors = (error,)
        bad += bool(errors)
        faults = [{"line": error.line, "column": error.column, "message": error.message} for error in errors]
        entries.append({"file": path, "ok": not errors, "errors": faults, "warnings": []})
        if not as_json:
            name = printable(path)
            lines = [f"{name}:{error.line}:{error.column}: error: {error.message}" for error in errors]
            print("\n".join(lines or [f"{name}: ok"]))
    if as_json:
        print(json.dumps({"files": entries}))
    if bad:
        print(f"{bad:,} of {counted(len(files), 'file')} can't be played", file=sys.stderr)
        raise typer.Exit(1)
