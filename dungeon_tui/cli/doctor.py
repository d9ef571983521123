"""`dungeon-tui doctor`: versions, files and their sizes, integrity, colours; problems, and what to do about them."""

import os
import platform
import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from shlex import quote
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

import dungeon_tui
from dungeon_tui.cli.app import has_screen
from dungeon_tui.core.catalogue import find_games
from dungeon_tui.core.text import one_line
from dungeon_tui.core.words import counted, reason
from dungeon_tui.engine.kernel_cache import cached_kernels
from dungeon_tui.storage.database import BUSY, DAMAGED, error_code, open_to_read
from dungeon_tui.storage.folders import home
from dungeon_tui.storage.library import NAME
from dungeon_tui.storage.settings import Preferences, Settings, load_settings, settings_path

SMALLEST = (80, 24)  # columns and rows of the smallest supported terminal
FEWEST_COLOURS = 256
_COLOURS = {None: 0, "standard": 16, "windows": 16, "256": 256, "truecolor": 2**24}  # by their names in Rich
_REMEDIES = dict.fromkeys(BUSY, "quit the program that uses it, or wait") | dict.fromkeys(
    DAMAGED, "start the program: it renames the file, says so, and recovers the readable games"
)  # by SQLite's codes


@dataclass
class Report:
    """The doctor's findings."""

    values: dict[str, Any] = field(default_factory=dict)
    problems: list[dict[str, str]] = field(default_factory=list)

    def wrong(self, what: str, remedy: str) -> None:
        self.problems.append({"what": one_line(what), "do": remedy})


def examine() -> Report:
    """Looks at everything; compiles and changes nothing."""
    report = Report()
    kernels = cached_kernels(Path(dungeon_tui.__file__).parent)
    report.values = {"versions": _versions(), "terminal": terminal_facts(report), "files": _files(report)}
    report.values["kernels"] = {"kernels": kernels.kernels, "compiled": kernels.compiled, "bytes": kernels.bytes}
    return report


def _versions() -> dict[str, str]:
    found = {"dungeon-tui": dungeon_tui.__version__, "Python": platform.python_version()}
    found |= {"SQLite": sqlite3.sqlite_version, "system": platform.platform()}
    with suppress(PackageNotFoundError):  # run from its sources
        names = [re.split(r"[^\w-]", text)[0] for text in requires("dungeon-tui") or () if "extra ==" not in text]
        found |= {name: version(name) for name in names}
    return found


def terminal_facts(report: Report) -> dict[str, Any]:
    """The terminal, as the environment describes it; values are None without one."""
    if not sys.stdin.isatty():
        return dict.fromkeys(("term", "columns", "rows", "colours", "encoding"))
    from rich.console import Console

    size, term = get_terminal_size(), os.environ.get("TERM", "")
    colours = _COLOURS[Console(force_terminal=True).color_system]
    encoding = (sys.stdout.encoding or "ascii").lower()
    if not has_screen() and sys.stdout.isatty():
        report.wrong(f"TERM is {term or 'not set'}: nothing can be drawn", "set TERM, for example to xterm-256color")
    if size < SMALLEST:
        report.wrong(f"the terminal has {size.columns} x {size.lines} characters", "make it 80 x 24 or larger")
    if "utf" not in encoding:
        report.wrong(f"the encoding is {encoding}: maps are drawn in ASCII", "choose a locale in UTF-8")
    if colours < FEWEST_COLOURS:
        remedy = "if your terminal has more, set COLORTERM=truecolor or TERM=xterm-256color"
        report.wrong(f"TERM={term} has {counted(colours, 'colour')}", remedy)
    return {"term": term, "columns": size.columns, "rows": size.lines, "colours": colours, "encoding": encoding}


