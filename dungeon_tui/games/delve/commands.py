"""The delve's command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from dungeon_tui.core.arguments import daily, spelled
from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, level_name, read_level_file
from dungeon_tui.core.text import printable
from dungeon_tui.ui.command_line import (
    DailyOption,
    DateOption,
    ForceOption,
    JsonOption,
    chosen_day,
    is_standard_output,
    seed_by_chance,
    tell_seed,
    write_output,
    written,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dungeon_tui.games.delve.model.level import Level

app = typer.Typer()


Weights = StrEnum("Weights", ["RANGES", "DIV85", "DIV60"])
"""The engine's tables, by name; here, so that the help needs no engine."""

Alphabet = StrEnum("Alphabet", ["LETTERS", "DIGITS"])
"""Ways to write distances."""

RulesName = StrEnum("RulesName", ["HEARTS", "COURSE"])
"""The rules of a game, by name."""


def read_cell(text: str) -> Cell:
    """The cell of "ROW,COL", on the map or not; any other text is wrong usage."""
    try:
        row, col = map(int, text.split(","))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not ROW,COL: two whole numbers, as in 3,40") from None
    return Cell(row, col)


FileArgument = Annotated[str | None, typer.Argument(metavar="FILE", help="A dungeon file; - is standard input.")]
MaybeFileArgument = Annotated[
    str | None,
    typer.Argument(metavar="FILE", help="A dungeon file; - is standard input. Default: a new dungeon."),
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", metavar="S", help="Makes the dungeon, or chooses the player's place in a file.")
]
AtOption = Annotated[
    Cell | None, typer.Option("--at", metavar="R,C", parser=read_cell, help="Where the player stands, from 0,0 on.")
]
WeightsOption = Annotated[Weights, typer.Option("--weights", help="What rock costs a tunneller.")]
LoadHomeOption = Annotated[bool, typer.Option("--load-home", help="Read .rlg327/dungeon in the home directory.")]
SaveHomeOption = Annotated[
    bool, typer.Option("--save-home", help="Write .rlg327/dungeon in the home directory; a backup is kept.")
]
MonstersOption = Annotated[
    int | None, typer.Option("--monsters", metavar="N", min=1, help="How many there are at first; default: 10.")
]
RowsOption = Annotated[int, typer.Option("--rows", help="Of a new dungeon, up to 500.")]
ColsOption = Annotated[int, typer.Option("--cols", help="Of a new dungeon, up to 500.")]
RulesOption = Annotated[
    RulesName | None,
    typer.Option(
        "--rules", help="Three hearts, or the course's: one hit is death. Default: hearts; in plain text the course's."
    ),
]


def play(
    file: MaybeFileArgument = None,
    seed: SeedOption = None,
    monsters: MonstersOption = None,
    rows: RowsOption = 21,
    cols: ColsOption = 80,
    by: RulesOption = None,
    load_home: LoadHomeOption = False,
    is_daily: DailyOption = False,
    day: DateOption = None,
) -> Play:
    """Play a dungeon."""
    path = _chosen(file, load_home)
    day = chosen_day(is_daily, day)
    is_named = path is not None or (seed, monsters, by) != (None, None, None) or (rows, cols) != (21, 80)
    if day is not None:
        if is_named:
            raise typer.BadParameter("a daily dungeon is made by its date alone")
        from dungeon_tui.games.delve.model.generator import named

        return opened(named(daily(day)))
    chosen = seed_by_chance() if seed is None else seed
    load = partial(_load, path, chosen, monsters, rows, cols, by or RulesName.HEARTS)
    plain = partial(_load, path, chosen, monsters, rows, cols, by or RulesName.COURSE)
    title = level_name(str(path)) if path is not None else f"seed {chosen}"
    sizes = {"rows": None if rows == 21 else rows, "cols": None if cols == 80 else cols}
    options = {"seed": chosen, "monsters": monsters, **sizes}
    arguments, plain_arguments = (
        "" if path is not None else spelled("", {**options, "rules": None if name == RulesName.COURSE else name})
        for name in (by or RulesName.HEARTS, by or RulesName.COURSE)
    )
    opening = Opening(printable(title), load, seed=chosen, arguments=arguments) if is_named else None
    return Play(opening, partial(_play_plain, plain, chosen, seed is None), plain_arguments)


