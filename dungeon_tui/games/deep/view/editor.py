"""The deep's part of the editor: the levels of a campaign file, one at a time, and the fewest moves out."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

import numpy as np
import tomlkit

from dungeon_tui.core.adventure import YOU
from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.deep.ai.solver import Escape, escape
from dungeon_tui.games.deep.model import room, rules
from dungeon_tui.games.deep.model.campaign import MOST_BYTES, MOST_SIDE, Campaign, parse_campaign, read_campaign
from dungeon_tui.games.deep.model.items import ITEM_OF_TILE
from dungeon_tui.games.deep.model.room import ADVENTURER, AMULET, OPEN, PILLAR, TREASURE
from dungeon_tui.games.deep.view.guide import SIGNS
from dungeon_tui.games.deep.view.picture import GLYPHS, Picture, line_layer
from dungeon_tui.ui.editor import craft
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Layer, MapSource
from dungeon_tui.ui.palette import Meaning

_KEYS = {  # of tiles; 2, 4, 5, 6 and 8 move, and tiles whose sign is free as a key use it
    "hunter": "M", "up-down": "U", "left-right": "E", "diagonal": "D", "sprinter": "S", "tracker": "T", "sleeper": "Z",
    "mimic": "m", "shield": "left_parenthesis", "sword": "right_parenthesis", "key": "y", "haste": "percent_sign",
    "frost": "asterisk", "bomb": "ampersand", "scroll": "Y", "door 1": "1", "door 3": "3", "door 7": "7", "door 9": "9",
}  # fmt: skip
_NAMES = {ord(glyph): name for name, glyph in GLYPHS.items()} | ITEM_OF_TILE
_CODES = {name: code for code, name in _NAMES.items()}
_HUNTER = _CODES["hunter"]
_TILES = bytes([OPEN, PILLAR, TREASURE, AMULET, ADVENTURER, _HUNTER]) + room.DOORS
_NEW = '[levels.first]\nname = "The first"\nmap = """\n{}"""\n\n[levels.first.doors]\n1 = {{ending = "free"}}\n'


class Source(NamedTuple):
    """The file around a draft, and its characters."""

    text: str
    level: str  # the name of the level being drawn
    legend: Mapping[int, str]  # the file's characters, by code, if they differ from the editor's


@dataclass(frozen=True, eq=False)
class RoomCheck(craft.LevelCheck):
    """The known facts about a draft: the errors in its file, or the fewest moves out when carrying nothing."""

    found: Escape | None = None


def judging(text: str, level: str, file: str, tell: Callable[..., object]) -> Iterator[RoomCheck]:
    """Yields the errors of a campaign, else the fewest moves out of one level; runs in a separate process."""
    parsed = parse_campaign(LevelFile(file, text.encode()))
    none = np.empty(0, np.intp)
    odd = tuple(craft.OddCells(f"line {each.line}: {each.message}", none) for each in parsed.errors)
    check = RoomCheck(odd, is_checked=True, is_over=bool(odd))
    yield check
    if parsed.campaign is not None:
        found = escape(rules.entered(parsed.campaign, parsed.campaign.levels[level]), time_limit=craft.SEARCH_LIMIT_S)
        is_won = found.line is not None or (False if found.is_lost else None)
        yield replace(check, is_over=True, is_won=is_won, line_count=int(found.line is not None), found=found)


class DeepCraft(craft.Craft):
    """Draws the levels of a campaign file one at a time; the rest of the file stays as it is."""

    word = "level"
    file_ending = ".toml"
    file_note = "A campaign's file ends in .toml."
    help = """Type a tile's sign to select the brush and paint; the mouse paints with it. Signs that do something else
