"""Names that would steer a terminal, in every place where text comes in, through every command that prints some."""

import json
import re
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from dungeon_tui.core.catalogue import Opening, find_game, levels_folder
from dungeon_tui.storage.folders import home, settings_home
from dungeon_tui.storage.library import NAME, Library
from dungeon_tui.storage.recordings import load
from dungeon_tui.storage.settings import FILE as FILE_OF_SETTINGS
from dungeon_tui.ui.app import DungeonApp, WaitingScreen
from tests.libraries import RECORDINGS, add_game
from tests.processes import call
from tests.ui.driving import running, shown_lines, wait_until

pytestmark = pytest.mark.slow

HOSTILE = "a\x1b]52;c;aGk=\x07\x1b[2J\x9b31m\r\u202e[/b][red]b"
FILE = "[/b]" + HOSTILE.replace("/", "")  # a folder and a file in it
STRATEGY = f"""
import sys
print({HOSTILE!r}, file=sys.stderr)
def mine(*state):
    raise ValueError({HOSTILE!r})
"""


def shipped(game: str, name: str) -> bytes:
    return (levels_folder(game) / name).read_bytes()


def file(folder: Path, ending: str, content: bytes | str) -> str:
    path = folder / f"{FILE}{ending}"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def crawler(folder: Path) -> str:
    file(folder, "1.txt", shipped("crawler", "tutorial1.txt"))
    file(folder, ".toml", f"title = {json.dumps(HOSTILE)}\nauthor = {json.dumps(HOSTILE)}\n")
    return str(folder / FILE)


NO_WAY = {"nodes": [{"id": HOSTILE, "cost": HOSTILE}], "edges": []}
NODES = [{"id": HOSTILE, "label": HOSTILE, "start": True}, {"id": HOSTILE + "2", "label": HOSTILE}]
ROOMS = {"nodes": NODES, "edges": [{"source": HOSTILE, "target": HOSTILE + "2"}]}


def dungeon(folder: Path) -> str:
    path = folder / FILE
    call("delve", "generate", "--seed", "1", "--output", str(path))
    return str(path)


def recording(folder: Path) -> str:
    """A recording with a hostile name in each place that takes a text."""
    lines = (RECORDINGS / "chase-single-loop-evaded.jsonl").read_text().splitlines()
    header = json.loads(lines[0])
    header["title"] = header["saved"] = HOSTILE
    header["level"][0]["name"] = HOSTILE
    header["strategies"] = {HOSTILE: HOSTILE}
    path = folder / f"{FILE}.jsonl"
    path.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    return str(path)


def recording_with_options(folder: Path) -> str:
    path = Path(recording(folder))
    lines = path.read_text().splitlines()
    header = json.loads(lines[0])
    header["options"] = {HOSTILE: [HOSTILE]}
    path.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    return str(path)


def stored_games(_folder: Path) -> str:
    """A library whose first game has a hostile title."""
    with closing(Library(home() / NAME)) as library:
        game = add_game(library, RECORDINGS / "rescue-classic-saved.jsonl")
        library.change(game.id, title=HOSTILE, outcome=HOSTILE, players=json.dumps({HOSTILE: HOSTILE}))
    return "1"


def settings(folder: Path) -> str:
    """Settings with hostile names for a key, its value and a key on the keyboard."""
    file = settings_home() / FILE_OF_SETTINGS
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{json.dumps(HOSTILE)} = 1\ntheme = {json.dumps(HOSTILE)}\n[keys]\nhelp = {json.dumps(HOSTILE)}\n")
    return HOSTILE


