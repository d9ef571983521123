"""The pen by its keys and strokes, without a screen."""

from __future__ import annotations

import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.model.level import ADVENTURER, OPEN, TREASURE
from dungeon_tui.games.crawler.view.editor.keys import DEEDS, KEYS, footer
from dungeon_tui.games.crawler.view.editor.pen import Mode, Pen
from tests.games.crawler.test_draft import drawn, rows_of

BY_KEY = {name: DEEDS[key.id] for key in KEYS if key.id in DEEDS for name in key.keys.split(",")}
BY_KEY["escape"] = Pen.end  # the screen's key: a line that is shown ends with it, too
ROOM = ("-----", "-o-$-", "----!")
ONE_START = "There is one start only: choose a tile to fill with."


def pen_on(*rows: str) -> Pen:
    """A pen with its cursor on the start."""
    pen = Pen(drawn(*rows))
    pen.cursor = pen.corner = pen.draft.start
    return pen


def press(pen: Pen, keys: str) -> str:
    """Presses keys; returns the message of the last one."""
    said = None
    for key in keys.split():
        said = BY_KEY[key](pen)
    return said.text if said else ""


@pytest.mark.parametrize(
    ("key", "tile"),
    [
        ("minus", "-"), ("space", "-"), ("plus", "+"), ("number_sign", "+"), ("dollar_sign", "$"), ("at", "@"),
        ("M", "M"), ("question_mark", "?"), ("exclamation_mark", "!"),
    ],
)  # fmt: skip
def test_the_keys_of_the_tiles_paint_and_choose_the_brush(key: str, tile: str) -> None:
    pen = pen_on(*ROOM)
    press(pen, f"right right {key}")
    assert rows_of(pen.draft) == ["-----", f"-o-{tile}-", "----!"]
    press(pen, "left enter")
    assert rows_of(pen.draft) == ["-----", f"-o{tile}{tile}-", "----!"]


@pytest.mark.parametrize(
    ("before", "keys", "after", "said"),
    [
        (("oM$",), "right right delete", ("oM-",), ""),
        (("o--",), "right right o", ("--o",), ""),
        (("o-",), "M", ("o-",), "The adventurer starts here, on open floor: {editor.start} puts the start elsewhere."),
        # the brush is down
        (ROOM, "tab tab b down right right", ("-----", "-o-$-", "-@@@!"), ""),
        (ROOM, "tab tab b down right right b up", ("-----", "-o-$-", "-@@@!"), ""),
        (ROOM, "tab tab b down right right b up backspace", ("-----", "-o-$-", "-@@-!"), "Taken back."),
        (ROOM, "i b down home home down end", ("-----", "---$-", "----o"), ""),
        (ROOM, "i b down home home down end backspace", ("-----", "---$-", "o---!"), "Taken back."),
        # fill, erase, pick, clear
        (("o+--", "-+-$"), "end at left f", ("o+@@", "-+@$"), ""),
        (("o+--", "-+-$"), "i f", ("o+--", "-+-$"), ONE_START),
        (("o+--", "-+-$"), "i v right down enter", ("o+--", "-+-$"), ONE_START),
        (("o+--", "-+-$"), "i v right e", ("o+--", "-+-$"), ONE_START),
        (("o+--", "-+-$"), "C", ("o---", "----"), "Cleared; undo brings all back."),
        (("o+--", "-+-$"), "C backspace", ("o+--", "-+-$"), "Taken back."),
        # rectangles
        (("o--", "---", "---"), "down v right down plus", ("o--", "++-", "++-"), "Filled: 2 x 2, pillar."),
        (("o--", "---", "---"), "right shift+down shift+down shift+right e", ("o++", "-++", "-++"),
         "Edge: 3 x 2, pillar."),
        (("---", "---", "o--"), "shift+up shift+up shift+right shift+right e", ("+++", "+-+", "o++"),
         "Edge: 3 x 3, pillar."),
        (("o-",), "e", ("o-",), "There is no rectangle: {editor.rectangle} begins one, so do shift+arrows."),
        # undo and redo
        (("o-",), "backspace", ("o-",), "There is nothing to take back."),
        (("o--",), "right plus right M backspace ctrl+z", ("o--",), "Taken back."),
        (("o--",), "right plus right M backspace ctrl+z ctrl+y ctrl+y", ("o+M",), "Made again."),
        (("o--",), "ctrl+y", ("o--",), "There is nothing to make again."),
        # resizing
        (("o$", "-!"), "r up left down right", ("----", "-o$-", "--!-", "----"),
         "One column more on the right: 4 x 4."),
        (("o$", "-!"), "r up left down right shift+up shift+right", ("-o$", "--!", "---"),
         "One column fewer on the right: 3 x 3."),
        (("o$", "-!"), "r shift+up", ("o$", "-!"),
         "The adventurer starts at row 0, column 0: put the start elsewhere first."),
        (("o$", "-!"), "r up left escape down backspace backspace", ("o$", "-!"), "Taken back."),
    ],
)  # fmt: skip
def test_what_keys_draw_and_say(before: tuple[str, ...], keys: str, after: tuple[str, ...], said: str) -> None:
    pen = pen_on(*before)
    assert press(pen, keys) == said
    assert rows_of(pen.draft) == list(after)
    assert pen.drawing.is_saved is (after == before)


