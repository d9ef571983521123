"""`dungeon-tui library`: lists, removes, exports and imports saved games."""

import json
import os
import sys
from contextlib import closing
from dataclasses import asdict
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from dungeon_tui.core.catalogue import find_games
from dungeon_tui.core.files import write_bytes
from dungeon_tui.core.level import read_level_file
from dungeon_tui.core.plain import fail, in_columns
from dungeon_tui.core.recording import Recording, read_recording
from dungeon_tui.core.text import one_line, printable
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import counted
from dungeon_tui.storage.folders import HOME, home
from dungeon_tui.storage.library import NAME, Library, LibraryError, StoredGame
from dungeon_tui.ui import command_line as shell
from dungeon_tui.ui.glyphs import ASCII, UNICODE


def _move_home(folder: str | None) -> str | None:
    if folder is not None:
        os.environ[HOME] = os.path.abspath(shell.refuse_empty(folder))
    return folder


LibraryOption = Annotated[
    str | None,
    shell.option(
        "--library",
        "DIR",
        f"The folder of your saved games, instead of {HOME} or the default.",
        is_eager=True,
        callback=_move_home,
    ),
]
app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
GameArgument = Annotated[str, shell.argument("ID", "A game's number, or the start of its key.")]


def open_library(*, prints_notice: bool = True) -> Library:
    """The player's library; ends the process with one line if it can't be opened. Prints its notice by default."""
    try:
        library = Library(home() / NAME)
        if library.notice and prints_notice:
            print(library.notice, file=sys.stderr)
    except (LibraryError, OSError) as error:
        fail(str(error))
    return library


@app.callback()
def _set_home(library: LibraryOption = None) -> None:
    """Your saved games."""


@app.command("list")
def list_games(as_json: shell.JsonOption = False) -> None:
    """List the saved games, the last played first."""
    games = open_library().games()
    if as_json:
        print(json.dumps({"games": [_values(stored) for stored in games]}))
        return
    rows = [("game", "", "title", "turns", "end", "played"), *map(_row, games)]
    print(in_columns(rows, "><<><<") if games else "No saved games yet.\n", end="")


def _values(stored: StoredGame) -> dict[str, object]:
    return {
        "id": stored.id,
        "key": stored.key,
        "game": stored.game,
        "title": stored.title,
        "turns": stored.ply,
        "outcome": stored.outcome or None,
        "is_win": stored.is_won if stored.outcome else None,
        "changed": stored.played.replace(" ", "T"),
    }


def _row(stored: StoredGame) -> tuple[str, ...]:
    end = f"{one_line(stored.outcome)}{', won' if stored.is_won else ''}" if stored.outcome else "goes on"
    return str(stored.id), stored.game, one_line(stored.title), f"{stored.ply:,}", end, stored.played[:16]


@app.command()
def stats(as_json: shell.JsonOption = False) -> None:
    """Print statistics: games, wins, par, streaks, calendar."""
    from dungeon_tui.storage.results import statistics

    today = date.today()
    found = statistics(open_library(), today)
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
def remove(game: GameArgument, as_json: shell.JsonOption = False) -> None:
    """Remove a game. Importing it within a day brings it back."""
    library = open_library()
    try:
        stored = library.game(game)
    except LookupError as error:
        fail(f"{error.args[0]}; dungeon-tui library list shows all games")
    library.remove(stored.id)
    line = f"Removed: {stored.id}, {one_line(stored.title)}, {stored.played[:16]}"
    print(json.dumps({"removed": stored.id}) if as_json else line)


@app.command("export")
def export_library(
    file: Annotated[Path, shell.written("", "library", "The file to write, or - for standard output")],
    force: shell.ForceOption = False,
    as_json: shell.JsonOption = False,
) -> None:
    """Write all games to a file for `library import`."""
    from dungeon_tui.storage.exchange import export

    data, games = export(open_library())
    if shell.is_standard_output(file):
        sys.stdout.flush()
        getattr(sys.stdout, "stream", sys.stdout).buffer.write(data)  # past the filter of text
    else:
        write_bytes(file, data)
        print(json.dumps({"games": games}) if as_json else counted(games, "game"))


@app.command("import")
def import_library(
    file: Annotated[str, shell.argument("FILE", "An exported library, or a recording; - is standard input.")],
    as_json: shell.JsonOption = False,
) -> None:
    """Add a recording, or the games of an exported library that are missing here. Importing again changes nothing."""
    from dungeon_tui.storage.database import MOST_BYTES
    from dungeon_tui.storage.exchange import take_in, take_in_recording

    source = read_level_file(file, MOST_BYTES)
    with TemporaryDirectory() as folder, shell.interrupts() as stop, shell.status("Importing") as tell:
        if source.data.lstrip()[:1] == b"{":
            counts = take_in_recording(open_library(), read_recording(source), _is_won)
        else:
            copy = Path(folder) / NAME
            copy.write_bytes(source.data)
            try:
                other = Library(copy, is_foreign=True)
            except LibraryError as error:
                fail(str(error).replace(str(copy), printable(file), 1))
            with closing(other):
                counts = take_in(open_library(), other, lambda done, total: tell(f"game {done:,} of {total:,}"), stop)
    for line in counts.refused:
        print(f"refused: {line}", file=sys.stderr)
    values = {"new": counts.new, "changed": counts.changed, "known": counts.known, "refused": len(counts.refused)}
    line = f"{counts.new:,} new, {counts.changed:,} continued elsewhere, {counts.known:,} known"
    print(json.dumps(values) if as_json else line)
    shell.end_if_stopped(stop.is_set(), "; import again to add the rest")
    raise typer.Exit(1 if counts.refused else 0)


def _is_won(controller: TurnController[Any, Any, Any], recording: Recording) -> bool:
    from dungeon_tui.ui.snapshot import judged  # loads Textual

    return judged(recording.game, controller, recording.strategies)[0]


@app.command()
def check(as_json: shell.JsonOption = False) -> None:
    """Check the database, and replay every game."""
    from dungeon_tui.storage.exchange import problems

    library = open_library(prints_notice=False)  # `problems` includes it
    with shell.interrupts() as stop, shell.status("Replaying") as tell:
        found = list(problems(library, lambda done, total: tell(f"game {done:,} of {total:,}"), stop))
    shell.end_if_stopped(stop.is_set(), f"; so far {counted(len(found), 'problem')}")
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