def opened(opening: Opening) -> Play:
    """The play of a dungeon that was opened by its arguments, a day's or one of a code."""
    return Play(opening, partial(_play_plain, opening.load, opening.seed, False, actions=opening.actions))


def best(_: Level) -> None:
    """None: a delve can't be solved."""


@app.command()
def show(
    file: MaybeFileArgument = None,
    seed: SeedOption = None,
    at: AtOption = None,
    alphabet: Annotated[Alphabet, typer.Option(help="0-9a-zA-Z, or the last digit.")] = Alphabet.LETTERS,
    weights: WeightsOption = Weights.RANGES,
    rows: RowsOption = 21,
    cols: ColsOption = 80,
    load_home: LoadHomeOption = False,
) -> None:
    """Print the dungeon, the walkers' distances and the tunnellers' distances."""
    from dungeon_tui.games.delve.view.transcript import level_text

    level, player = _with_player(_read_or_generate(_chosen(file, load_home), seed, rows, cols), seed, at)
    for distance in (None, *(_distances(level, player, tunnelling, weights) for tunnelling in (False, True))):
        sys.stdout.write(level_text(level, player, distance, alphabet))


@app.command()
def generate(
    seed: SeedOption = None,
    output: Annotated[Path | None, written("--output", "dungeon")] = None,
    save_home: SaveHomeOption = False,
    force: ForceOption = False,
) -> None:
    """Write a new dungeon to a file."""
    _write(_read_or_generate(None, seed), _target(output, save_home))


@app.command()
def convert(
    file: FileArgument = None,
    output: Annotated[Path | None, written("--output", "dungeon")] = None,
    seed: SeedOption = None,
    at: AtOption = None,
    load_home: LoadHomeOption = False,
    save_home: SaveHomeOption = False,
    force: ForceOption = False,
) -> None:
    """Write a dungeon file of any layout as S2019."""
    target = _target(output, save_home)
    level, _ = _with_player(_read(_needed(file, load_home)), seed, at)
    _write(level, target)


@app.command()
def inspect(file: FileArgument = None, as_json: JsonOption = False, load_home: LoadHomeOption = False) -> None:
    """Say all that a dungeon file holds, and what is odd about it."""
    level = _read(_needed(file, load_home), warn=False)
    height, width = level.hardness.shape
    if as_json:
        parts = ("player", "rooms", "stairs_up", "stairs_down", "warnings")
        values = {name: getattr(level, name) for name in parts}
        print(json.dumps({"layout": level.layout, "rows": height, "cols": width, **values}))
        return
    print(f"layout: {level.layout}, {height} rows of {width} columns")
    print(f"player: {level.player.place if level.player else 'none'}")
    for number, room in enumerate(level.rooms, 1):
        print(f"room {number}: {room.height} x {room.width} cells from {Cell(room.row, room.col).place} on")
    for name, stairs in ("up", level.stairs_up), ("down", level.stairs_down):
        print(f"stairs {name}: {'; '.join(cell.place for cell in stairs) or 'none'}")
    for warning in level.warnings:
        print(f"warning: {warning}")


