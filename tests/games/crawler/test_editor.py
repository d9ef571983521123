"""The editor by its keys and the mouse: painting, resizing, undo, saving, playing, and what the solver says."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from textual.events import MouseDown, MouseMove, MouseUp
from textual.pilot import Pilot
from textual.widgets import Input

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.words import sentence
from dungeon_tui.games.crawler.model.level import ADVENTURER
from dungeon_tui.games.crawler.view.editor import CRAFT, CrawlerCheck
from dungeon_tui.ui.editor import judge
from dungeon_tui.ui.editor.craft import open_drawing
from dungeon_tui.ui.editor.pen import Mode
from dungeon_tui.ui.editor.screen import EditorScreen, TileBar, cell_text
from dungeon_tui.ui.palette import Tint
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.dialogs import LineDialog
from dungeon_tui.ui.widgets.side_panel import SidePanel
from dungeon_tui.workers import Process, ProcessError
from tests.games.crawler.test_draft import rows_of
from tests.ui import driving
from tests.ui.driving import dialogue, level_text, middle_of, painted, sees, sees_no, shown, wait_until, words
from tests.wording import numbers

ROOM = ("-----", "-o-$-", "----!")


class InThisProcess:
    """Answers here and at once what the solver's process would answer."""

    def __init__(self, *_: object) -> None:
        pass

    def start(self) -> None:
        pass

    end = start

    async def ask(self, function: Any, *arguments: object, tell: Any) -> AsyncIterator[Any]:
        for item in function(*arguments, tell):
            yield item


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "SEARCH_DELAY_S", 0)
    monkeypatch.setattr(judge, "Process", InThisProcess)


@asynccontextmanager
async def editing(
    path: Path | str = "", *rows: str, size: tuple[int, int] = (110, 30), ascii_only: bool = False
) -> AsyncIterator[tuple[Pilot[Any], EditorScreen]]:
    """The app with the editor open, the cursor on the start; where rows are given, on a file that holds them."""
    if rows:
        Path(path).write_text(level_text(*rows))
    async with driving.editing("crawler", path, size, ascii_only=ascii_only) as (pilot, screen):
        screen.pen.cursor = screen.pen.corner = screen.pen.draft.start
        screen.show()
        yield pilot, screen


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "room.txt"


def rows(screen: EditorScreen) -> list[str]:
    return rows_of(screen.pen.draft)


async def mouse(pilot: Pilot[Any], screen: EditorScreen, event: Any, cell: tuple[int, int], **how: Any) -> None:
    """A mouse event in the middle of a cell."""
    await driving.mouse(pilot, event, screen.map, middle_of(screen.map, Cell(*cell)), **how)


async def drag(pilot: Pilot[Any], screen: EditorScreen, *cells: tuple[int, int], button: int = 1, **how: Any) -> None:
    await mouse(pilot, screen, MouseDown, cells[0], button=button, **how)
    for cell in cells[1:]:
        await mouse(pilot, screen, MouseMove, cell, button=button, **how)
    await mouse(pilot, screen, MouseUp, cells[-1], button=button, **how)
    await pilot.pause()


def panel(screen: EditorScreen) -> str:
    return screen.query_one(SidePanel).render().plain


def said(screen: EditorScreen) -> str:
    return screen.messages.texts[-1] if screen.messages.texts else ""


async def type_line(pilot: Pilot[Any], text: str) -> None:
    await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog) and pilot.app.screen.query(Input))
    pilot.app.screen.query_one(Input).value = text
    await pilot.press("enter")


def tinted(screen: EditorScreen, tint: Tint) -> set[tuple[int, int]]:
    found = set()
    for number in range(screen.pen.draft.height):
        row = screen.map.source.row(number, 0, screen.pen.draft.width)
        for layer in screen.map.drawn_layers:
            layer.paint(number, row)
        found |= {(number, col) for col, each in enumerate(row.tints) if each == tint}
    return found


# -- drawing


