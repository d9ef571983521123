"""The chase's entries in the menu, and the boards that arguments name: shipped, made from a seed, and a day's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from dungeon_tui.core.arguments import Arguments, UnknownLevelError, daily
from dungeon_tui.core.catalogue import YOU, Opening, Preview
from dungeon_tui.core.level import level_name
from dungeon_tui.core.words import in_words
from dungeon_tui.games.chase.model.dungeon import pack_level as pack_level
from dungeon_tui.games.chase.model.dungeon import read_board, shipped_names
from dungeon_tui.games.chase.model.dungeon import unpack_level as unpack_level
from dungeon_tui.games.chase.model.generator import generate
from dungeon_tui.games.chase.model.level import MOVES, Level, level_text
from dungeon_tui.games.chase.model.players import NAMES, daily_seats, seats
from dungeon_tui.games.chase.view import late

DAILY = {
    "monster": "A new board each day, the same for everyone. You are the monster: catch a rogue that never errs.",
    "rogue": "A new board each day, the same for everyone. You are the rogue: escape a monster that never errs.",
}
PREVIEW_COLOURS = {"@": "you", ".": "floor", "+": "path"}
_USUAL = seats(None, None)
_MOST_NAMED = 512  # rows and columns of a board that is made for its options alone
_MOST_MOVES = 250_000


def openings() -> list[Opening]:
    """The shipped boards as the menu offers them, in the order of their lessons."""
    return [named(name) for name in shipped_names()]


def named(arguments: str) -> Opening:
    """The opening of a shipped board, of one that options make, or of a day's; options name who plays, too.

    Raises:
        UnknownLevelError: there is no such board, or no such strategy.
        ValueError: there is no such day.
    """
    given = Arguments(arguments)
    if day := given.day():
        given.end()
        players = daily_seats(day)
        mine = next(seat for seat, player in players.items() if player == YOU)
        load = partial(late.daily_board, day)
        return Opening(f"Daily {day}", load, DAILY[mine], players=players, arguments=daily(day), day=day)
    players = seats(*(_player(given, seat) for seat in NAMES))
    seed, moves = given.number("seed", 0), given.number("moves", MOVES, 1, _MOST_MOVES)
    make: Callable[[], Level]
    if given.name:
        if given.name not in shipped_names():
            raise UnknownLevelError(f"no board is called {given.name!r}")
        level = read_board(given.name, moves)
        title, summary, make = in_words(level.name), level.lesson, partial(read_board, given.name, moves)
        preview: Callable[[], list[Preview]] = partial(_preview, level)
    elif "size" in given:
        size = given.number("size", 0, 1, _MOST_NAMED)
        title, summary, make, preview = f"seed {seed}", "", partial(made, seed, size, moves), list
    else:
        raise UnknownLevelError("a board has a name, a --size or a --date")
    given.end()
    return Opening(title, make, summary, seed, preview, players, arguments)


def open_file(path: str) -> Opening:
    """The opening of a board file of the player's own, which is read only when the opening is loaded."""
    return Opening(title=level_name(path), load=partial(read_board, path), players=_USUAL)


def made(seed: int, size: int, moves: int = MOVES) -> Level:
    """The board of a seed, to be evaded on for so many monster moves."""
    return replace(generate(seed, size), moves=moves)


def _player(given: Arguments, seat: str) -> str | None:
    return given.choice(seat, (YOU, *NAMES[seat]), YOU) if seat in given else None


def _preview(level: Level) -> list[Preview]:
    text = level_text(level).splitlines()
    return [
        Preview(
            title=f"{level.size} x {level.size}",
            caption=f"You are the rogue, @; {_USUAL['monster']} is the monster, {level.letter}. m changes that.",
            lines=text[1 : level.size + 1],
            colours=PREVIEW_COLOURS | {level.letter: "foe"},
        )
    ]
