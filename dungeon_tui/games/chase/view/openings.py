"""The chase's entries in the menu, and the boards that arguments name: shipped, made from a seed, and a day's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from dungeon_tui.core.arguments import Arguments, UnknownLevelError, daily, spelled
from dungeon_tui.core.catalogue import YOU, Opening
from dungeon_tui.core.forms import SEED, Choice, Form, Number
from dungeon_tui.core.level import PackedLevel, level_name
from dungeon_tui.core.words import capitalised, in_words
from dungeon_tui.games.chase.model import dungeon, tasks
from dungeon_tui.games.chase.model.dungeon import pack_level as pack_level
from dungeon_tui.games.chase.model.dungeon import read_board, shipped_names
from dungeon_tui.games.chase.model.generator import LEAST_SIDE, generate
from dungeon_tui.games.chase.model.level import MOVES, Level
from dungeon_tui.games.chase.model.players import AIMS, KINDS, NAMES, TITLES, daily_seats, seats
from dungeon_tui.games.chase.view import late

DAILY = {
    "monster": "A new board each day, the same for everyone. You are the monster: catch a rogue that never errs.",
    "rogue": "A new board each day, the same for everyone. You are the rogue: escape a monster that never errs.",
}
_USUAL = seats(None, None)
_MOST_NAMED = 512  # rows and columns of a board that is made for its options alone
_MOST_MOVES = 250_000
_AIMS_TOLD = "catch the rogue", "stay free", "reach safety"
TASK_SIZE, MOST_TASK_SIZE = 12, 30  # rows and columns of a task that a seed makes


def openings() -> list[Opening]:
    """The tasks as the menu offers them, the easiest first; then the shipped boards in the order of their lessons."""
    return [named(spelled("", {"task": name})) for name in tasks.listed()] + [named(name) for name in shipped_names()]


def forms() -> tuple[Form, ...]:
    """The forms of boards and of tasks that are made by chance."""
    kind = Choice("Kind", tuple((name, f"--kind {name}") for name in KINDS))
    monster, rogue = (
        Choice(
            seat.capitalize(),
            tuple((TITLES.get(name, name), f"--{seat} {name}") for name in dict.fromkeys((usual, YOU, *NAMES[seat]))),
        )
        for seat, usual in _USUAL.items()
    )
    moves = Number("Moves", "moves", 1, _MOST_MOVES, if_empty="without end")
    aim = Choice("Task", tuple((words, f"--task {name}") for words, name in zip(_AIMS_TOLD, AIMS, strict=True)))
    return (
        Form("New task", (aim, Number("Size", "size", LEAST_SIDE, MOST_TASK_SIZE, str(TASK_SIZE)), SEED)),
        Form("New board", (kind, Number("Size", "size", LEAST_SIDE, _MOST_NAMED, "16"), monster, rogue, moves, SEED)),
    )


def named(arguments: str) -> Opening:
    """The opening of a shipped board, of one that options make, of a task, or of a day's; options name who plays.

    Raises:
        UnknownLevelError: there is no such board, or no such strategy.
        ValueError: there is no such day.
    """
    given = Arguments(arguments)
    if day := given.day():
        given.end()
        players = daily_seats(day)
        mine = next(seat for seat, player in players.items() if player == YOU)
        load = judged(partial(late.daily_board, day))
        return Opening(f"Daily {day}", load, DAILY[mine], players=players, arguments=daily(day), day=day)
    if "task" in given:
        return _task(given, arguments)
    players = seats(*(_player(given, seat) for seat in NAMES))
    seed, moves = given.number("seed", 0), given.number("moves", MOVES, 1, _MOST_MOVES)
    make: Callable[[], Level]
    if given.name:
        if given.name not in shipped_names():
            raise UnknownLevelError(f"no board is called {given.name!r}")
        level = read_board(given.name, moves)
        title, summary, make = in_words(level.name), level.lesson, partial(read_board, given.name, moves)
    elif "size" in given:
        size = given.number("size", 0, 1, _MOST_NAMED)
        kind = given.choice("kind", KINDS, KINDS[0])
        title, summary, make = f"seed {seed}", "", partial(made, seed, size, moves, kind)
    else:
        raise UnknownLevelError("a board has a name, a --size, a --task or a --date")
    given.end()
    return Opening(title, judged(make), summary, seed, players, arguments)


def open_file(path: str) -> Opening:
    """The opening of a board file of the player's own, which is read only when the opening is loaded."""
    return Opening(title=level_name(path), load=judged(partial(read_board, path)), players=_USUAL)


def made(seed: int, size: int, moves: int = MOVES, kind: str = KINDS[0]) -> Level:
    """The board of a seed, to be evaded on for so many monster moves."""
    return replace(generate(seed, size, kind), moves=moves)


def judged(load: Callable[[], Level]) -> Callable[[], Level]:
    """The level that is loaded, with somebody who can tell if the rogue is safe."""
    return lambda: replace(load(), is_safe=late.is_safe)


def unpack_level(packed: PackedLevel) -> Level:
    """The board that `pack_level` packed, with somebody who can tell if the rogue is safe.

    Raises:
        LevelError: it can't be read, or there is none.
    """
    return judged(partial(dungeon.unpack_level, packed))()


def _task(given: Arguments, arguments: str) -> Opening:
    """The opening of a task of a shipped board, by its name, or of one that a seed makes, by its aim."""
    name, seed = given.text("task") or "", given.number("seed", 0)
    if name in AIMS:
        size = given.number("size", TASK_SIZE, LEAST_SIDE, MOST_TASK_SIZE)
        given.end()
        players = tasks.players(tasks.seeded(seed, name))
        load = judged(partial(late.made_task, seed, size, name))
        return Opening(f"{capitalised(name)}, seed {seed}", load, seed=seed, players=players, arguments=arguments)
    given.end()
    if name not in tasks.listed():
        raise UnknownLevelError(f"no task is called {name!r}; {', '.join(AIMS)} make one from a --seed")
    listed = tasks.listed()[name]
    return Opening(
        listed.title,
        judged(listed.level),
        f"{tasks.goal(listed.task, listed.moves)} {tasks.opponent(listed.task)}",
        players=tasks.players(listed.task),
        arguments=arguments,
        group=listed.group,
    )


def _player(given: Arguments, seat: str) -> str | None:
    return given.choice(seat, (YOU, *NAMES[seat]), YOU) if seat in given else None