def test_the_cursor_stays_on_the_map() -> None:
    pen = pen_on(*ROOM)
    for keys, cell in (
        ("up w k", (0, 1)), ("left a h", (0, 0)), ("end", (0, 4)), ("right d l", (0, 4)), ("pagedown", (2, 4)),
        ("down s j", (2, 4)), ("home", (2, 0)), ("pageup", (0, 0)),
    ):  # fmt: skip
        press(pen, keys)
        assert pen.cursor == cell
    assert pen.drawing.is_saved


def test_the_cursor_stays_on_its_tile_while_the_map_is_resized() -> None:
    pen = pen_on("---", "-o-", "---")
    for keys, cell in (("r up left left", (2, 3)), ("backspace backspace", (2, 1)), ("ctrl+y ctrl+y", (2, 3))):
        press(pen, keys)
        assert pen.cursor == cell
    press(pen, "home r pageup r shift+up shift+left shift+up shift+left")
    assert rows_of(pen.draft) == ["-o-", "---"]
    assert pen.cursor == (0, 0)


@pytest.mark.parametrize(
    ("rows", "cell"), [(("-o-",), (0, 2)), (("--", "-o"), (1, 0)), (("o", "-"), (1, 0)), (("-", "o"), (0, 0))]
)
def test_a_drawing_begins_beside_its_start(rows: tuple[str, ...], cell: tuple[int, int]) -> None:
    assert Pen(drawn(*rows)).cursor == cell


def test_the_brush_is_picked_and_chosen_along_the_palette() -> None:
    pen = pen_on("o$M")
    for keys, brush in (("i", ADVENTURER), ("tab", OPEN), ("right i", TREASURE), ("right i shift+tab", ord("@"))):
        press(pen, keys)
        assert pen.brush == brush
    press(pen, "x")
    assert (rows_of(pen.draft), pen.brush) == (["o$-"], ord("@"))


def test_copying_and_pasting() -> None:
    pen = pen_on("o$-M", "-+--", "----")
    assert press(pen, "V") == "Nothing was copied: {editor.rectangle} chooses a rectangle, {editor.copy} copies it."
    press(pen, "right v down")
    assert pen.copy().text.startswith("Copied: 2 x 1.")
    press(pen, "right V")
    assert rows_of(pen.draft) == ["o$-M", "-+$-", "--+-"]
    assert pen.paste("- $\n$ M\n").text == "Pasted: 2 x 2."
    assert rows_of(pen.draft) == ["o$-M", "-+-$", "--$M"]
    assert pen.paste("- $\n$") == ("Rows of tiles can be pasted, all as long, of - + $ @ M ? !", True)


def test_what_is_pasted_over_the_edge_is_counted() -> None:
    pen = pen_on("o---", "----")
    press(pen, "end down")
    assert pen.paste("$ $ $\n+ + +\n") == ("Pasted: 1 x 1; 5 tiles beyond the edge had no room.", True)
    assert rows_of(pen.draft) == ["o---", "---$"]
    assert press(pen, "up left left V") == "Pasted: 2 x 3."
    assert rows_of(pen.draft) == ["o$$$", "-+++"]


# -- the mouse


def drag(pen: Pen, *cells: tuple[int, int], is_eraser: bool = False) -> list[str]:
    pen.press(Cell(*cells[0]), is_eraser=is_eraser)
    for cell in cells[1:]:
        pen.drag(Cell(*cell))
    pen.release()
    return rows_of(pen.draft)


def test_a_stroke_of_the_mouse_is_one_change() -> None:
    pen = pen_on("o-----", "------")
    assert drag(pen, (1, 0), (1, 1), (1, 4)) == ["o-----", "+++++-"]  # it jumped
    assert drag(pen, (1, 1), (1, 3), is_eraser=True) == ["o-----", "+---+-"]
    assert pen.cursor == (1, 3)
    press(pen, "backspace")
    assert rows_of(pen.draft) == ["o-----", "+++++-"]
    pen.drag(Cell(0, 5))  # without a button
    press(pen, "backspace")
    assert rows_of(pen.draft) == ["o-----", "------"]


def test_the_mouse_drags_the_start_and_leaves_what_it_passes() -> None:
    pen = pen_on("o$-", "--M")
    assert drag(pen, (0, 0), (0, 1), (1, 2), (1, 1)) == ["-$-", "-oM"]
    press(pen, "backspace")
    assert rows_of(pen.draft) == ["o$-", "--M"]


def test_the_mouse_draws_a_rectangle() -> None:
    pen = pen_on("o---", "----", "----")
    press(pen, "v")
    drag(pen, (1, 1), (1, 2), (2, 3))
    press(pen, "enter")
    assert rows_of(pen.draft) == ["o---", "-+++", "-+++"]


# -- the keys


def test_no_key_means_two_things() -> None:
    names = [name for key in KEYS for name in key.keys.split(",")]
    assert len(names) == len(set(names))
    assert len({key.id for key in KEYS}) == len(KEYS)


def test_the_footer_follows_the_mode() -> None:
    labels = {mode: [label for _, label, _ in footer(mode)] for mode in (*Mode, None)}
    assert "Brush up" in labels[Mode.BRUSH]
    assert "Fill with the brush" in labels[Mode.RECTANGLE]
    assert "Take one away" in labels[Mode.RESIZE]
    assert "With more treasure" in labels[None]
    assert "With more treasure" not in [label for _, label, _ in footer(None, is_last_line=True)]
