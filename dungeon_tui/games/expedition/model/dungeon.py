"""Maps: finding, reading and packing shipped maps and map files."""

import re
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import partial
from math import ceil

from dungeon_tui.core.catalogue import Opening, shipped_level
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel, level_name, read_level_file
from dungeon_tui.core.options import Given
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted, in_words
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.explorer import Explorer
from dungeon_tui.games.expedition.model.generator import for_explorers, generate
from dungeon_tui.games.expedition.model.level import MOST_COST, Level, level_text, read_level
from dungeon_tui.games.expedition.model.map_file import MOST_BYTES
from dungeon_tui.games.expedition.model.maps import scout_cost, walk_problem
from dungeon_tui.games.expedition.model.options import CHAPTERS, MOST_WITH_PAR, OPTIONS, lessons, tasks
from dungeon_tui.games.expedition.model.options import forms as forms

DAILY = "A new map each day, the same for everyone: visit all its rooms as cheaply as possible."
MOST_PROMISED = 8  # rooms of a map in fog whose par is what can be promised: in 0.1 s
_MAPS = 128  # of which a new one in fog is the best: a bad nearest room, a tight par, a first choice that matters
_TRIES = 8  # of these, with 8 rooms: the costliest for those who always go to the nearest room


def read_map(name: str, start: str | None = None, end: str | None = None) -> Level:
    """The shipped map of a name, or of a file; `-` is standard input. Raises LevelError if it can't be read."""
    shipped = shipped_level("expedition", name, ".json")
    if shipped is not None:
        task = next((each for chapter in CHAPTERS for key, each in tasks(chapter).items() if key == name), {})
        level = read_level(read_level_file(shipped), name, start, end or task.get("end"))
        return replace(
            level,
            coverage=Fraction(task.get("coverage", 100)),
            is_round_trip="return" in task and end is None,
            is_fogged=name in tasks("exploring"),
            **{key: task[key] for key in ("lesson", "par", "torch") if key in task},
        )
    return read_level(read_level_file(name, MOST_BYTES), level_name(name), start, end)


def pack_level(level: Level) -> PackedLevel:
    """The map's file, with its task (coverage, end, fog) as options."""
    options: dict[str, int | str] = {
        "name": level.name,
        "lesson": level.lesson,
        "coverage": str(level.coverage),
        "round_trip": int(level.is_round_trip),
        "end": -1 if level.end is None else level.end,
    }
    more = {"fog": int(level.is_fogged) or None, "torch": level.torch, "par": level.par}
    options |= {key: value for key, value in more.items() if value is not None}
    return PackedLevel((LevelFile(f"{level.name}.json", level_text(level).encode()),), options)


def unpack_level(packed: PackedLevel) -> Level:
    """The map that `pack_level` packed. Raises LevelError if the file can't be read, or is missing."""
    options = packed.options
    level = read_level(packed.only_file("map"), printable(str(options.get("name", "recording"))))
    coverage, end = str(options.get("coverage", "100")), options.get("end", -1)
    torch, par = (value if isinstance(value := options.get(key), int) else None for key in ("torch", "par"))
    if not re.fullmatch(r"[0-9]{1,40}(/[1-9][0-9]{0,39})?", coverage) or not 0 <= Fraction(coverage) <= 100:
        raise LevelError('the option "coverage" must be from 0 to 100', "<recording>")
    if not isinstance(end, int) or not -1 <= end < len(level.rooms):
        raise LevelError('the option "end" must be a room\'s index', "<recording>")
    return replace(
        level,
        lesson=printable(str(options.get("lesson", ""))),
        coverage=Fraction(coverage),
        is_round_trip=bool(options.get("round_trip", 0)),
        end=None if end < 0 else end,
        is_fogged=bool(options.get("fog", 0)),
        torch=torch,
        par=par,
    )


def openings() -> list[Opening]:
    """The shipped maps by chapter, in order of ideas. Test maps are opened by name."""
    return [
        replace(named(name), group=title) for chapter, title in CHAPTERS.items() for name in tasks(chapter) if title
    ]


def named(arguments: str) -> Opening:
    """The opening of a shipped, generated or daily map. Raises UnknownLevelError if there is no such map."""
    return opening(OPTIONS.read(arguments))


