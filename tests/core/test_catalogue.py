"""The games are found by their folders, and finding them loads nothing heavy."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import dungeon_tui
import dungeon_tui.games
from dungeon_tui.core.catalogue import find_game, find_games, levels_folder, next_opening, of_any_seed, shipped_level

GAMES = Path(dungeon_tui.games.__file__).parent


def test_every_folder_with_a_game_is_found_in_the_menus_order() -> None:
    folders = {path.parent.name for path in GAMES.glob("*/__init__.py") if "GAME = " in path.read_text("utf-8")}
    assert {game.name for game in find_games(with_hidden=True)} == folders
    assert {game.name for game in find_games()} == {name for name in folders if not name.startswith("_")}
    assert "crawler" in folders
    orders = [game.order for game in find_games()]
    assert orders == sorted(set(orders))


def test_a_game_is_found_by_its_name() -> None:
    game = find_game("crawler")
    assert game.title == "Crawler"
    assert find_game("Crawler") is None
    assert find_game("") is None


@pytest.mark.parametrize(
    ("game", "arguments", "following"),
    [
        ("crawler", "tutorial", "easy"),
        ("crawler", "hard", "tutorial"),
        ("crawler", "", None),
        ("crawler", "nowhere", None),
        ("delve", "--seed 285 --monsters 1 --rows 17 --cols 40 --depths 2", "--seed 98 --cols 40 --depths 5"),
        ("delve", "--seed 7 --monsters 2", "--seed 8 --monsters 2"),
        ("delve", "--seed -1 --monsters 2", "--seed 0 --monsters 2"),
        ("delve", "--seed 5 --monsters x", None),
    ],
)
def test_after_a_level_comes_the_one_below_it_in_the_menu_or_of_the_next_seed(
    game: str, arguments: str, following: str | None
) -> None:
    found = find_game(game)
    assert found is not None
    opening = next_opening(found, arguments)
    assert (None if opening is None else opening.arguments) == following


def test_levels_that_differ_in_their_seed_only_have_the_same_text_without_it() -> None:
    delve = find_game("delve")
    texts = ["--seed -1 --monsters 2", "--seed 7 --monsters 2", "--seed 7 --monsters 3", "--seed 5 --monsters x"]
    one, other, *others = (of_any_seed(delve, text) for text in texts)
    assert one == other
    assert len({one, *others}) == 3


@pytest.fixture
def games_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder where the games are looked for."""
    monkeypatch.setattr(dungeon_tui.games, "__path__", [str(tmp_path)])
    find_games.cache_clear()
    yield tmp_path
    find_games.cache_clear()
    for name in [name for name in sys.modules if name.startswith("dungeon_tui.games.found_")]:
        del sys.modules[name]
        delattr(dungeon_tui.games, name.rpartition(".")[2])


_A_GAME = """
from dungeon_tui.core.catalogue import Game
class Found(Game):
    name, order = "{}", {}
    rules = levels = view = commands = None
GAME = Found()
"""


def test_folders_without_a_game_and_stray_files_are_no_games(games_folder: Path) -> None:
    for name, text in {
        "found_second": _A_GAME.format("b", 2),
        "found_first": _A_GAME.format("z", 1),
        "found_nothing": "",
        "found_something_else": "GAME = 'chess'",
    }.items():
        (games_folder / name).mkdir()
        (games_folder / name / "__init__.py").write_text(text)
    (games_folder / "found_file.py").write_text("raise AssertionError('loaded')")
    assert [game.name for game in find_games()] == ["z", "b"]


def test_levels_lie_in_the_installed_package_or_at_the_top_of_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dungeon_tui, "__file__", str(tmp_path / "package" / "__init__.py"))
    assert levels_folder("any") == tmp_path / "levels" / "any"
    (tmp_path / "package" / "levels").mkdir(parents=True)
    assert levels_folder("any") == tmp_path / "package" / "levels" / "any"


@pytest.mark.parametrize("name", ["", "no-such-grid", "../rescue/classic", "classic.txt", "\0", "a" * 5000])
def test_names_of_no_shipped_level(name: str) -> None:
    assert shipped_level("rescue", name, ".txt") is None