MAKERS: dict[str, Callable[[Path], str]] = {
    "crawler": crawler,
    "crawler_file": lambda folder: f"{crawler(folder)}1.txt",
    "broken": lambda folder: file(folder, ".txt", HOSTILE),
    "board": lambda folder: file(folder, ".txt", shipped("chase", "single-loop.txt") + HOSTILE.encode()),
    "strategy": lambda folder: file(folder, ".py", STRATEGY) + ":mine",
    "grid": lambda folder: file(folder, ".txt", "1 2\n-3 4\n"),
    "rooms": lambda folder: file(folder, ".json", json.dumps(ROOMS)),
    "no_way": lambda folder: file(folder, ".json", json.dumps(NO_WAY)),
    "dungeon": dungeon,
    "recording": recording,
    "options": recording_with_options,
    "stored": stored_games,
    "settings": settings,
}
COMMANDS = """
crawler: crawler play {} 1 --plain | crawler_file: crawler check {} | crawler_file: crawler check {} --solve
crawler: crawler solve {} 1 | crawler: crawler par {} 1 | broken: crawler check {} | board: chase play {} --plain
board: chase run {} --moves 5 | board: chase run {} --plain --moves 5 | board: chase solve {}
board: chase tournament {} --moves 5 | strategy: chase run single-loop --rogue {} --moves 5
strategy: chase run single-loop --rogue {} --moves 5 --plain
strategy: chase tournament single-loop --rogue {} --moves 5 | broken: chase solve {} | grid: rescue play {} --plain
grid: rescue solve {} | broken: rescue solve {} | rooms: expedition play {} --plain | rooms: expedition solve {}
no_way: expedition solve {} | broken: expedition solve {} | dungeon: delve show {}
dungeon: delve inspect {} | dungeon: delve play {} --plain | broken: delve inspect {}
recording: recording verify {} | recording: chase play --recording {} --plain
recording: crawler play --recording {} --plain | options: recording verify {}
broken: recording verify {} | stored: library list | stored: library remove {}
stored: library check | broken: library import {} | settings: doctor | settings: open {} --plain
settings: library remove {} | settings: daily {}
"""  # what is made, and the command that takes it


@pytest.mark.parametrize("command", re.split(r" [|] |\n", COMMANDS.strip()))
@pytest.mark.parametrize("is_json", [False, True], ids=["text", "json"])
def test_no_name_steers_the_terminal(tmp_path: Path, command: str, is_json: bool) -> None:
    (tmp_path / FILE).parent.mkdir()
    what, _, line = command.partition(": ")
    made = MAKERS[what](tmp_path)
    words = [made if word == "{}" else word for word in line.split()] + ["--json"] * is_json
    done = call(*words, given=b"qq\n")
    assert done.returncode in (0, 1, 2)
    for shown in (done.stdout, done.stderr):
        assert all(part.isprintable() for part in shown.decode().replace("\t", "").split("\n")), shown
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("game", "what"),
    [
        ("crawler", "crawler"), ("crawler", "broken"), ("chase", "board"), ("rescue", "grid"), ("expedition", "rooms"),
        ("delve", "dungeon"),
    ],
)  # fmt: skip
async def test_no_name_steers_or_ends_the_app(tmp_path: Path, game: str, what: str) -> None:
    (tmp_path / FILE).parent.mkdir()
    found = find_game(game)
    app = DungeonApp(found, found.levels().open_file(MAKERS[what](tmp_path)))
    async with running(app, size=(100, 30)) as pilot:
        await wait_until(pilot, lambda: not app.is_running or not isinstance(app.screen, WaitingScreen))
        for key in ("i", "escape", "question_mark", "escape", "o", "A", "slash", "ctrl+p", "escape"):
            if app.is_running:
                await pilot.press(key)
                assert_painted_plainly(app)


@pytest.mark.parametrize("make", [recording, recording_with_options])
async def test_no_recording_steers_or_ends_the_app(tmp_path: Path, make: Callable[[Path], str]) -> None:
    (tmp_path / FILE).parent.mkdir(parents=True)
    app = DungeonApp(find_game("chase"), Opening(FILE, partial(load, Path(make(tmp_path)), "chase")))
    async with running(app, size=(100, 30), notifications=True) as pilot:
        await wait_until(pilot, lambda: not (app.is_running and isinstance(app.screen, WaitingScreen)))
        if not app.is_running:  # refused, with one line
            assert app.return_code == 1
            return
        assert_painted_plainly(app)
        await pilot.press("i", "question_mark", "escape", "bracketright")
        assert_painted_plainly(app)


def assert_painted_plainly(app: DungeonApp) -> None:
    assert all(line.isprintable() for line in shown_lines(app))
