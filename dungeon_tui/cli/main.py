"""The command line, built from the catalogue: each game brings its commands, `play` and `edit` are the same for all."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from dungeon_tui import __version__
from dungeon_tui.cli import kit, library, play, recordings, sharing
from dungeon_tui.cli.app import has_screen, open_app
from dungeon_tui.cli.library import LibraryOption, open_library
from dungeon_tui.core.catalogue import Game, Opening, find_game, find_games
from dungeon_tui.core.files import UnwritableError, forget_claims
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.plain import fail, printable_streams
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import reason
from dungeon_tui.engine.kept import Compiling
from dungeon_tui.storage.library import KeptGame, LibraryError
from dungeon_tui.ui.command_line import JsonOption


def run() -> None:
    """Runs the command line; wrong files and a lack of room end in one line on standard error, exit status 1."""
    forget_claims()
    if sys.stderr.isatty():
        Compiling.begins = _tell_of_compiling
    with printable_streams():
        _run()


def _tell_of_compiling() -> None:
    from dungeon_tui.ui.background import COMPILING

    Compiling.begins = None
    print(COMPILING, file=sys.stderr)


def _run() -> None:
    try:
        build()(prog_name="dungeon-tui")
    except (LevelError, LibraryError, UnwritableError) as error:
        fail(str(error))
    except MemoryError:
        fail("there is not enough memory for this")
    except OSError as error:  # a full disk, most likely: files that can't be read are told of where they are read
        fail(f"can't go on: {reason(error)}")


class _Commands(TyperGroup):
    """All commands; those of a game are loaded once the options before its name are read, and only for that game."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named: its name, the command, and the words after it."""
        game = find_game(args[0])
        return super().resolve_command(ctx, args) if game is None else (game.name, _group(game, args[1:]), args[1:])


def build() -> typer.Typer:
    """The command line as a Typer app."""
    cli = typer.Typer(
        name="dungeon-tui",
        cls=_Commands,
        help="Six classic dungeon problems as games in the terminal. Without a command: the menu.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    cli.callback(invoke_without_command=True)(_menu)
    for game in find_games():
        line = typer.Typer()  # in the help; its commands are those of `_group`
        line.callback()(_nothing)
        cli.add_typer(line, name=game.name, help=game.summary)
    cli.add_typer(recordings.app, name="recording", help="Recordings of games.")
    cli.add_typer(library.app, name="library", help="All games that were played here.")
    cli.command("continue")(_continue)
    cli.command("open")(sharing.open_code)
    cli.command("daily")(sharing.daily)
    cli.command("kit")(kit.kit)
    cli.command("serve")(_serve)
    cli.command("bench")(_bench)
    cli.command("doctor")(_doctor)
    return cli


def _group(game: Game, words: list[str]) -> Any:
    """The commands of a game; `judge` and `break`, which load much, unless the words begin with another one."""
    commands = game.commands()
    group = typer.Typer(
        name=game.name, help=game.summary, no_args_is_help=True, rich_markup_mode=None, add_completion=False
    )
    group.callback()(_nothing)
    group.command("play")(play.command(game, commands.play))
    if game.has_editor:
        group.command("edit")(play.edit_command(game))
    group.add_typer(commands.app)
    found: Any = get_command(group)
    if game.has_judge and not (words and words[0] in found.commands):
        from dungeon_tui.cli import judging

        judges = typer.Typer()
        judges.command("judge", cls=judging.TakesFiles)(judging.judge_command(game))
        judges.command("break")(judging.break_command(game))
        found.commands |= cast(TyperGroup, get_command(judges)).commands
    return found


def _nothing() -> None:
    """Does nothing: a group has its own help only if it has a callback."""


def _menu(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
    library: LibraryOption = None,
    ascii_only: play.AsciiOption = False,
    reset_settings: Annotated[
        bool, typer.Option("--reset-settings", help="Reset all settings; the old file is kept beside the new one.")
    ] = False,
) -> None:
    if version:
        print(f"dungeon-tui {__version__}")
        raise typer.Exit
    if reset_settings:
        from dungeon_tui.storage.settings import reset, settings_path

        aside = reset(settings_path())
        print(
            "There are no settings yet." if aside is None else f"The old settings are kept in {printable(str(aside))}"
        )
        raise typer.Exit
    if context.invoked_subcommand is not None:
        return
    if not has_screen():
        print(context.get_help())
        raise typer.Exit(2)
    open_app(ascii_only=ascii_only)


def _continue(
    plain: play.PlainOption = False, library: LibraryOption = None, ascii_only: play.AsciiOption = False
) -> None:
    """Go on with the game that was played last and isn't over."""
    from dungeon_tui.storage.shelf import waiting

    library_of_all = open_library()
    found = waiting(library_of_all, find_games())
    if found is None or found.item.game is None:
        fail("no game is waiting to be gone on with: dungeon-tui opens the menu")
    game, kept = found.item.game, found.item.source
    if has_screen() and not plain:
        open_app(game, found.opening, ascii_only=ascii_only)
    assert isinstance(kept, KeptGame)
    resumed = library_of_all.resume(kept)
    library_of_all.close()
    if resumed.trouble:
        print(resumed.trouble, file=sys.stderr)
    level, line = resumed.controller.level, resumed.controller.turn.line()
    actions = tuple(game.rules().action_text(turn.action) for turn in line[1:])
    opening = Opening(found.item.title, lambda: level, seed=kept.seed, players=kept.players, actions=actions)
    play.run(game, game.commands().opened(opening), plain=plain, what="going on", resumed=resumed)


def _doctor(as_json: JsonOption = False) -> None:
    """Say what the terminal can do, where the files are and how large, what is wrong, and what to do about it."""
    from dungeon_tui.cli.doctor import examine, in_words

    report = examine()
    if as_json:
        print(json.dumps({"ok": not report.problems, "problems": report.problems, **report.values}))
    else:
        print("\n".join(in_words(report)))
    raise typer.Exit(1 if report.problems else 0)


def _serve(
    host: Annotated[
        str, typer.Option("--host", help="The address to listen at; by default nobody else can reach it.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")] = 8000,
    visitors: Annotated[int, typer.Option("--visitors", min=1, help="Who may play at the same time.")] = 8,
) -> None:
    """Let people play in their browsers: each has games of their own, which go when they go."""
    try:
        from dungeon_tui.cli.serving import serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("dungeon_tui"):
            raise
        fail(f"{error.name} is not installed: serve needs pip install 'dungeon-tui[web]', or '.[web]' in a checkout")
    raise typer.Exit(serve(host, port, visitors))


def _bench(
    as_json: JsonOption = False,
    quick: Annotated[bool, typer.Option("--quick", help="The smaller inputs only.")] = False,
    large: Annotated[bool, typer.Option("--large", help="The largest inputs too.")] = False,
) -> None:
    """Race every kernel against its peers, those that are installed, in one interleaved run."""
    from dungeon_tui import bench

    results = bench.measure(quick=quick, large=large, progress=lambda text: print(text, "...", file=sys.stderr))
    print(json.dumps(bench.as_json(results)) if as_json else bench.table(results))
