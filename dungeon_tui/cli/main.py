"""The command line, built from the catalogue: each game brings its commands, `play` is made here."""

from __future__ import annotations

import inspect
import io
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from dungeon_tui import __version__
from dungeon_tui.cli.play import has_screen, open_app, write_recording
from dungeon_tui.core.catalogue import Game, Opening, PlainEnd, Play, find_games
from dungeon_tui.core.files import UnwritableError, refuse_unwritable, write_text
from dungeon_tui.core.level import LevelError, printable
from dungeon_tui.core.plain import fail
from dungeon_tui.core.words import counted, reason
from dungeon_tui.ui.command_line import REPLACED, JsonOption, is_standard_output

if TYPE_CHECKING:
    from dungeon_tui.core.recording import Recording, Verdict

PlainOption = Annotated[
    bool, typer.Option("--plain", help="Without a screen: plain text, commands from standard input.")
]
RecordOption = Annotated[
    Path | None, typer.Option("--record", metavar="FILE", help=f"Write a recording at the end: {REPLACED}.")
]
RecordingOption = Annotated[
    Path | None, typer.Option("--recording", metavar="FILE", help="Replay a recording; any turn can be played on.")
]
AsciiOption = Annotated[bool, typer.Option("--ascii", help="Draw the screen with ASCII characters only.")]


def run() -> None:
    """Runs the command line; whatever is wrong with an input ends in one line on standard error."""
    for stream in (sys.stdout, sys.stderr):  # a name that the terminal can't spell is no reason to end
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        build([word for word in sys.argv[1:] if not word.startswith("-")][:1])(prog_name="dungeon-tui")
    except (LevelError, UnwritableError) as error:
        fail(str(error))
    except MemoryError:
        fail("there is not enough memory for this")
    except OSError as error:  # a full disk, most likely: files that can't be read are told of where they are read
        fail(f"can't go on: {reason(error)}")


