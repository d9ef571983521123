"""`recording verify` and `recording export`, and replays as what `GAME play --recording` plays."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated, TextIO

import typer

from dungeon_tui.core.catalogue import Game, Opening, PlainEnd, Play, find_game
from dungeon_tui.core.files import write_text
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.plain import fail
from dungeon_tui.core.recording import UNFINISHED, Recording, Verdict, reexecute
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.storage.recordings import load
from dungeon_tui.ui.command_line import ForceOption, JsonOption, refuse_nan, written

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="A recording; - is standard input.")]


@app.command()
def verify(file: FileArgument, as_json: JsonOption = False) -> None:
    """Re-execute a recording and say whether it comes out the same."""
    try:
        recording = load(file)
        _, verdict = reexecute(recording)
        complaint = _complaint(recording, verdict)
    except LevelError as error:
        complaint = str(error)
        verdict = Verdict(False, 0, UNFINISHED, None, complaint)
    if as_json:
        values = {
            "ok": verdict.is_ok,
            "turns": verdict.turns,
            "outcome": verdict.outcome,
            "diverged_at": verdict.diverged_at,
        }
        print(json.dumps(values))
    elif verdict.is_ok:
        print(f"ok: {counted(verdict.turns, 'turn')}, {verdict.outcome}")
    if not verdict.is_ok:
        fail(complaint)


@app.command()
def export(
    file: FileArgument,
    output: Annotated[Path, written("--output", "terminal recording", "The asciicast file to write")],
    speed: Annotated[float, typer.Option("--speed", min=0.1, max=100, callback=refuse_nan, help="Turns a second.")] = 5,
    force: ForceOption = False,
) -> None:
    """Write a recording as asciicast v2, for players of terminal recordings."""
    from dungeon_tui.ui.asciicast import asciicast

    recording = load(file)
    controller, verdict = reexecute(recording)
    game = find_game(recording.game)
    if controller is None or game is None or not verdict.is_ok:
        fail(_complaint(recording, verdict))
    view = game.view()(game)
    title = recording.title or view.facts(controller.turn).title
    write_text(output, "".join(asciicast(view, controller.turn.line(), f"{game.title}: {title}", speed)))
    print(f"{counted(verdict.turns, 'turn')}, {verdict.outcome}")


def replay(game: Game, file: Path) -> Play:
    """The play of a recording, on the screen or in plain text; the file is read when that begins."""
    read = partial(load, file, game.name)
    return Play(Opening(printable(file.name), read), lambda _, output, __: _print_replay(game, read(), output))


def _print_replay(game: Game, recording: Recording, output: TextIO) -> PlainEnd:
    """Prints a replay in the game's own way, else an action a line and the verdict; ends the process if it diverges."""
    controller, verdict = reexecute(recording)
    own = getattr(game.commands(), "replay_plain", None)
    if own is None:
        for number, action in enumerate(recording.actions[: verdict.turns], 1):
            print(f"{number} {printable(action)}", file=output)
        if verdict.is_ok:
            print(f"ok: {counted(verdict.turns, 'turn')}, {verdict.outcome}", file=output)
    elif controller is not None:
        controller.go_to(controller.turn.line()[verdict.turns])  # before what diverged, if anything did
        own(controller, output)
    if not verdict.is_ok:
        output.flush()
        fail(_complaint(recording, verdict))
    return PlainEnd(0, controller, recording.strategies)


def _complaint(recording: Recording, verdict: Verdict) -> str:
    """The fault of a recording in words, after its place: file:line:column."""
    return str(LevelError(verdict.message, recording.file, verdict.line or 1))
