"""Grids, paths and whole rescues as plain text: docs/games/rescue.md specifies the output."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple
from typing import TextIO

from dungeon_tui.core import plain_play
from dungeon_tui.core.catalogue import PlainEnd
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.plain import Console, ask, read_word
from dungeon_tui.core.plain_play import Script
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import counted
from dungeon_tui.games.rescue.ai.algorithms import Solution
from dungeon_tui.games.rescue.ai.solver import best_path, health_curve
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.model.options import lessons
from dungeon_tui.games.rescue.model.purchase import Bargain, bargain
from dungeon_tui.games.rescue.model.rules import Action, SetOut, State, Status, Walk, least_health
from dungeon_tui.games.rescue.view.guide import RescueGuide
from dungeon_tui.games.rescue.view.words import entered, read_health, sentence_of, way_text

ASK_GRID = "Please enter the name of a grid:\n"
HELP = "Commands: health N: set out with N; d: right, s: down; q: quit.\n"
PURCHASE_HELP = (
    "Commands: health N: buy N health for 1 gold each and set out; d: right, s: down, a: left, w: up; q: quit.\n"
)
WAYS = {"d": Direction.RIGHT, "l": Direction.RIGHT, "s": Direction.DOWN, "j": Direction.DOWN}
WAYS |= {"a": Direction.LEFT, "h": Direction.LEFT, "w": Direction.UP, "k": Direction.UP}

SHOWN = 20  # most rows and columns of a grid, and cells at either end of a path

Game = TurnController[Level, State, Action]


def grid_text(level: Level) -> str:
    """The numbers, a line per row, aligned; of large grids the upper left corner, and a line that says so."""
    rows, cols = level.grid.shape
    corner = level.grid[:SHOWN, :SHOWN].tolist()
    width = max(len(str(value)) for row in corner for value in row)
    text = "".join(" ".join(f"{value:{width}}" for value in row) + "\n" for row in corner)
    cut = [counted(size, what) for size, what in ((rows, "row"), (cols, "column")) if size > SHOWN]
    if cut:
        text += f"Shown: {', '.join(f'the first {SHOWN} of {sizes}' for sizes in cut)}.\n"
    return text


def ask_grid(console: Console) -> str:
    """Asks for the name of a grid; empty if the player quits."""
    return ask(f"Grids: {', '.join(lessons())}\n{ASK_GRID}", console)


def opening_text(level: Level) -> str:
    """The grid's name, size, lesson, task and numbers."""
    rows, cols = level.grid.shape
    lesson = f"{level.lesson}\n" if level.lesson else ""
    task = ""
    if level.fee is not None:
        task = f"A purchase: {level.purse} gold; 1 health costs 1 gold, a power-up {level.fee}, once.\n"
    size = f"{counted(rows, 'row')}, {counted(cols, 'column')}"
    return f"{level.name}: {size}\n{lesson}{task}\n{grid_text(level)}\n"


def help_text(level: Level) -> str:
    """The commands, in a line."""
    return HELP if level.fee is None else PURCHASE_HELP


def bargain_text(level: Level, found: Bargain) -> str:
    """Two lines: the least gold of a purchase, and the path."""
    enough = f"{found.gold} gold are enough, {found.health} of them for health"
    return f"{_sized(level)}: {enough}\na cheapest path: {way_text(found.path)}\n"


def _sized(level: Level) -> str:
    rows, cols = level.grid.shape
    return f"{level.name}, {rows} x {cols}"


def _walk_lines(level: Level, path: Sequence[tuple[int, int]], health: int) -> Iterable[str]:
    """A line for each cell of a path: its number, and the health there; of more than 60 cells the first and last 20."""
    curve = health_curve(level, path, health)
    lines = [entered(Cell(*cell), int(level.grid[cell]), left) for cell, left in zip(path, curve, strict=True)]
    if len(path) > 3 * SHOWN:
        left_out = curve[SHOWN:-SHOWN]
        note = f"... {counted(len(left_out), 'more cell')}; their lowest health is {min(left_out)} ..."
        lines[SHOWN:-SHOWN] = [note]
    return lines


def solution_text(level: Level, name: str, solution: Solution) -> str:
    """Three lines: the least health, the path, and the counts of work that are not 0."""
    work = zip(("cell visit", "call", "probe", "state", "byte"), astuple(solution.work), strict=True)
    counts = ", ".join(counted(number, what) for what, number in work if number)
    way = f"not found by {name}" if solution.path is None else way_text(solution.path)
    return f"{_sized(level)}: the knight needs {solution.health} health\na best path: {way}\n{name}: {counts}\n"


def events_text(turn: Turn[State, Action]) -> str:
    """The events of a turn, a line each, and the end."""
    lines = [sentence_of(event, turn.state) for event in turn.events]
    outcome = rules.outcome(turn.state)
    return "".join(f"{line}\n" for line in [*lines, outcome.reason if outcome else ""] if line)


def summary_text(state: State) -> str:
    """The last lines of a rescue: the least health, a best path and the health along it; or that none is enough."""
    level = state.level
    if level.fee is not None:
        found = bargain(level)
        return "" if found is None else f"\n{bargain_text(level, found)}"
    try:
        path = best_path(level)
    except ValueError as error:
        return f"\nNo health is enough: {error}.\n"
    least = least_health(level)
    text = f"\nThe least health is {least}.\n"
    if state.status is Status.SAVED:
        text += f"Your path needs {state.need}.\n"
    text += f"A best path: {way_text(path)}.\nHealth along it, from {least}:\n"
    return text + "".join(f"{line}\n" for line in _walk_lines(level, path, least))


def play(level: Level, console: Console, actions: Iterable[str] = ()) -> PlainEnd:
    """Plays a rescue on text streams; end of input means `q`. Applies `actions` first."""
    game: Game = TurnController(rules, level)
    game.apply_texts(actions)
    played = "".join(events_text(turn) for turn in game.turn.line())
    script = Script(
        guide=RescueGuide(help_text(level)),
        opening=f"{opening_text(level)}{help_text(level)}{played}",
        board=lambda state: grid_text(state.level),
        turn=lambda turn, board: events_text(turn),
        read_action=_read_action,
        not_understood="",
        closing=lambda state, has_left: summary_text(state),
        read=_read,
        split=_split,
    )
    return plain_play.play(script, game, console)


def replay_text(game: Game) -> str:
    """The text that `play` printed up to the current turn, without refusals."""
    turns = "".join(events_text(turn) for turn in game.turn.line())
    return f"{opening_text(game.state.level)}{turns}{summary_text(game.state)}"


def _read(source: TextIO) -> str:
    word = read_word(source)
    return f"{word} {read_word(source)}" if word == "health" else word


def _split(state: State, text: str) -> Sequence[str]:
    return [*text] if all(WAYS.get(key) in rules.ways(state.level) for key in text) else [text]


def _read_action(state: State, text: str) -> Action:
    word, _, number = text.partition(" ")
    if word == "health":
        return SetOut(read_health(number))
    if (way := WAYS.get(text)) not in rules.ways(state.level) or way is None:
        raise ValueError(f"{plain_play.NOT_UNDERSTOOD}\n{help_text(state.level).strip()}")
    return Walk(way)
