"""Frames: what is painted while a level, an analysis, a help page and a dialogue open never moves the map."""

from typing import Any

import pytest
from textual.app import App

from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog
from tests.ui.driving import app_of, begun, dialogue, running, wait_until

OPENINGS = {
    "crawler": "tutorial",
    "chase": "open-room",
    "rescue": "first-bargain",
    "delve": "--seed 1 --rules hearts",
    "expedition": "path",
    "deep": "story",
}


@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=[pytest.mark.slow] * (name != "chase")) for name in OPENINGS]
)
async def test_the_map_stays_where_it_is(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[tuple[Any, ...]] = []

    def painted(app: App[Any]) -> None:
        for shown in app.screen_stack:
            if isinstance(shown, PlayScreen) and shown.map.render_line(shown.map.size.height // 2).text.strip():
                places.append((shown.map.region, shown.map.cells_in_view, shown.map.cell_size))

    monkeypatch.setattr(App, "post_display_hook", painted)
    app = app_of(game, OPENINGS[game])
    async with running(app, size=(80, 24)) as pilot:
        screen = await begun(pilot)
        assert len(set(places)) == 1, "as it opened"
        if screen.board is not None:
            await wait_until(pilot, lambda: not screen.session.is_strategys_turn)
            await pilot.press("A", "A")
            await wait_until(pilot, lambda: screen.line_view.is_on)
            await pilot.pause()
            assert len(set(places)) == 1, "under the analysis"
            await pilot.press("A")
        await pilot.press("question_mark", "escape")
        question = ChoiceDialog("A question", "It has two lines,\nor three.", [Answer("q", "Leave", "")])
        question.rows_to_keep_visible = screen.rows_to_keep_visible()
        app.push_screen(question)
        await dialogue(pilot)
        question.dismiss("")
        await wait_until(pilot, lambda: app.screen is screen)
        await pilot.pause()
        assert len(set(places)) == 1, "under a dialogue"