here, such as 2, 4, 5, 6 and 8, which move, and the file's kinds: select them from the palette with the mouse or
{editor.next-tile}; the line below says another key, if there is one. The signs are those of the game, not of the file's
legend. {editor.part} turns to the next level of the file. Prices of doors, fog, shrinking and texts are in the file; a
door without a target there ends the game.
After each change the solver shows how few moves get you out, or the first error in the file."""
    pieces = (ADVENTURER,)
    ground = blank = OPEN
    first_brush = PILLAR
    most_side, most_bytes = MOST_SIDE, MOST_BYTES
    counted = {TREASURE: "Treasure", AMULET: "Amulets"}
    line_label, line_help, next_line = "Line out", "a shortest line out", "Next line"
    check = RoomCheck

    def __init__(self, own: Mapping[int, str] | None = None) -> None:
        own = dict(own or {})
        things = {door: f"door {chr(door)}" for door in room.NUMBERED_DOORS} | _NAMES | own
        self.brushes = {
            **{code: craft.DUNGEON_BRUSHES[chr(code)] for code in (OPEN, PILLAR, TREASURE, AMULET)},
            room.NEXT_DOOR: craft.Brush("brittle door", "question_mark"),
            room.WAY_OUT: craft.DUNGEON_BRUSHES["!"],
            **{code: craft.Brush(name, _KEYS.get(name, "")) for code, name in things.items()},
            ADVENTURER: craft.DUNGEON_BRUSHES["o"],
        }
        self.names = {code: brush.name for code, brush in self.brushes.items()} | {ADVENTURER: "the start"}
        foes = dict.fromkeys((*map(ord, GLYPHS.values()), *own), Meaning.FOE)
        doors = dict.fromkeys(room.DOORS, Meaning.DOOR)
        items = dict.fromkeys((AMULET, *ITEM_OF_TILE), Meaning.MAGIC)
        tiles = {OPEN: Meaning.FLOOR, PILLAR: Meaning.WALL, TREASURE: Meaning.PRIZE}
        self.meanings = {**foes, **doors, **items, **tiles, room.WAY_OUT: Meaning.WAY_OUT}

    def sign(self, code: int) -> str:
        return YOU if code == ADVENTURER else SIGNS.get(code, chr(code))

    def empty(self) -> craft.Draft:
        rows = ["+" * 16, *["+" + "-" * 14 + "+"] * 6, "+" * 16]
        rows[3] = "+-o" + "-" * 12 + "1"
        return self.read(LevelFile("new.toml", _NEW.format("".join(" ".join(row) + "\n" for row in rows)).encode()))

    def read(self, file: LevelFile) -> craft.Draft:
        campaign = read_campaign(file)
        return _draft(file.data[file.text_start :].decode(), next(iter(campaign.levels)))

    def part(self, draft: craft.Draft) -> str:
        source: Source = draft.rest
        return source.level

    def next_part(self, draft: craft.Draft) -> craft.Draft:
        text = self.text(draft)
        names = list(tomlkit.parse(text)["levels"])
        return _draft(text, names[(names.index(draft.rest.level) + 1) % len(names)])

    def text(self, draft: craft.Draft) -> str:
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
        doors = (
            level.setdefault("doors", tomlkit.table()) if {*used} & {*room.NUMBERED_DOORS} else level.get("doors", {})
        )
        for door in [door for door in doors if len(door) == 1 and ord(door) not in used]:
            del doors[door]
        for door in room.NUMBERED_DOORS:
            if door in used and chr(door) not in doors:
                doors[chr(door)] = tomlkit.inline_table() | {"ending": "out"}
        return str(tomlkit.dumps(document))

    def level(self, draft: craft.Draft, file: str) -> Campaign:
        campaign = read_campaign(LevelFile(file or "drawn", self.text(draft).encode()))
        first = draft.rest.level
        return replace(campaign, levels={first: campaign.levels[first], **campaign.levels})

    def play(self, draft: craft.Draft, name: str) -> tuple[Campaign, Mapping[str, str]]:
        return self.level(draft, name), {}

    def question(self, draft: craft.Draft, file: str) -> tuple[Any, ...]:
        return judging, self.text(draft), draft.rest.level, file or "drawn"

    def check_text(self, check: RoomCheck) -> str:
        if check.oddities:
            return sentence(check.oddities[0].message)
        found = check.found
        if found is None:
            return ""
        if found.line is not None:
            return f"Can be left in {counted(len(found.line), 'move')} (proven) when carrying nothing"
        if found.is_lost:
            return "Can't be left when carrying nothing (proven)"
        return f"No line out found yet; at least {counted(found.lower_bound, 'move')}"

    def line(self, draft: craft.Draft, check: RoomCheck, number: int, glyphs: Glyphs) -> craft.ShownLine:
        assert check.found is not None
        line = check.found.line or ()
        campaign = self.level(draft, "")
        states = [rules.entered(campaign, campaign.levels[draft.rest.level])]
        for action in line[:-1]:  # the last one leaves
            states.append(rules.step(states[-1], action)[0])

        def picture(moment: int) -> tuple[MapSource, Cell, Layer]:
            state = states[moment]
            return Picture(state, glyphs), state.adventurer.cell, line_layer(state, line[moment:], glyphs)[0]

        return craft.ShownLine(number, counted(len(line), "move"), states, picture)

    def picture(self, draft: craft.Draft, glyphs: Glyphs) -> MapSource:
        shown = SIGNS | {OPEN: glyphs.floor, PILLAR: glyphs.wall}
        return craft.draft_picture(draft, shown, {ADVENTURER: (YOU, Meaning.YOU)})


def _draft(text: str, level: str) -> craft.Draft:
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
    return craft.Draft(Board.owning(tiles), {ADVENTURER: start}, DeepCraft(own), Source(text, level, file_legend))


def _rows(text: str) -> list[str]:
    return ["".join(line.split()) for line in text.splitlines() if line.strip()]


CRAFT = DeepCraft()
