"""Sprites: every file is whole, each looks unlike the others without colour, and large cells are drawn with them."""

from collections.abc import Mapping
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from rich.style import Style

from dungeon_tui.core.catalogue import Game, find_games
from dungeon_tui.storage.settings import Preferences
from dungeon_tui.ui.map import sprites
from dungeon_tui.ui.map.source import Slice, Sprite
from tests.ui.driving import glyphs, painted, playing, shown, wait_until, write_dungeon

NAMES = sorted(path.stem for path in Path(sprites.__file__).with_name("art").glob("*.txt"))
STYLE = Style(color="#7cc7ff", bgcolor="#12141a")


def test_every_sprite_stands_for_something() -> None:
    own = [each for game in find_games() for each in sprites_of(game).values()]
    shared = [*sprites.SHARED.values(), *sprites.ARROWS.values(), *sprites.STEPS.values()]
    assert sorted({each.name for each in (*shared, *own)}) == NAMES


def sprites_of(game: Game) -> Mapping[tuple[str, int], Sprite]:
    """The sprites of a game's own."""
    level = next(opening for opening in game.levels().openings() if opening.screen is None).load()
    picture = game.view()(game).picture(game.rules().start(level, 0))
    return picture.sprites


@pytest.mark.parametrize(("columns", "lines"), [(16, 8), (12, 6), (8, 4), (6, 3), (4, 2), (5, 2), (7, 3)])
def test_a_line_of_a_sprite_fills_the_cell(columns: int, lines: int) -> None:
    assert sprites.fits(columns, lines)
    doors = [Sprite("door", digit=digit) for digit in "123456789"]
    written = [*doors, Sprite("door", digit="3", above="24$k"), Sprite("hero", signs=")k")]
    for sprite, number in product([*map(Sprite, NAMES), *written], range(lines)):
        width = sum(part.cell_length for part in sprites.line(Slice(sprite, lines, number), columns, STYLE))
        assert width == columns, sprite


@pytest.mark.parametrize("size", sprites.SIZES)
def test_sprites_are_distinguished_without_colour(size: int) -> None:
    shapes = {name: sprites.grids(Sprite(name))[size] for name in NAMES}
    for one, other in combinations(NAMES, 2):
        differing = sum(
            a != b for rows in zip(shapes[one], shapes[other], strict=True) for a, b in zip(*rows, strict=True)
        )
        assert differing >= size // 2, (one, other)


async def test_large_cells_are_drawn_and_spelt_where_that_is_wished(tmp_path: Path) -> None:
    for is_wished in (True, False):
        async with playing(write_dungeon(tmp_path, ("o$------!",))) as (pilot, screen):
            preferences = screen.preferences
            assert isinstance(preferences, Preferences)
            preferences.change({("sprites",): is_wished})
            screen.settings_changed()
            await painted(screen)
            map_lines = shown(pilot.app).splitlines()[: screen.map.size.height]
            assert any("▀" in line for line in map_lines) == is_wished
            assert any("@" in line[: screen.map.size.width] for line in map_lines) != is_wished


def test_arrows_point_where_they_say() -> None:
    for arrow, (row, col) in {"↑": (0, 0.5), "→": (0.5, 1), "↙": (1, 0), "↘": (1, 1)}.items():
        for size in sprites.SIZES:
            ahead = (np.argwhere(inked(arrow, size)).mean(axis=0) - (size - 1) / 2) @ (np.array([row, col]) - 0.5)
            assert ahead > 0, (arrow, size)
    for arrow, size in product("↑→↓←", (6, 8)):  # one behind the other they don't fuse into a band
        across = inked(arrow, size).any(axis=int(arrow in "↑↓"))
        assert not across[0] or not across[-1], (arrow, size)


def inked(arrow: str, size: int) -> NDArray[np.bool_]:
    return np.array([[pixel == "a" for pixel in line] for line in sprites.grids(sprites.ARROWS[arrow])[size]])


async def test_large_cells_have_large_arrows(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o$------!",))) as (pilot, screen):
        await pilot.press("o")
        await wait_until(pilot, lambda: screen.distances.layer())
        await pilot.press("o", "o")  # letters, heat, arrows: digits would say what letters do
        await wait_until(pilot, lambda: "←" in glyphs(screen)[0])
        await painted(screen)
        assert not any("←" in line for line in shown(pilot.app).splitlines()[: screen.map.size.height])


@pytest.mark.parametrize("is_animated", [True, False])
async def test_what_lives_breathes_where_animations_are_on(
    is_animated: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with playing(write_dungeon(tmp_path, ("o$------!",)), animated=is_animated) as (pilot, screen):

        def frame() -> str:
            return str([screen.map.render_line(line) for line in range(screen.map.size.height)])

        await painted(screen)
        seen = {frame()}
        if not is_animated:
            monkeypatch.setattr(screen.map, "set_interval", pytest.fail)
        screen.map.show(screen.view.picture(screen.session.state), screen.map.focus_cell)
        if is_animated:
            await wait_until(pilot, lambda: len(seen) > 1 or bool(seen.add(frame())))
        assert frame() in seen
        assert len(seen) == 1 + is_animated
