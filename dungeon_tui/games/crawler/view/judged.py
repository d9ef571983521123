"""The crawler as a problem for programs: a dungeon and commands in, the prescribed transcript out."""

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile, read_level_file
from dungeon_tui.core.plain import Console
from dungeon_tui.core.random import Random
from dungeon_tui.core.recording import read_recording
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, load_dungeon, shipped, unpack_level
from dungeon_tui.games.crawler.model.level import Level, level_text, read_level
from dungeon_tui.games.crawler.model.state import Status
from dungeon_tui.games.crawler.view import transcript
from dungeon_tui.judge.problem import Case, Objection, parts

NAME = "dungeon"  # that a program must load
_WALK = 40  # commands of a random walk
_THINGS = "+$@M?!"
_COMMANDS = "wasdwasdwasdex"
_PROMPT = transcript.ASK_COMMAND.strip()
_BEGINS = re.compile(r"Level 1\s*$", re.MULTILINE)
_RECORDING = b'{"format"'

Lines = list[str]


class CrawlerProblem:
    """Dungeons with commands, and their transcripts."""

    unit = "tile"
    largest = 40

    def shipped(self) -> list[Case]:
        return [_solved(f"shipped/{name}", load_dungeon(name)) for name in shipped()]

    def read(self, file: str) -> Case:
        if file.endswith(".jsonl"):
            stored = read_level_file(file)
            if stored.data.startswith(_RECORDING):
                recording = read_recording(stored)
                levels = unpack_level(recording.level).levels
                return _case(f"inputs/{file}", levels, "".join(recording.actions))
        return _solved(f"inputs/{file}", load_dungeon(file))

    def made(self, random: Random, size: int) -> Case:
        sizes = [size] if size < 4 or random.below(3) else [size // 2, size - size // 2]
        levels = [_made(random, each) for each in sizes]
        return _case("random", levels, _walk(_dungeon(levels), random, 2 + size))

    def smaller(self, case: Case) -> Iterator[Case]:
        levels, commands = _parts(case)
        for gone in range(len(levels) if len(levels) > 1 else 0):
            yield _case(case.name, levels[:gone] + levels[gone + 1 :], commands)
        for part in parts(len(commands)):
            yield _case(case.name, levels, commands[: part.start] + commands[part.stop :])
        for number, level in enumerate(levels):
            for simple in _simpler(level):
                yield _case(case.name, [*levels[:number], simple, *levels[number + 1 :]], commands)

    def right(self, case: Case) -> str:
        return "\n".join(line for turn in _right(case) for line in turn)

    def objection(self, case: Case, output: str) -> Objection | None:
        """The first turn whose lines differ, ignoring empty lines and blanks at the ends of lines."""
        given, right, commands = turns(output), _right(case), _parts(case)[1]
        if not given:
            line = "no line that is Level 1" if output.strip() else "no output"
            return Objection(self.right(case), line, "", is_answer=False)
        for number, (expected, got) in enumerate(zip_longest(right, given, fillvalue=Lines())):
            if expected != got:
                after = f"turn {number}, after {commands[number - 1 : number] or 'q'!r}" if number else "at the start"
                return Objection("\n".join(expected), "\n".join(got), f"{after}:\n{_in_columns(expected, got)}")
        return None


def turns(output: str) -> list[Lines]:
    r"""The lines of a transcript, split into turns after each prompt, from `Level 1` on.

    >>> turns("Hello!\nLevel 1\n+---+\n\n+---+ \n")
    [['Level 1', '+---+', '+---+']]
    """
    found: list[Lines] = [[]]
    begun = _BEGINS.search(output)
    text = output[begun.start() :] if begun else ""  # the line may begin with the prompt for a name
    for line in re.sub(f"{re.escape(_PROMPT)} ?", f"{_PROMPT}\n", text).splitlines():
        if line.strip():
            found[-1].append(line.rstrip())
        if line == _PROMPT:
            found.append([])
    return [turn for turn in found if turn]


def _in_columns(expected: Lines, got: Lines) -> str:
    width = max([len("right"), *map(len, expected)])
    rows = [("right", "its"), *zip_longest(expected, got, fillvalue="")]
    return "\n".join(
        f"{'  ' if not at or one == other else '> '}{one:{width}}   {other}".rstrip()
        for at, (one, other) in enumerate(rows)
    )


def _case(name: str, levels: Sequence[Level], commands: str) -> Case:
    files = tuple((f"{NAME}{number}.txt", level_text(level).encode()) for number, level in enumerate(levels, 1))
    lines = "".join(f"{command}\n" for command in f"{commands}q")
    return Case(name, sum(level.tiles.size for level in levels), f"{NAME} {len(levels)}\n{lines}".encode(), files)


def _parts(case: Case) -> tuple[list[Level], str]:
    words = case.given.decode().split()
    return [read_level(LevelFile(name, content)) for name, content in case.files], "".join(words[2:-1])


@lru_cache(256)
def _right(case: Case) -> list[Lines]:
    levels, commands = _parts(case)
    out = io.StringIO()
    transcript.play(lambda: _dungeon(levels), Console(io.StringIO(f"{commands}q"), out, io.StringIO()))
    return turns(out.getvalue())


def _dungeon(levels: Sequence[Level]) -> Dungeon:
    return Dungeon(NAME, tuple(levels), level_count=len(levels))


def _solved(name: str, dungeon: Dungeon) -> Case:
    solutions = [note.solution for note in dungeon.notes]
    commands = "".join("".join(solution.split()) for solution in solutions)
    return _case(name, dungeon.levels, commands if all(solutions) else _walk(dungeon, Random(0), _WALK))


def _walk(dungeon: Dungeon, random: Random, length: int) -> str:
    """Random commands, few of which are deadly, and most of which do more than a step."""
    state, commands = rules.start(dungeon), ""
    while len(commands) < length and state.status is Status.PLAYING:
        command = random.choice(_COMMANDS)
        if command in "wasde":
            after, events = rules.step(state, rules.read_action(command))
            if (after.status is Status.DIED or len(events) == 1) and random.below(4):
                continue
            state = after
        elif random.below(4):
            continue
        commands += command
    return commands


def _made(random: Random, size: int) -> Level:
    rows = random.choice([rows for rows in range(1, size + 1) if size % rows == 0])
    things = [random.choice(_THINGS) for _ in range(3)]  # few kinds, so that some levels can be won
    tiles = np.array([ord(random.choice(["-"] * 3 + things)) for _ in range(size)], np.uint8)
    start = random.below(size)
    tiles[[start, *np.flatnonzero(tiles == ord("@"))[1:]]] = ord("-")  # more amulets would use too much memory
    return Level("", tiles.reshape(rows, -1), Cell(*divmod(start, size // rows)))


def _simpler(level: Level) -> Iterator[Level]:
    for axis, length in enumerate(level.tiles.shape):
        for part in parts(length):
            rest = np.delete(np.arange(length), part)
            if level.start[axis] in rest:
                start = [*level.start]
                start[axis] = int(np.flatnonzero(rest == start[axis])[0])
                yield replace(level, tiles=np.take(level.tiles, rest, axis), start=Cell(*start))
    for cell in np.argwhere(level.tiles != ord("-")).tolist():
        tiles = level.tiles.copy()
        tiles[tuple(cell)] = ord("-")
        yield replace(level, tiles=tiles)
