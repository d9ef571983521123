"""The palette, by meaning.

The colours are Okabe and Ito's, which colour-blind people can tell apart, adapted to the background. Every meaning also
has a glyph or mark of its own.
"""

from collections.abc import Mapping

from rich.style import Style
from textual.color import Color
from textual.theme import Theme

from dungeon_tui.core.meaning import Meaning as Meaning
from dungeon_tui.core.meaning import Tint as Tint

# Cividis, dark to bright: looks even, also to colour-blind people.
HEAT_COLOURS = (
    "#00204d #00295f #04326f #223e6d #3d4b6b #4d566c #5c616e #696c71 "
    "#777775 #858278 #938d78 #a19976 #b1a670 #c2b36a #dfcd58 #fde845"
).split()
# Viridis for light ground, where the middle of cividis looks like a wall.
_LIGHT_HEATS = (
    "#440154 #481a6c #472f7d #414487 #39568c #31688e #2a788e #23888e "
    "#1f988b #22a884 #35b779 #54c568 #7ad151 #a5db36 #d2e21b #fde725"
).split()
HEATS = len(HEAT_COLOURS)

COLOURS = {  # on dark and on light ground
    "floor": ("#6f7787", "#6a6456"),
    "slight-foe": ("#cf8d74", "#964f32"),
    "slight-prize": ("#aaa268", "#746427"),
    "you": ("#7cc7ff", "#0058a8"),
    "foe": ("#ff7a45", "#ac3700"),
    "prize": ("#f5e663", "#7a5f00"),
    "magic": ("#e79ac8", "#a02f78"),
    "door": ("#ffb84d", "#824600"),
    "way-out": ("#3ddbb0", "#00704f"),
    "frame": ("#7f899c", "#8d8778"),
    "wall": ("#525b6d", "#8b8371"),
    "wall-back": ("#3a4252", "#b3ab98"),
    "map-back": ("#12141a", "#fbf9f4"),
    "map-odd": ("#181c25", "#f5f1e7"),
    "path": ("#9db4d0", "#3c5a80"),
    "unseen": ("#2a2f3a", "#a4abb7"),
    "unseen-back": ("#07080b", "#cdd2da"),
    "remembered": ("#565e6c", "#827b6a"),
    "remembered-back": ("#181b23", "#efebe0"),
    "remembered-wall": ("#262b37", "#dbd6c9"),
    "note": ("#e6e9ef", "#23262d"),
    "tint-sight": ("#4a2f24", "#fbd9c4"),
    "tint-danger": ("#7a1f1f", "#f4a9a0"),
    "tint-foe": ("#ff7a45", "#ac3700"),
    "tint-safe": ("#0e3a2a", "#c9ecdd"),
    "tint-path": ("#23344d", "#d5e3f5"),
    "tint-fresh": ("#4d2f4a", "#f3d6e8"),
    "tint-frontier": ("#1f6f8b", "#7cc4dd"),
    "tint-lit": ("#383122", "#fff0c8"),
    "tint-stone": ("#3a3226", "#ece3cd"),
    "tint-worn": ("#4a3d22", "#f2dfb0"),
    "tint-torch": ("#5e4a16", "#ffd27a"),
    "tint-lit-odd": ("#2c2619", "#f7e2a6"),
    "tint-cursor": ("#f5e663", "#23262d"),
    "tint-marked": ("#7a743c", "#b9b9b8"),  # of a picture below the cursor
    "tint-cursor-text": ("#12141a", "#fbf9f4"),
    **{f"heat-{step}": heats for step, heats in enumerate(zip(HEAT_COLOURS, _LIGHT_HEATS, strict=True))},
}
DARK, LIGHT = ({name: colours[index] for name, colours in COLOURS.items()} for index in (0, 1))
# Gold that is dark enough to be read on light ground looks brown: by its colour, that of pictures and behind a letter.
PICTURE_INKS, LETTER_GROUNDS = {LIGHT["prize"]: "#cc9600"}, {LIGHT["prize"]: "#ffe17a"}
# If red and green look alike: blue against orange and yellow, with different lightness.
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
# If blue and yellow look alike: red and pink against cyan and white.
BLUE_YELLOW = DARK | {
    "you": "#ffffff",
    "foe": "#ff6e6e",
    "prize": "#ffb3c7",
    "slight-foe": "#d98a8a",
    "slight-prize": "#c094a0",
    "magic": "#c98fb0",
    "door": "#d0b0b0",
    "way-out": "#35e0e0",
    "tint-danger": "#7a1f2a",
    "tint-foe": "#ff6e6e",
    "tint-safe": "#083838",
}


