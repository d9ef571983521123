"""`open CODE` and `daily`: levels to share."""

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from typing import Annotated, Any

import typer

from dungeon_tui.cli.app import has_screen, open_app
from dungeon_tui.cli.library import LibraryOption
from dungeon_tui.cli.play import AsciiOption, PlainOption, QuietOption, run
from dungeon_tui.core.catalogue import Game, Opening, find_game, find_games
from dungeon_tui.core.options import daily as arguments_of
from dungeon_tui.core.plain import fail
from dungeon_tui.core.text import printable
from dungeon_tui.ui import command_line as shell

CodeArgument = Annotated[str, shell.argument("CODE", "A share code: at most 80 characters.")]
GameArgument = Annotated[str | None, shell.argument("GAME", "The game; default: choose in the menu.")]


def open_code(
    code: CodeArgument,
    plain: PlainOption = False,
    quiet: QuietOption = False,
    library: LibraryOption = None,
    ascii_only: AsciiOption = False,
) -> None:
    """Play from the position in a share code."""
    from dungeon_tui.core.codes import CodeError, decode, opening_of

    with shell.one_line_errors(CodeError):
        game, opening = opening_of(decode(code))
    run(game, game.commands().opened(opening), plain=plain, quiet=quiet, ascii_only=ascii_only)


def daily(
    name: GameArgument = None,
    day: shell.DateOption = None,
    as_json: shell.JsonOption = False,
    library: LibraryOption = None,
    ascii_only: AsciiOption = False,
) -> None:
    """Play today's level, the same for everyone."""
    day = day or date.today()
    games = find_games() if name is None else [game for game in [find_game(name)] if game is not None]
    if not games:
        raise typer.BadParameter(f"no game is called {printable(name or '')!r}", param_hint="GAME")
    if name is None and not as_json and has_screen():
        open_app(ascii_only=ascii_only, day=day)
    found = _dailies(games, day)
    if name is not None and not found:
        fail(f"the {name} has no daily level")
    if as_json:
        facts = [_facts(*each, day) for each in found]
        print(json.dumps(facts[0] if name is not None else {"date": day.isoformat(), "games": facts}))
    elif name is not None:
        game, opening = found[0]
        run(game, game.commands().opened(opening), ascii_only=ascii_only)
    else:
        for each in found:
            values = _facts(*each, day)
            par = "" if values["par"] is None else f", par {values['par']}"
            print(f"{values['game']}{par}: dungeon-tui open {values['code']}")


def _dailies(games: Sequence[Game], day: date) -> list[tuple[Game, Opening]]:
    found = []
    for game in games:
        with suppress(ValueError):
            found.append((game, game.levels().named(arguments_of(day))))
    return found


def _facts(game: Game, opening: Opening, day: date) -> dict[str, Any]:
    from dungeon_tui.core.codes import Share, encode

    level = opening.load()
    code = encode(Share(game.name, opening.arguments, (), level))
    return {"date": day.isoformat(), "game": game.name, "code": code, "par": game.commands().best(level)}
