"""Maps: the shipped ones and those of one's own; finding, reading and packing them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import partial
from typing import Any

from dungeon_tui.core.arguments import Arguments, UnknownLevelError, daily
from dungeon_tui.core.catalogue import Opening, levels_folder, shipped_level
from dungeon_tui.core.forms import SEED, Choice, Form, Number
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel, level_name, read_level_file
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import in_words
from dungeon_tui.games.expedition.model.generator import DEGREE, ROOMS, generate
from dungeon_tui.games.expedition.model.level import ALL, MOST_ROOMS, Level, level_text, read_level
from dungeon_tui.games.expedition.model.map_file import MOST_BYTES

DAILY = "A new map each day, the same for everyone: how cheaply can all of it be seen?"


def lessons() -> dict[str, str]:
    """The maps that the project ships, in their order, with what each one teaches (maps.toml)."""
    values = tomllib.loads((levels_folder("expedition") / "maps.toml").read_text("utf-8"))
    return {str(name): str(lesson) for name, lesson in values["maps"].items()}


def read_map(name: str, start: str | None = None, end: str | None = None) -> Level:
    """The shipped map of a name, or the map of a file; `-` is standard input. For start and end see `read_level`.

    Raises:
        LevelError: it can't be read, or is no map.
    """
    shipped = shipped_level("expedition", name, ".json")
    if shipped is not None:
        return replace(read_level(read_level_file(shipped), name, start, end), lesson=lessons().get(name, ""))
    return read_level(read_level_file(name, MOST_BYTES), level_name(name), start, end)


def pack_level(level: Level) -> PackedLevel:
    """The map's file, with the task (coverage, end, fog) as options: all that a recording holds of it."""
    options: dict[str, int | str] = {
        "name": level.name,
        "lesson": level.lesson,
        "coverage": str(level.coverage),
        "round_trip": int(level.is_round_trip),
        "end": -1 if level.end is None else level.end,
    }
    if level.is_fogged is not None:
        options["fog"] = int(level.is_fogged)
    return PackedLevel((LevelFile(f"{level.name}.json", level_text(level).encode()),), options)


def unpack_level(packed: PackedLevel) -> Level:
    """The map that `pack_level` packed.

    Raises:
        LevelError: it can't be read, or there is none.
    """
    options = packed.options
    level = read_level(packed.only_file("map"), printable(str(options.get("name", "recording"))))
    coverage, end = str(options.get("coverage", "100")), options.get("end", -1)
    if not re.fullmatch(r"[0-9]{1,40}(/[1-9][0-9]{0,39})?", coverage) or not 0 <= Fraction(coverage) <= 100:
        raise LevelError('the option "coverage" must be from 0 to 100', "<recording>")
    if not isinstance(end, int) or not -1 <= end < len(level.rooms):
        raise LevelError('the option "end" must be a room\'s place', "<recording>")
    return replace(
        level,
        lesson=printable(str(options.get("lesson", ""))),
        coverage=Fraction(coverage),
        is_round_trip=bool(options.get("round_trip", 0)),
        end=None if end < 0 else end,
        is_fogged=bool(options["fog"]) if "fog" in options else None,
    )


def openings() -> list[Opening]:
    """The menu's maps: the shipped ones, in the order of their lessons."""
    return [*map(named, lessons())]


def forms() -> tuple[Form, ...]:
    """The form of a map that is made by chance, and of what is to be done there."""
    return (
        Form(
            "New map",
            (
                Number("Rooms", "rooms", 1, MOST_ROOMS, "12"),
                Choice("Corridors", (("some", ""), ("few", "--degree 2"), ("many", "--degree 3.4"))),
                Choice("Costs", (("by chance", ""), ("1 a room", "--uniform"))),
                Choice("To see", (("all", ""), *((f"{share} %", f"--coverage {share}") for share in (90, 75, 50)))),
                Choice("End", (("anywhere", ""), ("at the start", "--return"))),
                Choice("Fog", (("yes", "--fog"), ("no", "--no-fog"))),
                SEED,
            ),
        ),
    )


def named(arguments: str) -> Opening:
    """The opening of a shipped map, of one that options make, or of a day's, with the task that options set.

    Raises:
        UnknownLevelError: there is no such map.
        ValueError: there is no such day.
    """
    given = Arguments(arguments)
    if day := given.day():
        given.end()
        return Opening(f"Daily {day}", partial(daily_map, day), DAILY, arguments=daily(day), day=day)
    if given.name:
        if given.name not in lessons():
            raise UnknownLevelError(f"no map is called {given.name!r}")
        title, summary = in_words(given.name), lessons()[given.name]
        read = partial(read_map, given.name, given.text("start"), given.text("end"))
    elif "seed" in given:
        title, summary = "", ""
        seed, rooms = given.number("seed", 0), given.number("rooms", ROOMS)
        degree = float(given.text("degree", r"[0-9.]{1,9}") or DEGREE)
        read = partial(generate, seed, rooms, degree, is_uniform=given.flag("uniform"))
        title = f"seed {seed}"
    else:
        raise UnknownLevelError("a map has a name, a --seed or a --date")
    coverage = given.text("coverage", r"[0-9]{1,3}(\.[0-9]{1,20})?") or "100"
    task: dict[str, Any] = {
        "coverage": Fraction(coverage),
        "is_round_trip": given.flag("return"),
        "is_fogged": given.flag("fog") or (False if given.flag("no-fog") else None),
    }
    given.end()
    if task["coverage"] > ALL:
        raise UnknownLevelError(f"--coverage can't be {coverage}: from 0 to 100")
    return Opening(title, partial(_with_task, read, task), summary, arguments=arguments)


def _with_task(read: Callable[[], Level], task: Mapping[str, Any]) -> Level:
    return replace(read(), **task)


def daily_map(day: date) -> Level:
    """The map of a day: twenty rooms, all to be seen."""
    return replace(generate(int(f"{day:%Y%m%d}")), name=f"daily-{day}")


def open_file(path: str) -> Opening:
    """The opening of a map file of the player's own, which is read only when the opening is loaded."""
    return Opening(title=level_name(path), load=partial(read_map, path))