_INKS: dict[int | None, str] = {None: "frame", Meaning.REMEMBERED_WALL: "wall-back", Meaning.ROCK_NOTE: "path"}
GROUNDS: dict[int | None, str] = {
    Meaning.WALL: "wall-back", Meaning.REMEMBERED_WALL: "remembered-wall", Meaning.ROCK_NOTE: "wall-back",
    Meaning.UNSEEN: "unseen-back", Meaning.REMEMBERED: "remembered-back",
}  # fmt: skip
BOLD = (Meaning.YOU, Meaning.FOE, Meaning.PRIZE, Meaning.MAGIC, Meaning.DOOR, Meaning.WAY_OUT)
TEXTURES = (Meaning.FLOOR, Meaning.WALL, Meaning.UNSEEN, Meaning.REMEMBERED, Meaning.REMEMBERED_WALL)
LEGIBLE = 4.5  # least contrast of text
_TINT_INKS = {Tint.CURSOR: "tint-cursor-text", Tint.FOE: "map-back"}
_BOLD_TINTS = (Tint.DANGER, Tint.FRONTIER, Tint.CURSOR, Tint.FOE)


def cell_style(
    colours: Mapping[str, str], meaning: int | None, tint: int, is_odd: int = 0, is_underlined: bool = True
) -> Style:
    """The style of a cell; `meaning` None: the frame; `tint`: a Tint or a step of heat; `is_odd`: a darker square."""
    ink = colours[_INKS[meaning] if meaning is None or meaning in _INKS else Meaning(meaning).css]
    if tint == Tint.NONE:
        ground = GROUNDS.get(meaning, "map-odd" if is_odd else "map-back")
        return Style(color=ink, bgcolor=colours[ground], bold=meaning in BOLD or None)
    if tint >= Tint.HEAT_0:
        heat = colours[f"heat-{tint - Tint.HEAT_0}"]
        ink = max("#ffffff", "#000000", key=lambda each: contrast(each, heat))
        if meaning in (Meaning.WALL, Meaning.REMEMBERED_WALL):  # rock in the colour of its heat
            ink = Color.parse(heat).blend(Color.parse(ink), 0.2).hex
        return Style(color=ink, bgcolor=heat, bold=meaning in BOLD or None)
    if tint in _TINT_INKS:
        ink = colours[_TINT_INKS[Tint(tint)]]
    is_bold = meaning in BOLD or tint in _BOLD_TINTS
    ground = colours[f"tint-{Tint(tint).css}{'-odd' * (is_odd and tint == Tint.LIT)}"]
    if is_odd and tint == Tint.SAFE:
        ground = Color.parse(ground).darken(0.04).hex
    if meaning not in TEXTURES and contrast(ink, ground) < LEGIBLE:
        ink = colours["note"]  # the glyph still tells what it is
    return Style(
        color=ink, bgcolor=ground, bold=is_bold or None, underline=(is_underlined and tint == Tint.DANGER) or None
    )


def contrast(one: str, other: str) -> float:
    """Contrast of two colours by WCAG 2.1, from 1 to 21.

    >>> contrast("#000000", "#ffffff"), contrast("#777777", "#777777")
    (21.0, 1.0)
    """
    darker, lighter = sorted(_luminance(Color.parse(colour)) for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    parts = (part / 255 for part in colour.rgb)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def themes() -> list[Theme]:
    """The app's own themes, the default first."""
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
