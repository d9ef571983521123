"""The deep's share of the editor: the levels of a campaign's file, one at a time, and how each can be left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

import numpy as np
import tomlkit

from dungeon_tui.core.board import Board, ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.deep.ai.solver import Escape, escape
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import MOST_BYTES, MOST_SIDE, Campaign, parse_campaign, read_campaign
from dungeon_tui.games.deep.model.items import ITEM_OF_TILE
from dungeon_tui.games.deep.model.room import (
    ADVENTURER,
    AMULET,
    DOORS,
    NEXT_DOOR,
    NUMBERED_DOORS,
    OPEN,
    PILLAR,
    TREASURE,
    WAY_OUT,
)
from dungeon_tui.games.deep.view.picture import GLYPHS, SHOWN_AMULET, YOU, Picture, line_layer
from dungeon_tui.ui.editor.craft import Brush, Craft, Draft, DraftPicture, Effort, Line, OddCells
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Layer, MapSource
from dungeon_tui.ui.palette import Meaning

_KEYS = {  # of tiles: 2, 4, 5, 6 and 8 are moves; letters of the map that are free as keys are their own
    "hunter": "M", "up-down": "U", "left-right": "E", "diagonal": "D", "sprinter": "S", "tracker": "T", "sleeper": "Z",
    "mimic": "m", "shield": "left_parenthesis", "sword": "right_parenthesis", "key": "y", "haste": "A", "frost": "F",
    "bomb": "B", "scroll": "Y", "door 1": "1", "door 3": "3", "door 7": "7", "door 9": "9",
}  # fmt: skip
_SHOWN = {"left_parenthesis": "(", "right_parenthesis": ")"}
_NAMES = {ord(glyph): name for name, glyph in GLYPHS.items()} | ITEM_OF_TILE
_CODES = {name: code for code, name in _NAMES.items()}
_HUNTER = _CODES["hunter"]
_TILES = bytes([OPEN, PILLAR, TREASURE, AMULET, ADVENTURER, _HUNTER]) + DOORS
_NEW = '[levels.first]\nname = "The first"\nmap = """\n{}"""\n\n[levels.first.doors]\n1 = {{ending = "free"}}\n'


class Source(NamedTuple):
    """The file around a draft, and the meanings of its own."""

    text: str
    level: str  # the name of the one that is drawn
    legend: Mapping[int, str]  # the file's character of each code that has another one there


@dataclass(frozen=True, eq=False, slots=True)
class Verdict:
    """Knowledge of a draft: the faults of its file, or the fewest moves out for one who comes with nothing."""

    oddities: tuple[OddCells, ...] = ()
    is_checked: bool = False
    found: Escape | None = None

    @property
    def is_over(self) -> bool:
        """True if the file is wrong, or the search has ended."""
        return self.is_checked and (bool(self.oddities) or self.found is not None)

    @property
    def is_all(self) -> bool:
        """True if no search would find more."""
        return bool(self.oddities) or (self.found is not None and self.found.is_decided)

    @property
    def is_won(self) -> bool | None:
        """True if the level can be left, False if it is proven that it can't, None if neither is known."""
        return None if self.found is None else True if self.found.line else False if self.found.is_lost else None

    @property
    def line_count(self) -> int:
        """Number of lines out: one, once it is found."""
        return int(self.found is not None and self.found.line is not None)


def judging(text: str, level: str, file: str, seconds: float, tell: Callable[..., object]) -> Iterator[Verdict]:
    """Yields the faults of a campaign, else the fewest moves out of one of its levels; for a process of its own."""
    parsed = parse_campaign(LevelFile(file, text.encode()))
    none = np.empty(0, np.intp)
    verdict = Verdict(
        tuple(OddCells(f"line {each.line}: {each.message}", none) for each in parsed.errors), is_checked=True
    )
    yield verdict
    if parsed.campaign is not None:
        state = rules.entered(parsed.campaign, parsed.campaign.levels[level])
        yield replace(verdict, found=escape(state, time_limit=seconds))


