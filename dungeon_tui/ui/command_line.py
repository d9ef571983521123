"""Options and output of the games' command lines, and the progress of long work."""

from __future__ import annotations

import inspect
import math
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from dungeon_tui.core.files import (
    OtherKindError,
    claim,
    is_reading,
    refuse_other,
    stops_reading,
    write_text,
)
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.options import FLAG, SWITCH, Given, Option, Options, UnknownLevelError, read_day
from dungeon_tui.core.plain import ENDS, PrintableStream, fail, handled_signals
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted

if TYPE_CHECKING:
    from rich.console import Console

PROGRESS_DELAY_S = 0.2


def option(flag: str, metavar: str, help: str, **more: Any) -> Any:
    """A typer option with a value."""
    return typer.Option(flag, metavar=metavar, help=help, **more)


def argument(metavar: str, help: str, **more: Any) -> Any:
    """A typer argument."""
    return typer.Argument(metavar=metavar, help=help, **more)


def refuse_nan(seconds: float | None) -> float | None:
    """Callback: refuses nan, which `min` and `max` let pass."""
    if seconds is not None and math.isnan(seconds):
        raise typer.BadParameter("nan is not a number of seconds")
    return seconds


Names = TypeVar("Names", str, str | None, list[str])


def refuse_empty(names: Names) -> Names:
    """Callback: refuses empty names."""
    if names == "" or (isinstance(names, list) and "" in names):
        raise typer.BadParameter("the name is empty")
    return names


def _files(names: list[str]) -> list[str]:
    if refuse_empty(names).count("-") > 1:
        raise typer.BadParameter("standard input can be read only once")
    return names


CheckedFiles = Annotated[list[str], argument("FILE...", "Level files; - is standard input.", callback=_files)]


def read_path(name: str) -> Path:
    """The path of a name. Raises BadParameter if it is empty, which would mean this folder."""
    return Path(refuse_empty(name))


REPLACED = "replaces a file of its kind"  # for the help of options that name a file to write


def day_of(text: str) -> date:
    """Parses a date such as "2026-11-21". Raises BadParameter."""
    try:
        return read_day(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def chosen_day(is_daily: bool, day: date | None) -> date | None:
    """The given day; without one, today for --daily, otherwise None."""
    return date.today() if is_daily and day is None else day


DailyOption = Annotated[bool, typer.Option("--daily", help="The daily level of today.")]
DateOption = Annotated[date | None, option("--date", "YYYY-MM-DD", "The daily level of that day.", parser=day_of)]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
TimeoutOption = Annotated[
    float | None,
    option("--timeout", "S", "Seconds to search; then print the best answer found.", min=0, callback=refuse_nan),
]


def _remember_force(context: typer.Context, force: bool) -> bool:
    context.meta[_FORCE] = force
    return force


_FORCE = "dungeon_tui.force"
ForceOption = Annotated[
    bool, typer.Option("--force", is_eager=True, callback=_remember_force, help="Also replace a file of another kind.")
]


def written(option: str, kind: str, what: str = "The file to write") -> Any:
    """A typer option (an argument, if `option` is empty) that names a file to write; `-` is standard output.

    Before the command begins, it refuses files that can't be written, and files of another kind of core.files, unless
    it has --force, and that is given or a person at a terminal agrees. The command can't read the file any more.
    """

    def claimed(context: typer.Context, path: Path | None) -> Path | None:
        if path is None or is_standard_output(path):
            return path
        if _FORCE not in context.meta:
            refuse_other(path, kind)
        try:
            claim(path, kind, force=context.meta.get(_FORCE, False))
        except OtherKindError as error:
            can_ask = sys.stdin.isatty() and sys.stderr.isatty()
            if not (can_ask and typer.confirm(f"{error.present}. Replace it?", err=True)):
                raise
            claim(path, kind, force=True)
        return path

    named = partial(typer.Option, option) if option else typer.Argument
    return named(metavar="FILE", parser=read_path, callback=claimed, help=f"{what}; {REPLACED}.")


# -- the options of a level


def with_signature(
    function: Callable[..., Any], parameters: Iterable[inspect.Parameter], help_text: str | None
) -> Callable[..., Any]:
    """Gives a function keyword-only parameters and a help text, so that Typer makes a command of it."""
    named = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    function.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in named}
    function.__doc__ = help_text
    return function


def own_parameters(function: Callable[..., Any], *without: str) -> list[inspect.Parameter]:
    """The parameters of a function, except some, with evaluated annotations."""
    names = {**sys.modules[function.__module__].__dict__}
    parameters = inspect.signature(function).parameters.values()
    return [
        each.replace(annotation=eval(each.annotation, names) if isinstance(each.annotation, str) else each.annotation)
        for each in parameters
        if each.name not in without
    ]


_NAME = "level_name"
_PREFIX = "level_option_"


