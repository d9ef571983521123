"""ASCII, no colours, and the themes, in every part of the app."""

import io
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from textual.color import Color
from textual.pilot import Pilot
from textual.theme import Theme
from textual.widgets import OptionList

from dungeon_tui.ui.palette import HEATS, LEGIBLE, TEXTURES, Meaning, Tint, cell_style, themes
from dungeon_tui.ui.widgets.dialogs import LineDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from tests.ui.driving import app_for, dialogue, do, playing, sees, shown, strips, wait_until, write_dungeon
from tests.ui.test_menu import at_home, menu, open_path

ROWS = ("-+$-", "o@M-", "-?!-", "----")


def check_ascii(pilot: Pilot[Any], where: str) -> None:
    odd = {character for character in shown(pilot.app) if not character.isascii()}
    assert odd == set(), f"{where}:\n{shown(pilot.app)}"


async def test_ascii_mode_shows_ascii_alone_while_playing(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ROWS)
    async with playing(name, ascii_only=True) as (pilot, screen):
        check_ascii(pilot, "level")
        assert "#" in shown(pilot.app)
        for key in ("v", "x", "o", "o", "o", "o", "i", "tab", "escape", "g", "escape", "slash", "m", "home", "up", "r"):
            await pilot.press(key)
            check_ascii(pilot, key)
        await pilot.hover("#map", (36, 4))
        check_ascii(pilot, "hover")
        await pilot.press("question_mark")
        page = screen.app.screen
        assert isinstance(page, HelpScreen)
        check_ascii(pilot, "help")
        assert page.page().plain.isascii()
        await pilot.press("escape", "ctrl+p")
        await wait_until(pilot, lambda: [each.option_count for each in pilot.app.screen.query(OptionList)] > [9])
        check_ascii(pilot, "palette")
        await pilot.press("escape", "down", "up", "right", "e", "e", "e")
        await dialogue(pilot)
        check_ascii(pilot, "the end")


async def test_ascii_mode_shows_ascii_alone_in_the_menu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x1.txt").write_text("?")
    async with at_home((100, 30), ascii_only=True) as (pilot, _):
        check_ascii(pilot, "home")
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        check_ascii(pilot, "help")
        await pilot.press("escape", "o")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog))
        check_ascii(pilot, "line")
    async with menu((100, 30), ascii_only=True) as (pilot, screen):
        await sees(pilot, "Six small rooms")
        check_ascii(pilot, "levels")
        await open_path(pilot, screen, "x1.txt")
        await sees(pilot, "x1.txt:1")
        check_ascii(pilot, "broken")


async def test_a_terminal_that_is_not_unicode_gets_ascii(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = write_dungeon(tmp_path, ROWS)
    for encoding, is_ascii in (("ascii", True), ("ISO-8859-1", True), ("UTF-8", False), ("utf8", False)):
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
        assert app_for(name).glyphs.is_ascii == is_ascii


async def test_without_colours_nothing_is_coloured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with playing(write_dungeon(tmp_path, ROWS)) as (pilot, screen):
        await do(pilot, "v", "x", "travel")
        assert pilot.app.no_color
        greys = 0
        for y, strip in enumerate(strips(screen)):
            for segment in strip:
                for colour in (segment.style.color, segment.style.bgcolor) if segment.style else ():
                    if colour is not None and colour.triplet is not None:
                        assert len(set(colour.triplet)) == 1, (segment, y)
                        greys += 1
        assert greys
        for mark in "o+$@MπΩ":
            assert ("░" if mark == "+" else mark) in shown(pilot.app)


def contrast(one: str, other: str) -> float:
    """As WCAG counts it, by a slow twin of the palette's."""
    lighter, darker = sorted((luminance(Color.parse(one)), luminance(Color.parse(other))), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: Color) -> float:
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def test_the_palettes_name_the_same_things() -> None:
    names = [set(theme.variables) for theme in themes()]
    assert all(each == names[0] for each in names)
    wanted = {meaning.name.lower().replace("_", "-") for meaning in Meaning} - {"rock-note"}
    wanted |= {f"tint-{tint.name.lower()}" for tint in Tint if not tint.name.startswith(("HEAT", "NONE"))}
    assert wanted <= names[0]


TEXTS = [each for each in Meaning if each not in TEXTURES]


@pytest.mark.parametrize("theme", themes(), ids=lambda theme: theme.name)
def test_whatever_is_written_on_a_map_can_be_read(theme: Theme) -> None:
    for meaning, tint in product(TEXTS, range(Tint.HEAT_0 + HEATS)):
        style = cell_style(theme.variables, meaning, tint)
        assert style.color is not None
        assert style.bgcolor is not None
        if meaning != Meaning.ROCK_NOTE or tint:
            assert contrast(style.color.name, style.bgcolor.name) >= LEGIBLE, (meaning, tint)


@pytest.mark.parametrize("theme", themes(), ids=lambda theme: theme.name)
def test_texts_of_the_screens_can_be_read(theme: Theme) -> None:
    grounds = [theme.variables["map-back"], theme.surface, theme.panel]
    for ink, ground in product(("note", "path", "foe", "prize", "way-out", "you", "door", "magic"), grounds):
        assert contrast(theme.variables[ink], str(ground)) >= LEGIBLE, (ink, ground)
