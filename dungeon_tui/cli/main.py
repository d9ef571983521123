"""The command line, built from the catalogue: each game adds its commands; `play` and `edit` are shared."""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from dungeon_tui import __version__
from dungeon_tui.cli import kit, library, play, recordings, sharing
from dungeon_tui.cli.app import has_screen, open_app
from dungeon_tui.cli.library import LibraryOption, open_library
from dungeon_tui.core.catalogue import Game, Opening, find_game, find_games
from dungeon_tui.core.files import UnwritableError, forget_claims, set_aside
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.plain import fail, printable_streams
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import reason
from dungeon_tui.engine.kernel_cache import Compiling
from dungeon_tui.storage.library import LibraryError
from dungeon_tui.ui.command_line import JsonOption, option


def run() -> None:
    """Runs the command line; bad files and a full disk end in one line on standard error, with exit status 1."""
    forget_claims()
    if sys.stderr.isatty():
        Compiling.begins = _tell_of_compiling
    with printable_streams():
        try:
            try:
                build()(prog_name="dungeon-tui")
            finally:
                sys.stdout.flush()  # reports errors of the last lines, too
        except (LevelError, LibraryError, UnwritableError) as error:
            fail(str(error))
        except MemoryError:
            fail("there is not enough memory for this")
        except BrokenPipeError:  # the reader of our output has left
            sys.exit(1)
        except OSError as error:  # a full disk, most likely: errors of reading are reported elsewhere
            fail(f"can't continue: {reason(error)}")


def _tell_of_compiling() -> None:
    from dungeon_tui.ui.background import COMPILING

    Compiling.begins = None
    print(COMPILING, file=sys.stderr)


_SECTIONS = {
    "Play": (*(game.name for game in find_games()), "daily", "continue", "serve"),
    "Share": ("open", "recording", "library"),
    "Judge": ("GAME judge", "GAME break", "kit"),
    "Settings": ("doctor",),
}
"""The commands under the headings of the help."""

_OF_GAMES = {
    "GAME judge": "Judge programs on inputs with known answers.",
    "GAME break": "Search for the smallest input that beats a program.",
}


class _Group(TyperGroup):
    """Commands whose help shows their first paragraphs in full, and values of options in one style."""

    def get_command(self, ctx: Any, name: str) -> Any:
        command = super().get_command(ctx, name)
        for parameter in command.params if command else ():
            vars(parameter)["get_help_record"] = partial(_help_record, type(parameter).get_help_record, parameter)
            if parameter.required:  # without braces
                vars(parameter)["make_metavar"] = partial(lambda metavar, ctx, usage=False: metavar, parameter.metavar)
        return command

    def sections(self, names: list[str]) -> dict[str, tuple[str, ...]]:
        return {"Commands": tuple(names)}

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for heading, names in self.sections(self.list_commands(ctx)).items():
            with formatter.section(heading):
                formatter.write_dl([(name, self.about(ctx, name)) for name in names])

    def about(self, ctx: Any, name: str) -> str:
        """The first paragraph of a command's help."""
        command = self.get_command(ctx, name)
        text = _OF_GAMES[name] if command is None else command.help or ""
        return " ".join(text.partition("\n\n")[0].split())


def _help_record(record: Callable[..., Any], parameter: Any, ctx: Any) -> tuple[str, str]:
    """The help of a parameter with its bounds and default in words, as in the options of levels."""
    name, text = record(parameter, ctx)
    text, _, more = text.removesuffix("]").partition("  [")
    text, *usual = text.removesuffix(".").split("; default: ")
    for part in more.removesuffix("required").removesuffix("; ").split("; "):
        part = re.sub(r"\d{4,}", lambda number: f"{int(number[0]):,}", part.removesuffix(".0"))
        if part.startswith("default: "):
            usual = [part.removeprefix("default: ")]
        elif part:
            least, _, most = part.rpartition("x")
            bounds = f"{least.strip('<=')} to {most.strip('<=')}" if least else f"{most.strip('>=')} or more"
            text += f"{'; ' if ':' in text or ';' in text else ': '}{bounds}"
    return name.replace("<", "[").replace(">", "]"), f"{'; default: '.join([text, *usual])}."


class _Commands(_Group):
    """All commands. A game's are loaded only after the options before its name, and only for that game."""

    def sections(self, names: list[str]) -> dict[str, tuple[str, ...]]:
        others = tuple(name for name in names if not any(name in known for known in _SECTIONS.values()))
        return {**_SECTIONS, **({"Other": others} if others else {})}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        game = find_game(args[0])
        return super().resolve_command(ctx, args) if game is None else (game.name, _group(game, args[1:]), args[1:])


