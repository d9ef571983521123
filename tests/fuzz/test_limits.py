"""Files made to cost time or memory: each is refused, or read, within what its size may cost."""

import hashlib
import json
import os
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.recording import read_recording, reexecute
from dungeon_tui.games.chase.model import level as chase
from dungeon_tui.games.crawler.ai import par
from dungeon_tui.games.crawler.ai.par import read_par
from dungeon_tui.games.crawler.model import dungeon as crawler_dungeon
from dungeon_tui.games.crawler.model import level as crawler
from dungeon_tui.games.delve.model import dungeon as delve
from dungeon_tui.games.expedition.model import level as expedition
from dungeon_tui.games.expedition.model import map_file
from dungeon_tui.games.rescue.model import dungeon as rescue_dungeon
from dungeon_tui.games.rescue.model import level as rescue
from dungeon_tui.storage import recordings
from tests.processes import call
from tests.terminal import Terminal

pytestmark = pytest.mark.slow

KB = 1024
HEADER = {
    "format": "dungeon-tui recording", "version": 2, "game": "crawler", "rules": 1, "level": [], "options": {},
    "sha256": "", "seed": 0,
}  # fmt: skip
CLOSING = b'{"outcome": "unfinished", "turns": 0, "hash": ""}\n'
GRAPH = b"<graphml><graph>%b</graph></graphml>"
KEYS = b"".join(
    b'<key id="d%d" for="node" attr.name="k%d"><default>1</default></key>' % (key, key) for key in range(1000)
)
NODES = b"".join(b'<node id="%d"/>' % node for node in range(256))


