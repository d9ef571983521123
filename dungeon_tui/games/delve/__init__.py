"""The delve: rooms, corridors and rock, and monsters that run downhill towards you, some of them through the rock.

You are `@` and walk eight ways. Who steps onto a character removes it: you a monster, a monster you or another one.
You win when all monsters are gone, and lose when one steps on you.
A monster's digit, 0 to f, is the sum of what it can do: 1 smart, it goes where it last saw you; 2 telepathic, it
always knows where you are; 4 it tunnels; 8 erratic, half its moves are random. The others need to see you.
Whoever knows where you are takes the shortest way. Tunnellers wear the rock down, 85 of its hardness a turn.
You have 10 turns in the time in which a monster has 5 to 20, by its speed; whose turn comes at the same time as yours
comes after you.
Stairs `>` lead to a deeper dungeon with more and faster monsters, `<` to one less deep; both are new each time.
Your score is how deep you came, and in how few turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dungeon_tui.core.catalogue import Commands, Game, Levels

if TYPE_CHECKING:
    from dungeon_tui.core.rules import Rules
    from dungeon_tui.games.delve.view.screen import DelveView


class Delve(Game):
    """The delve, with its parts."""

    name = "delve"
    title = "Delve"
    summary = "Rid the dungeon of its monsters, before one of them steps on you."
    order = 4
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


GAME = Delve()
