"""The one table of the editor's keys: bindings, footer, help and palette are made from it."""

from __future__ import annotations

from enum import Enum

from dungeon_tui.games.crawler.model.level import AMULET, DOOR, MONSTER, OPEN, PILLAR, TILE_NAMES, TREASURE, WAY_OUT
from dungeon_tui.ui.play.keys import Key, footer_of
from dungeon_tui.ui.widgets.key_bar import Entry

MOVES, PAINTING, CHANGES, LOOKING, LEVEL = "Moving", "Painting", "Changes", "Looking", "The level"

_WAYS = {  # the keys that move the cursor, and those that stretch the rectangle
    "up": ("up,w,k,8", "↑ w k 8", "shift+up,K", "shift+↑ K"),
    "down": ("down,s,j,2", "↓ s j 2", "shift+down,J", "shift+↓ J"),
    "left": ("left,a,h,4", "← a h 4", "shift+left,H", "shift+← H"),
    "right": ("right,d,l,6", "→ d l 6", "shift+right,L", "shift+→ L"),
}
_KEYS_OF_TILES = {
    OPEN: ("minus,space,full_stop", "- space"),
    PILLAR: ("plus,number_sign", "+ #"),
    TREASURE: ("dollar_sign", "$"),
    AMULET: ("at", "@"),
    MONSTER: ("M,m", "M"),
    DOOR: ("question_mark", "?"),
    WAY_OUT: ("exclamation_mark", "!"),
}


class Mode(Enum):
    """What the arrows do."""

    DRAW = "they move the cursor"
    BRUSH = "they paint on their way"
    RECTANGLE = "they choose a rectangle"
    RESIZE = "they add rows and columns, or take them away"
    LINE = "nothing but this: a line out is shown"


def _go_key(way: str) -> Key:
    keys, shown, *_ = _WAYS[way]
    action = f"go('{way.upper()}')"
    return Key(f"editor.{way}", keys, shown, action, way.capitalize(), f"the cursor goes {way}", MOVES)


def _stretch_key(way: str) -> Key:
    *_, keys, shown = _WAYS[way]
    action, help_text = f"stretch('{way.upper()}')", f"rectangle {way}wards"
    return Key(f"editor.stretch.{way}", keys, shown, action, f"Stretch {way}", help_text, PAINTING)


def _tile_key(tile: int) -> Key:
    keys, shown = _KEYS_OF_TILES[tile]
    name = TILE_NAMES[tile]
    return Key(f"editor.tile.{chr(tile)}", keys, shown, f"paint({tile})", name.capitalize(), f"paint {name}", PAINTING)


