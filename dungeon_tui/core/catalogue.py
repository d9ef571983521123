"""The games, found by their folders. Loads neither Textual nor numba: games load their parts late."""

from __future__ import annotations

import os
import pkgutil
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TextIO

import dungeon_tui

if TYPE_CHECKING:
    from typer import Typer

    from dungeon_tui.core.forms import Form
    from dungeon_tui.core.level import PackedLevel
    from dungeon_tui.core.rules import Rules
    from dungeon_tui.core.turns import TurnController

YOU = "you"  # the person among the players


class Levels(Protocol):
    """A game's module of levels: those it offers, and their text in recordings."""

    def openings(self) -> list[Opening]:
        """Openings of the levels that the menu offers, in its order."""
        ...

    def forms(self) -> Sequence[Form]:
        """Forms for levels that are made: filled in, they are arguments for `named`."""
        ...

    def named(self, arguments: str, /) -> Opening:
        """The opening of a level of this program, shipped or made, that the arguments of `GAME play` name.

        No file of the player's own is ever meant; `--date YYYY-MM-DD` names the daily level of that day.

        Raises:
            ValueError: there is no such level.
        """
        ...

    def open_file(self, typed: str, /) -> Opening:
        """The opening of what a person typed, of the kind that the game's `open_note` names; nothing is read yet."""
        ...

    def pack_level(self, level: Any, /) -> PackedLevel:
        """The level as recordings hold it."""
        ...

    def unpack_level(self, packed: PackedLevel, /) -> Any:
        """The level that `pack_level` packed. Raises LevelError if it can't be read."""
        ...


class Commands(Protocol):
    """A game's module of commands."""

    @property
    def app(self) -> Typer:
        """The game's own commands, beside `play` and `edit`, which all games share."""
        ...

    @property
    def play(self) -> Callable[..., Play]:
        """A function whose parameters are the game's own arguments of `GAME play`, and which returns what they name."""
        ...

    def opened(self, opening: Opening, /) -> Play:
        """The play of a level that `Levels.named` opened, a day's or one of a code, from its actions on."""
        ...

    def best(self, level: Any, /) -> int | None:
        """The best that a level can be done with, proven: moves, cost, health; None where there is none."""
        ...


class Game(ABC):
    """A game as the menu and the command line know it; its folder's `__init__` derives it.

    Each method loads one part of the game, where that is asked for: importing the class loads nothing heavy.
    """

    name: ClassVar[str]
    """The folder's name, and the command's."""
    title: ClassVar[str]
    summary: ClassVar[str]  # one line
    order: ClassVar[int]  # place in the menu
    open_note: ClassVar[str] = ""  # the things that `open_file` takes; empty: it takes none
    has_editor: ClassVar[bool] = False
    has_judge: ClassVar[bool] = False

    @property
    def rules_text(self) -> str:
        """The rules in ten lines: the docstring of the game's folder."""
        return (sys.modules[type(self).__module__].__doc__ or "").strip()

    @abstractmethod
    def rules(self) -> Rules[Any, Any, Any]:
        """The module with the functions of the game's rules."""

    @abstractmethod
    def levels(self) -> Levels:
        """The module of the game's levels: those the menu offers, the player's own, and those in recordings."""

    @abstractmethod
    def view(self) -> Any:
        """The game's class of views (GameView in ui/play, which core can't name); it is called with the game."""

    @abstractmethod
    def commands(self) -> Commands:
        """The module of the game's command line."""

    def editor(self, file: str = "") -> Opening:
        """The opening of the game's editor on a level file, or on a new level; LookupError if the game has none."""
        raise LookupError(f"{self.name} has no editor")

    def problem(self) -> Any:
        """The problem by which programs are judged (judge/problem.py's, which core can't name)."""
        raise LookupError(f"{self.name} has no problem for programs")

    def judge(self) -> Any:
        """A judge of the game's own (cli/judging.py's Judging); None: its programs are judged by its problem."""
        return None

    def compile_kernels(self) -> None:
        """Compiles the game's own kernels, in a thread while the menu is shown; nothing where it has none."""
        return