def takes_level(table: Options, *without: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: adds the options of a level, except some, to a command. Its first argument is a Given of them.

    The command raises BadParameter if they contradict each other.
    """
    options = {_PREFIX + option.name.replace("-", "_"): option for option in table.all if option.name not in without}
    ordered = sorted(options, key=lambda name: not options[name].is_positional)
    found = [(name, _annotation(options[name])) for name in ordered]
    if table.argument not in without:
        found.insert(0, (_NAME, _name_annotation(table)))
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(name, keyword, default=None, annotation=annotation) for name, annotation in found]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        def called(**values: Any) -> Any:
            name = values.pop(_NAME, None) or ""
            taken = {option.name: values.pop(parameter) for parameter, option in options.items()}
            with wrong_usage():
                given = table.given(name, {option: value for option, value in taken.items() if value is not None})
            return command(given, **values)

        called.__name__ = command.__name__
        return with_signature(called, [*parameters, *own_parameters(command)[1:]], command.__doc__)

    return decorate


@contextmanager
def wrong_usage() -> Iterator[None]:
    """Turns an UnknownLevelError into wrong usage."""
    try:
        yield
    except UnknownLevelError as error:
        raise typer.BadParameter(str(error)) from None


def beginning(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Completes a word to names."""
    return lambda incomplete: [name for name in names() if name.startswith(incomplete)]


def _name_annotation(table: Options) -> Any:
    own: dict[str, Any] = {"callback": refuse_empty, "autocompletion": beginning(table.names)}
    return Annotated[str | None, argument(table.argument, f"{table.help}.", **own)]


def _annotation(option: Option) -> Any:
    def read(text: str) -> Any:
        if option.kind.more:
            return refuse_empty(text)
        try:
            return option.kind.read(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    text = option.help + (f": {option.kind.allowed}" if option.kind.allowed else "")
    usual = option.usual or (option.kind.spell(option.default) if option.default is not None else "")
    if isinstance(option.default, int) and not isinstance(option.default, bool):
        usual = f"{option.default:,}"
    text += f"; default: {usual}." if usual else "."
    if option.is_positional:
        return Annotated[Any, argument(option.flag, text, parser=read)]
    if option.kind is FLAG or option.kind is SWITCH:
        names = option.flag + (f"/--no-{option.name}" if option.kind is SWITCH else "")
        return Annotated[bool | None, typer.Option(names, help=text, show_default=False)]
    values = list(option.kind.titles)
    own: dict[str, Any] = {"metavar": option.kind.metavar, "parser": read, "autocompletion": beginning(lambda: values)}
    return Annotated[Any, typer.Option(option.flag, help=text, **own)]


def is_standard_output(path: Path | None) -> bool:
    """True for `-`."""
    return str(path) == "-"


def write_output(path: Path | None, text: str) -> None:
    """Writes to a file; None and `-` are standard output. Raises UnwritableError."""
    if path is None or is_standard_output(path):
        sys.stdout.write(text)
    else:
        write_text(path, text)


def seed_by_chance() -> int:
    """A random seed from 0 to 999,999."""
    from secrets import randbelow

    return randbelow(1_000_000)


def seed_note(seed: int) -> str:
    """Tells the seed of a random level, as the option that opens it again."""
    return f"No seed was given: this is --seed {seed}."


def with_seed(given: Given) -> Given:
    """The options with a seed; reports it on standard error if it is random."""
    if "seed" in given:
        return given
    seed = seed_by_chance()
    print(seed_note(seed), file=sys.stderr)
    return given.combined(seed=seed)


def end_if_bad(bad: int, files: Sequence[str]) -> None:
    """Ends the process with exit status 1 if some of the checked files are bad."""
    if bad:
        print(f"{bad:,} of {counted(len(files), 'file')} can't be played", file=sys.stderr)
        raise typer.Exit(1)


@contextmanager
def one_line_errors(kind: type[Exception] = ValueError) -> Iterator[None]:
    """Ends the process with one line on standard error and exit status 1 if the block raises `kind`."""
    try:
        yield
    except LevelError:  # reported in one place for all games
        raise
    except kind as error:
        fail(str(error))


@contextmanager
def interrupts() -> Iterator[Event]:
    """Yields an event that Ctrl-C sets, for long work that then reports its results so far.

    A signal that ends the program sets it too, and ends the program after the block. While a file is being read, a
    signal leaves the block, because reading may wait forever.
    """
    stop, ends = Event(), list[int]()

    def end(number: int, _frame: object) -> None:
        if number != signal.SIGINT:
            ends.append(number)
        stop.set()
        if is_reading():
            raise KeyboardInterrupt

    try:
        with handled_signals((signal.SIGINT, *ENDS), end), suppress(KeyboardInterrupt), stops_reading(stop):
            yield stop
    finally:
        for number in ends[:1]:
            signal.raise_signal(number)


def end_if_stopped(is_stopped: bool, what: str) -> None:
    """Ends the process with exit status 130 if Ctrl-C stopped the work."""
    if is_stopped:
        print(f"Stopped{what}.", file=sys.stderr)
        raise typer.Exit(130)


@contextmanager
def status(what: str) -> Iterator[Callable[[str], None]]:
    """Yields a function that shows progress in a line on standard error, if that is a terminal; erased at the end."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.text import Text

    began = perf_counter()
    line = _console().status(Text(printable(what)))

    def tell(text: str) -> None:
        if perf_counter() - began > PROGRESS_DELAY_S:
            line.start()
            line.update(Text(printable(f"{what}: {text}")))

    try:
        yield tell
    finally:
        line.stop()


def _console() -> Console:
    """A Rich console on the real standard error, since PrintableStream filters drawing."""
    from rich.console import Console

    return Console(file=sys.stderr.stream if isinstance(sys.stderr, PrintableStream) else sys.stderr)
