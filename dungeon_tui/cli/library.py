"""`dungeon-tui library`: the games that are kept, listed, shown, removed, brought elsewhere and back."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from datetime import date
from pathlib import Path
from threading import Event
from typing import Annotated

import typer

from dungeon_tui.core.catalogue import find_game, find_games
from dungeon_tui.core.level import LevelError, read_level_file
from dungeon_tui.core.plain import fail, in_columns
from dungeon_tui.core.text import one_line
from dungeon_tui.core.words import counted
from dungeon_tui.storage.library import NAME, KeptGame, Library, LibraryError
from dungeon_tui.storage.places import HOME, home
from dungeon_tui.storage.recorded import take_recordings, waits_for_recordings
from dungeon_tui.ui.command_line import (
    ForceOption,
    JsonOption,
    end_if_stopped,
    interrupts,
    is_standard_output,
    refuse_empty,
    status,
    write_output,
    written,
)
from dungeon_tui.ui.glyphs import ASCII, UNICODE


def _move_home(folder: str | None) -> str | None:
    if folder is not None:
        os.environ[HOME] = os.path.abspath(refuse_empty(folder))
    return folder


LibraryOption = Annotated[
    str | None,
    typer.Option(
        "--library",
        metavar="DIR",
        is_eager=True,
        callback=_move_home,
        help=f"The folder of all that is kept, instead of {HOME} or the user's own.",
    ),
]
app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
GameArgument = Annotated[str, typer.Argument(metavar="ID", help="A game's number, or the beginning of its key.")]


def open_library() -> Library:
    """The player's library; ends the process with one line where it can't be opened.

    Tells what was done to it; recordings are taken into it if they weren't as yet.
    """
    try:
        library = Library(home() / NAME)
        if library.notice:
            print(library.notice, file=sys.stderr)
        if waits_for_recordings(library):
            from dungeon_tui.ui.outcome import judged

            with status("Taking recordings into the library") as tell:
                left = take_recordings(library, judged, lambda done, total: tell(f"{done:,} of {total:,}"), Event())
            for line in left:
                print(f"left in the folder of recordings: {line}", file=sys.stderr)
    except (LibraryError, OSError) as error:
        fail(str(error))
    return library


@app.callback()
def _place(library: LibraryOption = None) -> None:
    """All games that were played here."""


@app.command("list")
def list_games(as_json: JsonOption = False) -> None:
    """List the games that are kept, the last one played first."""
    try:
        games = open_library().games()
    except LibraryError as error:
        fail(str(error))
    if as_json:
        print(json.dumps({"games": [_values(kept) for kept in games]}))
        return
    rows = [("game", "", "title", "turns", "end", "played"), *map(_row, games)]
    print(in_columns(rows, "><<><<") if games else "No game is kept yet.\n", end="")


def _values(kept: KeptGame) -> dict[str, object]:
    return {
        "id": kept.id,
        "key": kept.key,
        "game": kept.game,
        "title": kept.title,
        "turns": kept.ply,
        "outcome": kept.outcome or None,
        "is_win": kept.is_won if kept.outcome else None,
        "changed": kept.played.replace(" ", "T"),
    }


def _row(kept: KeptGame) -> tuple[str, ...]:
    end = f"{one_line(kept.outcome)}{', won' if kept.is_won else ''}" if kept.outcome else "goes on"
    return str(kept.id), kept.game, one_line(kept.title), f"{kept.ply:,}", end, kept.played[:16]


@app.command()
def show(game: GameArgument, as_json: JsonOption = False) -> None:
    """Print a page on a game: its end and scores, its moves, the last messages and the map."""
    from dungeon_tui.storage.exchange import ends_of
    from dungeon_tui.storage.shelf import kept_item, played
    from dungeon_tui.ui.morgue import morgue

    library = open_library()
    kept = _game(library, game)
    ours = find_game(kept.game)
    if ours is None:
        fail(f"there is no game {kept.game!r}")
    item = kept_item(kept, ours)
    try:
        controller, trouble = played(item, library)
        page = morgue(ours.view()(ours, ASCII), item, controller, ends_of(library, kept), trouble)
    except LevelError as error:
        fail(f"game {kept.id}: {error.message}")
    except LibraryError as error:
        fail(str(error))
    if as_json:
        page = json.dumps({**_values(kept), "trouble": trouble or None, "text": page}) + "\n"
    print(page, end="")


@app.command()
def stats(as_json: JsonOption = False) -> None:
    """Print what all results come to: games, wins, par, days in a row, the calendar."""
    from dungeon_tui.storage.results import statistics

    today = date.today()
    try:
        found = statistics(open_library(), today)
    except LibraryError as error:
        fail(str(error))
    if as_json:
        values = {
            "games": {name: asdict(tally) for name, tally in found.by_game.items()},
            "total": asdict(found.total),
            "streak": asdict(found.streak),
            "dailies": asdict(found.dailies),
            "days": {day.isoformat(): number for day, number in sorted(found.days.items())},
        }
        print(json.dumps(values))
        return
    from dungeon_tui.ui.menu.statistics import NOTHING, in_words

    titles = {game.name: game.title for game in find_games()}
    is_ascii = "utf" not in (sys.stdout.encoding or "").lower()
    lines = in_words(found, titles, today, ASCII if is_ascii else UNICODE) if found.by_game else [NOTHING]
    print("\n".join(line.rstrip() for line in lines))


@app.command()
def remove(game: GameArgument, as_json: JsonOption = False) -> None:
    """Remove a game; for a day it can still be had back by importing it."""
    library = open_library()
    kept = _game(library, game)
    try:
        library.remove(kept.id)
    except LibraryError as error:
        fail(str(error))
    print(
        json.dumps({"removed": kept.id})
        if as_json
        else f"Removed: {kept.id}, {one_line(kept.title)}, {kept.played[:16]}"
    )


def _game(library: Library, name: str) -> KeptGame:
    try:
        return library.game(name)
    except LookupError as error:
        fail(f"{error.args[0]}; dungeon-tui library list shows what there is")
    except LibraryError as error:
        fail(str(error))


@app.command("export")
def export_library(
    file: Annotated[Path, written("", "library", "The file to write, or - for standard output")],
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write all games to a file, as lines of JSON."""
    from dungeon_tui.storage.exchange import export_lines

    left: list[str] = []
    try:
        lines = list(export_lines(open_library(), left.append))
    except LibraryError as error:
        fail(str(error))
    write_output(file, "".join(lines))
    games = json.loads(lines[0])["games"]
    if not is_standard_output(file):
        print(json.dumps({"games": games}) if as_json else counted(games, "game"))
    for line in left:
        print(f"left out: {line}", file=sys.stderr)
    raise typer.Exit(1 if left else 0)


