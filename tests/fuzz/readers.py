"""Reads files broken at random, and says which were not refused as a reader should.

python -m tests.fuzz.readers --number 100000 --seed 1
"""

import argparse
import hashlib
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter, process_time

from dungeon_tui.core import codes
from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.recording import read_recording, reexecute
from dungeon_tui.games.chase.model import level as chase
from dungeon_tui.games.crawler.ai.par import par_of, par_path
from dungeon_tui.games.crawler.model import dungeon as crawler_dungeon
from dungeon_tui.games.crawler.model import level as crawler
from dungeon_tui.games.deep.model import campaign as deep
from dungeon_tui.games.delve.model import dungeon as delve
from dungeon_tui.games.expedition.model import level as expedition
from dungeon_tui.games.rescue.model import level as rescue
from dungeon_tui.storage.exchange import export, take_in
from dungeon_tui.storage.library import NAME, Library, LibraryError
from dungeon_tui.storage.results import results
from dungeon_tui.storage.settings import keep, load_settings, with_value
from tests.fuzz.mutate import mutated
from tests.games.delve.crooked import LAYOUTS, build
from tests.libraries import RECORDINGS, add_games

PATIENCE = 1.0  # seconds of processor time for a file
GRAPHML = b"""<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="cost" attr.type="int"><default>1</default></key>
  <key id="d1" for="node" attr.name="start" attr.type="boolean"/>
  <graph edgedefault="undirected">
    <node id="a"><data key="d1">true</data></node><node id="b"><data key="d0">3</data></node><node id="c"/>
    <edge source="a" target="b"/><edge source="b" target="c"/>
  </graph>
</graphml>
"""
JSON_GRIDS = [b"[[1, -2], [3, 4]]\n", b"[[-9223372036854775808]]", b"[[1,2,3],\r\n [4,5,6],\n [7,8,9]]", b"[[0]]"]
GRIDS = [b"1 2 3\n-4 5 6\n7 -8 9\n", b"1,2\n3,4\n", b"[[1, -2], [3, 4]]\n", b"+1\t2\r\n3 4\r\n"]


@dataclass(frozen=True, slots=True)
class Complaint:
    """A broken file that was not refused with the reader's own error in time."""

    reader: str
    number: int
    data: bytes
    fault: str


def shipped(game: str, ending: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(levels_folder(game).glob(f"*{ending}"))]


def read_beside(ending: str) -> Callable[[LevelFile], object]:
    """Reads a dungeon beside which a broken file lies."""

    def read(file: LevelFile) -> object:
        with tempfile.TemporaryDirectory() as folder:
            prefix = Path(folder) / "tutorial"
            for path in levels_folder("crawler").glob("tutorial?.txt"):
                (Path(folder) / path.name).write_bytes(path.read_bytes())
            (prefix.with_suffix(ending) if ending == ".toml" else par_path(str(prefix))).write_bytes(file.data)
            return par_of(crawler_dungeon.read_dungeon(str(prefix)))

    return read


def replay(file: LevelFile) -> object:
    return reexecute(read_recording(file))


SETTINGS = [
    b"""# mine
theme = "nord"  # not too bright
zoom = 3
bell = true

[keys]
"move.up" = "i,ctrl+u"
hint = "f2"

[games.crawler]
sight = true
"overlay.kind" = "walking"
""",
    b'moves = "wasd"\nkeys.move.up = \'up\'\ngames = {delve = {fog = false, overlay = "heat"}}\nspeed = "50"\r\n',
]


def settings(file: LevelFile) -> object:
    """Reads settings, and changes some in the file; what is told of first is the reader's error."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "settings.toml"
        path.write_bytes(file.data)
        loaded = load_settings(path)
        changed = loaded.settings
        for name, value in ((("theme",), "x"), (("keys", "move.up"), "u"), (("games", "chase", "sight"), True)):
            changed = with_value(changed, name, value)
            keep(path, changed, {name: value})
        again = load_settings(path)
        if again.settings != changed:
            raise AssertionError(f"kept {changed}, read {again.settings}")
    for trouble in loaded.troubles:
        raise trouble
    return loaded


SHARES = [
    codes.Share("crawler", "easy", ("d", "d", "s")),
    codes.Share("crawler", "--seed 7 --difficulty easy"),
    codes.Share("chase", "gatekeeper --monster perfect --seed 3"),
    codes.Share("rescue", "classic", ("health 13", "right")),
    codes.Share("delve", "--seed 5 --monsters 2 --depths 3", (".", ".")),
    codes.Share("expedition", "ring --coverage 90 --fog"),
]


def spelled(number: int) -> str:
    """A code of a number, cut to the length of a code, with the checksum that it needs."""
    return codes.spelled(1, number % (1 << 456))


def open_number(file: LevelFile) -> object:
    return codes.decode(spelled(int.from_bytes(file.data[:57], "big") or 1))


def open_words(file: LevelFile) -> object:
    """Opens a code that names anything, and goes on anyhow."""
    words, _, rest = file.data.decode("latin-1").partition("|")
    digits, (name, _, arguments) = codes.Digits(), words.partition(" ")
    digits.digit(256, hashlib.sha256(name.encode()).digest()[0])
    codes.text(digits, "", "".join(sign for sign in arguments if sign.isascii() and sign.isprintable()))
    for sign in rest[:20]:
        digits.digit(256, ord(sign))
    return codes.decode(spelled(digits.number()))


def open_moves(file: LevelFile) -> object:
    """Opens a code of a level with moves that are anything."""
    share = SHARES[file.data[0] % len(SHARES) if file.data else 0]
    digits = codes.Digits()
    codes.follow(digits, codes.Share(share.game, share.arguments, (), level_of(share.game, share.arguments)))
    for byte in file.data[1:30]:
        digits.digit(256, byte)
    return codes.decode(spelled(digits.number()))


@cache
def level_of(game: str, arguments: str) -> object:
    return codes.decode(codes.encode(codes.Share(game, arguments))).level


def import_library(file: LevelFile) -> object:
    """Imports an exported library, twice: the second time nothing may change."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "brought.db"
        path.write_bytes(file.data)
        with closing(Library(path, is_foreign=True)) as other, closing(Library(Path(folder) / "library.db")) as library:
            take_in(library, other)
            again = take_in(library, other)
            if again.new or again.changed:
                raise AssertionError(f"imported again, this changed: {again}")
            return again


