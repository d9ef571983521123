"""The delve's command line."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, read_level_file
from dungeon_tui.core.options import Given
from dungeon_tui.core.plain import Console
from dungeon_tui.core.text import printable
from dungeon_tui.games.delve.model.options import OPTIONS as OPTIONS
from dungeon_tui.ui import command_line
from dungeon_tui.ui.command_line import ForceOption, JsonOption

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dungeon_tui.games.delve.model.level import Level

app = typer.Typer()


Weights = StrEnum("Weights", ["RANGES", "DIV85", "DIV60"])
"""The engine's tables, by name; here, so that the help needs no engine."""

Alphabet = StrEnum("Alphabet", ["LETTERS", "DIGITS"])
"""Ways to write distances."""

_PLAYED = ("daily", "date", "monsters", "depths", "rules")  # options that only `play` takes
_MADE = ("rows", "cols")


def read_cell(text: str) -> Cell:
    """The cell of "ROW,COL", on the map or not; any other text is wrong usage."""
    try:
        row, col = map(int, text.split(","))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not ROW,COL: two whole numbers, as in 3,40") from None
    return Cell(row, col)


AtOption = Annotated[
    Cell | None, command_line.option("--at", "R,C", "The player's cell, counted from 0,0.", parser=read_cell)
]
WeightsOption = Annotated[Weights, typer.Option("--weights", help="What rock costs a tunneller.")]
OutputOption = Annotated[Path | None, command_line.written("--output", "dungeon")]
SaveHomeOption = Annotated[
    bool,
    typer.Option("--save-home", help="Write .rlg327/dungeon in the home directory; the old file becomes a backup."),
]


def opened(opening: Opening | None) -> Play:
    if opening is not None:
        return Play(opening, partial(_play_plain, opening))
    from dungeon_tui.games.delve.model.generator import named

    seed = command_line.seed_by_chance()
    made = named(f"--seed {seed}")
    return Play(None, partial(_play_plain, made), made.arguments, command_line.seed_note(seed))


def best(_: Level) -> None:
    """None: a delve can't be solved."""


@app.command()
@command_line.takes_level(OPTIONS, *_PLAYED)
def show(
    given: Given,
    at: AtOption = None,
    alphabet: Annotated[Alphabet, typer.Option(help="0-9a-zA-Z, or the last digit.")] = Alphabet.LETTERS,
    weights: WeightsOption = Weights.RANGES,
) -> None:
    """Print the dungeon, the walkers' distances and the tunnellers' distances."""
    from dungeon_tui.games.delve.view.transcript import level_text

    level, player = _with_player(_read_or_generate(given), given, at)
    for distance in (None, *(_distances(level, player, tunnelling, weights) for tunnelling in (False, True))):
        sys.stdout.write(level_text(level, player, distance, alphabet))


@app.command()
@command_line.takes_level(OPTIONS, "FILE", "load-home", *_MADE, *_PLAYED)
def generate(
    given: Given, output: OutputOption = None, save_home: SaveHomeOption = False, force: ForceOption = False
) -> None:
    """Write a new dungeon to a file."""
    _write(_read_or_generate(given), _target(output, save_home))


@app.command()
@command_line.takes_level(OPTIONS, *_MADE, *_PLAYED)
def convert(
    given: Given,
    output: OutputOption = None,
    at: AtOption = None,
    save_home: SaveHomeOption = False,
    force: ForceOption = False,
) -> None:
    """Write a dungeon file of any layout as S2019."""
    target = _target(output, save_home)
    level, _ = _with_player(_read(given), given, at)
    _write(level, target)


@app.command()
@command_line.takes_level(OPTIONS, "seed", *_MADE, *_PLAYED)
def inspect(given: Given, as_json: JsonOption = False) -> None:
    """Show the contents of a dungeon file, and its faults."""
    level = _read(given, warn=False)
    height, width = level.hardness.shape
    if as_json:
        parts = ("player", "rooms", "stairs_up", "stairs_down", "warnings")
        values = {name: getattr(level, name) for name in parts}
        print(json.dumps({"layout": level.layout, "rows": height, "cols": width, **values}))
        return
    print(f"layout: {level.layout}, {height} rows of {width} columns")
    print(f"player: {level.player.text if level.player else 'none'}")
    for number, room in enumerate(level.rooms, 1):
        print(f"room {number}: {room.height} x {room.width} cells from {Cell(room.row, room.col).text} on")
    for name, stairs in ("up", level.stairs_up), ("down", level.stairs_down):
        print(f"stairs {name}: {'; '.join(cell.text for cell in stairs) or 'none'}")
    for warning in level.warnings:
        print(f"warning: {warning}")


