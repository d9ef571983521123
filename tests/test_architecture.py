"""The arrows between the parts (their reasons stand in pyproject.toml), and what importing a part loads."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from dungeon_tui.core.catalogue import find_games

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dungeon_tui"
GAMES = [PACKAGE / "games" / game.name for game in find_games()]
# The only parts of a game that may know how it is shown.
SHOWING = {
    "screen", "commands", "options", "compare_screen", "race_screen", "picture", "analysis", "hints", "story",
    "advice/adviser", "advice/hints", "advice/preview", "advice/standing",
    "editor/keys", "editor/parts", "editor/pen", "editor/screen", "editor/view", "editor/words", "par/figure",
}  # fmt: skip
TOOLKITS = ("textual", "rich", "dungeon_tui.ui", "dungeon_tui.app", "dungeon_tui.cli")


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


def test_a_broken_contract_would_be_noticed(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text(
        "[tool.importlinter]\nroot_package = 'dungeon_tui'\n[[tool.importlinter.contracts]]\nname = 'upside down'\n"
        "type = 'layers'\nlayers = ['dungeon_tui.core', 'dungeon_tui.games']\n"
    )
    done = run(
        f"import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports({str(broken)!r}, no_cache=True))"
    )
    assert done.returncode == 1
    assert "dungeon_tui.games.crawler" in done.stdout


def allowed_parts() -> set[str]:
    """The names that the layers inside a game know."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    inside = [contract for contract in contracts if "containers" in contract]
    return {"__init__", *re.findall(r"\w+", " ".join(layer for contract in inside for layer in contract["layers"]))}


def part_of(path: Path) -> str:
    """A file of a game as the lists here name it: "rules", "editor/keys"."""
    return "/".join(path.relative_to(PACKAGE / "games").with_suffix("").parts[1:])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_games_files_are_the_parts_that_every_game_may_have(game: Path) -> None:
    parts = {part_of(path) for path in game.rglob("*.py")}
    assert {name for part in parts for name in part.split("/")} <= allowed_parts()
    assert parts >= {"__init__", "rules", "state", "level", "commands", "screen"}


def imported_by(path: Path) -> Iterator[str]:
    """The whole names of all that a file imports, at its top or anywhere within."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


PURE = [
    *(PACKAGE / "core").rglob("*.py"),
    *(PACKAGE / "engine").rglob("*.py"),
    *(path for path in (PACKAGE / "games").rglob("*.py") if part_of(path) not in SHOWING),
]


@pytest.mark.parametrize("path", PURE, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_rules_and_kernels_import_nothing_that_shows_them(path: Path) -> None:
    showing = [name for name in imported_by(path) if any(f"{name}.".startswith(f"{part}.") for part in TOOLKITS)]
    assert showing == []


def test_imports_are_seen_wherever_they_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "dungeon_tui" / "games" / "any" / "rules.py"
    file.parent.mkdir(parents=True)
    file.write_text(
        "import textual.app as shown, json\nfrom ...ui import map_view\nfrom . import level\n"
        "def later():\n    from rich.text import Text\n"
    )
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    assert sorted(imported_by(file)) == [
        "dungeon_tui.games.any.level",
        "dungeon_tui.ui.map_view",
        "json",
        "rich.text.Text",
        "textual.app",
    ]


HEAVY = {"textual", "rich", "numba", "numpy"}


def test_the_list_of_games_loads_nothing_heavy() -> None:
    assert loaded_by("from dungeon_tui.core.catalogue import find_games; assert find_games()") & HEAVY == set()


def test_the_help_loads_nothing_heavy() -> None:
    assert loaded_by(command("--help")) & HEAVY == set()


@pytest.mark.parametrize("game", [game.name for game in find_games()])
def test_a_games_help_loads_nothing_heavy(game: str) -> None:
    assert loaded_by(command(game, "--help")) & HEAVY == set()


def test_the_engine_loads_no_toolkit_and_no_game() -> None:
    loaded = loaded_by("import dungeon_tui.engine")
    assert "numba" in loaded
    assert loaded & {"textual", "rich", "dungeon_tui.core", "dungeon_tui.games", "dungeon_tui.ui"} == set()


@pytest.mark.parametrize("game", [game.name for game in find_games()])
def test_a_games_rules_load_no_toolkit(game: str) -> None:
    loaded = loaded_by(f"import dungeon_tui.games.{game}.rules, dungeon_tui.games.{game}.level")
    assert f"dungeon_tui.games.{game}.rules" in loaded
    assert loaded & {"textual", "rich", "dungeon_tui.ui"} == set()


def test_plain_play_loads_neither_a_toolkit_nor_the_kernels() -> None:
    assert loaded_by(command("crawler", "play", "tutorial", "--plain"), "ddq") & {"textual", "rich", "numba"} == set()


def test_looking_at_the_loaded_modules_would_notice_one() -> None:
    assert loaded_by("import textual") >= {"textual", "rich"}
