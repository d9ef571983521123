"""Chromium without a window, driven by its DevTools protocol."""

import asyncio
import base64
import json
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.processes import PATIENCE

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
KEYS = {"Enter": (13, "\r"), "Escape": (27, ""), "ArrowRight": (39, ""), "ArrowDown": (40, ""), "Backspace": (8, "")}


class Page:
    """A page, and what came for the terminal in it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket, self._numbers = socket, count(1)
        self._answers: dict[int, dict[str, Any]] = {}
        self.addresses: list[str] = []  # of all that it loaded
        self.printed = b""

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        while number not in self._answers:
            await self._hear()
        return self._answers.pop(number)

    async def value(self, script: str) -> Any:
        answer = await self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        return answer["result"]["result"].get("value")

    async def wait_for(self, text: str) -> None:
        """Waits until a text has come, after what was waited for last."""
        async with asyncio.timeout(PATIENCE):
            while text.encode() not in self.printed:
                await self._hear()
        self.printed = self.printed.partition(text.encode())[2]

    async def press(self, *keys: str) -> None:
        """Presses and releases keys: characters, or names in KEYS."""
        for key in keys:
            code, text = KEYS.get(key, (ord(key.upper()) if len(key) == 1 else 0, key))
            values: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": code}
            await self.call("Input.dispatchKeyEvent", type="keyDown", **values, **({"text": text} if text else {}))
            await self.call("Input.dispatchKeyEvent", type="keyUp", **values)

    async def click(self, x: float, y: float) -> None:
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def resize(self, width: int, height: int) -> None:
        """Gives the page another size, in pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        await self.call("Emulation.setDeviceMetricsOverride", **size)

    async def _hear(self) -> None:
        message = await self._socket.receive_json(timeout=PATIENCE)
        if "id" in message:
            self._answers[message["id"]] = message
        elif message["method"] == "Network.webSocketFrameReceived":
            frame = message["params"]["response"]
            if frame["opcode"] == 2:
                self.printed += base64.b64decode(frame["payloadData"])
        elif message["method"] == "Network.requestWillBeSent":
            self.addresses.append(message["params"]["request"]["url"])


@asynccontextmanager
async def browser(folder: Path, address: str) -> AsyncIterator[Page]:
    """Yields a page of Chromium that shows an address; Chromium is ended with the block."""
    if PROGRAM is None:
        pytest.skip("Chromium is not installed")
    options = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage")
    place = (f"--user-data-dir={folder}", "--remote-debugging-port=0", "--window-size=1000,620")
    process = subprocess.Popen([PROGRAM, *options, *place, "about:blank"], stderr=subprocess.DEVNULL)
    try:
        async with asyncio.timeout(PATIENCE), aiohttp.ClientSession() as session:
            port = await _port(folder / "DevToolsActivePort")
            async with session.get(f"http://127.0.0.1:{port}/json") as found:
                (page,) = [each for each in json.loads(await found.text()) if each["type"] == "page"]
            async with session.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                shown = Page(socket)
                await shown.call("Network.enable")
                await shown.call("Page.enable")
                await shown.call("Page.navigate", url=address)
                yield shown
    finally:
        process.terminate()
        process.wait()


async def _port(file: Path) -> str:
    while not (file.exists() and file.read_text("utf-8").count("\n")):
        await asyncio.sleep(0.05)
    return file.read_text("utf-8").splitlines()[0]