async def test_keys_reach_the_pen_and_its_words_are_shown(file: Path) -> None:
    async with editing(file, *ROOM) as (pilot, screen):
        await pilot.press("right", "right", "M")
        assert rows(screen) == ["-----", "-o-M-", "----!"]
        await pilot.press("backspace", "backspace")
        assert rows(screen) == list(ROOM)
        assert len(screen.messages.texts) == 1  # nothing is left to take back
        await pilot.press("b")
        await sees(pilot, "b Brush up")
        await pilot.press("escape", "v", "down", "c", "right", "V")
        assert rows(screen) == ["-----", "-o-M-", "----M"]
        assert numbers(said(screen))[:2] == [1, 1]


async def test_resizing_by_numbers(file: Path) -> None:
    async with editing(file, "-o$", "--!") as (pilot, screen):
        await pilot.press("end", "pagedown", "R")
        await type_line(pilot, "2")
        await sees(pilot, ": 12 x 30.")
        await type_line(pilot, "1 x 5")
        await wait_until(pilot, lambda: rows(screen) == ["-o$--"])
        assert screen.pen.cursor == Cell(0, 2)
        await pilot.press("R")
        await type_line(pilot, "3 1")
        await sees(pilot, f"{Cell(0, 1).text}:")
        assert isinstance(pilot.app.screen, LineDialog)
        assert pilot.app.screen.query_one(Input).value == "3 1"
        await type_line(pilot, "3 2")
        await wait_until(pilot, lambda: rows(screen) == ["-o", "--", "--"])


async def test_the_mouse_paints_erases_picks_and_drags_the_start(file: Path) -> None:
    async with editing(file, "o-----", "------", "-----M") as (pilot, screen):
        await drag(pilot, screen, (1, 0), (1, 1), (1, 4))
        assert rows(screen) == ["o-----", "+++++-", "-----M"]
        await drag(pilot, screen, (1, 1), (1, 3), button=3)
        await drag(pilot, screen, (1, 4), shift=True)
        assert rows(screen) == ["o-----", "+-----", "-----M"]
        await drag(pilot, screen, (2, 5), button=2)
        assert screen.pen.brush == ord("M")
        await drag(pilot, screen, (0, 0), (0, 2))
        assert rows(screen) == ["--o---", "+-----", "-----M"]
        bar = screen.query_one(TileBar)
        await pilot.click(bar, offset=(shown(pilot.app).splitlines()[0].index("@ start"), 0))
        assert screen.pen.brush == ADVENTURER
        assert {part[0] for part in bar.render().plain.split("  ") if part} == {*'-+$"M?!@'}


# -- what the solver says


async def judged(pilot: Pilot[Any], screen: EditorScreen, *points: tuple[int, int], is_all: bool = True) -> None:
    """The solver has proven the fewest moves with each treasure; and its words are shown."""

    def is_shown() -> bool:
        check = screen.judge.check
        proven = tuple((point.treasure, point.moves) for point in check.par.points if point.is_proven)
        is_known = check.is_over and (proven, check.par.is_all) == (points, is_all)
        return is_known and CRAFT.check_text(check) in words(shown(pilot.app))

    await wait_until(pilot, is_shown)


async def test_the_verdict_follows_each_change(file: Path) -> None:
    async with editing(file, "o--", "---") as (pilot, screen):
        await judged(pilot, screen)
        (odd,) = screen.judge.check.oddities
        assert odd.message in panel(screen)
        for key, told in (("n", sentence(odd.message)), ("slash", CRAFT.no_more_lines(screen.judge.check))):
            await pilot.press(key)
            assert said(screen) == told
        await pilot.press("end", "exclamation_mark")
        await sees_no(pilot, odd.bar)
        await judged(pilot, screen)
        await sees(pilot, "'!'")
        await pilot.press("down", "dollar_sign")
        await judged(pilot, screen, (1, 4))
        assert "Odd" not in panel(screen)
        await pilot.press("backspace")
        await judged(pilot, screen)
        await pilot.press("ctrl+y")
        await judged(pilot, screen, (1, 4))


