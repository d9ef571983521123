"""The options of `expedition play`: how maps and tasks are named. Loads no engine."""

import tomllib
from fractions import Fraction

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.forms import Form
from dungeon_tui.core.options import EXISTING, FLAG, NEW, SEED, SWITCH, Option, Options, decimal, number, word

ROOMS = number(1, 256)


def lessons() -> dict[str, str]:
    """The shipped maps, in order, with their lessons (maps.toml)."""
    values = tomllib.loads((levels_folder("expedition") / "maps.toml").read_text("utf-8"))
    return {str(name): str(lesson) for name, lesson in values["maps"].items()}


OPTIONS = Options(
    "MAP",
    "A shipped map, or a file; - is standard input",
    lessons,
    (
        SEED,
        Option("rooms", ROOMS, "Rooms of a new map", 20, levels=NEW),
        Option("degree", decimal(0, 4), "Average corridors per room of a new map", Fraction("2.6"), levels=NEW),
        Option("uniform", FLAG, "Rooms of a new map cost 1, corridors nothing", levels=NEW),
        Option("start", word(), "The room to start in, by id or label", usual="the map's", levels=EXISTING),
        Option("coverage", decimal(0, 100), "Percent of the rooms to see", Fraction(100)),
        Option("return", FLAG, "Come back to the start"),
        Option("end", word(), "The room to end in, by id or label", levels=EXISTING, excludes=("return",)),
        Option("fog", SWITCH, "Rooms appear as neighbours of seen rooms", usual="on screen, not in text"),
    ),
    summary="Explore a map as cheaply as possible.",
)


def forms() -> tuple[Form, ...]:
    """The form of a new map and its task."""
    return (
        OPTIONS.form(
            "New map",
            OPTIONS["rooms"].ask(usual="12"),
            OPTIONS["degree"].ask("Corridors", offers={"some": None, "few": Fraction(2), "many": Fraction("3.4")}),
            OPTIONS["uniform"].ask("Costs", offers={"random": None, "1 per room": True}),
            OPTIONS["coverage"].ask(
                "To see", offers={"all": None, **{f"{share} %": Fraction(share) for share in (90, 75, 50)}}
            ),
            OPTIONS["return"].ask("End", offers={"anywhere": None, "at the start": True}),
            OPTIONS["fog"].ask(offers={"yes": True, "no": False}),
            SEED.ask(),
        ),
    )