def build() -> typer.Typer:
    """The command line as a Typer app."""
    cli = typer.Typer(
        name="dungeon-tui",
        cls=_Commands,
        help="Six classic dungeon problems as games in the terminal. Without a command, opens the menu.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    cli.callback(invoke_without_command=True)(_menu)
    for game in find_games():
        line = typer.Typer()  # for the help; `_group` has the commands
        line.callback()(_nothing)
        cli.add_typer(line, name=game.name, help=game.summary)
    cli.add_typer(recordings.app, name="recording", cls=_Group, help="Verify recordings, or make web pages of them.")
    cli.add_typer(library.app, name="library", cls=_Group, help="List, check, export and import your saved games.")
    cli.command("continue")(_continue)
    cli.command("open")(sharing.open_code)
    cli.command("daily")(sharing.daily)
    cli.command("kit")(kit.kit)
    cli.command("serve")(_serve)
    cli.command("doctor")(_doctor)
    return cli


def _group(game: Game, words: list[str]) -> Any:
    """The commands of a game. Leaves out `judge` and `break`, which load slowly, if the words name another command."""
    commands = game.commands()
    summary = f"{game.summary} Without a command, lists the levels."
    group = typer.Typer(name=game.name, cls=_Group, help=summary, rich_markup_mode=None, add_completion=False)

    @group.callback(invoke_without_command=True)
    def levels(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            _require_screen(context)
            open_app(game, ascii_only=context.find_root().params["ascii_only"])

    group.command("play")(play.command(game))
    if game.editor_note:
        group.command("edit")(play.edit_command(game))
    group.add_typer(commands.app)
    found: Any = get_command(group)
    if game.problem_in and not (words and words[0] in found.commands):
        from dungeon_tui.cli import judging

        judges = typer.Typer(rich_markup_mode=None)
        judges.command("judge", cls=judging.TakesFiles, help=_OF_GAMES["GAME judge"])(judging.judge_command(game))
        judges.command("break", cls=judging.TakesFiles, help=_OF_GAMES["GAME break"])(judging.break_command(game))
        found.commands |= cast(TyperGroup, get_command(judges)).commands
    return found


def _require_screen(context: typer.Context) -> None:
    """Prints the help and ends the process if there is no screen."""
    if not has_screen():
        print(context.get_help())
        raise typer.Exit(2)


def _nothing() -> None:
    """Does nothing: a group has its own help only if it has a callback."""


def _menu(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    library: LibraryOption = None,
    ascii_only: play.AsciiOption = False,
    reset_settings: Annotated[
        bool, typer.Option("--reset-settings", help="Reset all settings; keeps the old file under another name.")
    ] = False,
) -> None:
    if version:
        print(f"dungeon-tui {__version__}")
        raise typer.Exit
    if reset_settings:
        from dungeon_tui.storage.settings import settings_path

        aside = set_aside(path, "old") if (path := settings_path()).exists() else None
        print("There are no settings yet." if aside is None else f"The old settings are in {printable(str(aside))}")
        raise typer.Exit
    if context.invoked_subcommand is not None:
        return
    _require_screen(context)
    open_app(ascii_only=ascii_only)


def _continue(
    plain: play.PlainOption = False,
    quiet: play.QuietOption = False,
    library: LibraryOption = None,
    ascii_only: play.AsciiOption = False,
) -> None:
    """Resume the unfinished game that you played last."""
    from dungeon_tui.storage.shelf import waiting

    library_of_all = open_library()
    found = waiting(library_of_all, find_games())
    if found is None:
        fail("no unfinished game; dungeon-tui opens the menu")
    item, opening = found
    game, stored = item.game, item.stored
    if has_screen() and not (plain or quiet):
        open_app(game, opening, ascii_only=ascii_only)
    resumed = library_of_all.resume(stored)
    library_of_all.close()
    for text in filter(None, (resumed.trouble, resumed.notice)):
        print(text, file=sys.stderr)
    level, line = resumed.controller.level, resumed.controller.turn.line()
    actions = tuple(game.rules().action_text(turn.action) for turn in line[1:])
    opening = Opening(item.title, lambda: level, seed=stored.seed, players=resumed.stored.players, actions=actions)
    wanted = replace(game.commands().opened(opening), what="continuing")
    play.run(game, wanted, plain=plain, quiet=quiet, resumed=resumed)


def _doctor(as_json: JsonOption = False) -> None:
    """Report on the terminal, files and their sizes, and problems with their remedies."""
    from dungeon_tui.cli.doctor import examine, in_words

    report = examine()
    if as_json:
        print(json.dumps({"ok": not report.problems, "problems": report.problems, **report.values}))
    else:
        print("\n".join(in_words(report)))
    raise typer.Exit(1 if report.problems else 0)


def _serve(
    host: Annotated[
        str, option("--host", "ADDRESS", "The address to listen on; only this machine reaches 127.0.0.1.")
    ] = "127.0.0.1",
    port: Annotated[int, option("--port", "N", "The port; 0 for any free one.", min=0, max=65535)] = 8000,
    visitors: Annotated[int, option("--visitors", "N", "The most visitors at a time.", min=1)] = 8,
    name: Annotated[str, option("--name", "NAME", "The name under which a proxy offers this server.")] = "",
) -> None:
    """Let people play in their browsers. Each visitor has separate games, deleted when they leave."""
    try:
        from dungeon_tui.cli.serving import serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("dungeon_tui"):
            raise
        fail(f"{error.name} is not installed: serve needs pip install 'dungeon-tui[web]', or '.[web]' in a checkout")
    raise typer.Exit(serve(host, port, visitors, name))
