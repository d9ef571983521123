"""The options of `expedition play`: how maps and tasks are named. Loads no engine."""

import tomllib
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.options import EXISTING, FLAG, NEW, SEED, SWITCH, Form, Option, Options, decimal, number, word

CHAPTERS = {"routes": "Routes: the map is known", "exploring": "Exploring: fog and a torch", "maps": ""}
"""The tables of maps.toml, with the menu's names for them; test maps are not in the menu."""
MOST_WITH_PAR = 60  # rooms of a new map whose par is computed at once: in 0.2 s


def lessons() -> dict[str, str]:
    """The shipped maps, in order, with their lessons."""
    return {name: each["lesson"] for chapter in CHAPTERS for name, each in tasks(chapter).items()}


def tasks(chapter: str) -> dict[str, dict[str, Any]]:
    """The maps of a chapter, in order, each with its lesson and task."""
    found = _sidecar()[chapter]
    return {name: each if isinstance(each, dict) else {"lesson": each} for name, each in found.items()}


@cache
def _sidecar() -> dict[str, dict[str, Any]]:
    """The contents of maps.toml."""
    return tomllib.loads((levels_folder("expedition") / "maps.toml").read_text("utf-8"))


OPTIONS = Options(
    "MAP",
    "A shipped map, or a file; - is standard input",
    lessons,
    (
        SEED,
        Option("rooms", number(1, 256), "Rooms of a new map", 20, levels=NEW),
        Option("degree", decimal(0, 4), "Average corridors per room of a new map", Fraction("2.6"), levels=NEW),
        Option("uniform", FLAG, "Rooms of a new map cost 1, corridors nothing", levels=NEW),
        Option("start", word(), "The room to start in, by id or label", usual="the map's", levels=EXISTING),
        Option("coverage", decimal(0, 100), "Percent of the rooms to visit", usual="the map's, or all"),
        Option("return", FLAG, "Come back to the start"),
        Option("end", word(), "The room to end in, by id or label", levels=EXISTING, excludes=("return",)),
        Option("fog", SWITCH, "Explore in fog, with a torch; else the map is known", usual="as the map"),
    ),
    summary="Plan a route on a map, or explore one in fog.",
)


def forms() -> tuple[Form, ...]:
    """The forms of a new map to know and of one to explore, with their tasks."""
    end = OPTIONS["return"].ask("End", offers={"anywhere": None, "at the start": True})
    shares = {"all": None, **{f"{share} %": Fraction(share) for share in (90, 75, 50)}}
    counts = {"all but one": Fraction(80), "all but two": Fraction(65)}  # of 6 to 8; for all, par is seldom tight
    route = OPTIONS.form(
        "New map",
        OPTIONS["rooms"].ask(usual="12", most=MOST_WITH_PAR),
        OPTIONS["degree"].ask("Corridors", offers={"some": None, "few": Fraction(2), "many": Fraction("3.4")}),
        OPTIONS["coverage"].ask("To visit", offers=shares),
        end,
        SEED.ask(),
        note="80 columns show about 20 rooms at once, 120 columns 40.",
    )
    rooms = OPTIONS["rooms"].ask(usual="7", least=6, most=8)
    fog = OPTIONS.form("New map in fog", rooms, OPTIONS["coverage"].ask("To visit", offers=counts), end, SEED.ask())
    return route, replace(fog, spell=lambda text: fog.spell(f"{text} --degree 2 --fog"))
