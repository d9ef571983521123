"""`recording verify` and `page`, and `GAME play --recording`."""

import json
from functools import partial
from pathlib import Path
from typing import Annotated, TextIO

import typer

from dungeon_tui.core.catalogue import Game, Opening, PlainEnd, Play, find_game
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.plain import fail
from dungeon_tui.core.recording import UNFINISHED, Recording, Verification, open_replay, reexecute
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.storage.recordings import load
from dungeon_tui.ui import command_line as shell

REPLAYING = "replaying"
app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
FileArgument = Annotated[str, shell.argument("FILE", "A recording; - is standard input.")]

PageOption = Annotated[
    Path | None, shell.written("--output", "page of a game", "The page to write, instead of standard output")
]

JudgeOption = Annotated[bool, typer.Option("--judge", help="Show mistakes and the curve of values, by exact play.")]


@app.command()
def verify(file: FileArgument, as_json: shell.JsonOption = False) -> None:
    """Replay a recording and check that it comes out the same."""
    try:
        recording = load(file)
        _, found = reexecute(recording)
        complaint = _complaint(recording, found)
    except LevelError as error:
        complaint = str(error)
        found = Verification(False, 0, UNFINISHED, None, complaint)
    if as_json:
        values = {"ok": found.is_ok, "turns": found.turns, "outcome": found.outcome, "diverged_at": found.diverged_at}
        print(json.dumps(values))
    elif found.is_ok:
        print(f"ok: {counted(found.turns, 'turn')}, {found.outcome}")
    if not found.is_ok:
        fail(complaint)


@app.command("page")
def write_page(
    file: FileArgument,
    output: PageOption = None,
    force: shell.ForceOption = False,
    judge: JudgeOption = False,
) -> None:
    """Write a recording as one web page, which loads nothing: all turns, with buttons and keys.

    Link to a turn with #t=NUMBER.
    """
    shell.write_output(output, page_of(load(file), is_judged=judge))


def page_of(recording: Recording, *, is_judged: bool) -> str:
    """The web page of a recording. Ends the process with a message if it can't be judged."""
    from dungeon_tui.ui.page import Played, judgements, page

    game = find_game(recording.game)
    assert game is not None  # readers refuse unknown games
    controller, trouble = open_replay(recording)
    while controller.redo():
        pass
    last, title, arguments = controller.turn, recording.title, recording.arguments
    with shell.one_line_errors():
        judged = judgements(game, last) if is_judged else ()
    return page(Played(game, controller, last, title, arguments, recording.strategies, trouble, judged))


def replay(game: Game, file: Path) -> Play:
    """Plays a recording on the screen or in plain text; reads the file only then."""
    read = partial(load, file, game.name)
    opening = Opening(printable(file.name), read)
    return Play(opening, lambda console: _print_replay(game, read(), console.out), what=REPLAYING)


def _print_replay(game: Game, recording: Recording, output: TextIO) -> PlainEnd:
    """Prints a replay in the game's own way, else one action a line and the result; fails if it diverges."""
    controller, found = reexecute(recording)
    own = getattr(game.commands(), "replay_plain", None)
    if own is None:
        for number, action in enumerate(recording.actions[: found.turns], 1):
            print(f"{number} {printable(action)}", file=output)
        if found.is_ok:
            print(f"ok: {counted(found.turns, 'turn')}, {found.outcome}", file=output)
    elif controller is not None:
        controller.go_to(controller.turn.line()[found.turns])  # before what diverged, if anything did
        own(controller, output)
    if not found.is_ok:
        output.flush()
        fail(_complaint(recording, found))
    return PlainEnd(0, controller, recording.strategies)


def _complaint(recording: Recording, found: Verification) -> str:
    return str(LevelError(found.message, recording.file, found.line or 1))