KEYS: tuple[Key, ...] = (
    *(_go_key(way) for way in _WAYS),
    Key("editor.first", "home", "Home", "jump('LEFT')", "Row's start", "to the start of the row", MOVES),
    Key("editor.last", "end", "End", "jump('RIGHT')", "Row's end", "to the end of the row", MOVES),
    Key("editor.top", "pageup", "PgUp", "jump('UP')", "Top", "to the top of the column", MOVES),
    Key("editor.bottom", "pagedown", "PgDn", "jump('DOWN')", "Bottom", "to the bottom of the column", MOVES),
    *(_tile_key(tile) for tile in TILE_NAMES),
    Key("editor.stamp", "enter,5", "Enter", "stamp", "Paint", "paint with the brush; so does the mouse", PAINTING),
    Key("editor.erase", "delete,x", "Del x", "erase", "Erase", "open floor; the right mouse button, too", PAINTING),
    Key("editor.start", "o", "o", "start", "Start", "the adventurer starts here; can be dragged, too", PAINTING, 9),
    Key("editor.brush", "b", "b", "mode('BRUSH')", "Brush", "paint while moving, until b again", PAINTING, 6),
    Key("editor.rectangle", "v", "v", "mode('RECTANGLE')", "Rectangle", "choose a rectangle; a tile fills it", PAINTING,
        7),
    *(_stretch_key(way) for way in _WAYS),
    Key("editor.edge", "e", "e", "edge", "Edge", "the brush along the rectangle's edge", PAINTING),
    Key("editor.copy", "c", "c", "copy", "Copy", "copy the rectangle, or the tile", PAINTING),
    Key("editor.paste", "V", "V", "paste", "Paste", "paste it here; the terminal's own paste takes rows of tiles",
        PAINTING),
    Key("editor.fill", "f", "f", "fill", "Fill", "the brush on all like this that hangs together", PAINTING, 10),
    Key("editor.pick", "i", "i", "pick", "Pick", "the tile here becomes the brush", PAINTING),
    Key("editor.next-tile", "tab", "Tab", "next_brush(1)", "Next brush", "the next tile of the palette", PAINTING),
    Key("editor.previous-tile", "shift+tab", "shift+Tab", "next_brush(-1)", "Brush before", "the one before", PAINTING),
    Key("editor.undo", "backspace,ctrl+z", "⌫ ctrl+z", "undo", "Undo", "take the last change back", CHANGES, 5),
    Key("editor.redo", "ctrl+y", "ctrl+y", "redo", "Redo", "make it again", CHANGES),
    Key("editor.resize", "r", "r", "mode('RESIZE')", "Resize", "arrows add a line there, shift+arrows take one away",
        CHANGES, 8),
    Key("editor.size", "R", "R", "size", "Size", "type rows and columns", CHANGES),
    Key("editor.clear", "C", "C", "clear", "Clear", "open floor everywhere", CHANGES),
    Key("editor.line", "slash", "/", "line", "Line out", "a shortest line out; again: with more treasure", LOOKING, 4),
    Key("editor.step.on", "right_square_bracket", "]", "step(1)", "Step", "a move on along the line", LOOKING),
    Key("editor.step.back", "left_square_bracket", "[", "step(-1)", "Step back", "a move back", LOOKING),
    Key("editor.longer", "t", "t", "think_longer", "Think longer", "search for a minute", LOOKING),
    Key("editor.warning", "n", "n", "next_warning", "Next warning", "to the next tile that is odd", LOOKING),
    Key("editor.larger", "greater_than_sign", ">", "zoom(1)", "Larger", "larger cells", LOOKING),
    Key("editor.smaller", "less_than_sign", "<", "zoom(-1)", "Smaller", "smaller cells", LOOKING),
    Key("editor.fit", "0", "0", "zoom(0)", "Fit", "cells as large as the map allows", LOOKING),
    Key("editor.play", "p,f5", "p F5", "play", "Play", "play the level; leaving it leads back", LEVEL, 3),
    Key("editor.play-here", "P", "P", "play_here", "Play here", "play from the cursor", LEVEL),
    Key("editor.open", "ctrl+o,O", "O", "open", "Open", "another level", LEVEL),
    Key("editor.save", "ctrl+s", "ctrl+s", "save", "Save", "write the level's file", LEVEL, 11),
    Key("editor.save-as", "W", "W", "save_as", "Save as", "write another file", LEVEL),
    Key("editor.help", "f1", "F1", "help", "Help", "this page", LEVEL, 1),
    Key("editor.palette", "ctrl+p", "ctrl+p", "app.command_palette", "Commands", "find a command by its name", LEVEL),
    Key("editor.end", "escape", "Esc", "end", "Done", "end what is begun: brush, rectangle, resizing, line", LEVEL),
    Key("editor.leave", "q", "q", "leave", "Leave", "leave the editor", LEVEL, 2),
)  # fmt: skip

_DONE = ("Esc", "Done", "end")
_MORE = ("/", "With more treasure", "line")
_OF_MODES: dict[Mode, list[Entry]] = {
    Mode.DRAW: [(key.shown.split()[0], key.label, key.action) for key in footer_of(KEYS)],
    Mode.BRUSH: [("b", "Brush up", "end"), ("arrows", "Paint", "stamp"), ("⌫", "Undo", "undo")],
    Mode.RECTANGLE: [
        ("arrows", "Stretch", "stretch('RIGHT')"),
        ("- + $ @ M ? !", "Fill", "stamp"),
        ("Enter", "Fill with the brush", "stamp"),
        ("e", "Edge", "edge"),
        ("c", "Copy", "copy"),
        _DONE,
    ],
    Mode.RESIZE: [
        ("arrows", "Add a line there", "go('DOWN')"),
        ("shift+arrows", "Take one away", "stretch('DOWN')"),
        ("R", "Type it", "size"),
        _DONE,
    ],
    Mode.LINE: [
        ("]", "Step", "step(1)"),
        ("[", "Back", "step(-1)"),
        _MORE,
        ("p", "Play", "play"),
        _DONE,
    ],
}


def footer(mode: Mode, *, is_last_line: bool = False) -> list[Entry]:
    """The keys that matter most; of the last line, there is none with more treasure."""
    return [entry for entry in _OF_MODES[mode] if not (is_last_line and entry is _MORE)]
