"""Grids, ways and whole rescues as plain text, in the words of docs/games/rescue.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TextIO

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.plain import ask, read_word
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.spoken import Words
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.rescue.ai.algorithms import Solution
from dungeon_tui.games.rescue.ai.solver import best_path, health_curve, path_need
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.dungeon import lessons
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.model.purchase import Bargain, bargain
from dungeon_tui.games.rescue.model.rules import Action, Guess, SetOut, State, Status, Walk, least_health, path_of
from dungeon_tui.games.rescue.view.spoken import spoken
from dungeon_tui.games.rescue.view.words import compared, entered, read_health, sentence_of, way_text

ASK_GRID = "Please enter the name of a grid:\n"
HELP = "Commands: guess N; health N, and he sets out with that; d right, s down; q ends.\n"
PURCHASE_HELP = "Commands: health N buys that, 1 gold each, and he sets out; d right, s down, a left, w up; q ends.\n"
QUIT = "q"
WAYS = {"d": Direction.RIGHT, "l": Direction.RIGHT, "s": Direction.DOWN, "j": Direction.DOWN}
WAYS |= {"a": Direction.LEFT, "h": Direction.LEFT, "w": Direction.UP, "k": Direction.UP}
NUMBERED: dict[str, type[Guess | SetOut]] = {"guess": Guess, "health": SetOut}

SHOWN = 20  # rows, columns, and cells at either end of a way: what is larger is cut

Game = TurnController[Level, State, Action]


def grid_text(level: Level) -> str:
    """The numbers, a line a row, the columns aligned; of large grids the upper left corner, and a line that says so."""
    rows, cols = level.grid.shape
    corner = level.grid[:SHOWN, :SHOWN].tolist()
    width = max(len(str(value)) for row in corner for value in row)
    text = "".join(" ".join(f"{value:{width}}" for value in row) + "\n" for row in corner)
    cut = [counted(size, what) for size, what in ((rows, "row"), (cols, "column")) if size > SHOWN]
    if cut:
        text += f"Shown: {', '.join(f'the first {SHOWN} of {sizes}' for sizes in cut)}.\n"
    return text


def ask_grid(source: TextIO, out: TextIO) -> str:
    """The name of a grid, which a person gives; empty if they leave."""
    return ask(f"Grids: {', '.join(lessons())}\n{ASK_GRID}", source, out)


def opening_text(level: Level) -> str:
    """The opening of a rescue: the grid's name, its size, its lesson, its numbers."""
    rows, cols = level.grid.shape
    lesson = f"{level.lesson}\n" if level.lesson else ""
    task = ""
    if level.fee is not None:
        task = f"A purchase: {level.purse} gold; a health costs 1, a power-up {level.fee}, once.\n"
    elif level.is_guessed:
        task = f"Guess the least health; {rules.most_guesses(level)} guesses are enough for halving.\n"
    size = f"{counted(rows, 'row')}, {counted(cols, 'column')}"
    return f"{level.name}: {size}\n{lesson}{task}\n{grid_text(level)}\n"


def help_text(level: Level) -> str:
    """The commands, in a line."""
    return HELP if level.fee is None else PURCHASE_HELP


def bargain_text(level: Level, found: Bargain) -> str:
    """Two lines: the least gold of a purchase, and the way."""
    rows, cols = level.grid.shape
    return (
        f"{level.name}, {rows} x {cols}: {found.gold} gold are enough, {found.health} of them for health\n"
        f"a cheapest path: {way_text(found.path)}\n"
    )


def walk_lines(level: Level, path: Sequence[tuple[int, int]], health: int) -> Iterable[str]:
    """A line for each cell of a way: its value, and the health there; of more than 60 the first and last 20."""
    curve = health_curve(level, path, health)
    lines = [entered(Cell(*cell), int(level.grid[cell]), left) for cell, left in zip(path, curve, strict=True)]
    if len(path) > 3 * SHOWN:
        left_out = curve[SHOWN:-SHOWN]
        told = f"Here {counted(len(left_out), 'cell')} are left out; the lowest health there is {min(left_out)}."
        lines[SHOWN:-SHOWN] = [told]
    return lines


