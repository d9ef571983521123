"""The arrows between the parts (their reasons stand in pyproject.toml), and what importing a part loads."""

import json
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

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


def test_help_loads_nothing_heavy() -> None:
    pages = ["--help"], *([game.name, "--help"] for game in find_games())
    assert loaded_by("".join(command(*page) for page in pages)) & HEAVY == set()


def test_the_first_frame_of_the_menu_waits_for_nothing_heavy() -> None:
    loaded = loaded_by("import dungeon_tui.cli.app, dungeon_tui.ui.app, dungeon_tui.ui.menu.home")
    assert "textual" in loaded
    late = {"dungeon_tui.ui.play.screen", "dungeon_tui.ui.settings_screen", "dungeon_tui.ui.snapshot"}
    assert loaded & {"numba", "numpy", "typer", "highspy", "tomlkit", "textual_plot", *late} == set()


def test_the_engine_by_itself_loads_nothing_of_others() -> None:
    loaded = loaded_by("import dungeon_tui.engine")
    assert "dungeon_tui.engine" in loaded
    assert loaded & {*HEAVY, "typer", "click", "networkx", "highspy"} == set()


def test_the_families_of_the_engine_load_no_toolkit_and_no_game() -> None:
    families = ("descent", "distance", "graph", "grid_dp", "pursuit", "walks")
    loaded = loaded_by("".join(f"import dungeon_tui.engine.{family}\n" for family in families))
    assert "numba" in loaded
    ours = {"dungeon_tui.core", "dungeon_tui.games", "dungeon_tui.ui"}
    assert loaded & {"textual", "rich", "typer", "click", "networkx", *ours} == set()


def test_plain_play_loads_neither_a_toolkit_nor_the_kernels() -> None:
    assert loaded_by(command("crawler", "play", "tutorial", "--plain"), "ddq") & {"textual", "rich", "numba"} == set()
