"""Recordings as asciicast: played in a small terminal of our own, they show what the maps show."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.recording import open_replay
from dungeon_tui.core.turns import Turn
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.storage.recordings import load
from dungeon_tui.ui.asciicast import BELOW, asciicast
from dungeon_tui.ui.snapshot import WIDEST
from tests.processes import run

GOLDEN = Path(__file__).parents[1] / "recordings"
PIECE = re.compile(r"\x1b\[([\d;]*)([A-Za-z])|([^\x1b]+)")


class Terminal:
    """Understands what our casts use: clearing, going somewhere, colours."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.lines = [[" "] * width for _ in range(height)]
        self.row = self.col = 0

    def write(self, text: str) -> None:
        for numbers, command, plain in PIECE.findall(text):
            match command:
                case "J":
                    self.lines = [[" "] * self.width for _ in self.lines]
                case "H":
                    self.row, self.col = (int(number) - 1 for number in numbers.split(";"))
                case "K":
                    self.lines[self.row][self.col :] = " " * (self.width - self.col)
                case "m":
                    pass
                case "":
                    self.lines[self.row][self.col : self.col + len(plain)] = plain
                    self.col += len(plain)
                    assert self.col <= self.width
                case _:
                    raise AssertionError(command)


def line_of(name: str) -> tuple[Any, list[Any]]:
    game = find_game(name.partition("-")[0])
    assert game is not None
    controller, _ = open_replay(load(GOLDEN / name))
    while controller.redo():
        pass
    return game.view()(game), controller.turn.line()


@pytest.mark.parametrize("name", ["crawler-mirrors-escaped.jsonl", "delve-seed-1-won.jsonl"])
def test_a_cast_shows_every_turns_map(name: str) -> None:
    view, line = line_of(name)
    header, *events = [json.loads(text) for text in asciicast(view, line, "A title", 4)]
    assert (header["version"], header["title"]) == (2, "A title")
    terminal = Terminal(header["width"], header["height"])
    frames = [event for event in events if event[1] == "o"]
    assert [seconds for seconds, *_ in frames] == [turn.ply / 4 for turn in line]
    for (_, _, data), turn in zip(frames, line, strict=True):
        terminal.write(data)
        picture = view.picture(turn.state)
        for row in range(picture.height):
            expected = "".join(picture.row(row, 0, picture.width).glyphs)
            assert "".join(terminal.lines[row][: picture.width]) == expected
        assert view.facts(turn).title in "".join(terminal.lines[header["height"] - BELOW])
    levels = sum(type(event).__name__ == "LevelBegun" for turn in line for event in turn.events)
    assert len([event for event in events if event[1] == "m"]) == levels


def test_a_grid_is_cast_as_numbers_or_where_it_is_too_wide_as_glyphs() -> None:
    view, line = line_of("rescue-classic-saved.jsonl")
    wide = Turn(rules.start(Level("wide", np.full((2, WIDEST // 2 - 20), -5))))
    for turns, rows in ((line, ("▒ -5▓-10▁  1", "▃ 10█ 30 @1")), ([wide], ("i" * (WIDEST // 2 - 21) + "P",))):
        header, *frames = [json.loads(text) for text in asciicast(view, turns, "", 4)]
        terminal = Terminal(header["width"], header["height"])
        for _, _, data in frames:
            terminal.write(data)
        for row, text in enumerate(rows, 1):
            assert "".join(terminal.lines[row]).rstrip() == text
    assert header["width"] == 80


def test_the_command_writes_a_cast(tmp_path: Path) -> None:
    path = tmp_path / "out.cast"
    done = run("recording", "export", str(GOLDEN / "crawler-easy-escaped.jsonl"), "--output", str(path))
    assert (done.returncode, done.stderr) == (0, b"")
    header = json.loads(path.read_text().splitlines()[0])
    assert header["title"].startswith("Crawler: ")
    assert done.stdout.decode().endswith("turns, escaped\n")
