"""The one table of keys: footer, help, palette and settings are made from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from textual.binding import Binding


class Use(Enum):
    """Which games have a key."""

    EVERY_GAME = "every game"
    EIGHT_WAYS = "games with diagonal moves"
    STAIRS = "games with stairs"
    FOG = "games where one sees only so far"
    KINDS = "games with several kinds of distances"
    SIGHT = "games with lines of sight"
    DANGER = "games where the next step may be death"
    FATE = "games that may be lost before they end"
    AIM = "games of which one can want more or less"
    AMULETS = "games with levels that double"
    PLAYERS = "games of several seats"
    ANALYSIS = "games that are solved exactly"
    HEALTH = "games where the health to set out with is chosen"
    CURVE = "games with a curve to plot"
    PLAN = "games that are planned ahead"
    WALK = "games that show the way that was walked"
    ALGORITHMS = "games that several algorithms solve"


@dataclass(frozen=True, slots=True)
class Key:
    """One command of the play screens, and its keys."""

    id: str  # what a settings file rebinds
    keys: str  # as Textual names them
    shown: str  # as people read them
    action: str
    label: str  # one or two words for the footer and the palette
    help: str
    section: str
    footer: int = 0  # its place in the footer, from 1 on; the last ones give way first
    use: Use = Use.EVERY_GAME
    if_more: tuple[Use, str] | None = None  # another help in games with this use

    def help_in(self, uses: Collection[Use]) -> str:
        """What it does in a game with these uses."""
        return self.if_more[1] if self.if_more is not None and self.if_more[0] in uses else self.help

    def binding(self) -> Binding:
        """The key as Textual wants it."""
        return Binding(self.keys, self.action, self.label, show=False, key_display=self.shown, id=self.id)


DIAGONAL = Use.EIGHT_WAYS
MOVES, ADVICE, TURNS, LOOKING, GAME = "Moving", "Help while you play", "Turns", "Looking", "The game"

KEYS: tuple[Key, ...] = (
    Key("move.up", "up,w,k,8", "↑ w k 8", "move('UP')", "Up", "move up", MOVES),
    Key("move.down", "down,s,j,2", "↓ s j 2", "move('DOWN')", "Down", "move down", MOVES),
    Key("move.left", "left,a,h,4", "← a h 4", "move('LEFT')", "Left", "move left", MOVES),
    Key("move.right", "right,d,l,6", "→ d l 6", "move('RIGHT')", "Right", "move right", MOVES),
    Key("move.up-left", "y,home,7", "y 7", "move('UP_LEFT')", "Up left", "move up left", MOVES, use=DIAGONAL),
    Key("move.up-right", "u,pageup,9", "u 9", "move('UP_RIGHT')", "Up right", "move up right", MOVES, use=DIAGONAL),
    Key("move.down-left", "b,end,1", "b 1", "move('DOWN_LEFT')", "Down left", "move down left", MOVES, use=DIAGONAL),
    Key(
        "move.down-right", "n,pagedown,3", "n 3", "move('DOWN_RIGHT')", "Down right", "move down right", MOVES,
        use=DIAGONAL,
    ),
    Key("stay", "e,full_stop,5", "e . 5", "stay", "Stay", "stay where you are for a turn", MOVES),
    Key("travel", "g", "g", "travel", "Travel", "choose a cell and walk there; a click does the same", MOVES, 5),
    Key("explore", "z", "z", "explore", "Explore", "walk to what is unseen until something comes up", MOVES, 6,
        use=Use.FOG),
    Key("stairs.down", "greater_than_sign", ">", "special('DESCEND')", "Down stairs", "take the stairs down", MOVES,
        use=Use.STAIRS),
    Key("stairs.up", "less_than_sign", "<", "special('ASCEND')", "Up stairs", "take the stairs up", MOVES,
        use=Use.STAIRS),
    Key("health", "H", "H", "ask('health')", "Health", "choose the health to set out with", MOVES, 5, use=Use.HEALTH),
    Key("guess", "G", "G", "ask('guess')", "Guess", "guess the least health that is enough", MOVES, 5,
        use=Use.HEALTH),
    Key("hint", "slash", "/", "hint", "Hint", "a hint for this level", ADVICE, 7),
    Key("plan", "P", "P", "toggle_layer('plan')", "Plan", "show the cheapest way on", ADVICE, 9, use=Use.PLAN),
    Key("best", "B", "B", "toggle_layer('best')", "Best way", "show a best way", ADVICE, 8, use=Use.HEALTH),
    Key("best.all", "W", "W", "toggle_layer('all best')", "All ways", "show the cells of all best ways", ADVICE,
        use=Use.HEALTH),
    Key("aim", "N", "N", "switch('aim')", "Aim", "how much treasure hints aim at", ADVICE, use=Use.AIM),
    Key("outlook", "F", "F", "outlook", "Fate", "say whether a way out is left, and since when not", ADVICE,
        use=Use.FATE),
    Key("last_chance", "X", "X", "last_chance", "Last chance", "back to the last turn that could be won", ADVICE,
        use=Use.FATE),
    Key("outlook.watch", "V", "V", "switch('watch')", "Watch fate",
        "when to tell that no way out is left: asked by F, at once, never", ADVICE, use=Use.FATE),
    Key("undo", "backspace,ctrl+z", "⌫ ctrl+z", "undo", "Undo", "take the last turn back", TURNS, 3),
    Key("redo", "ctrl+y", "ctrl+y", "redo", "Redo", "play it again", TURNS),
    Key("restart", "r", "r", "restart", "Restart", "back to the start of this level", TURNS, 4),
    Key("play", "p", "p", "play_pause", "Play", "play on turn by turn, or pause; so with distances that grow", TURNS),
    Key("step.back", "left_square_bracket", "[", "step(-1)", "Back", "a turn back in the history", TURNS),
    Key("step.on", "right_square_bracket", "]", "step(1)", "Forward", "a turn on in the history", TURNS,
        if_more=(Use.PLAYERS, "a turn on in the history; at its end a strategy's move")),
    Key("go_to_turn", "T", "T", "go_to_turn", "Go to turn", "type the number of a turn", TURNS),
    Key("other_line", "L", "L", "other_line", "Other line", "the other branch of the next turn that has one", TURNS),
    Key("recording", "J", "J", "recording", "Recording", "back to the line that was recorded", TURNS),
    Key("previous", "left_curly_bracket", "{", "change_speed(-1)", "Previous", "play more slowly", TURNS,
        if_more=(Use.ANALYSIS, "while exact play is shown: the mistake before; else slower")),
    Key("next", "right_curly_bracket", "}", "change_speed(1)", "Next", "play faster", TURNS,
        if_more=(Use.ANALYSIS, "while exact play is shown: the next mistake; else faster")),
    Key("slower", "comma", ",", "pace(-1)", "Slower", "play more slowly", TURNS),
    Key("faster", "semicolon", ";", "pace(1)", "Faster", "play faster", TURNS),
    Key("players", "m", "m", "players", "Players", "choose who plays: you or a strategy", TURNS, use=Use.PLAYERS),
    Key("analysis", "A", "A", "toggle_analysis", "Analysis",
        "what every move is worth; along the turns ! marks a mistake, ' a slip", LOOKING, 11,
        use=Use.ANALYSIS),
    Key("why", "c", "c", "why", "Why", "play out the best way from here; again: back", LOOKING, 12, use=Use.ANALYSIS,
        if_more=(Use.PLAYERS, "play out what refutes the last move; again: back")),
    Key("sight", "v", "v", "toggle_layer('sight')", "Sight", "show the lines along which you are seen", LOOKING, 8,
        use=Use.SIGHT),
    Key("danger", "x", "x", "toggle_layer('danger')", "Danger", "show where the next step is death", LOOKING, 9,
        use=Use.DANGER),
    Key("preview", "D", "D", "switch('preview')", "Doubled", "beside an amulet, show what it would make of the level",
        LOOKING, use=Use.AMULETS),
    Key("curve", "C", "C", "curve", "Curve", "plot how it goes", LOOKING, 9, use=Use.CURVE),
    Key("walk", "Y", "Y", "toggle_layer('walk')", "Your walk", "show the way that you came", LOOKING, use=Use.WALK),
    Key("race", "R", "R", "page('race')", "Race", "algorithms side by side on this level", LOOKING,
        use=Use.ALGORITHMS),
    Key("compare", "M", "M", "page('compare')", "Compare", "measure the algorithms on growing levels", LOOKING,
        use=Use.ALGORITHMS),
    Key("overlay", "o", "o", "cycle_overlay", "Distances", "distances as letters, digits, heat, arrows", LOOKING, 10),
    Key("overlay.watch", "O", "O", "watch_overlay", "Watch", "watch these computed, step by step", LOOKING),
    Key("overlay.kind", "t", "t", "next_kind", "Other map", "the other distances: walking, tunnelling", LOOKING,
        use=Use.KINDS),
    Key("fog", "f", "f", "fog", "Fog", "fog of war: see only what you have seen, or all", LOOKING, use=Use.FOG),
    Key("inspect", "i", "i", "inspect", "Inspect", "choose a cell and read what it is", LOOKING),
    Key("zoom.in", "plus,equals_sign", "+", "zoom(1)", "Larger", "larger cells", LOOKING),
    Key("zoom.out", "minus", "-", "zoom(-1)", "Smaller", "smaller cells", LOOKING),
    Key("zoom.fit", "0", "0", "zoom(0)", "Fit", "cells as large as the map allows", LOOKING),
    Key("save", "ctrl+s", "ctrl+s", "save", "Save", "keep a recording; the menu lists it", GAME),
    Key("help", "question_mark", "?", "help", "Help", "this page", GAME, 1),
    Key("palette", "ctrl+p", "ctrl+p", "app.command_palette", "Commands", "find a command by its name", GAME),
    Key("leave", "q,escape", "q", "leave", "Leave", "leave the game", GAME, 2),
)  # fmt: skip


DIAGONAL_KEYS = frozenset(name for key in KEYS if key.use is DIAGONAL for name in key.keys.split(","))


def footer_of(keys: Iterable[Key]) -> list[Key]:
    """The keys that the footer shows, in its order."""
    return sorted((key for key in keys if key.footer), key=lambda key: key.footer)


Words = Mapping[str, tuple[str, str] | None]
"""What a game calls keys, by id: labels and helps; None: it has no such key."""


def keys_for(uses: Collection[Use], words: Words | None = None) -> tuple[Key, ...]:
    """The keys of a game with these uses, called by its own words where it has some."""
    words = words or {}
    keys = (key for key in KEYS if key.use is Use.EVERY_GAME or key.use in uses)
    named = ((key, words.get(key.id, (key.label, key.help_in(uses)))) for key in keys)
    return tuple(replace(key, label=told[0], help=told[1]) for key, told in named if told is not None)
