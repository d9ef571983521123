"""The minimap: what of a map a pixel shows, and when it is there."""

from pathlib import Path

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.map.minimap import ORDER, pixels
from dungeon_tui.ui.map.source import MapSource, Row
from dungeon_tui.ui.palette import Meaning
from tests.ui.driving import do, playing, resize, wait_until, write_dungeon


class _Map(MapSource):
    height, width = 5, 6

    def row(self, row: int, start: int, stop: int) -> Row:
        """Floor with a wall on the left, blank on the right; a monster, and treasure beside a wall."""
        meanings = [Meaning.WALL, *[Meaning.FLOOR] * 5]
        if row == 1:
            meanings[3] = Meaning.FOE
        if row == 3:
            meanings[1] = Meaning.PRIZE
        return Row(start, "░···  "[start:stop], bytes(meanings[start:stop]))


def test_each_meaning_has_its_rank() -> None:
    assert sorted(ORDER) == sorted(Meaning)


def test_a_pixel_shows_what_matters_most() -> None:
    found = [[ORDER[place] for place in row] for row in pixels(_Map(), 2, Cell(4, 0))]
    assert found == [
        [Meaning.FLOOR, Meaning.FOE, Meaning.UNSEEN],
        [Meaning.PRIZE, Meaning.FLOOR, Meaning.UNSEEN],
        [Meaning.YOU, Meaning.FLOOR, Meaning.UNSEEN],
    ]
    assert len(pixels(_Map(), 1, Cell(0, 0))) == 5


async def test_it_is_there_while_the_map_is_larger_than_the_screen(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o" + 13 * "-" + "?", 15 * "-")), (110, 30)) as (pilot, screen):
        minimap = screen.minimap
        assert minimap is not None
        await pilot.pause(0.1)
        assert not minimap.size
        await pilot.press("plus", "plus", "plus")
        await wait_until(pilot, lambda: bool(minimap.size))
        assert screen.panel.size.height + minimap.size.height <= screen.map.size.height
        await do(pilot, "zoom.fit")
        await wait_until(pilot, lambda: not minimap.size)
        await pilot.press("plus", "plus", "plus")
        await wait_until(pilot, lambda: bool(minimap.size))
        await resize(pilot, 90, 30)
        assert not minimap.size  # nor is there a panel
