"""The options of `rescue play`: how grids are named. Loads no engine."""

import tomllib
from dataclasses import replace
from functools import cache, partial
from typing import Any

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.options import NEW, SEED_KIND, Form, Option, Options, number, one_of

MOST_FEE = 1000
_PUZZLE = one_of({"purchase": "buy health, spend little", "walk": "how low can you go?"})
_GENERATOR = one_of({"uniform": "uniform", "report": "as in the report"})
_FEE = "Play a purchase in which a power-up costs N gold, health 1 gold, and you walk in all four directions"
_SIDE = number(1, 1_000_000)
_NUMBER = number(-(10**12), 10**12)


def lessons() -> dict[str, str]:
    """The shipped grids in order, purchases first, with their lessons (grids.toml)."""
    values = sidecar()
    found = {name: one["lesson"] for name, one in values["purchases"].items()} | values["walks"] | values["grids"]
    return {str(name): str(lesson) for name, lesson in found.items()}


@cache
def sidecar() -> dict[str, Any]:
    """The contents of grids.toml."""
    return tomllib.loads((levels_folder("rescue") / "grids.toml").read_text("utf-8"))


OPTIONS = Options(
    "GRID",
    "A shipped grid, or a file; - is standard input",
    lessons,
    (
        Option("puzzle", _PUZZLE, "A grid with a decision", None, "", NEW, ("generator", "low", "high")),
        Option("generator", _GENERATOR, "How to choose the numbers", "uniform", levels=NEW),
        Option("seed", SEED_KIND, "Seed of the grid", usual="random; solve: 0, report: 1", levels=NEW),
        Option("rows", _SIDE, "Rows of a new grid", 9, levels=NEW),
        Option("cols", _SIDE, "Columns of a new grid", 9, levels=NEW),
        Option("low", _NUMBER, "The lowest number", -1000, levels=NEW),
        Option("high", _NUMBER, "The highest number", 1000, levels=NEW),
        Option("fee", number(0, MOST_FEE), _FEE),
    ),
    summary="Find the least health, or spend the least gold; any grid, or a new one.",
    needs_seed=lambda given: not given.name and given["generator"] != "report",
)


def forms() -> tuple[Form, ...]:
    """The forms of new puzzles and of new walks."""
    rows, cols, seed = OPTIONS["rows"], OPTIONS["cols"], OPTIONS["seed"].ask()
    forms = []
    for title, kind, sides in (("New puzzle", "purchase", "56"), ("New walk", "walk", "68")):
        asked = rows.ask(usual=sides[0], most=20), cols.ask("Columns", usual=sides[1], most=20), seed
        forms.append(replace(OPTIONS.form(title, *asked), spell=partial(_spelled, kind)))
    return tuple(forms)


def _spelled(kind: str, text: str) -> str:
    return OPTIONS.read(f"--puzzle {kind} {text}").arguments
