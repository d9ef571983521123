"""`dungeon-tui serve`: the app in browsers, by textual-serve; each visitor has a process and a temporary folder."""

import asyncio
import logging
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Collection
from contextlib import suppress
from html import escape
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from shutil import rmtree
from socket import gethostname
from string import Template
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import textual_serve
from aiohttp import WSCloseCode, web
from aiohttp.typedefs import Handler
from textual_serve.app_service import AppService
from textual_serve.server import Server
from yarl import URL

import dungeon_tui
from dungeon_tui.cli.interrupts import ends_by
from dungeon_tui.core.files import VISITOR, left_behind
from dungeon_tui.core.plain import ENDS, fail, tell
from dungeon_tui.core.words import reason
from dungeon_tui.storage.folders import HOME
from dungeon_tui.ui.loading import compile_elsewhere, has_few_kernels

IDLE = 30 * 60  # seconds without a key after which a visit ends
_LEAVE_TIMEOUT_S = 2  # for a visitor's app
_UNUSED_CONNECTION_S = 10
_COMPLAINT_EVERY_S = 60
_CONNECTIONS_A_VISITOR = 8  # a socket, and what a browser opens to load the page
_FOLDER = "dungeon-tui-visitor-"  # then the server's process, and a random name
_MOST_COLUMNS, _MOST_ROWS = 1000, 500  # of a screen
_LONGEST_MESSAGE = 2**16  # bytes from a browser: a paste, at most
_PAGE = Template(Path(__file__).with_name("visitor.html").read_text("utf-8"))
_STATIC = Path(textual_serve.__file__).with_name("static")
_HEADERS = {  # nothing is loaded from elsewhere, and no other page shows this one
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline' data:; connect-src 'self' ws: wss:; "
    "frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
_PROGRAM = "import sys; sys.path.append(sys.argv.pop()); from dungeon_tui.__main__ import main; main()"


def serve(host: str, port: int, visitors: int, name: str = "") -> int:
    """Serves until a signal comes; returns the exit status, 128 + its number.

    Args:
        host: the address to listen on.
        port: 0 for any free one.
        visitors: the most at a time.
        name: another name that browsers may use, besides addresses and the name of this machine.
    """
    if not host:
        fail("--host is empty: name an address to listen on, such as 127.0.0.1")
    address = _address(host)
    if host != "localhost" and (address is None or not address.is_loopback):
        print(
            f"Warning: {host} can be reached from other machines. Anyone who finds port {port} can play, without a "
            "password or encryption, in processes of your account, but can't open your files.",
            file=sys.stderr,
        )
    for folder in left_behind(_FOLDER):
        rmtree(folder, ignore_errors=True)
    return asyncio.run(_serve(host, port, visitors, name))


async def _serve(host: str, port: int, visitors: int, name: str) -> int:
    if has_few_kernels():  # each visitor's app would compile them
        print("Compiling, first time only (about 20 s) ...", file=sys.stderr)
        with suppress(ValueError):
            await compile_elsewhere("", lambda *_: None)
    loop, ends = asyncio.get_running_loop(), asyncio.Queue[int]()
    complaints = Complaints()
    loop.set_exception_handler(complaints.report)
    logging.getLogger("aiohttp.server").addFilter(complaints.report_request)
    runner = web.AppRunner(
        VisitorServer(visitors, {host, name}).app(),
        access_log=None,
        shutdown_timeout=2 * _LEAVE_TIMEOUT_S,
        keepalive_timeout=_UNUSED_CONNECTION_S,
    )
    with ends_by(lambda status: loop.call_soon_threadsafe(ends.put_nowait, status), (signal.SIGINT, *ENDS)):
        await runner.setup()
        try:
            connect = limited(runner.server, visitors * _CONNECTIONS_A_VISITOR)
            server = await loop.create_server(connect, host, port, backlog=2 * _CONNECTIONS_A_VISITOR)
            address, taken = server.sockets[0].getsockname()[:2]
            if address in ("0.0.0.0", "::"):  # all addresses, which a browser can't open
                address = gethostname()
            shown = f"[{address}]" if ":" in address else address
            print(f"Play at http://{shown}:{taken}/ (Ctrl-C to stop)", flush=True)
            status = await ends.get()
            server.close()
            return status
        except OSError as error:
            fail(f"{host}, port {port}: can't be served: {reason(error)}")
        finally:
            await runner.cleanup()


def limited(server: web.Server | None, most: int) -> Callable[[], asyncio.Protocol]:
    """A factory of a server's connections that ends at once those beyond a number."""
    assert server is not None
    return lambda: server() if len(server.connections) < most else _Refusal()


class _Refusal(asyncio.Protocol):
    def connection_made(self, transport: Any) -> None:
        transport.abort()


def _address(host: str) -> IPv4Address | IPv6Address | None:
    with suppress(ValueError):
        return ip_address(host)
    return None


class Complaints:
    """Reports errors of the event loop, such as too many open files, in one line and not too often."""

    def __init__(self) -> None:
        self._last = -_COMPLAINT_EVERY_S * 1.0  # seconds

    def report(self, _loop: object, context: dict[str, Any]) -> None:
        """For the event loop."""
        error = context.get("exception")
        self._say(reason(error) if isinstance(error, OSError) else context["message"])

    def report_request(self, record: logging.LogRecord) -> bool:
        """For aiohttp's log: its records, and their tracebacks, go no further."""
        self._say(record.getMessage())
        return False

    def _say(self, text: str) -> None:
        if monotonic() - self._last >= _COMPLAINT_EVERY_S:
            self._last = monotonic()
            tell(f"Error: {text}")


class VisitorServer:
    """Serves the app to a limited number of visitors, who use an address, or a known name of this machine."""

    def __init__(self, limit: int, names: Collection[str] = ()) -> None:
        self._limit = limit
        self._names = {"localhost", gethostname().lower(), *(name.lower() for name in names if name)}
        self._sockets: set[web.WebSocketResponse] = set()  # one for each visitor
        self._server = Server("")  # for its messages and downloads

    def app(self) -> web.Application:
        """The pages: the app's, its socket's, downloads, and textual-serve's files."""
        app = web.Application(middlewares=[self._check_host])
        app.add_routes(
            [
                web.get("/", self._page),
                web.get("/ws", self._visit),
                web.get("/download/{key}", self._server.handle_download),
                web.static("/static", _STATIC),
            ]
        )
        app.on_shutdown.append(self._close)
        return app

    @web.middleware
    async def _check_host(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses other names: a page of a name that leads here by a trick could play in a visitor's place."""
        name = ""
        with suppress(ValueError):  # no name and port at all
            name = (URL(f"//{request.host}").host or "").lower()
        if name not in self._names and _address(name) is None:
            raise web.HTTPForbidden(text="Unknown name of this server: serve --name NAME allows one.\n")
        return await handler(request)

    async def _page(self, request: web.Request) -> web.Response:
        self._refuse_if_full()
        scheme = request.headers.get("X-Forwarded-Proto", request.scheme).replace("http", "ws")
        socket = escape(f"{scheme}://{request.host}/ws")
        text = _PAGE.substitute(socket=socket, minutes=IDLE // 60)
        return web.Response(text=text, content_type="text/html", headers=_HEADERS)

    def _refuse_if_full(self) -> None:
        if len(self._sockets) >= self._limit:
            text = f"All places are taken ({self._limit}). Please try again in a few minutes.\n"
            raise web.HTTPServiceUnavailable(text=text, headers={"Retry-After": "60"})

    async def _visit(self, request: web.Request) -> web.WebSocketResponse:
        """Runs the app while a browser shows it."""
        origin = request.headers.get("Origin")  # only programs that are no browsers send none
        if origin is not None and origin not in (f"http://{request.host}", f"https://{request.host}"):
            raise web.HTTPForbidden(text="Pages of other sites can't play here.\n")
        self._refuse_if_full()
        socket = web.WebSocketResponse(heartbeat=15, max_msg_size=_LONGEST_MESSAGE)
        self._sockets.add(socket)
        try:
            await socket.prepare(request)
            with TemporaryDirectory(prefix=f"{_FOLDER}{os.getpid()}-", ignore_cleanup_errors=True) as folder:
                await self._play(socket, Path(folder).resolve(), request.query)
            await socket.close()
        finally:
            self._sockets.discard(socket)
        return socket

    async def _play(self, socket: web.WebSocketResponse, folder: Path, query: Any) -> None:
        # Messages that no browser sends can raise anything of this.
        with suppress(TimeoutError, ValueError, LookupError, TypeError, AttributeError, AssertionError):
            async with asyncio.timeout(IDLE) as idle:
                visitor = _Visitor(socket, self._server, folder, idle)
                try:
                    await visitor.start(int(query.get("width", 80)), int(query.get("height", 24)))
                    await self._server._process_messages(socket, visitor)
                finally:
                    await visitor.stop()

    async def _close(self, _app: web.Application) -> None:
        for socket in tuple(self._sockets):
            await socket.close(code=WSCloseCode.GOING_AWAY)


class _Visitor(AppService):
    """A process of the app for one visitor."""

    def __init__(self, socket: web.WebSocketResponse, server: Server, folder: Path, idle: asyncio.Timeout) -> None:
        super().__init__(
            "",
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=socket.close,  # type: ignore[arg-type]
            download_manager=server.download_manager,
        )
        self._folder, self._idle = folder, idle

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        return {
            **super()._build_environment(min(width, _MOST_COLUMNS), min(height, _MOST_ROWS)),
            HOME: str(self._folder),
            VISITOR: "1",
            "TEXTUAL_DRIVER": "dungeon_tui.ui.browser:BrowserDriver",
            "PYTHONSAFEPATH": "1",  # don't import the visitor's files
        }

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        """Starts the app in the visitor's folder and its own session, so that all its children can be ended."""
        package = str(Path(dungeon_tui.__file__).parents[1])
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _PROGRAM, package),
            stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=self._folder, start_new_session=True,
            env=self._build_environment(width, height),
        )  # fmt: skip
        self._stdin = self._process.stdin
        return self._process

    async def send_bytes(self, data: bytes) -> bool:
        self._idle.reschedule(asyncio.get_running_loop().time() + IDLE)
        return await super().send_bytes(data)

    async def set_terminal_size(self, width: int, height: int) -> None:
        await super().set_terminal_size(min(width, _MOST_COLUMNS), min(height, _MOST_ROWS))

    async def stop(self) -> None:
        """Lets the app leave, then kills the rest of its session."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(super().stop(), _LEAVE_TIMEOUT_S)
        finally:
            with suppress(ProcessLookupError):
                if os.name == "posix":
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
            await process.wait()
