"""The arrows between the parts (their reasons stand in pyproject.toml), and what importing a part loads."""

import json
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from grimp import build_graph

from dungeon_tui.core.catalogue import find_games

ROOT = Path(__file__).parents[1]


def loaded_by(code: str, given: str = "") -> set[str]:
    """The packages that a Python has loaded after it ran some code, and any module by its whole name."""
    last = "import json, sys\nprint(); print(json.dumps(list(sys.modules)))"
    words = [sys.executable, "-c", f"{code}\n{last}"]
    done = subprocess.run(words, cwd=ROOT, input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    modules = json.loads(done.stdout.splitlines()[-1])
    return {*modules, *(module.partition(".")[0] for module in modules)}


def command(*arguments: str) -> str:
    return f"""
import sys
from dungeon_tui.__main__ import main
sys.argv = ["dungeon-tui", *{arguments!r}]
try:
    main()
except SystemExit as leaving:
    assert leaving.code in (0, None), leaving.code
"""


def test_no_chain_of_imports_leads_back_late_and_typed_ones_included() -> None:
    graph = build_graph("dungeon_tui", cache_dir=None)
    arrows = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(arrows).prepare()  # raises CycleError, which names the chain


HEAVY = {"textual", "rich", "numba", "numpy"}


HELP = "".join(command(*words, "--help") for words in ([], *([game.name] for game in find_games())))
FAMILIES = "".join(
    f"import dungeon_tui.engine.{family}\n"
    for family in ("descent", "distance", "graph", "grid_dp", "pursuit", "walks")
)
LATE = {"dungeon_tui.ui.play.screen", "dungeon_tui.ui.settings_screen", "dungeon_tui.ui.snapshot"}
OURS = {"dungeon_tui.core", "dungeon_tui.games", "dungeon_tui.ui"}


@pytest.mark.parametrize(
    ("code", "needed", "unwanted"),
    [
        (HELP, "dungeon_tui.cli", HEAVY),
        (command("doctor", "--json"), "dungeon_tui.cli", HEAVY),
        (command("crawler", "play", "tutorial", "--plain"), "dungeon_tui.core", {"textual", "rich", "numba"}),
        (
            "import dungeon_tui.cli.app, dungeon_tui.ui.app, dungeon_tui.ui.menu.home", "textual",
            {"numba", "numpy", "typer", "highspy", "tomlkit", "textual_plot", *LATE},
        ),
        ("import dungeon_tui.engine", "dungeon_tui.engine", {*HEAVY, "typer", "click", "networkx", "highspy"}),
        (FAMILIES, "numba", {"textual", "rich", "typer", "click", "networkx", *OURS}),
    ],
    ids=["help", "doctor", "plain play", "the first frame of the menu", "the engine", "its families"],
)  # fmt: skip
def test_a_part_loads_nothing_heavy_that_it_does_not_need(code: str, needed: str, unwanted: set[str]) -> None:
    loaded = loaded_by(code, "ddq")
    assert needed in loaded
    assert loaded & unwanted == set()