def _files(report: Report) -> dict[str, Any]:
    try:
        folder, settings = home(), settings_path()
    except OSError as error:
        report.wrong(reason(error), "set DUNGEON_TUI_HOME to a folder, or nothing is saved")
        return {}
    for path in {folder, settings.parent}:
        there = next(each for each in (path, *path.parents) if each.exists())
        if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
            report.wrong(f"{path} can't be written", "allow it, or set DUNGEON_TUI_HOME to another folder")
    found = {name: _size(folder / name) for name in ("recordings", "reports", NAME)}
    found["library"] = found.pop(NAME) | {"games": _games(folder / NAME, report)}
    found |= {path.name: _size(path) for path in sorted(folder.glob(f"{NAME}.damaged-*"))}
    found["settings"] = _size(settings)
    for fault in _setting_faults(settings):
        report.wrong(fault, "correct the line; dungeon-tui --reset-settings restores the defaults")
    return found


def _with_companions(path: Path) -> list[Path]:
    """A database with the other files that SQLite may keep for it."""
    return [path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm"))]


def _size(path: Path) -> dict[str, Any]:
    """Path, bytes and number of files of a folder, or of a file with its SQLite companions."""
    sizes = list[int]()
    with suppress(OSError):
        files = path.iterdir() if path.is_dir() else _with_companions(path)
        sizes += [file.stat().st_size for file in files if file.is_file()]
    return {"path": str(path), "bytes": sum(sizes), "files": len(sizes)}


def _games(path: Path, report: Report) -> int | None:
    """The number of games in a library, after reading all its pages; None if there is none, or it can't be read."""
    if not path.exists():
        return None
    games: int | None = None
    try:
        with closing(open_to_read(path)) as database:
            (games,) = database.execute("SELECT count(*) FROM games WHERE turns > 0 AND removed = ''").fetchone()
    except sqlite3.Error as error:
        newer = "install that version again" if isinstance(error, sqlite3.NotSupportedError) else ""
        usual = "allow this user to read the file and its folder"
        report.wrong(f"{path}: {error}", newer or _REMEDIES.get(error_code(error), usual))
    if locked := [each for each in _with_companions(path) if each.exists() and not os.access(each, os.W_OK)]:
        names = " ".join(quote(str(each)) for each in locked)
        report.wrong(f"{locked[0]} can't be written: no game is saved", f"as its owner: chmod u+w {names}")
    return games


def _setting_faults(path: Path) -> list[str]:
    """The problems in the settings; loads themes and keys only if the settings name any."""
    preferences = Preferences(load_settings(path))
    settings, themes = preferences.settings, [Settings().theme]
    if settings.theme not in themes:
        from textual.theme import BUILTIN_THEMES

        from dungeon_tui.ui.palette import themes as own_themes

        themes = [*(theme.name for theme in own_themes()), *sorted(BUILTIN_THEMES)]
    faults = [*preferences.troubles, *preferences.faults(themes, [game.name for game in find_games()])]
    if settings.keys:
        from dungeon_tui.ui.key_tables import key_tables
        from dungeon_tui.ui.keys import checked

        faults += [preferences.trouble(("keys", name), why) for name, why in checked(settings, key_tables())[1].items()]
    return faults


def in_words(report: Report) -> Iterator[str]:
    """The report as lines of text."""
    from rich import filesize

    versions, terminal, kernels = (report.values[name] for name in ("versions", "terminal", "kernels"))
    yield from wrap(", ".join(f"{name} {number}" for name, number in versions.items()), 78)
    yield ""
    if terminal["term"] is None:
        yield "terminal    none here: run this in the terminal that you play in"
    else:
        size = f"{terminal['columns']} x {terminal['rows']}, TERM={terminal['term']}"
        yield f"terminal    {size}, {terminal['colours']:,} colours, {terminal['encoding']}"
    for name, facts in report.values["files"].items():
        more = f", {counted(facts['games'], 'game')}" if facts.get("games") is not None else ""
        size = f"{filesize.decimal(facts['bytes'])}{more}" if facts["files"] else "nothing yet"
        yield f"{name if name.isalpha() else '':<11} {one_line(facts['path'])}: {size}"
    yield f"kernels     {kernels['compiled']} of {kernels['kernels']} compiled, {filesize.decimal(kernels['bytes'])}"
    yield ""
    for problem in report.problems:
        yield f"wrong: {problem['what']}\n       {problem['do']}"
    if not report.problems:
        yield "Nothing is wrong."
