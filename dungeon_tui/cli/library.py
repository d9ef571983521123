"""`dungeon-tui library`: the games that are kept, listed, shown, removed, brought elsewhere and back."""

from __future__ import annotations

import os
from functools import cache
from typing import Annotated

import typer

from dungeon_tui.core.plain import fail
from dungeon_tui.storage.library import NAME, Library, LibraryError
from dungeon_tui.storage.places import HOME, home
from dungeon_tui.ui.command_line import refuse_empty


def _move_home(folder: str | None) -> str | None:
    if folder is not None:
        os.environ[HOME] = os.path.abspath(refuse_empty(folder))
    return folder


LibraryOption = Annotated[
    str | None,
    typer.Option(
        "--library",
        metavar="DIR",
        is_eager=True,
        callback=_move_home,
        help=f"The folder of all that is kept, instead of {HOME} or the user's own.",
    ),
]
app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@cache
def open_library() -> Library:
    """The player's library; ends the process with one line where it can't be opened."""
    try:
        return Library(home() / NAME)
    except (LibraryError, OSError) as error:
        fail(str(error))