def opening(given: Given) -> Opening:
    """The opening of a map with its task, or of a daily map. Raises LevelError for unknown rooms."""
    if day := given.day:
        return Opening(f"Daily {day}", partial(daily_map, day), DAILY, arguments=given.arguments, day=day)
    if not given.name:
        rooms, end = given["rooms"], " and end at the start" * bool(given["return"])
        share = f"{ceil(given['coverage'] * rooms / 100)} of " if "coverage" in given else ""
        about = f"A map{' in fog' * bool(given['fog'])}: visit {share}{counted(rooms, 'room')}{end}."
        return Opening(f"Random, seed {given['seed'] or 0}", partial(load, given), about, arguments=given.arguments)
    if not given.is_ours:
        return Opening(level_name(given.name), partial(load, given))
    if "start" in given or "end" in given:  # labels become ids, which a text can hold
        level = load(given)
        rooms = {"start": level.start, "end": level.end}
        ids = {name: level.rooms[room].id for name, room in rooms.items() if name in given and room is not None}
        given = given.combined(**ids)
    return Opening(in_words(given.name), partial(load, given), lessons()[given.name], arguments=given.arguments)


def load(given: Given) -> Level:
    """Reads or generates a map with its task. Raises LevelError if it can't be read."""
    if given.name:
        level = read_map(given.name, given["start"], given["end"])
    else:
        make = partial(generate, rooms=given["rooms"], degree=float(given["degree"]), is_uniform=bool(given["uniform"]))
        level = make(given["seed"] or 0)
    has_torch = not given.name or level.torch is not None
    if {"start", "end", "coverage", "return"} & {*given.values}:
        coverage = level.coverage if given["coverage"] is None else given["coverage"]
        is_round_trip = bool(given["return"]) or (level.is_round_trip and level.end is None)
        level = replace(level, coverage=coverage, is_round_trip=is_round_trip, par=None, torch=None, lesson="")
    is_fogged = level.is_fogged if given["fog"] is None else given["fog"]
    torch, par = (level.torch, level.par) if is_fogged == level.is_fogged else (None, None)
    level = replace(level, is_fogged=is_fogged, torch=torch, par=par)
    if is_fogged and not given.name and len(level.rooms) <= MOST_PROMISED:
        first = (given["seed"] or 0) * _MAPS
        made = [for_explorers(level, make(seed)) for seed in range(first, first + _MAPS)]
        found = [(scout_cost(each) or 0, _with_torch(replace(each, is_fogged=False)).par or 0, each) for each in made]
        found.sort(key=lambda of: (of[0] > of[1], of[0] / sum(room.cost for room in of[2].rooms)), reverse=True)
        tries = _TRIES * 4 ** (MOST_PROMISED - len(level.rooms))
        found = [(scouted, known, _with_torch(each)) for scouted, known, each in found[:tries]]
        found.sort(key=lambda of: (of[0] > (of[2].par or MOST_COST), of[1] - (of[2].par or MOST_COST)), reverse=True)
        best = [each for *_, each in found]  # of these, one with a choice of the room to visit first
        return next((each for each in best if len({*Explorer(each).choices(rules.start(each)).values()}) > 1), best[0])
    return _with_torch(level) if torch is None and (has_torch or is_fogged) else level


def daily_map(day: date) -> Level:
    """The daily map: sixteen rooms, which fit a screen of 80 columns, with the task to see them all."""
    return replace(_with_torch(generate(int(f"{day:%Y%m%d}"), 16)), name=f"daily-{day}")


def _with_torch(level: Level) -> Level:
    """The map with its par, in fog what can be promised, and a torch for a little more.

    Without both if it can't be done, or if the map has too many rooms to find the par.
    """
    from dungeon_tui.engine.walks import cheapest_walk  # slow to import

    # Limits of size, not of time: a seed makes the same map everywhere.
    if len(level.rooms) > (MOST_PROMISED if level.is_fogged else MOST_WITH_PAR):
        return level
    par = Explorer(level).sure_cost if level.is_fogged else cheapest_walk(walk_problem(rules.start(level))).cost
    return level if par is None else replace(level, par=par, torch=par + max(2 - level.is_fogged, par // 20))


def open_file(path: str) -> Opening:
    """The opening of a map file, which is read when the opening is loaded."""
    return opening(OPTIONS.given(path))
