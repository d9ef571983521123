"""The games, found by their folders. Loads neither Textual nor numba; games load their parts when needed."""

from __future__ import annotations

import os
import pkgutil
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import dungeon_tui

if TYPE_CHECKING:
    from typer import Typer

    from dungeon_tui.core.level import PackedLevel
    from dungeon_tui.core.options import Form, Given, Options
    from dungeon_tui.core.plain import Console
    from dungeon_tui.core.rules import Rules
    from dungeon_tui.core.turns import TurnController

YOU = "you"  # the person among the players


class Levels(Protocol):
    """A game's module of levels: the ones it offers, and how recordings store them."""

    def openings(self) -> list[Opening]:
        """Openings of the levels in the menu, in its order."""

    def forms(self) -> Sequence[Form]:
        """Forms for generated levels; a filled form is the argument of `named`."""

    def opening(self, given: Given, /) -> Opening:
        """The opening of the level, or file, that options of `GAME play` name. Raises ValueError if there is none."""

    def named(self, arguments: str, /) -> Opening:
        """The opening of a level that options of `GAME play` name, never a file. Raises UnknownLevelError."""

    def open_file(self, typed: str, /) -> Opening:
        """The opening of a file that a player named, of the kind in the game's `open_note`. Reads nothing yet."""

    def pack_level(self, level: Any, /) -> PackedLevel:
        """The level as recordings store it."""

    def unpack_level(self, packed: PackedLevel, /) -> Any:
        """The level that `pack_level` packed. Raises LevelError if it can't be read."""


class Commands(Protocol):
    """A game's module of commands."""

    @property
    def app(self) -> Typer:
        """The game's commands besides `play` and `edit`, which all games share."""

    @property
    def OPTIONS(self) -> Options:  # noqa: N802
        """The options of `GAME play`."""

    def opened(self, opening: Opening | None, /) -> Play:
        """Plays a level after the opening's actions; None: a level that the player chooses."""

    def best(self, level: Any, /) -> int | None:
        """The proven best result on a level (moves, cost, health); None if unknown."""


class Game:
    """A game for the menu and the command line. Its parts are modules of its folder, imported when first needed."""

    name: ClassVar[str]
    """The folder's name, and the command's."""
    title: ClassVar[str]
    summary: ClassVar[str]  # one line
    order: ClassVar[int]  # rank in the menu
    on_card: ClassVar[str] = ""  # the level that the home screen draws, for `named`; empty: the first one
    open_note: ClassVar[str] = ""  # describes files for `open_file`; empty: none
    editor_note: ClassVar[str] = ""  # the menu's line on its editor; empty: it has none
    player_titles: ClassVar[Mapping[str, str]] = {}  # what the lists call its strategies
    levels_in: ClassVar[str] = "view.openings"
    problem_in: ClassVar[str] = ""  # empty: programs can't play it
    problem_bounds: ClassVar[Sequence[str]] = ()  # of its inputs, options of `judge` and `break`: low, high, rows, cols

    @property
    def rules_text(self) -> str:
        """The rules in ten lines: the docstring of the game's folder."""
        return (sys.modules[type(self).__module__].__doc__ or "").strip()

    def rules(self) -> Rules[Any, Any, Any]:
        """The rules: the module `model.rules`."""
        rules: Rules[Any, Any, Any] = self._part("model.rules")
        return rules

    def levels(self) -> Levels:
        """The levels: the module `levels_in`."""
        levels: Levels = self._part(self.levels_in)
        return levels

    def view(self) -> Any:
        """The class of views (GameView in ui/play), called with the game: `ChaseView` in `view.screen` for `Chase`."""
        return getattr(self._part("view.screen"), f"{type(self).__name__}View")

    def commands(self) -> Commands:
        """The command line: the module `commands`."""
        commands: Commands = self._part("commands")
        return commands

    def craft(self) -> Any:
        """The game's part of the editor (Craft in ui/editor): `CRAFT` in `view.editor`."""
        return self._part("view.editor").CRAFT

    def problem(self, **bounds: int) -> Any:
        """The problem that programs are judged by (Problem in judge/): `RescueProblem` in `problem_in` for `Rescue`."""
        return getattr(self._part(self.problem_in), f"{type(self).__name__}Problem")(**bounds)

    def compile_kernels(self) -> None:
        """Compiles the game's own kernels, in a thread behind the menu."""
        return

    def _part(self, module: str) -> Any:
        return import_module(f"{type(self).__module__}.{module}")


