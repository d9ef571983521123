"""The one table of the editor's keys: bindings, deeds of the pen, footer, help and palette are made from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from dungeon_tui.core.grid import Direction
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, MONSTER, OPEN, PILLAR, TILE_NAMES, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.view.editor.pen import Mode, Pen, Said
from dungeon_tui.ui.keys import Key, footer_of
from dungeon_tui.ui.widgets.key_bar import Entry

Deed = Callable[[Pen], Said | None]
DEEDS: dict[str, Deed] = {}
"""What the pen does, by the ids of its keys."""

Row = tuple[str | Deed, str, str, str, str, str, int]
"""An action of the screen or a deed of the pen, then as `Key` has it: id, keys, shown, label, help, place in footer."""

_WAYS = (  # names, keys that move, keys that stretch
    (Direction.UP, "up", "up,w,k,8", "↑ w k 8", "shift+up,K", "shift+↑ K"),
    (Direction.DOWN, "down", "down,s,j,2", "↓ s j 2", "shift+down,J", "shift+↓ J"),
    (Direction.LEFT, "left", "left,a,h,4", "← a h 4", "shift+left,H", "shift+← H"),
    (Direction.RIGHT, "right", "right,d,l,6", "→ d l 6", "shift+right,L", "shift+→ L"),
)
_TILES = (
    (OPEN, "minus,space,full_stop", "- space"),
    (PILLAR, "plus,number_sign", "+ #"),
    (TREASURE, "dollar_sign", "$"),
    (AMULET, "at", "@"),
    (MONSTER, "M,m", "M"),
    (DOOR, "question_mark", "?"),
    (WAY_OUT, "exclamation_mark", "!"),
)


def _jump(way: Direction) -> Deed:
    return partial(Pen.jump, direction=way)


def _mode(mode: Mode) -> Deed:
    return partial(Pen.begin, mode=mode)


_ROWS: dict[str, list[Row]] = {
    "Moving": [
        *((partial(Pen.go, direction=way), name, keys, shown, name.capitalize(), f"the cursor goes {name}", 0)
          for way, name, keys, shown, _, _ in _WAYS),
        (_jump(Direction.LEFT), "first", "home", "Home", "Row's start", "to the start of the row", 0),
        (_jump(Direction.RIGHT), "last", "end", "End", "Row's end", "to the end of the row", 0),
        (_jump(Direction.UP), "top", "pageup", "PgUp", "Top", "to the top of the column", 0),
        (_jump(Direction.DOWN), "bottom", "pagedown", "PgDn", "Bottom", "to the bottom of the column", 0),
    ],
    "Painting": [
        *((partial(Pen.tile, tile=tile), f"tile.{chr(tile)}", keys, shown, TILE_NAMES[tile].capitalize(),
           f"paint {TILE_NAMES[tile]}", 0) for tile, keys, shown in _TILES),
        (Pen.stamp, "stamp", "enter,5", "Enter", "Paint", "paint with the brush; so does the mouse", 0),
        (Pen.erase, "erase", "delete,x", "Del x", "Erase", "open floor; the right mouse button, too", 0),
        (Pen.start, "start", "o", "o", "Start", "the adventurer starts here; can be dragged, too", 9),
        (_mode(Mode.BRUSH), "brush", "b", "b", "Brush", "paint while moving, until pressed again", 6),
        (_mode(Mode.RECTANGLE), "rectangle", "v", "v", "Rectangle", "choose a rectangle; a tile fills it", 7),
        *((partial(Pen.stretch, direction=way), f"stretch.{name}", keys, shown, f"Stretch {name}",
           f"rectangle {name}wards", 0) for way, name, _, _, keys, shown in _WAYS),
        (Pen.edge, "edge", "e", "e", "Edge", "the brush along the rectangle's edge", 0),
        ("copy", "copy", "c", "c", "Copy", "copy the rectangle, or the tile", 0),
        (Pen.paste, "paste", "V", "V", "Paste", "paste it here; the terminal's own paste takes rows of tiles", 0),
        (Pen.fill, "fill", "f", "f", "Fill", "the brush on all like this that hangs together", 10),
        (Pen.pick, "pick", "i", "i", "Pick", "the tile here becomes the brush", 0),
        (partial(Pen.next_brush, places=1), "next-tile", "tab", "Tab", "Next brush", "the next tile of the palette", 0),
        (partial(Pen.next_brush, places=-1), "previous-tile", "shift+tab", "shift+Tab", "Last brush", "one before", 0),
    ],
    "Changes": [
        (Pen.undo, "undo", "backspace,ctrl+z", "⌫ ctrl+z", "Undo", "take the last change back", 5),
        (Pen.redo, "redo", "ctrl+y", "ctrl+y", "Redo", "make it again", 0),
        (_mode(Mode.RESIZE), "resize", "r", "r", "Resize", "arrows add a line there, shift+arrows take one away", 8),
        ("size", "size", "R", "R", "Size", "type rows and columns", 0),
        (Pen.clear, "clear", "C", "C", "Clear", "open floor everywhere", 0),
    ],
    "Looking": [
        ("line", "line", "slash", "/", "Line out", "a shortest line out; again: with more treasure", 4),
        ("step(1)", "step.on", "right_square_bracket", "]", "Step", "a move on along the line", 0),
        ("step(-1)", "step.back", "left_square_bracket", "[", "Step back", "a move back", 0),
        ("think_longer", "longer", "t", "t", "Think longer", "search for a minute", 0),
        ("next_warning", "warning", "n", "n", "Next warning", "to the next tile that is odd", 0),
        ("zoom(1)", "larger", "greater_than_sign", ">", "Larger", "larger cells", 0),
        ("zoom(-1)", "smaller", "less_than_sign", "<", "Smaller", "smaller cells", 0),
        ("zoom(0)", "fit", "0", "0", "Fit", "cells as large as the map allows", 0),
    ],
    "The level": [
        ("play", "play", "p,f5", "p F5", "Play", "play the level; leaving it leads back", 3),
        ("play_here", "play-here", "P", "P", "Play here", "play from the cursor", 0),
        ("open", "open", "ctrl+o,O", "O", "Open", "another level", 0),
        ("save", "save", "ctrl+s", "ctrl+s", "Save", "write the level's file", 11),
        ("save(True)", "save-as", "W", "W", "Save as", "write another file", 0),
        ("help", "help", "f1", "F1", "Help", "this page", 1),
        ("app.command_palette", "palette", "ctrl+p", "ctrl+p", "Commands", "find a command by its name", 0),
        ("end", "end", "escape", "Esc", "Done", "end what is begun: brush, rectangle, resizing, line", 0),
        ("leave", "leave", "q", "q", "Leave", "leave the editor", 2),
    ],
}  # fmt: skip


def _keys() -> Iterator[Key]:
    for section, rows in _ROWS.items():
        for does, name, keys, shown, label, help_text, place in rows:
            name = f"editor.{name}"
            if not isinstance(does, str):
                DEEDS[name], does = does, f"edit('{name}')"
            yield Key(name, keys, shown, label, help_text, section, place, bound_to=does)


KEYS: tuple[Key, ...] = tuple(_keys())
_ENTRIES: dict[str, Entry] = {key.id[7:]: (key.shown.split()[0], key.label, key.action) for key in KEYS}


def _entry(name: str, label: str, shown: str = "") -> Entry:
    """A key's entry in the footer of a mode, under another label."""
    key, _, action = _ENTRIES[name]
    return shown or key, label, action