async def test_what_is_odd_is_marked_found_and_named_under_the_mouse(file: Path) -> None:
    async with editing(file, "o-+$", "M-++", "?-+$") as (pilot, screen):
        await wait_until(pilot, lambda: screen.judge.check.is_over)
        assert tinted(screen, Tint.DANGER) == {(0, 3), (1, 0), (2, 3)}
        await sees(pilot, "3 odd tiles, n ")
        for cell, text in (((0, 3), "This treasure"), ((1, 0), "A monster next"), ((2, 3), "This treasure")):
            await pilot.press("n")
            assert screen.pen.cursor == cell
            assert said(screen).startswith(text)
        for cell in ((0, 3), (0, 0)):
            await mouse(pilot, screen, MouseMove, cell)
            assert cell_text(screen.pen.draft, Cell(*cell), screen.judge.check) in panel(screen)
        await pilot.press("right")
        assert "column 0: the start" not in panel(screen)


async def test_a_line_out_is_drawn_and_stepped(file: Path) -> None:
    async with editing(file, "o-$?", "-+--", "$---") as (pilot, screen):
        await judged(pilot, screen, (1, 3), (2, 7))
        await pilot.press("slash")
        assert (numbers(said(screen)), said(screen)[-3:]) == ([3, 1], "ddd")
        assert tinted(screen, Tint.PATH) == {(0, 1), (0, 2), (0, 3)}
        await pilot.press("slash")
        assert (numbers(said(screen)), said(screen)[-8:]) == ([7, 2], " ssddwwd")
        await pilot.press("right_square_bracket", "right_square_bracket")
        await sees(pilot, "Move 2 of 7.")
        assert screen.line.states[screen.line.moment].adventurer == Cell(2, 0)
        await pilot.press("left_square_bracket")
        assert said(screen) == "Move 1 of 7."
        assert "With more treasure" not in shown(pilot.app)  # there is none
        await pilot.press("slash")
        assert said(screen) == CRAFT.no_more_lines(screen.judge.check)
        assert screen.line
        await pilot.press("escape")
        assert screen.pen.mode is Mode.DRAW
        assert rows(screen) == ["o-$?", "-+--", "$---"]
        await pilot.press("slash")
        await sees(pilot, "With more treasure")
        await pilot.press("escape", "right_square_bracket")
        assert said(screen) == "Move 1 of 3."
        await pilot.press("down", "M")
        assert screen.pen.mode is Mode.DRAW
        assert rows(screen) == ["o-$?", "M+--", "$---"]


@pytest.mark.slow
async def test_the_solver_runs_in_a_process_that_ends_with_the_editor(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "Process", Process)
    async with editing(file, *ROOM) as (pilot, screen):
        await judged(pilot, screen, (1, 4))
        (running,) = active_children()
        await pilot.press("end", "exclamation_mark")
        await judged(pilot, screen, (1, 3))
        assert active_children() == [running]
        await pilot.press("q", "y")
        await wait_until(pilot, lambda: not pilot.app.is_running)
    assert active_children() == []


