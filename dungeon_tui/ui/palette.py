"""The one palette, by meaning: what a cell is to the player, not what it looks like.

Colours: Okabe and Ito's set that colour-blind people can tell apart, lightened or darkened to the background. Every
meaning also has a glyph or a mark of its own, so that no colour carries anything alone.
"""

from __future__ import annotations

from enum import IntEnum

from textual.theme import Theme


class _Colour(IntEnum):
    css: str  # its name in themes and style sheets

    def __init__(self, _: int) -> None:
        self.css = self.name.lower().replace("_", "-")


class Meaning(_Colour):
    """Meanings of glyphs, which colour them."""

    FLOOR = 0
    YOU = 1
    FOE = 2
    PRIZE = 3
    MAGIC = 4
    DOOR = 5
    WAY_OUT = 6
    WALL = 7
    PATH = 8
    UNSEEN = 9
    NOTE = 10
    ROCK_NOTE = 11
    REMEMBERED = 12
    REMEMBERED_WALL = 13
    SLIGHT_FOE = 14
    SLIGHT_PRIZE = 15


class Tint(_Colour):
    """Meanings of backgrounds, which colour them."""

    NONE = 0
    SIGHT = 1
    DANGER = 2
    SAFE = 3
    PATH = 4
    FRESH = 5
    CURSOR = 6
    FRONTIER = 7
    HEAT_0 = 8
    HEAT_1 = 9
    HEAT_2 = 10
    HEAT_3 = 11
    HEAT_4 = 12
    HEAT_5 = 13
    HEAT_6 = 14
    HEAT_7 = 15
    HEAT_8 = 16
    HEAT_9 = 17
    HEAT_10 = 18
    HEAT_11 = 19
    HEAT_12 = 20
    HEAT_13 = 21
    HEAT_14 = 22
    HEAT_15 = 23
    FOE = 24


HEATS = 16
# Cividis in steps, dark to bright: even to the eye, and alike to those who see fewer colours.
HEAT_COLOURS = (
    "#00204d",
    "#00295f",
    "#04326f",
    "#223e6d",
    "#3d4b6b",
    "#4d566c",
    "#5c616e",
    "#696c71",
    "#777775",
    "#858278",
    "#938d78",
    "#a19976",
    "#b1a670",
    "#c2b36a",
    "#dfcd58",
    "#fde845",
)
HEAT = {f"heat-{place}": colour for place, colour in enumerate(HEAT_COLOURS)}

DARK = HEAT | {
    "floor": "#6f7787",
    "slight-foe": "#c4836a",
    "slight-prize": "#aaa268",
    "you": "#7cc7ff",
    "foe": "#ff7a45",
    "prize": "#f5e663",
    "magic": "#e79ac8",
    "door": "#ffb84d",
    "way-out": "#3ddbb0",
    "frame": "#7f899c",
    "wall": "#525b6d",
    "wall-back": "#3a4252",
    "map-back": "#12141a",
    "map-odd": "#171a22",
    "path": "#9db4d0",
    "unseen": "#2a2f3a",
    "remembered": "#565e6c",
    "remembered-wall": "#20242e",
    "note": "#e6e9ef",
    "tint-sight": "#4a2f24",
    "tint-danger": "#7a1f1f",
    "tint-foe": "#ff7a45",
    "tint-safe": "#10402f",
    "tint-path": "#23344d",
    "tint-fresh": "#4d2f4a",
    "tint-frontier": "#1f6f8b",
    "tint-cursor": "#f5e663",
    "tint-cursor-text": "#12141a",
}
LIGHT = HEAT | {
    "floor": "#857f71",
    "slight-foe": "#9c5234",
    "slight-prize": "#746427",
    "you": "#0058a8",
    "foe": "#b53a00",
    "prize": "#7a5f00",
    "magic": "#a02f78",
    "door": "#935200",
    "way-out": "#00704f",
    "frame": "#8d8778",
    "wall": "#b3ac9d",
    "wall-back": "#cbc5b7",
    "map-back": "#fbf9f4",
    "map-odd": "#f4f1e9",
    "path": "#3c5a80",
    "unseen": "#e4e0d6",
    "remembered": "#9f9988",
    "remembered-wall": "#e6e2d8",
    "note": "#23262d",
    "tint-sight": "#fbdcc8",
    "tint-danger": "#f4a9a0",
    "tint-foe": "#b53a00",
    "tint-safe": "#c9ecdd",
    "tint-path": "#d5e3f5",
    "tint-fresh": "#f3d6e8",
    "tint-frontier": "#7cc4dd",
    "tint-cursor": "#23262d",
    "tint-cursor-text": "#fbf9f4",
}
# Where red and green look alike: blue against orange and yellow, told apart by lightness too.
RED_GREEN = DARK | {
    "you": "#ffffff",
    "foe": "#ff9e1f",
    "slight-foe": "#cc9858",
    "prize": "#ffe94a",
    "magic": "#c3a6ff",
    "door": "#d9c7a0",
    "way-out": "#4aa8ff",
    "tint-danger": "#6b4300",
    "tint-foe": "#ff9e1f",
    "tint-safe": "#0f3560",
}
# Where blue and yellow look alike: red and pink against cyan and white.
BLUE_YELLOW = DARK | {
    "you": "#ffffff",
    "foe": "#ff5a5a",
    "prize": "#ffb3c7",
    "slight-foe": "#d98a8a",
    "slight-prize": "#c094a0",
    "magic": "#c98fb0",
    "door": "#d0b0b0",
    "way-out": "#35e0e0",
    "tint-danger": "#7a1f2a",
    "tint-foe": "#ff5a5a",
    "tint-safe": "#0b4a4a",
}


def themes() -> list[Theme]:
    """The app's own themes, the one to begin with first."""
    return [
        _theme("dungeon-dark", DARK),
        _theme("dungeon-light", LIGHT, dark=False),
        _theme("dungeon-red-green-blind", RED_GREEN),
        _theme("dungeon-blue-yellow-blind", BLUE_YELLOW),
    ]


def _theme(name: str, colours: dict[str, str], dark: bool = True) -> Theme:
    return Theme(
        name=name,
        primary=colours["you"],
        secondary=colours["magic"],
        accent=colours["prize"],
        warning=colours["door"],
        error=colours["foe"],
        success=colours["way-out"],
        foreground=colours["note"],
        background=colours["map-back"],
        surface="#1a1d25" if dark else "#f2efe7",
        panel="#232833" if dark else "#e7e3d8",
        dark=dark,
        variables=colours,
    )
