"""The terminal: no byte ends the app, the newest of too many keys count, and only changes are sent."""

import os
import re
import select
import signal
from asyncio import Task, create_task, sleep
from codecs import getincrementaldecoder
from collections import deque
from contextlib import suppress
from threading import Condition, Thread, current_thread
from typing import Any

from textual._xterm_parser import XTermParser
from textual.app import ScreenStackError
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize
from textual.message import Message

from dungeon_tui.ui.frame import Frame

MOST_WAITING = 256  # keys and movements of the mouse
SMALLEST, LARGEST = (10, 4), (1000, 500)  # columns and rows of a terminal that are drawn for
_PATIENCE = 0.1  # seconds between two looks at whether the app ends
_MAX_FLUSH_S = 10  # a slow line gets the last bytes in less
_PAUSE = 0.001  # seconds between two looks at whether the app is busy
_SYNC = re.compile(r"\x1b\[\?2026[hl]")  # the beginning and the end of an update
_SEQUENCES = re.compile(
    r"(?:\x1b\[[^A-Za-z]*[A-Za-z]|\x1b\].*?(?:\x07|\x1b\\)|[\x07\s])*", re.DOTALL
)  # that draw nothing


class TerminalDriver(LinuxDriver):
    """Textual's driver for POSIX, hardened.

    A byte that is not UTF-8 arrives as U+FFFD, a sequence that makes no sense not at all. What is typed while the app
    is busy waits its turn; of more than MOST_WAITING messages the oldest are dropped. The terminal gets only cells that
    changed, and one that is slow skips pictures.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._waiting: deque[Message] = deque(maxlen=MOST_WAITING)
        self._delivering: Task[None] | None = None
        self._frame = Frame()
        self._sequences = ""  # to be sent before what the frame holds
        self._changed = Condition()
        self._sender: Thread | None = None

    def write(self, data: str) -> None:
        """Draws on the frame, which another thread sends; sequences that draw nothing are sent as they are."""
        with self._changed:
            if _SYNC.fullmatch(data):
                return
            if not self._frame.draw(data):
                self._sequences += self._frame.update() + data
                if "\x1b[?1049" in data or not _SEQUENCES.fullmatch(data):
                    self._frame.forget()
            if self._sender is None:
                self._sender = Thread(target=self._send, daemon=True)
                self._sender.start()
            self._changed.notify()

    def close(self) -> None:
        """Sends the rest, which on a slow line takes a while."""
        with self._changed:
            sender, self._sender = self._sender, None
            self._changed.notify()
        if sender is not None:
            sender.join(_MAX_FLUSH_S)
        super().close()

    def _send(self) -> None:
        while True:
            with self._changed:
                while not (data := self._sequences + self._frame.update()):
                    if self._sender is not current_thread():
                        return
                    self._changed.wait()
                self._sequences = ""
            assert self._file is not None
            with suppress(OSError):  # the terminal is gone; a signal tells the app
                self._file.write(data)
                self._file.flush()

    # Signals wait for the loop: leaving the terminal inside `write` would wait for the sender, which waits for `write`.

    def _sigtstp_application(self, *_: object) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(super()._sigtstp_application)

    def _sigcont_application(self, *_: object) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._resume)

    def _resume(self) -> None:
        if self._is_in_background():
            os.kill(os.getpid(), signal.SIGSTOP)
            return
        if not self._must_signal_resume:  # SIGSTOP gave no time to leave the terminal, and a shell may have changed it
            self.suspend_application_mode()
        super()._sigcont_application()

    def _is_in_background(self) -> bool:
        try:
            return os.tcgetpgrp(self.fileno) != os.getpgrp()
        except OSError:  # no terminal that has a foreground
            return False

    def _get_terminal_size(self) -> tuple[int, int]:
        with self._changed:
            self._frame.forget()  # asked when the size changed
        return _within_limits(super()._get_terminal_size())

    def run_input_thread(self) -> None:
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
        if isinstance(message, Resize):
            with self._changed:
                self._frame.forget()
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
        with suppress(ScreenStackError):
            screen = self._app.screen
            return any(pump.message_queue_size for pump in (self._app, screen, screen.focused) if pump is not None)
        return False


def _within_limits(size: tuple[int, int]) -> tuple[int, int]:
    """Textual can't wrap words in no columns, nor draw millions."""
    columns, rows = (sorted(sides)[1] for sides in zip(SMALLEST, size, LARGEST, strict=True))
    return columns, rows
