"""`GAME play` and `GAME edit`: the game's own arguments beside those of all games, on a screen or in plain text."""

from __future__ import annotations

import inspect
import io
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NoReturn, TextIO, cast

import typer

from dungeon_tui.cli.app import has_screen, open_app, write_recording
from dungeon_tui.cli.interrupts import EndingStream, ends_by
from dungeon_tui.cli.keeping import Keeper
from dungeon_tui.cli.recordings import replay
from dungeon_tui.core.catalogue import Game, Opening, Play
from dungeon_tui.core.plain import fail, told_of_games
from dungeon_tui.storage.library import Resumed
from dungeon_tui.ui.command_line import ForceOption, is_standard_output, written

PlainOption = Annotated[
    bool, typer.Option("--plain", help="Without a screen: plain text, commands from standard input.")
]
RecordOption = Annotated[Path | None, written("--record", "recording", "The file to write a recording to at the end")]
RecordingOption = Annotated[
    Path | None, typer.Option("--recording", metavar="FILE", help="Replay a recording; any turn can be played on.")
]
REPLAYING = "replaying"
AsciiOption = Annotated[bool, typer.Option("--ascii", help="Draw the screen with ASCII characters only.")]


def command(game: Game, arguments: Callable[..., Play]) -> Callable[..., None]:
    """The function behind `GAME play`; its signature has the game's own arguments and those that every game has."""

    def play(
        context: typer.Context,
        plain: PlainOption = False,
        record: RecordOption = None,
        force: ForceOption = False,
        recording: RecordingOption = None,
        ascii_only: AsciiOption = False,
        **own: Any,
    ) -> None:
        if recording is not None:
            if own != defaults:
                raise typer.BadParameter(
                    "the recording holds all of it: name nothing else to play", param_hint="--recording"
                )
            wanted = replay(game, recording)
        else:
            wanted = arguments(**own)
        if is_standard_output(record):
            fail("--record needs a file: - is standard output, which the game itself takes")
        is_ascii = ascii_only or context.find_root().params["ascii_only"]
        what = "playing" if recording is None else REPLAYING
        run(game, wanted, plain=plain, record=record, ascii_only=is_ascii, what=what)

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


def run(
    game: Game,
    wanted: Play,
    *,
    plain: bool = False,
    record: Path | None = None,
    ascii_only: bool = False,
    what: str = "playing",
    resumed: Resumed | None = None,
) -> NoReturn:
    """Plays what is wanted on a screen, or in plain text if that is asked for or there is none; ends the process.

    In plain text it goes on with a game of the library where that is `resumed`; on a screen the opening does so.
    """
    if not plain and not has_screen():
        plain = True
        print(f"No terminal to draw on: {what} in plain text (--plain).", file=sys.stderr)
    if not plain and record is not None and wanted.opening is None:
        raise typer.BadParameter("name what to play: from the menu nothing is recorded", param_hint="--record")
    if not plain:
        open_app(game, None if wanted.opening is None else _titled(game, wanted.opening), record, ascii_only)
    arguments = wanted.plain_arguments
    if arguments is None:
        arguments = "" if wanted.opening is None else wanted.opening.arguments
    opening = wanted.opening or Opening(game.title, lambda: None)
    if resumed is None:
        opening = _titled(game, replace(opening, arguments=arguments))
    if what != REPLAYING and sys.stdin.isatty():
        print("A line with the word help tells what you can ask.", file=sys.stderr)
    keeper = Keeper(game, opening, resumed)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    stream = EndingStream(sys.stdin, sys.stdout)
    stream.before_reading = keeper.keep
    with ends_by(stream.end):
        try:
            with told_of_games(keeper.begin):
                end = wanted.plain(cast(TextIO, stream), cast(TextIO, stream), sys.stderr)
            stream.flush()
        finally:
            keeper.close()
        if record is not None and end.controller is not None:
            write_recording(record, end.controller, game.name, end.players, arguments)
    raise typer.Exit(stream.exit_status or end.exit_status)


def _titled(game: Game, opening: Opening) -> Opening:
    """The opening under the title that the menu has for its level, if it does, or that its arguments have elsewhere."""
    if not opening.arguments:
        return opening
    with suppress(ValueError):
        offered = {each.arguments: each for each in game.levels().openings()}
        known = offered.get(opening.arguments) or game.levels().named(opening.arguments)
        return replace(opening, title=known.title)
    return opening


def edit_command(game: Game) -> Callable[..., None]:
    """The function behind `GAME edit [FILE]`, which opens the game's editor on the screen."""

    def edit(
        context: typer.Context,
        file: Annotated[
            str,
            typer.Argument(
                metavar="[FILE]",
                help="A level file; if there is none of this name, a new one is begun.",
                show_default=False,
            ),
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