@app.command()
@command_line.takes_level(OPTIONS, *_MADE, *_PLAYED)
def distances(
    given: Given,
    at: AtOption = None,
    tunnelling: Annotated[bool, typer.Option("--tunnelling", help="Through rock, not around it.")] = False,
    weights: WeightsOption = Weights.RANGES,
    as_json: JsonOption = False,
) -> None:
    """Print how far every cell is from the player."""
    from dungeon_tui.engine import UNREACHED
    from dungeon_tui.games.delve.view.transcript import level_text

    level, player = _with_player(_read(given), given, at)
    distance = _distances(level, player, tunnelling, weights)
    if not as_json:
        sys.stdout.write(level_text(level, player, distance, Alphabet.LETTERS))
        return
    rows = [[None if steps == UNREACHED else steps for steps in row] for row in distance.tolist()]
    height, width = distance.shape
    print(json.dumps({"rows": height, "cols": width, "player": player, "distances": rows}))


@app.command()
@command_line.takes_level(OPTIONS, "load-home", *_PLAYED)
def rooms(
    given: Given,
    output: Annotated[Path | None, command_line.written("--output", "map")] = None,
    force: ForceOption = False,
) -> None:
    """Write the rooms and the corridors between them as a map for the expedition."""
    from dungeon_tui.games.delve.model.maps import room_graph

    level, player = _with_player(_read_or_generate(given), given)
    if not level.rooms:
        raise LevelError("there are no rooms to explore", level.name)
    command_line.write_output(output, json.dumps(room_graph(level, player), indent=1) + "\n")


def _distances(level: Level, player: Cell, is_tunnelling: bool, weights: str) -> NDArray[np.int32]:
    import numpy as np

    from dungeon_tui.engine import distance_map, tunnelling_distance_map
    from dungeon_tui.games.delve.model.level import OPEN

    goals = np.array([player])
    if is_tunnelling:
        return tunnelling_distance_map(level.hardness, goals, weights=str(weights))
    return distance_map(level.hardness == OPEN, goals)


def _play_plain(opening: Opening, console: Console) -> PlainEnd:
    from dungeon_tui.games.delve.view import transcript

    level = opening.load()
    _tell_warnings(level, console.messages)
    return transcript.play(level, opening.seed, console, opening.actions)


# Where dungeons come from


def _read(given: Given, *, warn: bool = True) -> Level:
    from dungeon_tui.games.delve.model.dungeon import MOST_BYTES, home, read_level

    path = str(home()) if given["load-home"] else given.name
    if not path:
        raise typer.BadParameter("which dungeon? give FILE or --load-home")
    level = read_level(read_level_file(path, MOST_BYTES))
    if warn:
        _tell_warnings(level, sys.stderr)
    return level


def _tell_warnings(level: Level, messages: TextIO) -> None:
    for warning in level.warnings:
        print(f"warning: {printable(level.name)}: {warning}", file=messages)


def _read_or_generate(given: Given) -> Level:
    from dungeon_tui.games.delve.model.generator import make

    if given.name or given["load-home"]:
        return _read(given)
    return make(command_line.with_seed(given))


def _with_player(level: Level, given: Given, at: Cell | None = None) -> tuple[Level, Cell]:
    from dungeon_tui.games.delve.model.level import place_player

    level = place_player(level, given["seed"] or 0, at)
    assert level.player is not None
    return level, level.player


# Where they go


def _target(output: Path | None, save_home: bool) -> Path | None:
    """The file to write; None: the course's own path. Neither, both and `-` are wrong usage."""
    if (output is not None) == save_home:
        raise typer.BadParameter("where to? give --output FILE or --save-home" + (", not both" if save_home else ""))
    if command_line.is_standard_output(output):
        raise typer.BadParameter("a dungeon is bytes: give a file, not -", param_hint="--output")
    return output


def _write(level: Level, target: Path | None) -> None:
    from dungeon_tui.games.delve.model.dungeon import keep

    if (backup := keep(level, target)) is not None:
        print(f"The old dungeon was renamed to {printable(str(backup))}.", file=sys.stderr)