@app.command()
def distances(
    file: FileArgument = None,
    load_home: LoadHomeOption = False,
    at: AtOption = None,
    tunnelling: Annotated[bool, typer.Option("--tunnelling", help="Through rock, not around it.")] = False,
    weights: WeightsOption = Weights.RANGES,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print how far every cell is from the player."""
    from dungeon_tui.engine import UNREACHED
    from dungeon_tui.games.delve.view.transcript import level_text

    level, player = _with_player(_read(_needed(file, load_home)), seed, at)
    distance = _distances(level, player, tunnelling, weights)
    if not as_json:
        sys.stdout.write(level_text(level, player, distance, Alphabet.LETTERS))
        return
    rows = [[None if steps == UNREACHED else steps for steps in row] for row in distance.tolist()]
    height, width = distance.shape
    print(json.dumps({"rows": height, "cols": width, "player": player, "distances": rows}))


@app.command()
def rooms(
    file: MaybeFileArgument = None,
    seed: SeedOption = None,
    rows: RowsOption = 21,
    cols: ColsOption = 80,
    output: Annotated[Path | None, written("--output", "map")] = None,
    force: ForceOption = False,
) -> None:
    """Write which rooms corridors join, and how long these are, as a map for the expedition."""
    from dungeon_tui.games.delve.model.maps import room_graph

    level, player = _with_player(_read_or_generate(file, seed, rows, cols), seed, None)
    if not level.rooms:
        raise LevelError("there are no rooms to explore", level.name)
    write_output(output, json.dumps(room_graph(level, player), indent=1) + "\n")


def _distances(level: Level, player: Cell, is_tunnelling: bool, weights: str) -> NDArray[np.int32]:
    import numpy as np

    from dungeon_tui.engine import distance_map, tunnelling_distance_map
    from dungeon_tui.games.delve.model.level import OPEN

    goals = np.array([player])
    if is_tunnelling:
        return tunnelling_distance_map(level.hardness, goals, weights=str(weights))
    return distance_map(level.hardness == OPEN, goals)


def _load(path: str | None, seed: int, monsters: int | None, height: int, width: int, by: str) -> Level:
    from dataclasses import replace

    level = _generate(seed, height, width) if path is None else _read(path, warn=False)
    level, _ = _with_player(level, seed, None)
    return replace(level, monsters=level.monsters if monsters is None else monsters, rules=str(by))


def _play_plain(
    load: Callable[[], Level],
    seed: int,
    is_chance: bool,
    source: TextIO,
    out: TextIO,
    messages: TextIO,
    actions: Sequence[str] = (),
) -> PlainEnd:
    """Loads a dungeon, tells warnings and a seed by chance, and plays it in plain text: see docs/games/delve.md."""
    from dungeon_tui.games.delve.view import transcript

    level = load()
    _tell_warnings(level, messages)
    if is_chance:
        tell_seed(seed, messages)
    return transcript.play(level, seed, source, out, actions)


# Where dungeons come from


def _chosen(file: str | None, load_home: bool) -> str | None:
    if load_home and file is not None:
        raise typer.BadParameter("either FILE or --load-home, not both")
    if not load_home:
        return file
    from dungeon_tui.games.delve.model.dungeon import home

    return str(home())


def _needed(file: str | None, load_home: bool) -> str:
    chosen = _chosen(file, load_home)
    if chosen is None:
        raise typer.BadParameter("which dungeon? give FILE or --load-home")
    return chosen


def _read(path: str, *, warn: bool = True) -> Level:
    from dungeon_tui.games.delve.model.dungeon import MOST_BYTES, read_level

    level = read_level(read_level_file(path, MOST_BYTES))
    if warn:
        _tell_warnings(level, sys.stderr)
    return level


def _tell_warnings(level: Level, messages: TextIO) -> None:
    for warning in level.warnings:
        print(f"warning: {printable(level.name)}: {warning}", file=messages)


def _read_or_generate(path: str | None, seed: int | None, height: int = 21, width: int = 80) -> Level:
    if path is not None:
        return _read(path)
    if seed is None:
        seed = seed_by_chance()
        tell_seed(seed, sys.stderr)
    return _generate(seed, height, width)


def _generate(seed: int, height: int, width: int) -> Level:
    from dungeon_tui.games.delve.model.generator import generate

    try:
        return generate(seed, height, width)
    except ValueError as error:
        raise LevelError(str(error), f"seed {seed}") from None


def _with_player(level: Level, seed: int | None, at: Cell | None) -> tuple[Level, Cell]:
    from dungeon_tui.games.delve.model.level import place_player

    try:
        level = place_player(level, seed or 0, at)
    except ValueError as error:
        raise LevelError(str(error), level.name) from None
    assert level.player is not None
    return level, level.player


# Where they go


def _target(output: Path | None, save_home: bool) -> Path | None:
    """The file to write; None stands for the course's own place. Neither, both and `-` are wrong usage."""
    if (output is not None) == save_home:
        raise typer.BadParameter("where to? give --output FILE or --save-home" + (", not both" if save_home else ""))
    if is_standard_output(output):
        raise typer.BadParameter("a dungeon is bytes: give a file, not -", param_hint="--output")
    return output


def _write(level: Level, target: Path | None) -> None:
    from dungeon_tui.games.delve.model.dungeon import keep

    if (backup := keep(level, target)) is not None:
        print(f"The dungeon that was there is kept as {printable(str(backup))}.", file=sys.stderr)
