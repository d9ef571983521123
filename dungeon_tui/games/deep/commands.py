"""The deep's command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.level import FileReport, LevelError, read_level_file
from dungeon_tui.core.plain import Console
from dungeon_tui.games.deep.model.options import OPTIONS as OPTIONS
from dungeon_tui.ui import command_line as cli

if TYPE_CHECKING:
    from dungeon_tui.games.deep.model.campaign import Campaign

app = typer.Typer()


def opened(opening: Opening | None) -> Play:
    from dungeon_tui.games.deep.model.campaigns import TUTORIAL
    from dungeon_tui.games.deep.view.openings import named

    played = opening or named(TUTORIAL)

    def play(console: Console) -> PlainEnd:
        from dungeon_tui.games.deep.view import transcript

        return transcript.play(played.load(), console, played.actions)

    return Play(opening, play, plain_arguments=None if opening else played.arguments)


def best(campaign: Campaign) -> int | None:
    return None  # no campaign is proven as a whole


@app.command()
def check(files: cli.CheckedFiles, as_json: cli.JsonOption = False) -> None:
    """List the faults of campaign files, with line and column."""
    from dungeon_tui.games.deep.model.campaign import MOST_BYTES, parse_campaign

    entries, bad = [], 0
    for path in files:
        try:
            errors = parse_campaign(read_level_file(path, MOST_BYTES)).errors
        except LevelError as error:
            errors = (error,)
        bad += bool(errors)
        report = FileReport(path, errors)
        entries.append(report.values())
        if not as_json:
            print(*report.lines(), sep="\n")
    if as_json:
        print(json.dumps({"files": entries}))
    cli.end_if_bad(bad, files)