def solution_text(level: Level, name: str, solution: Solution) -> str:
    """Three lines: the least health, the way, and the counts of the algorithm's work that are not 0."""
    rows, cols = level.grid.shape
    work = solution.work
    done = (("cell visit", work.visits), ("call", work.calls), ("probe", work.probes), ("state", work.states))
    told = [counted(number, what) for what, number in (*done, ("byte", work.bytes)) if number]
    way = f"not told by {name}" if solution.path is None else way_text(solution.path)
    return (
        f"{level.name}, {rows} x {cols}: the knight needs {solution.health} health\n"
        f"a best path: {way}\n"
        f"{name}: {', '.join(told)}\n"
    )


def relief_line(level: Level, relief: tuple[tuple[int, int], int] | None) -> str:
    """Line with the cell that is best emptied and the least health then; None: emptying one lowers nothing."""
    if relief is None:
        return "emptying one cell, whichever, lowers nothing"
    cell, health = relief
    return f"best emptied: {Cell(*cell).place} ({level.grid[cell]}), then the knight needs {health}"


def events_text(turn: Turn[State, Action]) -> str:
    """The events of a turn, a line each, and the end."""
    lines = [sentence_of(event, turn.state) for event in turn.events]
    outcome = rules.outcome(turn.state)
    return "".join(f"{line}\n" for line in [*lines, outcome.reason if outcome else ""] if line)


def summary_text(state: State) -> str:
    """Last lines of a rescue: the least health, a best path, the health along it; or that no health is enough."""
    level = state.level
    if level.fee is not None:
        found = bargain(level)
        return "" if found is None else f"\n{bargain_text(level, found)}"
    if level.is_guessed:
        return "\n" + "".join(f"{line}\n" for line in compared(replace(state, status=Status.MISSED)))
    try:
        path = best_path(level)
    except ValueError as error:
        return f"\nNo health is enough: {error}.\n"
    least = least_health(level)
    text = f"\nThe least health is {least}.\n"
    if state.status is Status.SAVED:
        text += f"Your way takes {path_need(level, path_of(state))} at least.\n"
    text += f"A best path: {way_text(path)}.\nHealth along it, from {least}:\n"
    return text + "".join(f"{line}\n" for line in walk_lines(level, path, least))


def play(level: Level, source: TextIO, out: TextIO, actions: Iterable[str] = ()) -> tuple[int, Game]:
    """A rescue by words, after actions that were played already: the end of the input counts as `q`.

    Returns:
        The exit status (130 after Ctrl-C, else 0), and what was played.
    """
    game: Game = TurnController(rules, level)
    game.apply_texts(actions)
    words = Words(spoken(help_text(level), lambda state: grid_text(state.level)), game, source, out)
    played = "".join(events_text(turn) for turn in game.turn.line())
    out.write(f"{opening_text(level)}{help_text(level)}{played}")
    try:
        while game.outcome is None:
            words.prompt("")
            if words.answered():
                continue
            if (word := read_word(words.source)) in ("", QUIT):
                break
            out.write(_answered(game, word, words.source))
    except KeyboardInterrupt:  # what was played is kept all the same
        return 130, game
    out.write(summary_text(game.state))
    return 0, game


def replay_text(game: Game) -> str:
    """The text that `play` printed of a rescue, up to its present turn, without refusals."""
    turns = "".join(events_text(turn) for turn in game.turn.line())
    return f"{opening_text(game.state.level)}{turns}{summary_text(game.state)}"


def _answered(game: Game, word: str, source: TextIO) -> str:
    """Plays the actions that a word from the input asks for, and gives the text that answers it."""
    actions: list[Action] = []
    if word in NUMBERED:
        try:
            actions = [NUMBERED[word](read_health(read_word(source)))]
        except ValueError as error:
            return sentence(str(error)) + "\n"
    elif all(WAYS.get(key) in rules.ways(game.state.level) for key in word):
        actions = [Walk(WAYS[key]) for key in word]
    text = "" if actions else f"I did not understand your command.\n{help_text(game.state.level)}"
    for action in actions:
        if game.outcome is None:
            try:
                text += events_text(game.apply(action))
            except IllegalActionError as error:
                text += sentence(str(error)) + "\n"
    return text
