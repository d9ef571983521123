"""The chase's menu entries, and the boards that arguments name: shipped, generated and daily ones."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import ModuleType

from dungeon_tui.core.catalogue import YOU, Opening
from dungeon_tui.core.level import PackedLevel, level_name
from dungeon_tui.core.options import Given, UnknownLevelError, can_not_be_combined
from dungeon_tui.core.words import capitalised, in_words
from dungeon_tui.games.chase.model import dungeon, options, rules, tasks
from dungeon_tui.games.chase.model.dungeon import read_board, shipped_names
from dungeon_tui.games.chase.model.generator import generate
from dungeon_tui.games.chase.model.level import MOVES, Level
from dungeon_tui.games.chase.model.options import OPTIONS
from dungeon_tui.games.chase.model.players import AIMS, CATCH, seats

pack_level, forms = dungeon.pack_level, options.forms

BOARDS = "Free boards"
LEAST_MOVES = 20  # of a person's chase


def openings() -> list[Opening]:
    boards = [replace(named(name), group=BOARDS) for name in shipped_names()]
    return [named(f"--task {name}") for name in tasks.listed()] + boards


def named(arguments: str) -> Opening:
    given = OPTIONS.read(arguments)
    if given["size"] > options.MOST_NAMED:
        raise UnknownLevelError(f"--size {given['size']:,} is too large: at most {options.MOST_NAMED}")
    return opening(given)


def opening(given: Given) -> Opening:
    if day := given.day:
        task = tasks.daily(day)
        made = int(f"{day:%Y%m%d}"), options.DEFAULT_TASK_SIZE, task, f"daily-{day}"
        load, players = (lambda: _tasks().new_task(*made)), tasks.players(task)
        what = "monster: catch the rogue" if task.aim == CATCH else "rogue: get to safety"
        summary = f"A new task each day, the same for everyone. You are the {what} in time."
        return Opening(f"Daily {day}", load, summary, players=players, arguments=given.arguments, day=day)
    if given["task"]:
        return _task(given)
    monster = given["monster"] or ("perfect" if given.is_ours and given["rogue"] in (None, YOU) else None)
    players = seats(monster, given["rogue"])
    seed, keeps = given["seed"] or 0, "monster" not in given and "rogue" not in given

    def limited() -> Level:
        level = read_board(given.name) if given.name else _board(seed, given["size"], given["kind"])
        usual = max(LEAST_MOVES, 2 * level.size) if YOU in players.values() else MOVES
        return replace(level, moves=given["moves"] or usual)

    title, summary = f"Random, seed {seed}", ""
    if given.name:
        is_ours = given.is_ours
        title, summary = (in_words(given.name), limited().lesson) if is_ours else (level_name(given.name), "")
    return Opening(title, checking_safety(limited), summary, seed, players, given.arguments, keeps_players=keeps)


def open_file(path: str) -> Opening:
    """The opening of a board file, which is read when the opening is loaded."""
    return opening(OPTIONS.given(path))


def checking_safety(load: Callable[[], Level]) -> Callable[[], Level]:
    """A loader of the same level that can also tell whether the rogue is safe."""
    return lambda: replace(load(), is_safe=lambda state: _tasks().is_safe(state))


def unpack_level(packed: PackedLevel) -> Level:
    """The board that `pack_level` packed, which can also tell whether the rogue is safe."""
    return checking_safety(partial(dungeon.unpack_level, packed))()


def _board(seed: int, size: int, kind: str) -> Level:
    """The board of a seed; of the next one if the monster would catch the rogue in its first move."""
    level = generate(seed, size, kind)
    is_caught = level.rogue in rules.neighbours(level, level.monster)
    return replace(_board(seed + 1, size, kind), name=level.name) if is_caught else level


def _task(given: Given) -> Opening:
    name, seed, arguments = given["task"], given["seed"] or 0, given.arguments
    if name in AIMS:
        size, least, most = given.values.get("size", options.DEFAULT_TASK_SIZE), *options.TASK_SIZES
        if not least <= size <= most:
            raise UnknownLevelError(f"--size of a task: {least} to {most}, not {size}")
        task = tasks.new(name)
        load, players = (lambda: _tasks().new_task(seed, size, task, f"{name}-task-{seed}")), tasks.players(task)
        return Opening(f"{capitalised(name)} task {seed}", load, seed=seed, players=players, arguments=arguments)
    for option in ("seed", "size"):
        if option in given:
            raise can_not_be_combined(f"--task {name}", f"--{option}")
    if name not in tasks.listed():
        raise UnknownLevelError(f"no task is called {name!r}; {', '.join(AIMS)} make one from a --seed")
    listed = tasks.listed()[name]
    return Opening(
        listed.title,
        checking_safety(listed.level),
        f"{tasks.goal(listed.task, listed.moves)} {tasks.opponent(listed.task)}",
        players=tasks.players(listed.task),
        arguments=arguments,
        group=listed.group,
    )


def _tasks() -> ModuleType:
    """The module of the solver, which loads the engine; so it is imported only when needed."""
    from dungeon_tui.games.chase.ai import tasks

    return tasks
