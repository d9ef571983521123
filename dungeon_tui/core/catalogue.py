"""The games, found by their folders. Loads neither Textual nor numba: games name their parts as strings."""

from __future__ import annotations

import os
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import dungeon_tui

if TYPE_CHECKING:
    from dungeon_tui.core.turns import TurnController

YOU = "you"  # the person among the players


@dataclass(frozen=True, slots=True)
class Game:
    """What the menu and the command line know of a game; the rest is loaded when it is asked for.

    The parts are modules of the game's folder: `model.rules` (see core.rules.Rules); `commands` with `app`, the game's
    own commands, and `play`, whose parameters are the arguments of `GAME play` and which returns a Play; and those
    named below.
    """

    name: str  # the folder's, and the command's
    title: str
    summary: str  # one line
    order: int  # place in the menu
    screen: str  # "module:class" of its GameView: how its states look
    openings: str  # "module:function" -> list[Opening]: what the menu offers
    open_file: str = ""  # "module:function", str -> Opening: a level file of the player's own; empty: no such thing
    open_note: str = "Give the path of a level file."  # what may be typed for it
    editor: str = ""  # "module:function", str -> Opening: draws a level for this file; empty: no such thing
    codec: str = "model.level"  # the module that has pack_level and unpack_level
    kernels: str = ""  # "module:function" that compiles the game's own kernels, behind the menu; empty: none worth it

    @property
    def rules_text(self) -> str:
        """The rules in ten lines: the docstring of the game's folder."""
        return (import_module(f"dungeon_tui.games.{self.name}").__doc__ or "").strip()

    def load(self, part: str) -> Any:
        """A module of the game's folder, or with `module:name` something in it."""
        module_name, _, name = part.partition(":")
        module = import_module(f"dungeon_tui.games.{self.name}.{module_name}")
        return getattr(module, name) if name else module


@dataclass(frozen=True, slots=True)
class Opening:
    """A game that could be opened: one entry of the menu, or what a command line asks for."""

    title: str
    load: Callable[[], Any]  # -> the game's level, or a Recording to replay; may raise LevelError
    summary: str = ""
    seed: int = 0
    preview: Callable[[], list[Preview]] = list
    players: Mapping[str, str] = field(default_factory=dict)  # by seat; whoever is not named is YOU
    arguments: str = ""  # of `GAME play`, which open it, too; empty: it has no name there
    screen: str = ""  # "module:class" of the game's own, made from game, level and glyphs; empty: the level is played


@dataclass(frozen=True, slots=True)
class Preview:
    """A level as the menu shows it."""

    title: str
    caption: str
    lines: list[str]
    colours: Mapping[str, str] = field(default_factory=dict)  # of characters: names of the palette, "prize"


@cache
def find_games() -> tuple[Game, ...]:
    """Every folder of dungeon_tui.games that has a GAME, in the menu's order."""
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


def levels_folder(game: str) -> Path:
    """Where a game's shipped levels lie: in the installed package, or at the top of a checkout."""
    package = Path(dungeon_tui.__file__).parent
    installed = package / "levels"
    return (installed if installed.is_dir() else package.parent / "levels") / game


def shipped_level(game: str, name: str, ending: str) -> Path | None:
    """The file of the level that a game ships under this name; None where it is no such name."""
    path = levels_folder(game) / f"{name}{ending}"
    return path if re.fullmatch(r"[\w-]+", name) and os.path.isfile(path) else None


@dataclass(frozen=True, slots=True)
class PlainEnd:
    """How a plain play ended: the exit status, and what was played, to be recorded."""

    exit_status: int
    controller: TurnController[Any, Any, Any] | None = None
    players: Mapping[str, str] = field(default_factory=dict)  # by seat, as in Opening


@dataclass(frozen=True, slots=True)
class Play:
    """What the arguments of `GAME play` came to: the screen opens the opening, without a screen `plain` runs."""

    opening: Opening | None  # None: nothing was named, so the menu lets people choose
    plain: Callable[[TextIO, TextIO, TextIO], PlainEnd]  # (input, output, messages)
