"""The delve: rooms, corridors and rock, and monsters that run downhill towards you, some of them through the rock.

You are `@` and walk eight ways. Who steps onto a character removes it: you a monster, a monster another one.
You have three hearts: a monster that steps onto you takes one, one a turn at most, and is thrown back. What you did not
see when your turn began does not hit you in it. Each new depth gives a heart back.
Ten depths down lies an amulet: take the stairs `>` down, take it, and bring it up by `<`.
100 points for a depth, 10 for each monster that you remove, 1000 for the amulet.
Monsters come when they see you, or always know where you are; some dig, the erratic go anywhere half the time.
You have 10 turns in the time in which a monster has 5 to 20, by its speed. In a corridor they come one at a time.
`--rules course` is the course's own game: one hit is death, and you win when all monsters are gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dungeon_tui.core.catalogue import Commands, Game, Levels

if TYPE_CHECKING:
    from dungeon_tui.core.rules import Rules
    from dungeon_tui.games.delve.ai.judged import DelveProblem
    from dungeon_tui.games.delve.view.screen import DelveView


class Delve(Game):
    """The delve, with its parts."""

    name = "delve"
    title = "Delve"
    summary = "Bring the amulet up from ten depths down."
    order = 4
    has_judge = True
    open_note = "Give the path of a dungeon file, as text or as courses' programs save it."

    def rules(self) -> Rules[Any, Any, Any]:
        """Module of the game's rules, imported when asked for."""
        from dungeon_tui.games.delve.model import rules

        return rules

    def levels(self) -> Levels:
        """Module that lists, reads and packs the game's levels, imported when asked for."""
        from dungeon_tui.games.delve.model import generator

        return generator

    def view(self) -> type[DelveView]:
        """Class of the game's view, imported when asked for."""
        from dungeon_tui.games.delve.view.screen import DelveView

        return DelveView

    def commands(self) -> Commands:
        """Module of the game's commands, imported when asked for."""
        from dungeon_tui.games.delve import commands

        return commands

    def problem(self) -> DelveProblem:
        """The game's problem for programs, imported when asked for."""
        from dungeon_tui.games.delve.ai.judged import DelveProblem

        return DelveProblem()


GAME = Delve()
