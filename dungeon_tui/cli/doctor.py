"""`dungeon-tui doctor`: terminal, files and versions as they are; what is wrong, and what to do about it."""

from __future__ import annotations

import os
import platform
import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from shlex import quote
from shutil import get_terminal_size
from textwrap import wrap
from time import monotonic
from typing import Any

import dungeon_tui
from dungeon_tui.cli.app import has_screen
from dungeon_tui.core.catalogue import find_games
from dungeon_tui.core.text import one_line
from dungeon_tui.core.words import counted, reason
from dungeon_tui.engine.kept import kept_kernels
from dungeon_tui.storage.library import NAME, VERSION, suspicion
from dungeon_tui.storage.places import home
from dungeon_tui.storage.settings import Settings, load_settings, settings_path
from dungeon_tui.ui.preferences import Preferences

SMALLEST = (80, 24)  # columns and rows that all screens are made for
FEWEST_COLOURS = 256
_PATIENCE = 0.15  # seconds for a terminal to answer
_DRAWN = "·░┌●"  # a column each, or maps are drawn wrong
_QUESTIONS = f"\r{_DRAWN}\x1b[6n\r\x1b[K\x1b[?1006$p\x1b[c"  # where is the cursor now? the mouse? what can you do?
_CURSOR, _MOUSE, _ABLE = (
    re.compile(text) for text in (rb"\x1b\[\d+;(\d+)R", rb"\x1b\[\?1006;(\d)\$y", rb"\x1b\[\?([\d;]*)c")
)
_BESIDE = ("", "-wal", "-shm")  # endings of the files of a database
_CLIPBOARD = b"52"  # among what a terminal says it can do


@dataclass
class Report:
    """All that the doctor has found."""

    values: dict[str, Any] = field(default_factory=dict)
    problems: list[dict[str, str]] = field(default_factory=list)

    def wrong(self, what: str, remedy: str) -> None:
        """Notes what is wrong, and what to do about it."""
        self.problems.append({"what": one_line(what), "do": remedy})


def examine() -> Report:
    """Looks at everything; nothing is compiled, and nothing changed."""
    report = Report()
    report.values["versions"] = _versions(report)
    report.values["terminal"] = _terminal(report)
    report.values["files"] = _files(report)
    report.values["kernels"] = _kernels()
    return report


# -- versions


def _versions(report: Report) -> dict[str, str]:
    found = {"dungeon-tui": dungeon_tui.__version__, "Python": platform.python_version()}
    found |= {"SQLite": sqlite3.sqlite_version, "system": platform.platform()}
    names = [re.split(r"[^\w-]", text)[0] for text in _requirements() if "extra ==" not in text]
    for name in names or ["textual", "rich", "numpy", "numba", "typer", "platformdirs", "tomlkit"]:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            report.wrong(f"{name} is not installed", "install dungeon-tui again, with all that it needs")
    return found


def _requirements() -> list[str]:
    try:
        return requires("dungeon-tui") or []
    except PackageNotFoundError:  # run from its sources
        return []


# -- the terminal


def _terminal(report: Report) -> dict[str, Any]:
    """Facts on the terminal; None where it doesn't tell, all of them where there is none."""
    names: dict[str, Any] = dict.fromkeys(("term", "columns", "rows", "colours", "unicode", "mouse", "osc52"))
    if not sys.stdin.isatty():
        return names
    size = get_terminal_size()
    term = os.environ.get("TERM", "")
    answers = _answers()
    able = _ABLE.search(answers)
    cursor, mouse = _CURSOR.search(answers), _MOUSE.search(answers)
    colours, has_mouse = _terminfo(term)
    encoding = (sys.stdout.encoding or "ascii").lower()
    names |= {"term": term, "columns": size.columns, "rows": size.lines, "colours": colours}
    names["unicode"] = False if "utf" not in encoding else int(cursor[1]) == len(_DRAWN) + 1 if cursor else None
    names["mouse"] = True if mouse and mouse[1] != b"0" else has_mouse
    names["osc52"] = True if able and _CLIPBOARD in able[1].split(b";") else None
    if not has_screen() and sys.stdout.isatty():
        remedy = "set TERM to your terminal's, say xterm-256color"
        report.wrong(f"TERM is {term or 'not set'}: nothing can be drawn", remedy)
    if size < SMALLEST:
        report.wrong(f"the terminal has {size.columns} x {size.lines} characters", "make it 80 x 24 or larger")
    if names["unicode"] is False:
        cause = f"the encoding is {encoding}" if "utf" not in encoding else f"{_DRAWN} take more than a column each"
        report.wrong(f"maps can't be drawn with Unicode: {cause}", 'choose a locale in UTF-8, or set glyphs = "ascii"')
    if colours < FEWEST_COLOURS:
        known = f"TERM={term} says that there are {counted(colours, 'colour')}"
        report.wrong(known, "if your terminal has more, set COLORTERM=truecolor or TERM=xterm-256color")
    return names


