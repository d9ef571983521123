"""Games as web pages: complete, escaped, within the size that is promised, and played in Chromium."""

import asyncio
import base64
import html
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.recording import Recording, reexecute
from dungeon_tui.core.turns import Turn
from dungeon_tui.storage import recordings
from dungeon_tui.storage.recordings import load
from dungeon_tui.ui import page as pages
from dungeon_tui.ui.play.game_view import GameView
from tests.processes import PATIENCE, printed, run
from tests.ui.driving import do, shipped, wait_until

RECORDINGS = Path(__file__).parents[1] / "recordings"
SHORT = 5000  # bytes of a recording; longer ones take long
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[31m&amp;"


def written(recording: Recording, title: str = "", forks_at: int = 0) -> str:
    game, (controller, _) = find_game(recording.game), reexecute(recording)
    if forks_at:  # leave the game there for one other move
        last = controller.turn
        controller.go_to(last.line()[forks_at])
        played = last.line()[forks_at + 1].action
        controller.apply(next(each for each in controller.rules.legal_actions(controller.state) if each != played))
        controller.go_to(last)
    return pages.page(pages.Played(game, controller, controller.turn, title or recording.title, recording.arguments))


def data_of(page: str) -> dict[str, Any]:
    return json.loads(zlib.decompress(base64.b64decode(re.search(r'id="data">(.*?)</script>', page)[1])))


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=file.stem, marks=[pytest.mark.slow] * (file.stat().st_size > SHORT))
        for file in sorted(RECORDINGS.glob("*.jsonl"))
    ],
)
def test_a_page_has_every_turn_and_loads_nothing(file: Path) -> None:
    recording = load(file)
    page = written(recording)
    data = data_of(page)
    assert data["moves"] == list(recording.actions)
    assert len(data["turns"]) == len(recording.actions) + 1
    assert all(distances for *_, distances in data["turns"])
    assert not [text for _, text in data["lines"] if re.search(r"\{[a-z]", text)]  # ids of keys
    assert len(page.encode()) < 60_000 + 480 * len(data["turns"])  # 300 kB for 500 turns
    rows = [data["rows"][row] for row in data["turns"][-1][2]]
    assert all(len(text) == len(styles) * data["columns"] for text, styles in data["rows"])
    shown = re.search(r'<pre id="map"[^>]*>(.*?)</pre>', page, re.DOTALL)[1]
    assert html.unescape(shown) == "\n".join(text for text, _ in rows)  # what is seen without JavaScript
    assert not re.search(r"https?:|//[a-z]|@import|url\(", re.sub(r'id="data">.*', "", page))


def test_hostile_titles_and_moves_stay_text() -> None:
    page = written(load(RECORDINGS / "crawler-tutorial-escaped.jsonl"), HOSTILE)
    assert page.count("<script") == 2
    assert "<img" not in page
    assert "\x1b" not in page


def test_variations_are_turns_after_those_of_the_game() -> None:
    page = written(load(RECORDINGS / "rescue-classic-saved.jsonl"), forks_at=2)
    data = data_of(page)
    assert data["parents"] == [*range(data["last"]), 2]
    assert f'</a> <small>(<a href="#t={data["last"] + 1}">{data["moves"][-1]}</a>)</small></li>' in page


def test_a_part_of_a_large_map_follows_the_player() -> None:
    for focus in range(1000):
        start, stop = pages.part(focus, 1000, pages.MAX_ROWS)
        assert start <= focus < stop <= 1000
        assert stop - start == pages.MAX_ROWS
    assert pages.part(3, 10, pages.MAX_ROWS) == (0, 10)


@pytest.mark.slow
def test_the_command_replaces_pages_only(tmp_path: Path) -> None:
    source, output = tmp_path / "game.jsonl", tmp_path / "game.html"
    source.write_bytes((RECORDINGS / "rescue-classic-saved.jsonl").read_bytes())
    for _ in range(2):
        assert run("recording", "page", str(source), "--output", str(output)).returncode == 0
    assert output.read_text("utf-8") == printed("recording", "page", str(source))
    before = source.read_bytes()
    assert run("recording", "page", str(source), "--output", str(source)).returncode != 0
    assert source.read_bytes() == before