_DONE, _MORE = _ENTRIES["end"], _entry("line", "With more treasure")
_OF_MODES = {
    Mode.DRAW: [_ENTRIES[key.id[7:]] for key in footer_of(KEYS)],
    Mode.BRUSH: [_entry("brush", "Brush up"), _entry("stamp", "Paint", "arrows"), _ENTRIES["undo"]],
    Mode.RECTANGLE: [
        _entry("stretch.right", "Stretch", "arrows"),
        _entry("stamp", "Fill", " ".join(map(chr, TILE_NAMES))),
        _entry("stamp", "Fill with the brush"),
        _ENTRIES["edge"],
        _ENTRIES["copy"],
        _DONE,
    ],
    Mode.RESIZE: [
        _entry("down", "Add a line there", "arrows"),
        _entry("stretch.down", "Take one away", "shift+arrows"),
        _entry("size", "Type it"),
        _DONE,
    ],
    None: [_ENTRIES["step.on"], _entry("step.back", "Back"), _MORE, _ENTRIES["play"], _DONE],
}


def footer(mode: Mode | None, *, is_last_line: bool = False) -> list[Entry]:
    """The keys that matter most in a mode, or (None) while a line is shown; after the last line there is no other."""
    return [entry for entry in _OF_MODES[mode] if not (is_last_line and entry is _MORE)]
