"""Options and output shared by the games' command lines, and the line that tells of long work."""

from __future__ import annotations

import math
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypeVar

import typer

from dungeon_tui.core.arguments import read_day
from dungeon_tui.core.files import OtherKindError, claim, is_reading, stops_reading, unfinished, write_text
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.plain import PrintableStream, fail
from dungeon_tui.core.signals import ENDS
from dungeon_tui.core.text import printable

if TYPE_CHECKING:
    from rich.console import Console

QUIET = 0.2  # seconds before long work tells of itself


def refuse_nan(seconds: float | None) -> float | None:
    """The seconds of an option, unchanged; BadParameter if they are nan, which `min` and `max` let pass."""
    if seconds is not None and math.isnan(seconds):
        raise typer.BadParameter("nan is no number of seconds")
    return seconds


Names = TypeVar("Names", str, str | None, list[str])


def refuse_empty(names: Names) -> Names:
    """The name or names that an option takes, unchanged; BadParameter if one is empty."""
    if names == "" or (isinstance(names, list) and "" in names):
        raise typer.BadParameter("the name is empty")
    return names


def read_path(name: str) -> Path:
    """The path of this name; BadParameter if it is empty, which would be this folder."""
    return Path(refuse_empty(name))


REPLACED = "a file of its kind is replaced"
"""For the help of options that name a file to write: they all do that."""


def day_of(text: str) -> date:
    """The day of a text as "2026-11-21"; any other, or one too early, is wrong usage."""
    try:
        return read_day(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def chosen_day(is_daily: bool, day: date | None) -> date | None:
    """The day of the daily level: the one given, else today with --daily; None without either."""
    return date.today() if is_daily and day is None else day


DailyOption = Annotated[bool, typer.Option("--daily", help="The daily level of today.")]
DateOption = Annotated[
    date | None, typer.Option("--date", metavar="YYYY-MM-DD", parser=day_of, help="The daily level of that day.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
TimeoutOption = Annotated[
    float | None,
    typer.Option("--timeout", metavar="S", min=0, callback=refuse_nan, help="Seconds to search; then what is known."),
]


def _remember_force(context: typer.Context, force: bool) -> bool:
    context.meta[_FORCE] = force
    return force


_FORCE = "dungeon_tui.force"
ForceOption = Annotated[
    bool,
    typer.Option("--force", is_eager=True, callback=_remember_force, help="Replace a file of another kind, too."),
]
"""For commands with an option of `written`."""


def written(option: str, kind: str, what: str = "The file to write") -> Any:
    """A typer option that names a file to write, of one of the kinds of core.files; `-` and none are standard output.

    An argument where the option's name is empty.

    Before the command begins, what can't be written is refused, and what is of another kind, unless --force is given or
    a person at a terminal allows it; and the command can't read the file any more.
    """

    def claimed(context: typer.Context, path: Path | None) -> Path | None:
        if path is None or is_standard_output(path):
            return path
        for part in unfinished(path):
            print(
                f"{part} was left behind by a program that was stopped while writing: look into it, then delete it.",
                file=sys.stderr,
            )
        try:
            claim(path, kind, force=context.meta.get(_FORCE, False))
        except OtherKindError as error:
            is_asked = sys.stdin.isatty() and sys.stderr.isatty()
            if not (is_asked and typer.confirm(f"{error.present}. Replace it?", err=True)):
                raise
            claim(path, kind, force=True)
        return path

    named = partial(typer.Option, option) if option else typer.Argument
    return named(metavar="FILE", parser=read_path, callback=claimed, help=f"{what}: {REPLACED}.")


def is_standard_output(path: Path | None) -> bool:
    """True if the path is `-`; None isn't, though it often stands for standard output too."""
    return str(path) == "-"


def write_output(path: Path | None, text: str) -> None:
    """Writes what a command makes to a file; None and `-` are standard output.

    Raises:
        UnwritableError: it can't be written.
    """
    if path is None or is_standard_output(path):
        sys.stdout.write(text)
    else:
        write_text(path, text)


def seed_by_chance() -> int:
    """A random seed from 0 to 999,999, for where nobody chose one."""
    from secrets import randbelow

    return randbelow(1_000_000)


def tell_seed(seed: int, messages: TextIO) -> None:
    """Prints the seed that nobody chose, as the option that leads to the same level again."""
    print(f"No seed was given: this is --seed {seed}.", file=messages)


@contextmanager
def told_in_a_line(kind: type[Exception] = ValueError) -> Iterator[None]:
    """Ends the process with one line on standard error, exit status 1, where the block raises `kind`.

    A LevelError is let through: it is told in one place for all games.
    """
    try:
        yield
    except LevelError:  # told where all games' are
        raise
    except kind as error:
        fail(str(error))


@contextmanager
def interrupts() -> Iterator[Event]:
    """Yields an event that Ctrl-C sets, for long work that then tells what it knows.

    A signal that ends the program sets it too, so that threads and processes are ended in order, and ends it then.
    Where a file is being read, or would be afterwards, the block is left: nobody knows when what it waits for comes.
    """
    stop, ends = Event(), list[int]()

    def end(number: int, _frame: object) -> None:
        if number != signal.SIGINT:
            ends.append(number)
        stop.set()
        if is_reading():
            raise KeyboardInterrupt

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, *ENDS)}
    try:
        with suppress(KeyboardInterrupt), stops_reading(stop):
            yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in ends[:1]:
            signal.raise_signal(number)


def end_if_stopped(is_stopped: bool, what: str) -> None:
    """Ends the process with exit status 130, and "Stopped{what}." on standard error, if Ctrl-C has ended the work."""
    if is_stopped:
        print(f"Stopped{what}.", file=sys.stderr)
        raise typer.Exit(130)


@contextmanager
def bar(things: str, total: int) -> Iterator[Callable[[], None]]:
    """Yields a function that moves a progress bar on by one: on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn(things, markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=_console(), transient=True) as progress:
        yield partial(progress.advance, progress.add_task(things, total=total))


@contextmanager
def status(what: str) -> Iterator[Callable[[str], None]]:
    """Yields a function that shows how far long work is, in a line on standard error, but not in its first moment.

    Nothing is shown where standard error is no terminal; the line is erased at the end.
    """
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.text import Text

    began = perf_counter()
    line = _console().status(Text(printable(what)))

    def tell(text: str) -> None:
        if perf_counter() - began > QUIET:
            line.start()
            line.update(Text(printable(f"{what}: {text}")))

    try:
        yield tell
    finally:
        line.stop()


def _console() -> Console:
    """A Rich console on standard error itself, past the filter for printable text, since it draws."""
    from rich.console import Console

    return Console(file=sys.stderr.stream if isinstance(sys.stderr, PrintableStream) else sys.stderr)