def open_library(file: LevelFile) -> object:
    """Opens a library of one's own, lists its games and results, and goes on with each; one set aside is as it was."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        path.write_bytes(file.data)
        with closing(Library(path)) as library:
            if library.notice and not library.is_readonly:
                (aside,) = (each for each in path.parent.glob(f"{NAME}.damaged*") if each.name in library.notice)
                assert aside.stat().st_size == len(file.data)
            library.tidy()
            results(library)
            for stored in library.games():
                with suppress(LevelError):
                    library.resume(stored)


@cache
def exported() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder, closing(Library(Path(folder) / "library.db")) as library:
        add_games(library)
        return [export(library)[0]]


READERS: dict[str, tuple[Callable[[LevelFile], object], Callable[[], Sequence[bytes]]]] = {
    "crawler level": (crawler.read_level, lambda: shipped("crawler", ".txt")),
    "crawler level, all errors": (crawler.parse_level, lambda: shipped("crawler", ".txt")),
    "crawler notes": (read_beside(".toml"), lambda: shipped("crawler", ".toml")),
    "crawler par": (read_beside(".par.jsonl"), lambda: shipped("crawler", ".par.jsonl")),
    "chase board": (chase.read_level, lambda: shipped("chase", ".txt")),
    "rescue grid": (rescue.read_level, lambda: GRIDS + shipped("rescue", ".txt")),
    "rescue grid in JSON": (rescue.read_level, lambda: JSON_GRIDS),
    "delve dungeon": (delve.read_level, lambda: [build(layout) for layout in LAYOUTS if layout != "S2017"]),
    "expedition map": (expedition.read_level, lambda: [GRAPHML, *shipped("expedition", ".json")]),
    "expedition map in GraphML": (expedition.read_level, lambda: [GRAPHML]),
    "deep campaign": (deep.parse_campaign, lambda: shipped("deep", ".toml")),
    "exported library": (import_library, exported),
    "library": (open_library, exported),
    "settings": (settings, lambda: SETTINGS),
    "recording": (replay, lambda: [path.read_bytes() for path in sorted(RECORDINGS.glob("*.jsonl"))]),
    "code": (
        lambda file: codes.decode(file.data.decode("latin-1")),
        lambda: [codes.encode(each).encode() for each in SHARES],
    ),
    "code of any number": (open_number, lambda: [codes.encode(each).encode() for each in SHARES]),
    "code of any words": (open_words, lambda: [f"{each.game} {each.arguments}|abc".encode() for each in SHARES]),
    "code of any moves": (open_moves, lambda: [bytes([n, 40]) + b"moves of any kind" * 3 for n in range(len(SHARES))]),
}


def fault_of(error: Exception, data: bytes) -> str:
    """What is wrong with a reader's own error; a place is one in the file."""
    if not str(error).isprintable():
        return f"not one printable line: {str(error)!r}"
    if isinstance(error, LevelError):
        is_inside = 1 <= error.line <= data.count(b"\n") + 1 and 1 <= error.column <= len(data) + 1
        return "" if is_inside else f"no place in the file: {error}"
    return ""


def complaints(reader: str, number: int, seed: int) -> list[Complaint]:
    """Tries a reader on so many broken files; what a seed breaks is the same everywhere."""
    read, samples_of = READERS[reader]
    samples, found = samples_of(), []
    for sample in samples:
        with suppress(codes.CodeError):  # some codes are anything from the start
            read(LevelFile("whole", sample))  # loads what the first file would wait for
    for each in range(number):
        data = mutated(samples, Random(f"{reader} {seed} {each}"))
        began = process_time()
        fault = ""
        try:
            result = read(LevelFile("broken", data))
            fault = "".join(fault_of(error, data) for error in getattr(result, "errors", ()))
        except (LevelError, LibraryError, codes.CodeError) as error:
            fault = fault_of(error, data)
        except Exception:
            fault = traceback.format_exc()
        if (seconds := process_time() - began) > PATIENCE:
            fault += f"took {seconds:.1f} s"
        if fault:
            found.append(Complaint(reader, each, data, fault))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reader", choices=READERS)
    options = parser.parse_args()
    wrong = 0
    for reader in [options.reader] if options.reader else READERS:
        began = perf_counter()
        found = complaints(reader, options.number, options.seed)
        print(f"{reader}: {options.number:,} files in {perf_counter() - began:.0f} s, {len(found)} wrong", flush=True)
        for complaint in found[:5]:
            print(f"  number {complaint.number}: {complaint.data[:200]!r}\n{complaint.fault}")
        wrong += len(found)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