class DeepCraft(Craft):
    """Levels of the deep, one at a time of a campaign's file, of which all else stays as it is."""

    word = "level"
    file_ending = ".toml"
    file_note = "A campaign's file ends in .toml."
    help = """The keys of the tiles paint, and choose the brush; the mouse paints with it. 2, 4, 5, 6 and 8 are moves:
choose these doors, and kinds of the file's own, from the palette by the mouse or {editor.next-tile}. The letters are
the editor's, whatever the file's legend calls things.
{editor.part} turns to the next level of the file. What doors ask, fog, shrinking and texts are written in the file;
a door of which it doesn't say where it leads ends the game.
A moment after each change you are told in how few moves the level can be left, or what is wrong with the file."""
    pieces = (ADVENTURER,)
    ground = blank = OPEN
    first_brush = PILLAR
    most_side, most_bytes = MOST_SIDE, MOST_BYTES
    counted = {TREASURE: "Treasure", AMULET: "Amulets"}
    line_label, line_help, next_line = "Line out", "a shortest line out", "Next line"
    effort, longer = Effort(10, 1), Effort(60, 1)

    def __init__(self, own: Mapping[int, str] | None = None) -> None:
        """Takes the codes and names of the campaign's own kinds."""
        own = dict(own or {})
        things = {door: f"door {chr(door)}" for door in NUMBERED_DOORS} | _NAMES | own
        self.brushes = {
            OPEN: Brush("floor", "minus,space,full_stop", "- space"),
            PILLAR: Brush("pillar", "plus,number_sign", "+ #"),
            TREASURE: Brush("treasure", "dollar_sign", "$"),
            AMULET: Brush("amulet", "quotation_mark", '"'),
            NEXT_DOOR: Brush("brittle door", "question_mark", "?"),
            WAY_OUT: Brush("way out", "exclamation_mark", "!"),
            **{
                code: Brush(name, key := _KEYS.get(name, ""), _SHOWN.get(key, key) or chr(code))
                for code, name in things.items()
            },
            ADVENTURER: Brush("start", "at,o", "@ o"),
        }
        self.names = {code: brush.name for code, brush in self.brushes.items()} | {ADVENTURER: "the start"}
        foes = dict.fromkeys((*map(ord, GLYPHS.values()), *own), Meaning.FOE)
        doors = dict.fromkeys(DOORS, Meaning.DOOR)
        items = dict.fromkeys((AMULET, *ITEM_OF_TILE), Meaning.MAGIC)
        tiles = {OPEN: Meaning.FLOOR, PILLAR: Meaning.WALL, TREASURE: Meaning.PRIZE}
        self.meanings = {**foes, **doors, **items, **tiles, WAY_OUT: Meaning.WAY_OUT}

    def empty(self) -> Draft:
        """A campaign of one level with a door."""
        rows = ["+" * 16, *["+" + "-" * 14 + "+"] * 6, "+" * 16]
        rows[3] = "+-o" + "-" * 12 + "1"
        return self.read(LevelFile("new.toml", _NEW.format("".join(" ".join(row) + "\n" for row in rows)).encode()))

    def read(self, file: LevelFile) -> Draft:
        """The draft of the first level of a campaign's file. Raises LevelError."""
        campaign = read_campaign(file)
        return _draft(file.data[file.text_start :].decode(), next(iter(campaign.levels)))

    def part(self, draft: Draft) -> str:
        """Name of the level that is drawn."""
        source: Source = draft.rest
        return source.level

    def next_part(self, draft: Draft) -> Draft:
        """The draft of the level after this one in the file, of the first one after the last."""
        text = self.text(draft)
        names = list(tomlkit.parse(text)["levels"])
        return _draft(text, names[(names.index(draft.rest.level) + 1) % len(names)])

    def text(self, draft: Draft) -> str:
        """The text of the file, with the level's map as it is drawn, and with what this needs of legend and doors."""
        source: Source = draft.rest
        document = tomlkit.parse(source.text)
        tiles = draft.board.array().copy()
        tiles[draft.start] = ADVENTURER
        used = np.unique(tiles).tolist()
        characters = {code: chr(code) for code in range(128)} | dict(source.legend)
        for code in used:
            if code in _NAMES and code not in source.legend and code != _HUNTER:
                taken = document.setdefault("legend", tomlkit.table())
                if chr(code) in taken:  # it has another meaning in this file
                    characters[code] = next(
                        each for each in ascii_uppercase if each != chr(_HUNTER) and each not in taken
                    )
                taken[characters[code]] = _NAMES[code]
        level = document["levels"][source.level]
        rows = "".join(" ".join(characters[code] for code in row) + "\n" for row in tiles.tolist())
        if _rows(level["map"]) != _rows(rows):
            level["map"] = tomlkit.parse(f'map = """\n{rows}"""')["map"]
        doors = level.setdefault("doors", tomlkit.table()) if {*used} & {*NUMBERED_DOORS} else level.get("doors", {})
        for door in [door for door in doors if len(door) == 1 and ord(door) not in used]:
            del doors[door]
        for door in NUMBERED_DOORS:
            if door in used and chr(door) not in doors:
                doors[chr(door)] = tomlkit.inline_table() | {"ending": "out"}
        return str(tomlkit.dumps(document))

    def tiles_of(self, text: str) -> ByteGrid:
        """(height, width) uint8 tiles of rows, in the characters of this editor's maps. Raises ValueError."""
        rows = _rows(text)
        if not rows or len({*map(len, rows)}) > 1 or not {*map(ord, "".join(rows))} <= {*self.brushes}:
            raise ValueError(f"rows of tiles can be pasted, all as long, of {' '.join(map(chr, self.brushes))}")
        tiles = np.frombuffer("".join(rows).encode(), np.uint8).reshape(len(rows), -1).copy()
        tiles[tiles == ADVENTURER] = OPEN
        return tiles

    def level(self, draft: Draft, file: str) -> Campaign:
        """The campaign, begun in the level that is drawn. Raises LevelError where the file is wrong as it stands."""
        campaign = read_campaign(LevelFile(file or "drawn", self.text(draft).encode()))
        first = draft.rest.level
        return replace(campaign, levels={first: campaign.levels[first], **campaign.levels})

    def play(self, draft: Draft, name: str) -> tuple[Campaign, Mapping[str, str]]:
        """The campaign, begun in the level that is drawn."""
        return self.level(draft, name), {}

    def question(self, draft: Draft, file: str, effort: Effort, known: Verdict) -> tuple[Any, ...]:
        """A search for the fewest moves out."""
        return judging, self.text(draft), draft.rest.level, file or "drawn", effort.seconds

    def unknown(self, oddities: Sequence[OddCells] = ()) -> Verdict:
        """A verdict without a line."""
        return Verdict(tuple(oddities))

    def reopened(self, verdict: Verdict) -> Verdict:
        """The verdict, its search not over."""
        return replace(verdict, found=None)

    def told(self, verdict: Verdict) -> str:
        """The fewest moves out, or the first fault."""
        if verdict.oddities:
            return sentence(verdict.oddities[0].message)
        found = verdict.found
        if found is None:
            return ""
        if found.line is not None:
            return f"Can be left in {counted(len(found.line), 'move')} (proven), by one who carries nothing"
        if found.is_lost:
            return "Can't be left by one who carries nothing (proven)"
        return f"No line out is found yet; {counted(found.lower_bound, 'move')} at least"

    def line(self, draft: Draft, verdict: Verdict, number: int, glyphs: Glyphs) -> Line:
        """A shortest line out."""
        assert verdict.found is not None
        line = verdict.found.line or ()
        campaign = self.level(draft, "")
        states = [rules.entered(campaign, campaign.levels[draft.rest.level])]
        for action in line[:-1]:  # the last one leaves
            states.append(rules.step(states[-1], action)[0])

        def picture(moment: int) -> tuple[MapSource, Cell, Layer]:
            state = states[moment]
            return Picture(state, glyphs), state.adventurer.cell, line_layer(state, line[moment:], glyphs)

        commands = "".join(action.value for action in line)
        return Line(number, f"{counted(len(line), 'move')}: {commands}", states, picture)

    def picture(self, draft: Draft, glyphs: Glyphs) -> MapSource:
        """The draft's map."""
        shown = {OPEN: glyphs.floor, PILLAR: glyphs.wall, AMULET: SHOWN_AMULET}
        return DraftPicture(draft, shown, {ADVENTURER: (YOU, Meaning.YOU)})


def _draft(text: str, level: str) -> Draft:
    """The draft of a level of a campaign without faults."""
    values = tomlkit.parse(text).unwrap()
    legend: dict[str, str] = values.get("legend", {})
    taken = {*_TILES, *_NAMES}
    codes = {chr(code): code for code in _TILES}
    own: dict[int, str] = {}
    for character, name in legend.items():
        code = _CODES.get(name) or ord(character)
        if name not in _CODES:
            if code in taken:
                code = next(ord(each) for each in ascii_uppercase + ascii_lowercase if ord(each) not in taken)
            taken.add(code)
            own[code] = name
        codes[character] = code
    rows = _rows(values["levels"][level]["map"])
    tiles = np.array([[codes[character] for character in row] for row in rows], np.uint8)
    start = Cell(*map(int, np.argwhere(tiles == ADVENTURER)[0]))
    tiles[start] = OPEN
    file_legend = {codes[character]: character for character in legend}
    return Draft(Board.owning(tiles), {ADVENTURER: start}, DeepCraft(own), Source(text, level, file_legend))


def _rows(text: str) -> list[str]:
    return ["".join(line.split()) for line in text.splitlines() if line.strip()]


CRAFT = DeepCraft()
