"""Visitors of `dungeon-tui serve`: seconds to the first frame of each, and the memory of all.

python -m tests.bench.visitors [--visitors 8]

They come three seconds apart, open a game each and press keys. Memory that processes share is divided among them.
"""

import argparse
import asyncio
import json
import re
import subprocess
from itertools import chain
from pathlib import Path
from time import perf_counter

import aiohttp

from tests.processes import command, environment, marked

MARK = "DUNGEON_TUI_BENCH"
GAMES = 6
KEYS = "odsdsxv/"  # an overlay, moves, danger, sights, a hint


async def first_frame(socket: aiohttp.ClientWebSocketResponse) -> None:
    """Waits for the home screen."""
    printed = b""
    while b"Crawler" not in printed:
        printed += await socket.receive_bytes()


async def play(socket: aiohttp.ClientWebSocketResponse, game: int) -> None:
    """Opens the first level of a game and presses keys there; reads what comes until the end."""
    for key in chain([str(game), "\r"], KEYS):
        await asyncio.sleep(1)
        await socket.send_json(["stdin", key])
        while True:
            try:
                await asyncio.wait_for(socket.receive(), 0.2)
            except TimeoutError:
                break
    async for _ in socket:
        pass


def memory(process: int) -> int:
    """Bytes of a process; what it shares with others is divided among them."""
    return 1024 * int(
        re.findall(r"^Pss: +([0-9]+)", Path(f"/proc/{process}/smaps_rollup").read_text(), re.MULTILINE)[0]
    )


async def measure(visitors: int) -> None:
    """Lets visitors come, one after the other; prints the figures."""
    arguments = command("serve", "--port", "0", "--visitors", str(visitors))
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, env=environment(**{MARK: "1"}))
    assert process.stdout is not None
    address = re.findall(r"http://\S+", process.stdout.readline().decode())[0]
    async with aiohttp.ClientSession() as session:
        seconds, playing = [], []
        for number in range(visitors):
            began = perf_counter()
            socket = await session.ws_connect(f"{address}ws?width=120&height=40")
            await first_frame(socket)
            seconds.append(perf_counter() - began)
            playing.append(asyncio.create_task(play(socket, 1 + number % GAMES)))
            await asyncio.sleep(3)
        await asyncio.sleep(30)
        sizes = sorted(memory(each) // 2**20 for each in marked(f"{MARK}=1"))
    process.terminate()
    process.wait()
    print(json.dumps({"first frames, s": [round(each, 2) for each in seconds], "MiB": sizes, "sum": sum(sizes)}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--visitors", type=int, default=8)
    asyncio.run(measure(parser.parse_args().visitors))
