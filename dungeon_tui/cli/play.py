"""`GAME play` and `GAME edit`, on a screen or in plain text, with the game's own options and the common ones."""

import io
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NoReturn, TextIO, cast

import typer

from dungeon_tui.cli.app import has_screen, open_app, write_recording
from dungeon_tui.cli.interrupts import EndingStream, ends_by
from dungeon_tui.cli.keeping import Keeper
from dungeon_tui.cli.recordings import REPLAYING, replay
from dungeon_tui.core.catalogue import Game, Opening, Play
from dungeon_tui.core.options import Given
from dungeon_tui.core.plain import fail, observing_games
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage.library import Resumed
from dungeon_tui.ui import command_line as shell

PlainOption = Annotated[bool, typer.Option("--plain", help="Play in plain text, with commands from standard input.")]
QuietOption = Annotated[
    bool, typer.Option("--quiet", help="As --plain, in sentences alone: no maps, no prompts; rows and columns from 1.")
]
RecordOption = Annotated[Path | None, shell.written("--record", "recording", "Write a recording at the end")]
RecordingOption = Annotated[
    Path | None, shell.option("--recording", "FILE", "Replay a recording; you can play on from any turn.")
]
_KEYS = """Keys on the screen: move with the arrows, the number pad, w a s d or h j k l (y u b n for diagonals, if there
are any); stay with e; backspace takes a move back, / gives a hint, ? shows all rules and keys, q quits."""
AsciiOption = Annotated[bool, typer.Option("--ascii", help="Draw the screen with ASCII characters only.")]


def command(game: Game) -> Callable[..., None]:
    """The function behind `GAME play`, with the options of the game's levels and the common ones."""
    table = game.commands().OPTIONS

    def play(
        context: typer.Context,
        plain: PlainOption = False,
        quiet: QuietOption = False,
        record: RecordOption = None,
        force: shell.ForceOption = False,
        recording: RecordingOption = None,
        ascii_only: AsciiOption = False,
        **own: Any,
    ) -> None:
        given = shell.given_by(table, own)
        if recording is not None and given:
            raise typer.BadParameter("a recording can't be combined with a level", param_hint="--recording")
        wanted = _wanted(game, given) if recording is None else replay(game, recording)
        if shell.is_standard_output(record):
            fail("--record needs a file: standard output (-) is for the game")
        is_ascii = ascii_only or context.find_root().params["ascii_only"]
        run(game, wanted, plain=plain, quiet=quiet, record=record, ascii_only=is_ascii)

    help_text = f"{table.summary}\n\n{game.rules_text}\n\n{_KEYS}"
    return shell.with_signature(play, [*shell.level_parameters(table), *shell.own_parameters(play, "own")], help_text)


def _wanted(game: Game, given: Given) -> Play:
    """Plays a level; a generated level without a seed gets a random one."""
    if not given:
        return game.commands().opened(None)
    note = ""
    if given.lacks_seed:
        given = given.combined(seed=shell.seed_by_chance())
        note = shell.seed_note(given["seed"])
    with shell.one_line_errors(), shell.wrong_usage():
        opening = game.levels().opening(given)
    return replace(game.commands().opened(opening), note=note)


def run(
    game: Game,
    wanted: Play,
    *,
    plain: bool = False,
    quiet: bool = False,
    record: Path | None = None,
    ascii_only: bool = False,
    resumed: Resumed | None = None,
) -> NoReturn:
    """Plays on a screen, or in plain text if `plain`, `quiet` or without a screen; ends the process.

    In plain text it continues `resumed`, a game of the library; on a screen the opening does.
    """
    # Play on a screen if there is one.
    plain = plain or quiet
    if not plain and not has_screen():
        plain = True
        print(f"No terminal to draw on: {wanted.what} in plain text (--plain).", file=sys.stderr)
    if not plain and record is not None and wanted.opening is None:
        raise typer.BadParameter("name a level: games from the menu are not recorded", param_hint="--record")
    if not plain:
        open_app(game, None if wanted.opening is None else _titled(game, wanted.opening), record, ascii_only)
    # Otherwise play in plain text: the arguments name the level in the library.
    arguments = wanted.plain_arguments
    if arguments is None:
        arguments = "" if wanted.opening is None else wanted.opening.arguments
    opening = wanted.opening or Opening(game.title, lambda: None)
    if resumed is None:
        opening = _titled(game, replace(opening, arguments=arguments))
    if wanted.what != REPLAYING and sys.stdin.isatty():
        print("Type help for a list of words.", file=sys.stderr)
    # Save the turns played so far before each command is read.
    keeper = Keeper(game, opening, resumed)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    stream = EndingStream(sys.stdin, sys.stdout)
    stream.before_reading = keeper.keep

    def begin(controller: TurnController[Any, Any, Any], players: Mapping[str, str]) -> Callable[[], object]:
        if wanted.note:
            print(wanted.note, file=sys.stderr)
        return keeper.begin(controller, players)

    # Play to the end, then write the recording.
    with ends_by(stream.end):
        try:
            with observing_games(begin, is_quiet=quiet):
                end = wanted.plain(cast(TextIO, stream), cast(TextIO, stream), sys.stderr)
            stream.flush()
        finally:
            keeper.close()
        if record is not None and end.controller is not None:
            write_recording(record, end.controller, game.name, end.players, arguments)
    raise typer.Exit(stream.exit_status or end.exit_status)


def _titled(game: Game, opening: Opening) -> Opening:
    """The opening with the title that the menu has for its level."""
    if not opening.arguments:
        return opening
    with suppress(ValueError):
        offered = {each.arguments: each for each in game.levels().openings()}
        known = offered.get(opening.arguments) or game.levels().named(opening.arguments)
        return replace(opening, title=known.title)
    return opening


def edit_command(game: Game) -> Callable[..., None]:
    """The function behind `GAME edit [FILE]`."""

    def edit(
        context: typer.Context,
        file: Annotated[
            str, shell.argument("[FILE]", "A level file; a new one if it doesn't exist.", show_default=False)
        ] = "",
        ascii_only: AsciiOption = False,
    ) -> None:
        """Draw a level, with the solver's verdict as you draw."""
        from dungeon_tui.ui.editor.opening import editor_opening

        opening = editor_opening(game, file)
        level = opening.load()  # now, so that errors in the file appear in the shell
        if not has_screen():
            print("No terminal to draw on: an editor needs one.", file=sys.stderr)
            raise typer.Exit(2)
        open_app(
            game, replace(opening, load=lambda: level), None, ascii_only or context.find_root().params["ascii_only"]
        )

    return edit