@app.command("import")
def import_library(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An exported library; - is standard input.")],
    as_json: JsonOption = False,
) -> None:
    """Add the games of an exported library; those known already get what is new."""
    from dungeon_tui.storage.exchange import MOST_BYTES, read_export, take_in, told

    export = read_export(read_level_file(file, MOST_BYTES))
    try:
        taken = take_in(open_library(), export)
    except LibraryError as error:
        fail(str(error))
    values = {"games": taken.games, "new": taken.new, "changed": taken.changed, "known": taken.known}
    print(json.dumps(values) if as_json else told(taken))


@app.command()
def check(as_json: JsonOption = False) -> None:
    """Check the database, and play every game again."""
    from dungeon_tui.storage.exchange import problems

    library = open_library()
    with interrupts() as stop, status("Playing again") as tell:
        found = list(problems(library, lambda done, total: tell(f"game {done:,} of {total:,}"), stop))
    end_if_stopped(stop.is_set(), f"; so far {counted(len(found), 'problem')}")
    try:
        games = len(library.games())
    except LibraryError:
        games = 0
    if as_json:
        print(json.dumps({"ok": not found, "games": games, "problems": found}))
    elif not found:
        print(f"ok: {counted(games, 'game')}")
    if found:
        fail("; ".join(found[:3]) + (f"; and {len(found) - 3:,} more" if len(found) > 3 else ""))