async def test_trouble_in_the_solvers_process_is_said(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def failing(*_: object, tell: object) -> AsyncIterator[Any]:
        yield CrawlerCheck()
        raise ProcessError("it broke")

    monkeypatch.setattr(InThisProcess, "ask", failing)
    async with editing(file, *ROOM) as (pilot, _):
        await sees(pilot, "It broke.")


# -- files


async def test_saving_and_opening_again(file: Path) -> None:
    async with editing(file) as (pilot, screen):
        await pilot.press("right", "M", "down", "plus", "o", "exclamation_mark", "ctrl+s")
        await wait_until(pilot, lambda: said(screen) == f"Saved: {file.resolve()}")
        saved = rows(screen)
        await pilot.press("W")
        await type_line(pilot, f"{file}.txt")
        await wait_until(pilot, lambda: screen.filing.file == f"{file}.txt")
        await pilot.press("q")
        await wait_until(pilot, lambda: not pilot.app.is_running)
        assert pilot.app.saved == f"{file}.txt"
    for each in (file, f"{file}.txt"):
        async with editing(each) as (_, screen):
            assert rows(screen) == saved


async def test_what_others_wrote_is_replaced_after_a_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("room.txt")
    file.write_text("something else")
    async with editing() as (pilot, screen):
        await pilot.press("right", "plus", "ctrl+s")
        await type_line(pilot, "none/x.txt")
        await sees(pilot, "one/x.txt: ")
        await type_line(pilot, str(file))
        await dialogue(pilot)
        await pilot.press("n")
        assert (file.read_text(), screen.filing.is_saved) == ("something else", False)
        await pilot.press("ctrl+s")
        await type_line(pilot, str(file))
        await dialogue(pilot)
        await pilot.press("r")
        await wait_until(pilot, lambda: screen.filing.is_saved)
        assert file.read_text().startswith("10 20\n1 1\n- -")
        await pilot.press("right", "plus", "ctrl+s")  # known by now: nothing is asked
        await wait_until(pilot, lambda: file.read_text().count("+") == 2)
        file.write_text("3 3")
        await pilot.press("right", "plus", "ctrl+s")
        await dialogue(pilot)
        await pilot.press("n")
        assert file.read_text() == "3 3"
        file.unlink()
        file.mkdir()
        await pilot.press("ctrl+s")
        await wait_until(pilot, lambda: f"{file.name}: " in said(screen))
        assert not screen.filing.is_saved
        file.rmdir()
        os.mkfifo(file)  # reading it would wait for ever
        await pilot.press("ctrl+s")
        await wait_until(pilot, lambda: "a pipe" in said(screen))
    with pytest.raises(LevelError, match="a pipe"):
        open_drawing(screen.pen.craft, str(file))


async def test_another_level_is_opened(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.txt").write_text("1 2\n0 0\n-x")
    (tmp_path / "other.txt").write_text(level_text("M--", "--o"))
    async with editing(file, *ROOM) as (pilot, screen):
        await pilot.press("right", "plus", "O")
        await dialogue(pilot)
        await pilot.press("y")
        for name, trouble in (("bad.txt", "unknown tile 'x'"), ("none/x.txt", "can't be written")):
            await type_line(pilot, name)
            await sees(pilot, trouble)
        await type_line(pilot, "other.txt")
        await wait_until(pilot, lambda: rows(screen) == ["M--", "--o"])
        assert screen.pen.cursor == (1, 1)
        await sees(pilot, "Can't be won")
        await pilot.press("O")
        await type_line(pilot, "begun.txt")
        await wait_until(pilot, lambda: screen.pen.draft.height == 10)
        assert screen.filing.file == "begun.txt"
    assert file.read_text() == level_text(*ROOM)


async def test_quitting_the_app_loses_nothing_without_a_question(file: Path) -> None:
    async with editing(file, *ROOM) as (pilot, _):
        await pilot.press("right", "plus", "p")
        await playing(pilot)
        await pilot.press("ctrl+c")
        await dialogue(pilot)
        await sees(pilot, "room.txt ")
        await pilot.press("n")
        await pilot.press("ctrl+c")
        await dialogue(pilot)
        await pilot.press("s")
        await wait_until(pilot, lambda: not pilot.app.is_running)
    assert file.read_text() == level_text("-----", "-o+$-", "----!")


# -- playing, and the rest


async def playing(pilot: Pilot[Any]) -> PlayScreen:
    await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen) and pilot.app.screen.query("#map"))
    play = pilot.app.screen
    await painted(play)
    return play


async def test_playing_leads_back_to_the_drawing(file: Path) -> None:
    async with editing(file, "o-$!-", "----M") as (pilot, screen):
        await pilot.press("down", "M", "backspace", "right", "plus", "p")
        await playing(pilot)
        await pilot.press("right", "right", "right")
        await dialogue(pilot)
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        assert screen.pen.cursor == (1, 1)
        await pilot.press("right", "P")
        play = await playing(pilot)
        assert play.controller.state.adventurer == Cell(1, 2)
        await pilot.press("up", "q")  # what is tried out is not asked about
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        assert rows(screen) == ["o-$!-", "-+--M"]
        for keys, what in ((("up",), "treasure"), (("right",), "gate"), (("right", "down"), "monster")):
            await pilot.press(*keys, "P")  # it is not swept away
            assert what in said(screen)
            assert pilot.app.screen is screen
        await pilot.press("backspace")
        assert rows(screen) == ["o-$!-", "----M"]