@dataclass(frozen=True, slots=True)
class Opening:
    """A game that could be opened: one entry of the menu, or what a command line asks for."""

    title: str
    load: Callable[[], Any]  # -> the game's level, or a Recording to replay; may raise LevelError
    summary: str = ""
    seed: int = 0
    players: Mapping[str, str] = field(default_factory=dict)  # by seat; whoever is not named is YOU
    arguments: str = ""  # of `GAME play`, which open it, too; empty: it has no name there
    is_at_end: bool = False  # a recording is opened at its last turn
    screen: Callable[[Any, Any], Any] | None = None  # level, glyphs -> a screen of the game's own; None: it is played
    actions: tuple[str, ...] = ()  # as recordings write them: they are played before the person's first
    day: date | None = None  # of a daily level
    group: str = ""  # in the menu one row for all of a group, which unfolds; empty: it stands for itself

    def at(self, level: Any, actions: tuple[str, ...]) -> Opening:
        """This opening of a level that is loaded already, after some actions; then it is no try of a day's level."""
        return replace(self, load=lambda: level, actions=actions, day=None if actions else self.day)


@cache
def find_games() -> tuple[Game, ...]:
    """The GAME of every folder of dungeon_tui.games that has one, in the menu's order."""
    package = import_module("dungeon_tui.games")
    found = (
        getattr(import_module(f"{package.__name__}.{module.name}"), "GAME", None)
        for module in pkgutil.iter_modules(package.__path__)
        if module.ispkg
    )
    return tuple(sorted((game for game in found if isinstance(game, Game)), key=lambda game: game.order))


def find_game(name: str) -> Game | None:
    """The game of this name; None where there is none."""
    return next((game for game in find_games() if game.name == name), None)


def next_opening(game: Game, arguments: str) -> Opening | None:
    """The opening to go on with after a level: of a level by seed the next seed, else the one below it in the menu.

    Args:
        game: the game of both.
        arguments: of `GAME play`, which open the level; empty: it has no name there.
    """
    levels = game.levels()
    if seed := re.search(r"(?<=--seed )\d+", arguments):
        try:
            return levels.named(f"{arguments[: seed.start()]}{int(seed[0]) + 1}{arguments[seed.end() :]}")
        except ValueError:  # there is none
            return None
    for opening, below in pairwise(levels.openings()):
        if opening.arguments == arguments != "":
            return below if bool(below.group) == bool(opening.group) else None
    return None


def levels_folder(game: str) -> Path:
    """The folder of a game's shipped levels: in the installed package, or at the top of a checkout."""
    package = Path(dungeon_tui.__file__).parent
    installed = package / "levels"
    return (installed if installed.is_dir() else package.parent / "levels") / game


def shipped_level(game: str, name: str, ending: str) -> Path | None:
    """The path of the level that a game ships under this name and ending; None where there is none."""
    path = levels_folder(game) / f"{name}{ending}"
    return path if re.fullmatch(r"[\w-]+", name) and os.path.isfile(path) else None


@dataclass(frozen=True, slots=True)
class PlainEnd:
    """The end of a play without a screen: the exit status, and the turns played, to be recorded."""

    exit_status: int
    controller: TurnController[Any, Any, Any] | None = None
    players: Mapping[str, str] = field(default_factory=dict)  # by seat, as in Opening


@dataclass(frozen=True, slots=True)
class Play:
    """The request of `GAME play`: the screen opens the opening; without a screen `plain` runs."""

    opening: Opening | None  # None: nothing was named, so the menu lets people choose
    plain: Callable[[TextIO, TextIO, TextIO], PlainEnd]
    """Input, output, messages -> the end; before the first command it tells `core.plain.begins` of the game."""
    plain_arguments: str | None = None  # that open what `plain` plays; None: those of the opening
