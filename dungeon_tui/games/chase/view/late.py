"""The parts that are loaded late, by the thread that asks for them: they bring the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from dungeon_tui.core.catalogue import Game
    from dungeon_tui.games.chase.model.level import Level
    from dungeon_tui.games.chase.model.state import Action, State
    from dungeon_tui.ui.editor.screen import EditorScreen
    from dungeon_tui.ui.glyphs import Glyphs


def daily_board(day: date) -> Level:
    """The board of a day, made anew; see ai/daily.py."""
    from dungeon_tui.games.chase.ai.daily import daily_board

    return daily_board(day)


def is_safe(state: State) -> bool:
    """True if exact play never captures the rogue from here; see ai/tasks.py."""
    from dungeon_tui.games.chase.ai.tasks import is_safe

    return is_safe(state)


def made_task(seed: int, size: int, aim: str) -> Level:
    """A task that a seed makes; see ai/tasks.py."""
    from dungeon_tui.games.chase.ai.tasks import made_task

    return made_task(seed, size, aim)


def best_line(state: State) -> list[Action]:
    """The best moves of both sides from here on; see ai/tasks.py."""
    from dungeon_tui.games.chase.ai.tasks import best_line

    return best_line(state)


def value_text(state: State) -> str:
    """The value of a position in words; see ai/solver.py."""
    from dungeon_tui.games.chase.ai import solver

    return solver.value_text(solver.value(state))


def editor_screen(game: Game, glyphs: Glyphs, state: State) -> EditorScreen:
    """A new screen of the editor on a copy of the board as it stands."""
    from dungeon_tui.games.chase.view.editor import drawing_of
    from dungeon_tui.ui.editor.screen import EditorScreen

    return EditorScreen(game, drawing_of(state), glyphs)