def _terminfo(term: str) -> tuple[int, bool | None]:
    """The number of colours that the environment speaks of, and whether it knows of a mouse; None: it doesn't say."""
    colours, mouse = 2**24 if os.name == "nt" else 0, None
    with suppress(Exception):  # no such terminal is known, or Windows
        import curses

        curses.setupterm(term or None)
        colours = max(curses.tigetnum("colors"), 0)
        mouse = True if curses.tigetstr("kmous") else None
    return (2**24 if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") else colours), mouse


def _answers() -> bytes:
    """The terminal's answers to a few questions; empty where it gives none, or can't be asked."""
    with suppress(Exception), _asking() as descriptor:
        import select

        os.write(descriptor, _QUESTIONS.encode())
        answers, deadline = b"", monotonic() + _PATIENCE
        while not _ABLE.search(answers) and select.select([descriptor], [], [], max(deadline - monotonic(), 0))[0]:
            answers += os.read(descriptor, 4096)
        return answers
    return b""


@contextmanager
def _asking() -> Iterator[int]:
    """Yields the terminal, open, which neither echoes nor waits for a line end within the block."""
    import termios
    import tty

    descriptor = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    try:
        if os.tcgetpgrp(descriptor) != os.getpgrp():
            raise OSError("in the background, asking would stop the program")
        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor, termios.TCSANOW)
            yield descriptor
        finally:
            termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)
    finally:
        os.close(descriptor)


# -- the files


def _files(report: Report) -> dict[str, Any]:
    """Paths and sizes of all that is kept."""
    try:
        place, settings = home(), settings_path()
    except OSError as error:
        report.wrong(reason(error), "set DUNGEON_TUI_HOME to a folder; else nothing is kept")
        return {}
    for folder in dict.fromkeys([place, settings.parent]):
        there = next(each for each in (folder, *folder.parents) if each.exists())
        if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
            report.wrong(f"{folder}: nothing can be written there", "allow it, or name another one by DUNGEON_TUI_HOME")
    found = {name: _size(place / name) for name in ("recordings", "reports")}
    found["library"] = _size(place / NAME) | {"games": _games(place / NAME, report)}
    for path in sorted(place.glob(f"{NAME}.*")):  # set aside, or copies
        if not path.name.endswith(_BESIDE[1:]) and path != suspicion(place / NAME):
            found[path.name] = _size(path)
    found["settings"] = _size(settings)
    for fault in sorted(_setting_faults(settings), key=lambda text: _place(text, settings)):
        report.wrong(fault, "mend the line; dungeon-tui --reset-settings begins anew, and keeps the file beside")
    return found


def _place(fault: str, path: Path) -> list[int]:
    """Line and column of a fault in a file."""
    return [int(number) for number in fault.removeprefix(str(path)).split(":", 3)[1:3] if number.isdecimal()]


def _size(path: Path) -> dict[str, Any]:
    """Path, bytes and number of files of a file with those that SQLite has beside it, or of a folder."""
    try:
        files = list(path.iterdir()) if path.is_dir() else [path.with_name(path.name + ending) for ending in _BESIDE]
        sizes = [file.stat().st_size for file in files if file.is_file()]
    except OSError:
        sizes = []
    return {"path": str(path), "bytes": sum(sizes), "files": len(sizes)}