async def test_a_game_on_screen_becomes_a_page_of_its_turns() -> None:
    async with shipped("crawler", "tutorial") as (pilot, screen):
        await pilot.press("d", "d", "a")
        await do(pilot, "analysis", "analysis")
        await wait_until(pilot, lambda: len(screen.session.line.judgements) == 4)
        await do(pilot, "page")
        await wait_until(pilot, lambda: list(recordings.folder().glob("*.html")))
        (file,) = recordings.folder().glob("*.html")
        data = data_of(file.read_text("utf-8"))
        assert data["moves"] == ["d", "d", "a"]
        assert [fault for _, fault, _ in data["judged"]] == ["", "", "slip", "slip"]  # as on the timeline
        assert screen.controller.turn.ply == 3


@pytest.mark.slow
async def test_keys_go_to_mistakes_and_print_has_the_moves_in_chromium(tmp_path: Path) -> None:
    pytest.importorskip("aiohttp", reason="aiohttp is not installed: pip install '.[web]'")
    from tests.browser import browser

    file = tmp_path / "game.html"
    source = RECORDINGS / "chase-five-good-moves-captured.jsonl"
    assert run("recording", "page", "--judge", str(source), "--output", str(file)).returncode == 0
    async with browser(tmp_path / "chromium", file.as_uri()) as page:
        verdict = "document.getElementById('verdict')?.textContent"
        async with asyncio.timeout(PATIENCE):
            while not await page.value(verdict):
                await asyncio.sleep(0.05)
        await page.press("}")
        assert await page.value(verdict) == "The rogue's mistake: captured in 9 moves"
        assert await page.value("document.querySelectorAll('#curve .mistake').length") == 1
        await page.call("Emulation.setEmulatedMedia", media="print")
        await page.value("dispatchEvent(new Event('beforeprint'))")
        assert await page.value("document.getElementById('moves').checkVisibility()")
        assert not await page.value("document.getElementById('play').checkVisibility()")


def test_a_game_without_exact_play_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GameView, "feature", lambda *_: None)
    with pytest.raises(ValueError, match="the deep has no exact play"):
        pages.judgements(find_game("deep"), Turn(None))


@pytest.mark.slow
async def test_keys_buttons_and_links_in_chromium(tmp_path: Path) -> None:
    pytest.importorskip("aiohttp", reason="aiohttp is not installed: pip install '.[web]'")
    from tests.browser import browser

    file = tmp_path / "a game.html"
    file.write_text(written(load(RECORDINGS / "crawler-easy-escaped.jsonl"), HOSTILE, forks_at=3), "utf-8")
    async with browser(tmp_path / "chromium", f"{file.as_uri()}#t=3") as page:
        turn = "document.getElementById('turn')?.textContent.match(/Turn (\\d+)/)?.[1]"
        async with asyncio.timeout(PATIENCE):
            while await page.value(turn) != "3":
                await asyncio.sleep(0.05)
        await page.press("v", "o")
        assert await page.value("document.getElementById('turn').hash") == "#t=135"
        assert await page.value("document.querySelector('#moves .now').hash") == "#t=135"
        assert await page.value("document.querySelector('[aria-pressed=true]').id") == "distances"
        await page.press("v")
        assert await page.value(turn) == "3"
        await page.press("ArrowRight", "ArrowRight")
        assert await page.value(turn) == "5"
        assert await page.value("document.getElementById('first').click()") is None
        assert await page.value(turn) == "0"
        assert await page.value("document.getElementById('last').click()") is None
        assert await page.value("document.getElementById('timeline').value") == await page.value(turn) == "134"
        for width in (390, 1280):
            await page.resize(width, 800)
            assert await page.value("document.documentElement.scrollWidth <= innerWidth")
        assert await page.value("document.scripts.length") == 2
