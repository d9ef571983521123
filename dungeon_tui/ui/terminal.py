"""The terminal as the app reads it: no byte ends the app, and of too many keys it answers the newest."""

from __future__ import annotations

import os
import select
from asyncio import Task, create_task, sleep
from codecs import getincrementaldecoder
from collections import deque
from contextlib import suppress
from typing import Any

from textual._xterm_parser import XTermParser
from textual.app import ScreenStackError
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize
from textual.message import Message

MOST_WAITING = 256  # keys and movements of the mouse
SMALLEST, LARGEST = (10, 4), (1000, 500)  # columns and rows of a terminal that are drawn for
_PATIENCE = 0.1  # seconds between two looks at whether the app ends
_PAUSE = 0.001  # seconds between two looks at whether the app is busy


class TerminalDriver(LinuxDriver):
    """Textual's driver for POSIX, hardened.

    A byte that is not UTF-8 arrives as U+FFFD, a sequence that makes no sense not at all. What is typed while the app
    is busy waits its turn; of more than MOST_WAITING messages the oldest are dropped.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._waiting: deque[Message] = deque(maxlen=MOST_WAITING)
        self._delivering: Task[None] | None = None

    def _get_terminal_size(self) -> tuple[int, int]:
        return _within_limits(super()._get_terminal_size())

    def run_input_thread(self) -> None:
        """Reads until the app ends, or the terminal is gone."""
        parser = XTermParser(self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        while not self.exit_event.is_set():
            text = ""
            if select.select([self.fileno], [], [], _PATIENCE)[0]:
                try:
                    data = os.read(self.fileno, 4096)
                except OSError:  # a signal tells the app
                    return
                if not data:
                    return
                text = decode(data)
            for at in range(-1, len(text)):
                try:
                    for message in parser.feed(text[at]) if at >= 0 else parser.tick():
                        self.process_message(message)
                except (ValueError, OverflowError):  # a sequence with a number that is none, or no character's
                    parser = XTermParser(self._debug)

    def send_message(self, message: Message) -> None:
        """Hands a message on to the app, from the thread that reads."""
        if isinstance(message, Resize):
            message = Resize.from_dimensions(_within_limits(message.size), message.pixel_size)
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._accept, message)

    def _accept(self, message: Message) -> None:
        self._waiting.append(message)
        if self._delivering is None or self._delivering.done():
            self._delivering = create_task(self._deliver())

    async def _deliver(self) -> None:
        while self._waiting:
            await self._app._post_message(self._waiting.popleft())
            while self._waiting and self._is_busy():
                await sleep(_PAUSE)

    def _is_busy(self) -> bool:
        """True if the app has messages before it that it has not begun to handle."""
        with suppress(ScreenStackError):
            screen = self._app.screen
            return any(pump.message_queue_size for pump in (self._app, screen, screen.focused) if pump is not None)
        return False


def _within_limits(size: tuple[int, int]) -> tuple[int, int]:
    """The size between SMALLEST and LARGEST: the toolkit can't wrap words in no column, nor draw for millions."""
    columns, rows = (sorted(sides)[1] for sides in zip(SMALLEST, size, LARGEST, strict=True))
    return columns, rows