def _games(path: Path, report: Report) -> int | None:
    """The number of games in a library; None where there is none, or it can't be read."""
    if not path.exists():
        return None
    try:
        number, games, found = _counted(path)
    except sqlite3.Error as error:
        kind = (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
        report.wrong(f"{path}: {error}", _REMEDIES.get(kind, "allow this user to read the file and its folder"))
        return None
    if number > VERSION:
        report.wrong(f"{path}: kept by a newer version of dungeon-tui", "install that version again")
        return None
    if found != "ok":
        with suppress(OSError):
            suspicion(path).touch()
        report.wrong(f"{path} is damaged: {one_line(found)}", _SET_ASIDE)
    files = [path.with_name(path.name + ending) for ending in _BESIDE]
    locked = [str(each) for each in files if each.exists() and not os.access(each, os.W_OK)]
    if locked and os.access(path.parent, os.W_OK | os.X_OK):  # else that was told
        names = " ".join(map(quote, locked))
        report.wrong(f"{locked[0]} can't be written: nothing is kept", f"as its owner: chmod u+w {names}")
    return games


def _counted(path: Path) -> tuple[int, int | None, str]:
    """The version of a library, the number of its games, None of a newer one, and "ok", or what is damaged."""
    has_log = path.with_name(f"{path.name}-wal").exists()  # else none shall be made
    for query in ["mode=ro", "immutable=1"][not has_log :]:  # the second one, too, where not even a lock can be written
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{query}", uri=True, timeout=1)) as database:
            try:
                (number,) = database.execute("PRAGMA user_version").fetchone()
                if number > VERSION:
                    return number, None, "ok"
                (games,) = database.execute("SELECT count(*) FROM games WHERE turns > 0 AND removed = ''").fetchone()
                (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
                return int(number), int(games), str(found)
            except sqlite3.Error as error:
                if (error.sqlite_errorcode & 0xFF) not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
                    raise
    raise sqlite3.OperationalError("can't be opened")


_SET_ASIDE = "the next start sets it aside, says under which name, and reads of it what can be read"
_REMEDIES = {
    sqlite3.SQLITE_NOTADB: _SET_ASIDE,
    sqlite3.SQLITE_CORRUPT: _SET_ASIDE,
    sqlite3.SQLITE_ERROR: _SET_ASIDE,  # tables are missing
    sqlite3.SQLITE_BUSY: "another program has it open: end that one, or wait",
}


def _setting_faults(path: Path) -> list[str]:
    """All that is wrong with the settings; themes and keys are loaded only where there are any to compare with."""
    preferences = Preferences(load_settings(path))
    settings, themes = preferences.settings, [Settings().theme]
    if settings.theme not in themes:
        from textual.theme import BUILTIN_THEMES

        from dungeon_tui.ui.palette import themes as own_themes

        themes = [*(theme.name for theme in own_themes()), *sorted(BUILTIN_THEMES)]
    faults = preferences.troubles + preferences.faults(themes, [game.name for game in find_games()])
    if settings.keys:
        from dungeon_tui.ui.keymap import checked
        from dungeon_tui.ui.late import key_tables

        faults += [preferences.key_fault(name, why) for name, why in checked(settings, key_tables())[1].items()]
    return faults


# -- kernels, and words


def _kernels() -> dict[str, Any]:
    kept = kept_kernels(Path(dungeon_tui.__file__).parent)
    return {"kernels": kept.kernels, "compiled": kept.compiled, "bytes": kept.bytes, "folders": list(kept.folders)}


def in_words(report: Report) -> Iterator[str]:
    """The report as lines to read."""
    versions, terminal, kernels = (report.values[name] for name in ("versions", "terminal", "kernels"))
    yield from wrap(", ".join(f"{name} {number}" for name, number in versions.items()), 78)
    yield ""
    if terminal["term"] is None:
        yield "terminal    none here: run this on the one that you play on"
    else:
        yield f"terminal    {terminal['columns']} x {terminal['rows']}, TERM={terminal['term']}"
        yield f"colours     {terminal['colours']:,}"
        for name, label in (("unicode", "Unicode"), ("mouse", "mouse"), ("osc52", "clipboard")):
            yield f"{label:<11} {_SAID[terminal[name]]}"
    yield ""
    for name, facts in report.values["files"].items():
        more = f", {counted(facts['games'], 'game')}" if facts.get("games") is not None else ""
        size = f"{_bytes(facts['bytes'])}{more}" if facts["files"] else "nothing yet"
        yield f"{name if name.isalpha() else '':<11} {one_line(facts['path'])}: {size}"
    state = f"{kernels['compiled']} of {kernels['kernels']} compiled, {_bytes(kernels['bytes'])}"
    yield f"kernels     {state}" + ("" if kernels["compiled"] else "; the first start compiles them behind the menu")
    for folder in kernels["folders"][:1]:
        others = len(kernels["folders"]) - 1
        yield f"            {one_line(folder)}" + (f", and {others} more folders" if others else "")
    yield ""
    for problem in report.problems:
        yield f"wrong: {problem['what']}"
        yield f"       {problem['do']}"
    if not report.problems:
        yield "Nothing is wrong."


_SAID = {True: "yes", False: "no", None: "the terminal doesn't say"}


def _bytes(number: int) -> str:
    """A size in the unit that suits it.

    >>> _bytes(12), _bytes(3_400), _bytes(5_600_000)
    ('12 bytes', '3 KB', '6 MB')
    """
    if number < 1000:
        return counted(number, "byte")
    return f"{number / 1e3:.0f} KB" if number < 10**6 else f"{number / 1e6:,.0f} MB"
