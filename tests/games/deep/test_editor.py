"""Campaigns under the pen: files come back as they were but for what was drawn, and a level can be tried and saved."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.catalogue import shipped_level
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.games.deep.model.campaign import MOST_BYTES, read_campaign
from dungeon_tui.games.deep.model.campaigns import names
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS
from dungeon_tui.games.deep.view.editor import CRAFT, judging
from dungeon_tui.ui.editor.craft import Draft, open_drawing
from dungeon_tui.ui.editor.pen import Pen
from dungeon_tui.ui.play.screen import PlayScreen
from tests.games.crawler.test_draft import press
from tests.ui.driving import editing, wait_until

CLASHING = """
title = "Two letters"  # kept
[legend]
k = "watchman"
U = "tracker"
[kinds.watchman]
like = "sleeper"
[levels.hall]
map = '''
o - k 1
- U - -
'''
[levels.hall.doors]
1 = {to = "cave", carry = 1}  # kept, too
[levels.cave]
map = "o $ - !"
"""


def read(text: str) -> Draft:
    return CRAFT.read(LevelFile("own.toml", text.encode()))


@pytest.mark.parametrize("name", names())
def test_a_file_of_which_nothing_is_changed_stays_as_it_is(name: str) -> None:
    file = read_level_file(shipped_level("deep", name, ".toml"), MOST_BYTES)
    draft = CRAFT.read(file)
    for _ in read_campaign(file).levels:
        assert draft.craft.text(draft).encode() == file.data
        draft = draft.craft.next_part(draft)


def test_what_is_drawn_is_the_level_and_the_rest_of_the_file_stays() -> None:
    pen = Pen(read(CLASHING))
    pen.cursor = Cell(1, 2)
    press(pen, "y right U")  # a key and a walker, whose letters mean something else in this file
    text = pen.craft.text(pen.draft)
    campaign = read_campaign(LevelFile("own.toml", text.encode()))
    level = campaign.levels["hall"]
    assert {(each.kind, each.cell) for each in level.monsters} == {
        ("watchman", Cell(0, 2)), ("tracker", Cell(1, 1)), ("up-down", Cell(1, 3)),
    }  # fmt: skip
    assert level.tiles[1, 2] == ord("k")  # the key's tile, whatever its letter
    assert level.doors[ord("1")].carry == 1
    assert text.count("kept") == 2
    assert read(text).craft.text(read(text)) == text


def test_doors_without_words_lead_out_and_words_without_a_door_go() -> None:
    pen = Pen(read(CLASHING))
    pen.cursor = Cell(0, 3)
    press(pen, "3")
    text = pen.craft.text(pen.draft)
    assert tomllib.loads(text)["levels"]["hall"]["doors"] == {"3": {"ending": "out"}}
    press(pen, "backspace")
    assert pen.craft.text(pen.draft) == CLASHING


KEYS = (
    "up down left right plus minus dollar_sign M U E D S T Z m percent_sign asterisk ampersand Y y at 1 9 "
    "question_mark b v r C backspace".split()
)


@given(st.lists(st.sampled_from(KEYS), max_size=30))
def test_all_that_is_drawn_is_in_the_file(keys: list[str]) -> None:
    pen = Pen(CRAFT.empty())
    press(pen, " ".join(keys))
    draft = pen.draft
    text = pen.craft.text(draft)
    try:
        again = read(text)
    except LevelError:  # a brittle door without a next level, or no door left
        assert ord("?") in draft.board.array() or not any(door in draft.board.array() for door in b"123456789")
        return
    assert (again.board.array() == draft.board.array()).all()
    assert again.pieces == draft.pieces


@pytest.mark.parametrize(
    ("rows", "is_won", "moves"), [("o - 1", True, 2), ("o + 1", False, None), ("o - ?", None, None)]
)
def test_the_judge_tells_the_way_out_or_the_fault(rows: str, is_won: bool | None, moves: int | None) -> None:
    text = f'[levels.one]\nmap = "{rows}"\n' + ("" if "?" in rows else '[levels.one.doors]\n1 = {ending = "out"}\n')
    *_, check = judging(text, "one", "own.toml", print)
    assert check.is_over
    assert check.is_won is is_won
    assert bool(check.oddities) is (is_won is None)
    if moves is not None:
        assert len(check.found.line or ()) == moves


async def test_a_level_is_drawn_tried_and_saved(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(CLASHING)
    async with editing("deep", file) as (pilot, screen):
        app = pilot.app
        await pilot.press("N")
        assert screen.filing.is_saved
        assert screen.craft.part(screen.pen.draft) == "cave"
        await pilot.press("p")
        await wait_until(pilot, lambda: isinstance(app.screen, PlayScreen))
        assert app.screen.session.controller.state.level.name == "cave"
        await pilot.press("q")
        await wait_until(pilot, lambda: app.screen is screen)
        await pilot.press("right", "T", "ctrl+s")
        await wait_until(pilot, lambda: screen.filing.written is not None)
    assert [each.kind for each in read_campaign(LevelFile("own.toml", file.read_bytes())).levels["cave"].monsters] == [
        "tracker"
    ]
    assert open_drawing(CRAFT, str(file)).known == file.read_bytes()


def test_the_palette_shows_monsters_and_items_as_the_game_does() -> None:
    signs = {CRAFT.names[code]: CRAFT.sign(code) for code in CRAFT.brushes}
    shown = {name: kind.letter for name, kind in KINDS.items()} | {name: item.glyph for name, item in ITEMS.items()}
    assert {name: signs[name] for name in shown} == shown
