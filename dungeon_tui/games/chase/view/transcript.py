"""Boards and whole chases as plain text: docs/games/chase.md specifies the output."""

from collections.abc import Iterable, Iterator, Mapping

from dungeon_tui.core import plain_play
from dungeon_tui.core.catalogue import PlainEnd
from dungeon_tui.core.grid import EIGHT_WAYS
from dungeon_tui.core.plain import FAREWELL, Console
from dungeon_tui.core.plain_play import Script
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.games.chase.ai.player import Player
from dungeon_tui.games.chase.ai.tasks import solved_idea
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import CAPTURE, Level
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status
from dungeon_tui.games.chase.view.guide import ChaseGuide

PROMPTS = {side: f"You are the {side.value} (w a s d y u b n: move, e: stay, q: quit):" for side in Side}
_KEYS = ("wk8", "sj2", "ah4", "dl6", "y7", "u9", "b1", "n3", "e.5")  # as on the screen
_WAYS = (*EIGHT_WAYS, None)  # None stays
WAYS = {key: way for keys, way in zip(_KEYS, _WAYS, strict=True) for key in keys}
COMMANDS = "".join(WAYS) + plain_play.QUIT

Game = TurnController[Level, State, Action]


def board_text(state: State) -> str:
    """The board, a line per row: each site is its glyph and a blank, a wall two blanks."""
    level = state.level
    rows = level.glyph_rows(state.monster, state.rogue)
    if state.rogue == state.monster:
        rows[state.rogue.row][state.rogue.col] = CAPTURE
    return "".join("".join(f"{glyph} " for glyph in row) + "\n" for row in rows)


def heading(state: State) -> str:
    """`Move 3` and an empty line if the monster moves next; else empty."""
    if state.side is Side.ROGUE or state.status is not Status.PLAYING:
        return ""
    return f"Move {state.monster_moves + 1}\n\n"


def turn_text(state: State, board: str | None = None) -> str:
    """The board after a move (or `board`) and an empty line, and the last line at the end; none for a forfeit."""
    if state.status is Status.FORFEIT:
        return f"Forfeit by {state.side.value}: {state.reason}\n"
    last = {
        Status.PLAYING: "",
        Status.CAPTURED: "Caught by monster\n",
        Status.EVADED: f"Evaded for {state.monster_moves} moves\n",  # "1 moves" too: scripts read it
        Status.SAFE: f"Safe after {state.monster_moves} moves\n",
        Status.MISSED: f"Not safe after {state.monster_moves} moves\n",
    }
    return (f"{board_text(state)}\n" if board is None else board) + last[state.status]


def run_text(turns: Iterable[Turn[State, Action]]) -> str:
    """A whole chase, from its first turn to the last."""
    return "".join((turn_text(turn.state) if turn.parent else "") + heading(turn.state) for turn in turns)


def play(
    level: Level,
    players: Mapping[Side, Player | None],
    seed: int,
    console: Console,
    actions: Iterable[str] = (),
    names: Mapping[str, str] | None = None,
) -> PlainEnd:
    """Plays a chase on text streams and asks for the moves of sides without a player; end of input means `q`.

    If both sides have players, prints what `run_text` returns. `actions` are applied first, without output. `names` are
    the players' names by seat. Raises StrategyError if a player can't play on this board.
    """
    game: Game = TurnController(rules, level, seed)
    game.apply_texts(actions)

    def opening() -> Iterator[str]:
        if level.task is not None:
            yield f"{level.note}\n\n"
        if None in players.values():
            yield f"{board_text(game.state)}\n"
        for player in filter(None, players.values()):
            player.prepare(level)
        yield heading(game.state)

    def text_of(turn: Turn[State, Action], board: str | None) -> str:
        return turn_text(turn.state, board) + (heading(turn.state) if board is None else "")

    def choose(state: State) -> Action | None:
        player = players[state.side]
        return None if player is None else player.choose(state)

    def read_action(state: State, command: str) -> Move:
        if command not in WAYS:
            raise ValueError(command)
        way = WAYS[command]
        return Move(state.site if way is None else state.site.neighbour(way))

    def closing(state: State, has_left: bool) -> str:
        """The farewell; after a solved task, its idea."""
        return FAREWELL if has_left else f"{text}\n" if (text := solved_idea(level, rules.outcome(state))) else ""

    # plain_play asks for moves, prints turns and handles undo; the functions above say how.
    script = Script(
        guide=ChaseGuide(),
        opening=opening(),
        board=board_text,
        turn=text_of,
        read_action=read_action,
        prompt=lambda state: f"{PROMPTS[state.side]}\n",
        closing=closing,
        letters=COMMANDS,
        choose=choose,
        is_persons_move=lambda state: players[state.side] is None,
    )
    return plain_play.play(script, game, console, names)
