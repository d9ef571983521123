"""Keys that the toolkit answers badly, and text that would steer the terminal."""

import pytest
from rich.segment import Segment
from textual.color import Color

from dungeon_tui.ui.app import DungeonApp, PrintableFilter
from tests.ui.driving import running


@pytest.mark.parametrize(("size", "keys"), [((80, 24), ("ctrl+p", "t")), ((3, 3), ())])
async def test_lists_without_lines_have_no_pages(size: tuple[int, int], keys: tuple[str, ...]) -> None:
    app = DungeonApp()
    async with running(app, size=size) as pilot:
        await pilot.press(*keys, "pagedown", "pageup", "pagedown")
        assert app.is_running


@pytest.mark.parametrize("steering", ["\x1b]52;c;aGk=\x07", "\x9b31m", "\r", "\u202e", "\x7f"])
def test_nothing_that_is_painted_steers_the_terminal(steering: str) -> None:
    plain = [Segment("a door")]
    assert PrintableFilter().apply(plain, Color.parse("black")) is plain
    (painted,) = PrintableFilter().apply([Segment(f"a{steering}b")], Color.parse("black"))
    assert painted.text.isprintable()
    assert painted.cell_length == Segment(f"a{steering}b").cell_length
