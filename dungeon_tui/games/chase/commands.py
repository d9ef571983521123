"""The chase's command line, and the plain play."""

from __future__ import annotations

from functools import partial
from typing import Annotated, TextIO

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play

app = typer.Typer()


def play(
    board: Annotated[str | None, typer.Argument(metavar="BOARD", help="A shipped board, or a file.")] = None,
) -> Play:
    """Play a chase."""
    from dungeon_tui.games.chase.dungeon import read_board

    return Play(None if board is None else Opening(board, partial(read_board, board)), partial(_play_plain, board))


def _play_plain(board: str | None, source: TextIO, output: TextIO, messages: TextIO) -> PlainEnd:
    raise NotImplementedError
