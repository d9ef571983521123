"""Runs the app from the shell; separate from the command line, so that the menu appears without loading that."""

from __future__ import annotations

import faulthandler
import os
import platform
import signal
import sys
import traceback
from collections.abc import Mapping
from datetime import date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from dungeon_tui import __version__
from dungeon_tui.cli.interrupts import ends_by
from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.core.files import write_text
from dungeon_tui.core.plain import ENDS, fail, tell
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import reason
from dungeon_tui.engine.kernel_cache import Compiling
from dungeon_tui.storage.folders import home
from dungeon_tui.storage.settings import Preferences, own_settings

if TYPE_CHECKING:
    from dungeon_tui.ui.play.screen import PlayScreen

_LEAVE_TIMEOUT_S = 20  # once the terminal has gone


def has_screen() -> bool:
    """True if standard input and output are a terminal that can draw, or a driver without one is set."""
    if os.environ.get("TEXTUAL_DRIVER"):
        return True
    has_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    term = os.environ.get("TERM", "dumb" if os.name == "posix" else "windows")  # Windows sets none
    return has_terminal and term not in ("", "dumb")


def open_app(
    game: Game | None = None,
    opening: Opening | None = None,
    record: Path | None = None,
    ascii_only: bool = False,
    day: date | None = None,
    asks: bool = False,
) -> NoReturn:
    """Runs the app, on the menu or an opening; then writes the recording, reports a crash, and ends the process."""
    from dungeon_tui.ui.app import DungeonApp

    Compiling.begins = None  # the app shows it
    preferences = Preferences(own_settings(), is_saved=True)
    app = DungeonApp(game, opening, day=day, ascii_only=ascii_only, warms_up=True, asks=asks, preferences=preferences)

    def end(exit_status: int) -> None:
        if exit_status != 128 + signal.SIGINT:  # the user can't end the process if leaving hangs
            faulthandler.dump_traceback_later(_LEAVE_TIMEOUT_S, exit=True, file=nothing)
        app.end(exit_status)

    nothing = open(os.devnull, "w")  # noqa: SIM115  # until the process ends
    with ends_by(end, (signal.SIGINT, *ENDS)):  # the terminal must be restored, even while modules load
        message = app.run()
        if app.crash is not None:
            _tell_crash(app.crash)  # first, so that an error in saving can't lose it
        if record is not None and game is not None and app.played is not None:
            session = app.played.session
            turn = session.turn_to_keep
            write_recording(record, session.controller, game.name, session.players, session.arguments, turn)
    if app.crash is not None and record is None and app.played is not None:
        _keep(app.played)
    app.library.close()
    if app.played is not None and app.crash is None and not app.return_code:
        _say_how_to_continue(app.played)
    if app.played is not None and app.played.journal is not None and app.played.journal.saved is not None:
        tell(app.played.journal.trouble)
    if app.saved is not None:
        print(f"Saved: {printable(app.saved)}")
    if isinstance(message, str):
        fail(message)
    sys.exit(app.return_code or 0)


def _tell_crash(crash: Exception) -> None:
    tell(f"The program crashed: {type(crash).__name__}: {crash}")
    versions = f"dungeon-tui {__version__}, Textual {version('textual')}, Python {platform.python_version()}"
    text = f"{versions}, {platform.platform()}\n\n{''.join(traceback.format_exception(crash))}"
    try:
        path = home() / "reports" / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", "backslashreplace")
        tell(f"Crash report: {path}")
    except OSError as error:
        tell(f"The crash report could not be written: {reason(error)}")


def _say_how_to_continue(played: PlayScreen) -> bool:
    """Says on standard error how to continue a game in the library; True if the library has the game."""
    if played.journal is None or played.journal.trouble:
        return False
    controller = played.session.controller
    if played.session.turn_to_keep.ply and controller.outcome is None:
        tell("Your game is saved: dungeon-tui continue resumes it.")
    return True


def _keep(played: PlayScreen) -> None:
    from dungeon_tui.storage.recordings import save

    session = played.session
    if not _say_how_to_continue(played) and session.turn_to_keep.ply:
        try:
            tell(f"Your game is saved: {save(session, played.view.game.name, 'saved')}")
        except OSError as error:
            tell(f"Your game could not be saved: {reason(error)}")


def write_recording(
    path: Path, controller: Any, game_name: str, players: Mapping[str, str], arguments: str, turn: Any = None
) -> None:
    """Writes a recording of the turns up to one, by default the current; `players` by seat. Raises UnwritableError."""
    from dungeon_tui.core.recording import record, recording_text

    write_text(path, recording_text(record(controller, game_name, players, turn=turn, arguments=arguments)))