def build(named: Sequence[str]) -> typer.Typer:
    """The command line; of the games, only those named bring their commands: the others are not read."""
    cli = typer.Typer(
        name="dungeon-tui",
        help="Five classic dungeon problems as games in the terminal. Without a command: the menu.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    cli.callback(invoke_without_command=True)(_menu)
    for game in find_games():
        group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
        group.callback()(_nothing)
        if game.name in named:
            commands = game.commands()
            group.command("play")(_play_command(game, commands.play))
            if game.has_editor:
                group.command("edit")(_edit_command(game))
            group.add_typer(commands.app)
        cli.add_typer(group, name=game.name, help=game.summary)
    recording = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    recording.command("verify")(_verify)
    recording.command("export")(_export)
    cli.add_typer(recording, name="recording", help="Recordings of games.")
    cli.command("bench")(_bench)
    return cli


def _nothing() -> None:
    """A group may be without commands only if it has a callback."""


def _menu(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
    ascii_only: AsciiOption = False,
) -> None:
    if version:
        print(f"dungeon-tui {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is not None:
        return
    if not has_screen():
        print(context.get_help())
        raise typer.Exit(2)
    open_app(ascii_only=ascii_only)


def _play_command(game: Game, arguments: Callable[..., Play]) -> Callable[..., None]:
    """`GAME play`: the game's own arguments, and those that every game has."""

    def play(
        context: typer.Context,
        plain: PlainOption = False,
        record: RecordOption = None,
        recording: RecordingOption = None,
        ascii_only: AsciiOption = False,
        **own: Any,
    ) -> None:
        if recording is not None:
            if own != defaults:
                raise typer.BadParameter(
                    "the recording holds all of it: name nothing else to play", param_hint="--recording"
                )
            wanted = _replay(game, recording)
        else:
            wanted = arguments(**own)
        if record is not None:
            _refuse_unwritable(record, [*own.values(), recording])
        if not plain and not has_screen():
            plain = True
            what = "playing" if recording is None else "replaying"
            print(f"No terminal to draw on: {what} in plain text (--plain).", file=sys.stderr)
        if not plain and record is not None and wanted.opening is None:
            raise typer.BadParameter("name what to play: from the menu nothing is recorded", param_hint="--record")
        if not plain:
            open_app(game, wanted.opening, record, ascii_only or context.find_root().params["ascii_only"])
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(newline="\n")  # the same transcript everywhere
        end = wanted.plain(sys.stdin, sys.stdout, sys.stderr)
        sys.stdout.flush()
        if record is not None and end.controller is not None:
            write_recording(record, end.controller, game.name, end.players)
        raise typer.Exit(end.exit_status)

    shared = [
        parameter for parameter in inspect.signature(play, eval_str=True).parameters.values() if parameter.name != "own"
    ]
    game_own = inspect.signature(arguments, eval_str=True).parameters.values()
    defaults = {parameter.name: parameter.default for parameter in game_own}
    parameters = [parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in (*game_own, *shared)]
    play.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    play.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    play.__doc__ = arguments.__doc__
    return play


def _edit_command(game: Game) -> Callable[..., None]:
    """`GAME edit`, of games that have an editor."""

    def edit(
        context: typer.Context,
        file: Annotated[
            str,
            typer.Argument(metavar="[FILE]", help="A level file; one that isn't there is begun.", show_default=False),
        ] = "",
        ascii_only: AsciiOption = False,
    ) -> None:
        """Draw a level, and see at once what the solver says of it."""
        opening = game.editor(file)
        level = opening.load()  # what is wrong with the file is told in the shell
        if not has_screen():
            print("No terminal to draw on: an editor needs one.", file=sys.stderr)
            raise typer.Exit(2)
        open_app(
            game, replace(opening, load=lambda: level), None, ascii_only or context.find_root().params["ascii_only"]
        )

    return edit


def _refuse_unwritable(record: Path, arguments: Sequence[object]) -> None:
    """Before the game; whatever is among the arguments of `play` and is a file is not overwritten."""
    if is_standard_output(record):
        fail("--record needs a file: - is standard output, which the game itself takes")
    refuse_unwritable(record, [value for value in arguments if isinstance(value, str | Path)])


def _replay(game: Game, file: Path) -> Play:
    """What `--recording FILE` comes to, in place of what a game's own arguments name."""
    from dungeon_tui.storage.recordings import load

    read = partial(load, file, game.name)
    return Play(Opening(printable(file.name), read), lambda _, output, __: _print_replay(game, read(), output))


def _print_replay(game: Game, recording: Recording, output: TextIO) -> PlainEnd:
    """Prints a replay as the game does it, or verified and action by action."""
    from dungeon_tui.core.recording import reexecute

    controller, verdict = reexecute(recording)
    own = getattr(game.commands(), "replay_plain", None)
    if own is not None:
        own(replace(recording, actions=recording.actions[: verdict.turns]), output)
    else:
        for number, action in enumerate(recording.actions[: verdict.turns], 1):
            print(f"{number} {printable(action)}", file=output)
        if verdict.is_ok:
            print(f"ok: {counted(verdict.turns, 'turn')}, {verdict.outcome}", file=output)
    if not verdict.is_ok:
        output.flush()
        fail(_complaint(recording, verdict))
    return PlainEnd(0, controller, recording.strategies)


def _complaint(recording: Recording, verdict: Verdict) -> str:
    """What is wrong with a recording, and where in its file."""
    return str(LevelError(verdict.message, recording.file, verdict.line or 1))


def _verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A recording; - is standard input.")],
    as_json: JsonOption = False,
) -> None:
    """Re-execute a recording and say whether it comes out the same."""
    from dungeon_tui.core.level import read_level_file
    from dungeon_tui.core.recording import UNFINISHED, Verdict, read_recording, verify

    try:
        recording = read_recording(read_level_file(file))
        verdict = verify(recording)
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


def _export(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A recording; - is standard input.")],
    output: Annotated[Path, typer.Option("--output", metavar="FILE", help=f"The asciicast file to write: {REPLACED}.")],
    speed: Annotated[float, typer.Option("--speed", min=0.1, max=100, help="Turns a second.")] = 5,
) -> None:
    """Write a recording as asciicast v2, for players of terminal recordings."""
    from dungeon_tui.core.catalogue import find_game
    from dungeon_tui.core.level import read_level_file
    from dungeon_tui.core.recording import read_recording, reexecute
    from dungeon_tui.ui.asciicast import asciicast

    refuse_unwritable(output, [file])
    recording = read_recording(read_level_file(file))
    controller, verdict = reexecute(recording)
    game = find_game(recording.game)
    if controller is None or game is None or not verdict.is_ok:
        fail(_complaint(recording, verdict))
    view = game.view()(game)
    title = recording.title or view.facts(controller.turn).title
    write_text(output, "".join(asciicast(view, controller.turn.line(), f"{game.title}: {title}", speed)))
    print(f"{counted(verdict.turns, 'turn')}, {verdict.outcome}")


def _bench(
    as_json: JsonOption = False,
    quick: Annotated[bool, typer.Option("--quick", help="The smaller inputs only.")] = False,
    large: Annotated[bool, typer.Option("--large", help="The largest inputs too.")] = False,
) -> None:
    """Race every kernel against its peers, those that are installed, in one interleaved run."""
    from dungeon_tui import bench

    results = bench.measure(quick=quick, large=large, progress=lambda text: print(text, "...", file=sys.stderr))
    print(json.dumps(bench.as_json(results)) if as_json else bench.table(results))