@dataclass(frozen=True, slots=True)
class Opening:
    """A game that can be opened: a menu entry, or the request of a command line."""

    title: str
    load: Callable[[], Any]  # -> the game's level, or a Recording to replay; may raise LevelError
    summary: str = ""
    seed: int = 0
    players: Mapping[str, str] = field(default_factory=dict)  # by seat; YOU by default
    arguments: str = ""  # of `GAME play`, for the same level; may be empty
    screen: Callable[[Any, Any], Any] | None = None  # level, glyphs -> a screen of the game's own; None: it is played
    actions: tuple[str, ...] = ()  # as in recordings; played before the person's first
    day: date | None = None  # of a daily level
    group: str = ""  # the menu shows a group as one row that unfolds
    keeps_players: bool = False  # the menu seats the players of the last game of the level instead

    def at(self, level: Any, actions: tuple[str, ...]) -> Opening:
        """This opening with its level loaded and some actions played. If there are any, it is no daily try."""
        return replace(self, load=lambda: level, actions=actions, day=None if actions else self.day)


@cache
def find_games(with_hidden: bool = False) -> tuple[Game, ...]:
    """The GAME of every folder in dungeon_tui.games, in menu order; folders named `_...` are hidden."""
    package = import_module("dungeon_tui.games")
    found = (
        getattr(import_module(f"{package.__name__}.{module.name}"), "GAME", None)
        for module in pkgutil.iter_modules(package.__path__)
        if module.ispkg and (with_hidden or not module.name.startswith("_"))
    )
    return tuple(sorted((game for game in found if isinstance(game, Game)), key=lambda game: game.order))


def find_game(name: str) -> Game | None:
    """The game of this name, hidden ones included, or None."""
    return next((game for game in find_games(with_hidden=True) if game.name == name), None)


def next_opening(game: Game, arguments: str, won: Collection[str] = ()) -> Opening | None:
    """The opening after a level: the next in the menu, after the last one the first that isn't `won`; the next seed."""
    levels = game.levels()
    openings = [each for each in levels.openings() if each.arguments]
    for at, opening in enumerate(openings):
        if opening.arguments == arguments:
            unsolved = (each for each in openings[:at] if each.arguments not in won)
            for below in *openings[at + 1 : at + 2], *sorted(unsolved, key=lambda each: each.group != opening.group):
                if bool(below.group) == bool(opening.group):
                    return below
    with suppress(ValueError):  # there is none
        given = game.commands().OPTIONS.read(arguments)
        if "seed" in given:
            return levels.named(given.combined(seed=given["seed"] + 1).arguments)
    return None


def of_any_seed(game: Game, arguments: str) -> str:
    """The arguments of a level with one seed for all, to compare; the same if they name no level of this program."""
    with suppress(ValueError):
        return game.commands().OPTIONS.read(arguments).combined(seed=0).arguments
    return arguments


def levels_folder(game: str) -> Path:
    """The folder of a game's shipped levels, in the installed package or in a checkout."""
    package = Path(dungeon_tui.__file__).parent
    installed = package / "levels"
    return (installed if installed.is_dir() else package.parent / "levels") / game


def shipped_level(game: str, name: str, ending: str) -> Path | None:
    """The path of a shipped level, or None."""
    path = levels_folder(game) / f"{name}{ending}"
    return path if re.fullmatch(r"[\w-]+", name) and os.path.isfile(path) else None


@dataclass(frozen=True, slots=True)
class PlainEnd:
    """The result of a game played in plain text."""

    exit_status: int
    controller: TurnController[Any, Any, Any] | None = None
    players: Mapping[str, str] = field(default_factory=dict)  # by seat, as in Opening


@dataclass(frozen=True, slots=True)
class Play:
    """The request of `GAME play`: the screen shows `opening`; without a screen `plain` runs."""

    opening: Opening | None  # None: nothing was named, so the menu lets people choose
    plain: Callable[[Console], PlainEnd]
    plain_arguments: str | None = None  # for the level that `plain` plays; None: the opening's
    note: str = ""  # for a play in plain text, before it begins
    what: str = "playing"
