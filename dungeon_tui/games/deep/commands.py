"""The deep's command line."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from dungeon_tui.core.level import LevelError, read_level_file
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.ui.command_line import JsonOption, refuse_empty

app = typer.Typer()


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
