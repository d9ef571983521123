"""What a terminal shows after the changes alone is what it would show after all that was painted."""

from __future__ import annotations

import pyte
from hypothesis import given
from hypothesis import strategies as st
from pyte.screens import Char

from dungeon_tui.ui.frame import Frame

COLUMNS, ROWS = 12, 3
STYLES = ["", "1", "38;5;117", "38;5;243;48;5;16", "1;38;2;1;2;3;48;2;9;9;9", "7", "4;31", "97;44"]
WORDS = ["", "  ", "      ", "ab", "abc de", "▀█", "☺ ", "漢", "e\u0301x"]  # none cuts a wide character in two
places = st.tuples(st.integers(0, ROWS - 1), st.sampled_from(range(0, COLUMNS, 2)))


def painted(place: tuple[int, int], style: str, word: str) -> str:
    row, col = place
    return f"\x1b[{row + 1};{col + 1}H\x1b[{style}m{word[: COLUMNS - col]}\x1b[0m"


spans = st.builds(painted, places, st.sampled_from(STYLES), st.sampled_from(WORDS))


def cells(screen: pyte.Screen) -> list[Char]:
    """The cells as they look: a blank shows no foreground."""
    found = [screen.buffer[row][col] for row in range(ROWS) for col in range(COLUMNS)]
    return [
        each._replace(fg="default", bold=False, italics=False)
        if each.data == " " and not (each.reverse or each.underscore)
        else each
        for each in found
    ]


few = st.lists(spans, min_size=1, max_size=5).map(st.sampled_from)  # so that some are painted again and again
pictures = few.flatmap(lambda some: st.lists(st.lists(some | spans, max_size=4).map("".join), max_size=8))


@given(pictures)
def test_the_changes_make_the_same_picture(texts: list[str]) -> None:
    whole, partly = pyte.Screen(COLUMNS, ROWS), pyte.Screen(COLUMNS, ROWS)
    all_of_it, changes, frame = pyte.Stream(whole), pyte.Stream(partly), Frame()
    for text in texts:
        all_of_it.feed(text)
        assert frame.draw(text)
        changes.feed(frame.update())
        assert cells(partly) == cells(whole)
        assert frame.update() == ""


def test_what_stays_is_not_sent_again() -> None:
    frame = Frame()
    for number in "56":
        assert frame.draw(f"\x1b[1;1H\x1b[38;5;117m{number} moves\x1b[0m\r\n\x1b[31mabc\x1b[0m")
        assert ("moves" in (sent := frame.update())) is (number == "5")
        assert number in sent
    frame.forget()
    assert frame.draw("\x1b[1;1H\x1b[38;5;117m6 moves\x1b[0m")
    assert "6 moves" in frame.update()


def test_a_cell_left_of_and_above_the_first_is_the_first() -> None:
    frame = Frame()
    assert frame.draw("\x1b[0;0Habc")
    assert frame.update().startswith("\x1b[1;1Habc")


def test_other_sequences_are_not_drawn() -> None:
    frame = Frame()
    assert not frame.draw("abc\x1b[?25h")
    assert frame.update() == ""
