"""Takes the moving picture from the app itself: python docs/pictures/moving.py writes moving.svg.

Each line of the screen is drawn once for each time that it looks other than before, and shown by CSS when it did: no
script, no font from elsewhere. Where less motion is wished for, the last screen stands.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from html import escape
from pathlib import Path

from rich.color import ColorType
from rich.segment import Segment
from rich.style import Style

FILE = Path(__file__).with_name("moving.svg")
sys.path.insert(0, str(FILE.parents[2]))

from dungeon_tui.core.catalogue import find_game  # noqa: E402
from dungeon_tui.ui.app import DungeonApp  # noqa: E402

COLUMNS, ROWS = 76, 24  # a phone shows letters that can be read
WIDE, HIGH = 8, 17  # pixels of a cell
SECONDS = 0.8  # a screen that WATCHED doesn't name
GAME, LEVEL = "chase", "just-in-time"
KEYS = "slash slash slash u h l A left_curly_bracket c L j l right_curly_bracket".split()
WATCHED_S = {2: 2, 3: 3, 7: 3, 8: 3, 10: 3, 11: 2, 12: 4, 13: 3}  # screens, by how many keys were pressed
BACK, INK = "#12141a", "#e0e0e0"


async def screens() -> list[list[str]]:
    """The lines of each screen, as SVG."""
    game = find_game(GAME)
    assert game is not None
    app = DungeonApp(game, game.levels().named(LEVEL))
    app.animation_level = "none"
    async with app.run_test(size=(COLUMNS, ROWS)) as pilot:
        while not hasattr(app.screen, "map"):
            await pilot.pause(0.1)
        await pilot.pause(1)
        taken = [drawn(app)]
        for key in KEYS:
            await pilot.press(key)
            await pilot.pause(0.6)
            taken.append(drawn(app))
        return taken


def drawn(app: DungeonApp) -> list[str]:
    """The lines of the present screen."""
    return [line(Segment.simplify(strip)) for strip in app.screen._compositor.render_strips()]


def line(segments: Iterable[Segment]) -> str:
    """A line, whose top is at 0: a path for each ground, a text for each ink, its characters where their cells are."""
    grounds, inks, column = defaultdict[str, str](str), defaultdict[str, list[tuple[int, str]]](list), 0
    for text, style, _ in segments:
        style = style or Style()
        ink, ground = colour(style.color, INK), colour(style.bgcolor, BACK)
        if style.reverse:
            ink, ground = ground, ink
        if ground != BACK:
            grounds[ground] += f"M{column * WIDE} 0h{len(text) * WIDE}v{HIGH}h-{len(text) * WIDE}z"
        shown = [(column + place, sign) for place, sign in enumerate(text) if not sign.isspace()]
        inks[f'fill="{ink}" font-weight="bold"' if style.bold else f'fill="{ink}"'] += shown
        column += len(text)
    paths = (f'<path fill="{ground}" d="{way}"/>' for ground, way in grounds.items())
    texts = (
        f'<text {ink} x="{" ".join(str(place * WIDE) for place, _ in signs)}" y="13">'
        f"{escape(''.join(sign for _, sign in signs))}</text>"
        for ink, signs in inks.items()
        if signs
    )
    return "".join((*paths, *texts))


def colour(given: object, usual: str) -> str:
    """A colour as SVG has it."""
    if given is None or given.type is ColorType.DEFAULT:  # type: ignore[attr-defined]
        return usual
    return str(given.get_truecolor().hex)  # type: ignore[attr-defined]


def moving(taken: list[list[str]]) -> str:
    """The screens as one picture that moves."""
    lasts = [WATCHED_S.get(keys, SECONDS) for keys in range(len(taken))]
    ends = [sum(lasts[: number + 1]) for number in range(len(lasts))]
    total = ends[-1]
    share = [0.0, *(round(100 * end / total, 2) for end in ends)]
    rules, groups = {}, []
    for row in range(ROWS):
        begin = 0
        for end in range(1, len(taken) + 1):
            if end < len(taken) and taken[end][row] == taken[begin][row]:
                continue
            name = f"s{begin}-{end}"
            hides = f"{share[end]}%{{visibility:hidden}}" if end < len(taken) else ""
            shows = f"{share[begin]}%{{visibility:visible}}"
            waits = "0%{visibility:hidden}" if begin else ""
            rules[name] = f"@keyframes {name}{{{waits}{shows}{hides}}}.{name}{{animation-name:{name}}}"
            last = "" if end < len(taken) else " last"
            if taken[begin][row]:
                groups.append(f'<g class="{name}{last}" transform="translate(0 {row * HIGH})">{taken[begin][row]}</g>')
            begin = end
    width, height = COLUMNS * WIDE, ROWS * HIGH
    style = (
        f"text{{font:13.3px monospace}}g{{visibility:hidden;animation:{total:.2f}s step-end infinite}}"
        + "".join(rules.values())
        + "@media(prefers-reduced-motion){g{animation:none}.last{visibility:visible}}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"><style>{style}</style>'
    return f'{head}<rect width="100%" height="100%" fill="{BACK}"/>{"".join(groups)}</svg>\n'


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:  # nobody's library, nobody's settings
        os.environ["DUNGEON_TUI_HOME"] = empty
        FILE.write_text(moving(asyncio.run(screens())), encoding="utf-8")