def of_size(size: int, begin: bytes, unit: bytes, end: bytes = b"") -> bytes:
    """A text of about so many bytes: one thing repeated, between a begin and an end."""
    return begin + unit * ((size - len(begin) - len(end)) // len(unit)) + end


def dungeon(room: bytes, stairs: bytes) -> bytes:
    """A dungeon's file with as many rooms and stairs as it can count, all the same."""
    hardness = b"\xff" * 80 + (b"\xff" + b"\0" * 78 + b"\xff") * 19 + b"\xff" * 80
    most = (0xFFFF).to_bytes(2, "big")
    body = b"\1\1" + hardness + most + room * 0xFFFF + 2 * (most + stairs * 0xFFFF)
    return b"RLG327-S2025" + bytes(4) + (20 + len(body)).to_bytes(4, "big") + body


PAR = par.par_text(par.Par()).encode()
PAR_POINT = b'{"treasure": 1, "moves": 0, "bound": 0, "states": 0, "commands": [', b"1]}\n"
EDGES = b'{"nodes": [{"id": 1, "start": true}], "edges": ['
LARGE = 2 * KB * KB  # of a format's file that may be larger than 1 MB
SMALL = KB * KB  # the most of all others
COSTLY: dict[str, tuple[Callable[[LevelFile], object], Callable[[], bytes]]] = {
    "a crawler level of blanks": (crawler.read_level, lambda: b"\n" * LARGE),
    "a crawler level with a tile too many": (crawler.read_level, lambda: of_size(LARGE, b"999 999 0 0\n", b"-")),
    "a crawler level of unknown tiles": (crawler.parse_level, lambda: of_size(LARGE, b"999 999 0 0\n", b"x ")),
    "a chase board of blanks": (chase.read_level, lambda: b"2\n" + b" " * LARGE),
    "a chase board with a note of line ends": (chase.read_level, lambda: b"2\n@ M\n. .\n" + b"\n" * LARGE),
    "a chase board with a note of control characters": (chase.read_level, lambda: b"2\n@ M\n. .\n" + b"\1" * LARGE),
    "a grid of one column": (rescue.read_level, lambda: b"1\n" * (LARGE // 2)),
    "a grid of one row": (rescue.read_level, lambda: b"1 " * (LARGE // 2)),
    "a grid of one wide number": (rescue.read_level, lambda: of_size(LARGE, b"5000000000\n", b"5\n")),
    "a grid of one row that ends in a word": (rescue.read_level, lambda: of_size(LARGE, b"", b"1,", b"x\n")),
    "a grid of one column that ends in two": (rescue.read_level, lambda: of_size(LARGE, b"", b"1\n", b"1 1\n")),
    "a grid of commas": (rescue.read_level, lambda: b"," * LARGE),
    "a grid of line ends": (rescue.read_level, lambda: b"\n" * LARGE),
    "a grid of wide blanks": (rescue.read_level, lambda: "1\u3000".encode() * (LARGE // 4)),
    "a grid of one word": (rescue.read_level, lambda: b"9" * LARGE),
    "a grid of numbers of 10,000 digits": (rescue.read_level, lambda: (b"0" * 10_000 + b"1 ") * 200),
    "a JSON grid of one column": (rescue.read_level, lambda: of_size(LARGE, b"[", b"[1],", b"[1]]")),
    "a JSON grid of one row": (rescue.read_level, lambda: of_size(LARGE, b"[[", b"1,", b"1]]")),
    "a JSON grid of empty rows": (rescue.read_level, lambda: of_size(LARGE, b"[", b"[],", b"[]]")),
    "a JSON grid nested deeply": (rescue.read_level, lambda: b"[" * LARGE),
    "a JSON grid with a long text": (rescue.read_level, lambda: of_size(LARGE, b'[["', b"\\u0001", b'"]]')),
    "a map of corridors": (expedition.read_level, lambda: of_size(SMALL, EDGES, b'{"source":1,"target":1},', b"0]}")),
    "a map of lists": (expedition.read_level, lambda: of_size(SMALL, EDGES, b"[[]],", b"[]]}")),
    "a map of objects": (expedition.read_level, lambda: of_size(SMALL, EDGES, b"{},", b"{}]}")),
    "a map of keys": (expedition.read_level, lambda: json.dumps({f"{key:x}": 1 for key in range(80_000)}).encode()),
    "GraphML of empty elements": (expedition.read_level, lambda: GRAPH % (b"<a/>" * (SMALL // 4 - 20))),
    "GraphML nested deeply": (expedition.read_level, lambda: b"<a>" * (SMALL // 3)),
    "GraphML of rooms": (expedition.read_level, lambda: GRAPH % (b"<node/>" * (SMALL // 7 - 20))),
    "GraphML of corridors": (
        expedition.read_level,
        lambda: GRAPH % (b"<edge source='a' target='a'/>" * (SMALL // 29 - 20)),
    ),
    "GraphML of attributes": (
        expedition.read_level,
        lambda: b"<graphml %b/>" % b" ".join(b"a%x=''" % each for each in range(SMALL // 10)),
    ),
    "GraphML of names": (
        expedition.read_level,
        lambda: b"<graphml>%b</graphml>" % b"".join(b"<a%x/>" % each for each in range(SMALL // 9)),
    ),
    "GraphML of keys and rooms": (
        expedition.read_level,
        lambda: b"<graphml>%b<graph>%b</graph></graphml>" % (KEYS, NODES),
    ),
    "a dungeon of rooms": (delve.read_level, lambda: dungeon(b"\1\1\1\1", b"\1\1")),
    "a dungeon of rooms and stairs off the map": (delve.read_level, lambda: dungeon(b"\x4f\1\1\1", b"\xff\xff")),
    "par of line ends": (read_par, lambda: b'{"format": "dungeon-tui par"}\n' + b"\n" * SMALL),
    "par of lists": (read_par, lambda: of_size(SMALL, PAR + PAR_POINT[0], b"[],", PAR_POINT[1])),
    "par of texts": (read_par, lambda: of_size(SMALL, PAR + PAR_POINT[0], b'"",', PAR_POINT[1])),
    "a recording of line ends": (read_recording, lambda: b"\n" * LARGE),
    "a recording of lists": (read_recording, lambda: of_size(LARGE, b'{"level": [', b"[],", b"[]]}\n")),
    "a recording of objects": (read_recording, lambda: of_size(LARGE, b'{"level": [', b"{},", b"{}]}\n")),
    "a recording of files": (
        read_recording,
        lambda: json.dumps({**HEADER, "level": [{"name": "", "text": ""}] * (LARGE // 30)}).encode(),
    ),
    "a recording of actions": (
        read_recording,
        lambda: of_size(LARGE, json.dumps(HEADER).encode() + b"\n", b'{"action":"w","hash":""}\n', CLOSING),
    ),
}


@pytest.mark.parametrize(("read", "make"), COSTLY.values(), ids=COSTLY.keys())
def test_a_reader_takes_twenty_bytes_of_memory_a_byte_at_most(
    read: Callable[[LevelFile], object], make: Callable[[], bytes]
) -> None:
    """Where 32 MB are more, as for formats of up to 1 MB, 32 MB."""
    data = make()
    tracemalloc.start()
    try:
        with suppress(LevelError):
            read(LevelFile("costly", data))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < max(20 * len(data), 32 * KB * KB if len(data) <= SMALL else 0)


def test_a_recording_is_not_larger_for_one_wide_number() -> None:
    grid = rescue.read_level(LevelFile("grid", b"-9223372036854775808\n" + b"1\n" * LARGE))
    packed = rescue_dungeon.pack_level(grid)
    assert len(packed.files[0].data) == 21 + 2 * LARGE
    assert (rescue_dungeon.unpack_level(packed).grid == grid.grid).all()


LIMITS: dict[str, tuple[int, tuple[str, ...]]] = {
    "crawler": (crawler.MOST_BYTES, ("crawler", "check", "-")),
    "chase": (chase.MOST_BYTES, ("chase", "solve", "-")),
    "rescue": (rescue.MOST_BYTES, ("rescue", "solve", "--grid", "-")),
    "delve": (delve.MOST_BYTES, ("delve", "inspect", "-")),
    "expedition": (map_file.MOST_BYTES, ("expedition", "solve", "-")),
}


@pytest.mark.parametrize(("most", "arguments"), LIMITS.values(), ids=LIMITS.keys())
@pytest.mark.parametrize("is_piped", [False, True])
def test_every_game_reads_files_and_standard_input_up_to_its_limit(
    tmp_path: Path, most: int, arguments: tuple[str, ...], is_piped: bool
) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(most + 1)
    *words, _ = arguments
    done = call(*arguments, given=large.read_bytes()) if is_piped else call(*words, str(large))
    said = (done.stdout + done.stderr).decode()
    assert (done.returncode, said.count("the most that is read")) == (1, 1), said
    assert len(done.stderr.splitlines()) == 1


def beside(folder: Path, ending: str, data: bytes) -> str:
    """A dungeon of one level, with a file beside it."""
    (folder / "cave1.txt").write_text("2 2 0 0\n- - - !\n")
    (folder / f"cave{ending}").write_bytes(data)
    return str(folder / "cave")


@pytest.mark.parametrize(
    "data",
    [
        b"a." * 30_000 + b"a = 1",
        b"[" + b'"a" . ' * 5000 + b"a]",
        b"x = " + b"[" * 60_000,
        b"x" * 64_000,
        b"x = 1\n" * 20_000,
    ],
    ids=["dotted key", "dotted table", "brackets", "long key", "larger than the limit"],
)
def test_a_sidecar_that_costs_too_much_is_a_warning(tmp_path: Path, data: bytes) -> None:
    dungeon = crawler_dungeon.read_dungeon(beside(tmp_path, ".toml", data))
    assert len(dungeon.levels) == 1
    assert len(dungeon.warnings) == 1
    assert len(dungeon.warnings[0]) < 300


def test_par_above_its_limit_is_a_warning(tmp_path: Path) -> None:
    prefix = beside(tmp_path, ".par.jsonl", b"\n" * (par.MOST_BYTES + 1))
    assert "the most that is read" in par.par_of(crawler_dungeon.read_dungeon(prefix)).warning


def test_a_recording_of_three_levels_of_amulets_takes_half_a_gigabyte_at_most() -> None:
    rows = "2 41 0 0\n-" + "@" * 39 + "{}" + "-" * 41 + "\n"
    levels = [{"name": f"x{number}.txt", "text": rows.format(way)} for number, way in ((1, "?"), (2, "?"), (3, "!"))]
    texts = "".join(level["text"] for level in levels).encode()
    header = {
        **HEADER, "level": levels, "options": {"cell_limit": 2**40}, "sha256": hashlib.sha256(texts).hexdigest()
    }  # fmt: skip
    data = json.dumps(header).encode() + b"\n" + b'{"action": "d"}\n' * 120 + CLOSING
    tracemalloc.start()
    try:
        controller, _ = reexecute(read_recording(LevelFile("amulets", data)))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (controller.turn.ply, controller.state.number) == (120, 3)
    assert most < 2**29


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"<!DOCTYPE graphml>\n<graphml/>", 1, 1),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\r\n  <!DOCTYPE x [<!ENTITY a 'b'>]><x/>", 2, 3),
        (b"<!--\n\n--><!DOCTYPE x SYSTEM 'file:///etc/passwd'><x>&a;</x>", 3, 4),
    ],
)  # fmt: skip
def test_graphml_with_a_doctype_is_refused_with_its_place(data: bytes, line: int, column: int) -> None:
    with pytest.raises(LevelError) as caught:
        expedition.read_level(LevelFile("map", data))
    assert "DOCTYPE" in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)


def test_lone_carriage_returns_count_as_elsewhere_in_graphml() -> None:
    data = b"<graphml>\r\r<graph>\n <node id='a'><data key='x'/></node></graph></graphml>"
    with pytest.raises(LevelError) as caught:
        expedition.read_level(LevelFile("map", data))
    assert (caught.value.line, caught.value.column) == (2, 2)
    with pytest.raises(LevelError) as caught:
        expedition.read_level(LevelFile("map", b"<graphml>\r\r<graph>\n </b>"))
    assert caught.value.line == 2


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder to work in, of a user who has no home directory."""
    import pwd

    def nobody(_: object) -> object:
        raise KeyError

    for name in ("HOME", "DUNGEON_TUI_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "USERPROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_home_the_courses_own_place_is_reported_missing(homeless: Path) -> None:
    for arguments in (("inspect", "--load-home"), ("show", "--load-home"), ("generate", "--seed", "1", "--save-home")):
        done = call("delve", *arguments)
        assert (done.returncode, done.stdout) == (1, b"")
        assert b"HOME" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert call("delve", "generate", "--seed", "1", "--output", "made").returncode == 0
    assert os.listdir(homeless) == ["made"]


def test_without_a_home_nothing_is_stored_and_no_folder_is_made(homeless: Path) -> None:
    with pytest.raises(OSError, match="DUNGEON_TUI_HOME"):
        recordings.folder()
    assert os.listdir(homeless) == []


def test_a_terminal_is_never_believed_to_be_millions_wide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "99999999")
    monkeypatch.setenv("LINES", "800")
    assert call("--help").returncode in (0, 2)
    assert ("COLUMNS" in os.environ, os.environ["LINES"]) == (False, "800")
    terminal = Terminal(
        "crawler", "play", "tutorial", DUNGEON_TUI_HOME=str(tmp_path), COLUMNS="9" * 20, LINES="99999999"
    )
    terminal.wait_for("treasure 0")
    terminal.process.kill()
    terminal.end()


def test_messages_quote_little() -> None:
    long = "x" * 10_000
    for arguments, given in (
        (("delve", "show", "--seed", "1", "--at", long), ""),
        (("chase", "run", "open-room", "--monster", f"{long}.py:f"), ""),
        (("chase", "run", "open-room", "--rogue", long), ""),
        (("rescue", "solve", "--grid", "-"), long),
        (("crawler", "check", "-"), f"{long} 1 0 0"),
        (("chase", "solve", "-"), f"{long}\n"),
        (("expedition", "solve", "-"), json.dumps({"nodes": [{"id": long, "cost": long}], "edges": []})),
        (("expedition", "solve", "-"), json.dumps({"nodes": [{"id": long}], "edges": []})),
        (("expedition", "solve", "ring", "--start", long), ""),
        (("recording", "verify", "-"), json.dumps({**HEADER, "game": long})),
        (("recording", "verify", "-"), json.dumps({**HEADER, "options": {long: 1.5}})),
    ):
        done = call(*arguments, given=given.encode())
        assert done.returncode in (1, 2), arguments[:2]
        assert len(done.stderr) < 2000, (arguments[:2], done.stderr[:300])
