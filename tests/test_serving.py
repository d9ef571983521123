"""The app in browsers: played in Chromium; places, files, idleness and ends as the server has them."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from dungeon_tui.core.files import VISITOR, typed_path
from tests.processes import GONE, PATIENCE, assert_ended, command, environment, json_of, marked, refused

pytest.importorskip("textual_serve", reason="textual-serve is not installed: pip install '.[web]'")

import aiohttp

from dungeon_tui.cli import serving
from tests.browser import browser


@contextmanager
def served(*options: str, said: str = "") -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Yields the address of a server and its process, which is ended with the block if it isn't yet."""
    process = subprocess.Popen(
        command("serve", "--port", "0", *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    try:
        found = re.search(r"http://\S+", process.stdout.readline().decode())
        yield found[0], process
    finally:
        process.terminate()
        _, complaints = process.communicate(timeout=PATIENCE)
    assert re.fullmatch(rf"(Compiling, .*\n)?{said}", complaints.decode())  # where nobody has played before


@asynccontextmanager
async def served_here(names: tuple[str, ...] = ()) -> AsyncIterator[str]:
    """Yields the address of a server in this process, for one visitor."""
    runner = aiohttp.web.AppRunner(serving.VisitorServer(1, names).app())
    await runner.setup()
    try:
        await aiohttp.web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


async def first_frame(visitor: aiohttp.ClientWebSocketResponse) -> None:
    printed = b""
    while b"Crawler" not in printed:
        printed += await visitor.receive_bytes(timeout=PATIENCE)


@pytest.mark.slow
async def test_a_level_is_played_to_its_end_by_keys_in_chromium(tmp_path: Path) -> None:
    with served() as (address, _):
        async with browser(tmp_path / "chromium", address) as page:
            await page.wait_for("Crawler")
            await page.click(200, 200)  # its card
            await page.wait_for("The old abbey")
            await page.press("Enter")
            await page.wait_for("Reach the door")
            await page.resize(1280, 800)
            await page.wait_for("Reach the door")
            for number, commands in enumerate(json_of("crawler", "solve", "tutorial", "6")["commands"], 1):
                await page.wait_for(f"Level {number} of 6")  # keys meant for the level before are ignored
                await asyncio.sleep(1)
                await page.press(*commands)
            await page.wait_for("You escaped from the dungeon!")
            while not await page.value("document.body.classList.contains('-closed')"):
                await asyncio.sleep(1)  # a sudden dialogue ignores keys until they pause
                await page.press("q", "Escape")
            assert all(each.startswith((address, "data:")) for each in page.addresses)
            assert "The visit has ended" in await page.value("document.querySelector('.ended').innerText")


@pytest.mark.slow
async def test_a_phone_plays_by_keys_to_tap(tmp_path: Path) -> None:
    with served() as (address, _):
        async with browser(tmp_path / "chromium", "about:blank") as page:
            await page.resize(390, 844)
            await page.call("Emulation.setTouchEmulationEnabled", enabled=True)
            await page.call("Page.navigate", url=address)
            shown = (
                "Crawler", "The old abbey", "Reach the door", "1 move", "Undone", "Search for commands",
            )  # fmt: skip
            for key, text in zip(("", "Enter", "Enter", "ArrowDown", "Backspace", "p"), shown, strict=True):
                if key:
                    key = f"document.querySelector('[data-key={key}]').getBoundingClientRect()"
                    await page.click(*await page.value(f"(at => [at.x + 9, at.y + 9])({key})"))
                await page.wait_for(text)


async def test_a_visitor_too_many_sees_a_message_and_the_place_of_one_who_goes_is_free_again() -> None:
    with served("--visitors", "1") as (address, _):
        async with aiohttp.ClientSession() as session:
            async with session.ws_connect(f"{address}ws") as visitor:
                await first_frame(visitor)
                async with session.get(address) as answer:
                    assert answer.status == 503
                    assert await answer.text() == "All places are taken (1). Please try again in a few minutes.\n"
                with pytest.raises(aiohttp.WSServerHandshakeError, match="503"):
                    await session.ws_connect(f"{address}ws")
            async with asyncio.timeout(PATIENCE):
                while (await session.get(address)).status != 200:
                    await asyncio.sleep(0.05)


@pytest.mark.slow
def test_half_requests_and_silent_connections_end_after_ten_seconds_and_too_many_at_once() -> None:
    with served("--visitors", "1", said="Error: .*\n") as (address, _):
        place = ("127.0.0.1", int(address.rpartition(":")[2].strip("/")))
        with socket.create_connection(place) as bad:  # without a Host, which is logged
            bad.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert b"400" in bad.recv(99)
        host, began = address[7:-1].encode(), monotonic()
        sent = [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: %s\r\nContent-Length: 9\r\n\r\n" % host, *[b""] * 5, b"GET"]
        with ExitStack() as stack:
            open_ones = []
            for text in sent:
                open_ones.append(stack.enter_context(socket.create_connection(place, PATIENCE)))
                open_ones[-1].sendall(text)
                sleep(0.1)  # those that come at once are counted after they are accepted
            assert_closed(open_ones.pop())
            assert monotonic() - began < 5
            for each in open_ones:
                assert_closed(each)
        assert 8 < monotonic() - began < 15


def assert_closed(connection: socket.socket) -> None:
    """Reads to the end of a connection."""
    with suppress(ConnectionResetError):
        while connection.recv(65536):
            pass


@pytest.mark.parametrize(
    "headers",
    [
        *({"Origin": origin} for origin in ("http://elsewhere.example", "null", "file://")),
        *({"Host": host} for host in ("elsewhere", "127.0.0.1.elsewhere.example", "")),
    ],
)
async def test_a_page_of_another_site_cant_play_here(headers: dict[str, str]) -> None:
    async with served_here(("",)) as address, aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await session.ws_connect(f"{address}ws", headers=headers)


def test_the_folders_of_a_server_that_was_killed_go_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    left, used, foreign = (tmp_path / f"dungeon-tui-visitor-{name}" for name in (f"{GONE}-a", f"{os.getpid()}-a", "b"))
    for folder in (left, used, foreign):
        folder.mkdir()
    with served():
        assert [folder.exists() for folder in (left, used, foreign)] == [False, True, True]


def test_an_empty_host_is_refused() -> None:
    assert "--host" in refused("serve", "--host", "")


def test_errors_of_the_server_are_reported_once_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    complaints = serving.Complaints()
    for _ in range(3):
        complaints.report(None, {"message": "accept failed", "exception": OSError(24, "Too many open files")})
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "end",
    [
        "visitor",
        signal.SIGTERM,
        *(pytest.param(end, marks=pytest.mark.slow) for end in (signal.SIGINT, signal.SIGKILL)),
    ],
)
async def test_neither_process_nor_file_is_left_of_a_visitor(
    end: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with served() as (address, process):
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{address}ws") as visitor:
            await first_frame(visitor)
            (folder,) = tmp_path.glob("dungeon-tui-visitor-*")
            (app,) = marked(str(folder))
            assert folder.stat().st_mode & 0o077 == 0
            if isinstance(end, signal.Signals):
                process.send_signal(end)
                assert process.wait(PATIENCE) == (-end if end == signal.SIGKILL else 128 + end)
        assert_ended(app)
    assert end == signal.SIGKILL or not folder.exists()


async def test_an_idle_visit_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "IDLE", 0.1)
    async with served_here() as address, aiohttp.ClientSession() as session:
        async with session.ws_connect(f"{address}ws") as visitor:
            while (message := await visitor.receive(PATIENCE)).type is aiohttp.WSMsgType.BINARY:
                pass
        assert message.type is aiohttp.WSMsgType.CLOSE


@pytest.mark.slow
async def test_a_message_of_no_browser_ends_that_visit_alone() -> None:
    with served() as (address, _):
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{address}ws") as other:
            for sent in ("", "{", "[]", '["stdin"]', '["resize", {"width": "a", "height": []}]', "3"):
                async with session.ws_connect(f"{address}ws") as visitor:
                    await visitor.send_str(sent)
                    while not visitor.closed:
                        await visitor.receive(PATIENCE)
            await first_frame(other)


def test_a_host_that_others_reach_is_served_with_a_warning() -> None:
    with served("--host", "0.0.0.0", said=r"Warning: 0\.0\.0\.0 can be reached .* without a password.*\n"):
        pass


def test_a_port_that_is_taken_is_reported_in_a_line() -> None:
    with served() as (address, _):
        port = address.rpartition(":")[2].strip("/")
        assert refused("serve", "--port", port).startswith(f"127.0.0.1, port {port}: can't be served: ")


def test_without_the_extra_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "dungeon_tui.cli.serving")
    monkeypatch.setitem(sys.modules, "textual_serve", None)
    assert "pip install" in refused("serve")


@pytest.mark.parametrize("typed", ["../level.txt", "/etc/passwd", "~/../../etc/passwd/../..", "a/../../b", "nul\0"])
def test_a_visitor_names_no_files_but_their_own(typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VISITOR, "1")
    assert typed_path("level.txt") == "level.txt"
    with pytest.raises(ValueError, match=r"plain name|null byte"):
        typed_path(typed)
