"""The arrows between the parts (their reasons stand in pyproject.toml), and what importing a part loads."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from grimp import build_graph

from dungeon_tui.core.catalogue import find_games

ROOT = Path(__file__).parents[1]


def run(code: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Runs code in a Python of its own, in the checkout."""
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, input=given, capture_output=True, text=True)


def loaded_by(code: str, given: str = "") -> set[str]:
    """The packages that a Python has loaded after it ran some code, and any module by its whole name."""
    last = "import json, sys\nprint(); print(json.dumps(list(sys.modules)))"
    done = run(f"{code}\n{last}", given)
    assert done.returncode == 0, done.stderr
    modules = json.loads(done.stdout.splitlines()[-1])
    return {*modules, *(module.partition(".")[0] for module in modules)}


def command(*arguments: str) -> str:
    """Code that runs the command line and goes on after it."""
    return f"""
import sys
from dungeon_tui.__main__ import main
sys.argv = ["dungeon-tui", *{arguments!r}]
try:
    main()
except SystemExit as leaving:
    assert leaving.code in (0, None), leaving.code
"""


def test_the_import_contracts_hold() -> None:
    done = run("import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))")
    assert done.returncode == 0, done.stdout + done.stderr
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    assert f"Contracts: {len(contracts)} kept, 0 broken." in done.stdout


def test_no_chain_of_imports_leads_back_late_and_typed_ones_included() -> None:
    graph = build_graph("dungeon_tui", cache_dir=None)
    arrows = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(arrows).prepare()  # raises CycleError, which names the chain


HEAVY = {"textual", "rich", "numba", "numpy"}


def test_the_list_of_games_loads_nothing_heavy() -> None:
    assert loaded_by("from dungeon_tui.core.catalogue import find_games; assert find_games()") & HEAVY == set()


def test_the_help_loads_nothing_heavy() -> None:
    assert loaded_by(command("--help")) & HEAVY == set()


@pytest.mark.parametrize("game", [game.name for game in find_games()])
def test_a_games_help_loads_nothing_heavy(game: str) -> None:
    assert loaded_by(command(game, "--help")) & HEAVY == set()


def test_the_engine_by_itself_loads_nothing_of_others() -> None:
    loaded = loaded_by("import dungeon_tui.engine")
    assert "dungeon_tui.engine" in loaded
    assert loaded & {*HEAVY, "typer", "click", "networkx", "highspy"} == set()


@pytest.mark.parametrize("family", ["descent", "distance", "graph", "grid_dp", "pursuit", "walks"])
def test_no_family_of_the_engine_loads_the_screen_the_command_line_or_networkx(family: str) -> None:
    loaded = loaded_by(f"import dungeon_tui.engine.{family}")
    assert "numba" in loaded
    assert loaded & {"textual", "rich", "typer", "click", "networkx"} == set()


def test_the_engine_loads_no_toolkit_and_no_game() -> None:
    loaded = loaded_by("from dungeon_tui.engine import distance_map")
    assert "numba" in loaded
    assert loaded & {"textual", "rich", "dungeon_tui.core", "dungeon_tui.games", "dungeon_tui.ui"} == set()


@pytest.mark.parametrize("game", [game.name for game in find_games()])
def test_a_games_rules_and_solver_load_no_toolkit(game: str) -> None:
    loaded = loaded_by(f"import dungeon_tui.games.{game}.model.rules, dungeon_tui.games.{game}.ai.solver")
    assert f"dungeon_tui.games.{game}.model.rules" in loaded
    assert loaded & {"textual", "rich", "dungeon_tui.ui"} == set()


def test_plain_play_loads_neither_a_toolkit_nor_the_kernels() -> None:
    assert loaded_by(command("crawler", "play", "tutorial", "--plain"), "ddq") & {"textual", "rich", "numba"} == set()


def test_looking_at_the_loaded_modules_would_notice_one() -> None:
    assert loaded_by("import textual") >= {"textual", "rich"}
