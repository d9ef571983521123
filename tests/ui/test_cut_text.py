"""Text on the play screens: every word that is seen is whole, whatever the size of the terminal."""

from typing import Any

import pytest
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from dungeon_tui.ui.widgets.key_bar import KeyBar
from dungeon_tui.ui.widgets.message_log import MessageLog
from dungeon_tui.ui.widgets.side_panel import SidePanel, StatusLine
from dungeon_tui.ui.widgets.timeline import Timeline
from tests.ui.driving import painted, resize, shipped, wait_until

OPENINGS = {
    "crawler": "hard",
    "chase": "five-good-moves",
    "rescue": "three-rivers",
    "delve": "--seed 302 --rules hearts",
    "expedition": "ruins",
    "deep": "story",
}
KEYS = (*"ldovxi", "escape", *3 * ("slash",), "A", "A", "left_square_bracket", "question_mark")


def full_text(widget: Widget) -> str | None:
    """All that a widget has to say, if it is one that says something; some has no room."""
    match widget:
        case SidePanel():
            return None if widget.facts is None else str(widget.text(widget.facts, 0))
        case StatusLine():
            facts = widget.facts
            parts = () if facts is None else (facts.title, *facts.short, facts.goal)
            return " ".join((*parts, *widget.alerts, *widget.notes, widget.hovered))
        case MessageLog():
            return " ".join(widget.texts)
        case Timeline():
            return " ".join(widget.texts)
        case KeyBar():
            return " ".join(f"{key} {label}" for key, label, _ in widget.entries)
        case Static():
            return str(widget.content)
    return None


def cut_words(screen: Screen[Any]) -> set[str]:
    """Words on a screen that nobody said: pieces of longer ones."""
    found = set[str]()
    for widget in screen.walk_children(Widget):
        full = full_text(widget)
        if full is None or not widget.size:
            continue
        lines = 1 if isinstance(widget, Timeline) else widget.size.height
        seen = " ".join(widget.render_line(line).text for line in range(lines)).split()
        found |= {word for word in seen if any(map(str.isalpha, word))} - set(full.split())
    return found


@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=[pytest.mark.slow] * (name not in ("rescue", "delve"))) for name in OPENINGS]
)
async def test_no_word_is_cut(game: str) -> None:
    async with shipped(game, OPENINGS[game], (80, 24)) as (pilot, _):
        for key in ("", *KEYS):
            await pilot.press(*([key] if key else []))
            await painted(pilot.app.screen)
            assert cut_words(pilot.app.screen) == set(), key
        await pilot.press("escape")
        await resize(pilot, 120, 40)
        await wait_until(pilot, lambda: cut_words(pilot.app.screen) == set())
