"""The plain transcript of a game without a screen: its lines are prescribed, word by word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TextIO

from dungeon_tui.core.board import Board
from dungeon_tui.core.catalogue import PlainEnd
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.plain import read_command, read_word
from dungeon_tui.core.rules import Event
from dungeon_tui.core.spoken import Words
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, read_dungeon
from dungeon_tui.games.crawler.model.level import ADVENTURER, MONSTER, OPEN
from dungeon_tui.games.crawler.model.state import (
    AmuletTaken,
    Died,
    DoorTaken,
    DoublingRefused,
    Escaped,
    Moved,
    State,
    Status,
    Stayed,
    TreasureTaken,
)
from dungeon_tui.games.crawler.view.spoken import spoken
from dungeon_tui.games.crawler.view.words import sentences, treasures

_RULE = "-" * 57
INSTRUCTIONS = f"""
{_RULE}
Good day, adventurer!
Your goal is to get the treasure and escape the dungeon!
 --- SYMBOLS ---
 o          : That is you, the adventurer!
 $          : These are treasures. Lots of money!
 @          : These magical amulets resize the level.
 M          : These are monsters; avoid them!
 +, -, |    : These are unpassable obstacles.
 ?          : A door to another level.
 !          : A door to escape the dungeon.
 --- CONTROLS ---
 w, a, s, d : Move up, left, down, and right.
 e          : Stay still for a turn.
 q          : Abandon your quest.
{_RULE}

"""
ASK_DUNGEON = "Please enter the dungeon name and number of levels: "
ASK_COMMAND = "Enter command (w,a,s,d: move, e: stay still, q: quit): "
UNKNOWN_COMMAND = "I did not understand your command, adventurer!\n"
DEATH = "You died, adventurer! Better luck next time!\n"
FAREWELL = "Thank you for playing!\n"
RESTART = "r"  # back to the level's start; no word of the prescribed instructions
NO_SUCH_LEVEL = "Returning you back to the real word, adventurer!\n"


def map_lines(board: Board, adventurer: Cell) -> Iterator[str]:
    """The map in its border, three columns a tile; a killer is drawn over the adventurer.

    Line by line: a map may be too large for one text.
    """
    border = "+" + "---" * board.width + "+\n"
    yield border
    for row in range(board.height):
        tiles = bytearray(board.row(row).replace(bytes([OPEN]), b" "))
        if row == adventurer.row and tiles[adventurer.col] != MONSTER:
            tiles[adventurer.col] = ADVENTURER
        yield "| " + "  ".join(tiles.decode("ascii")) + " |\n"
    yield border


def _map_text(state: State) -> str:
    return "".join(map_lines(state.board, state.adventurer))


def _level_lines(state: State) -> Iterator[str]:
    """Lines at a level's start: its number and the map."""
    yield f"Level {state.number}\n"
    yield from map_lines(state.board, state.adventurer)


def turn_lines(before: State, after: State, events: Sequence[Event]) -> Iterator[str]:
    """Lines that one command prints: the map as the turn left it (of the level left, after a door), and the status."""
    board, cell = after.board, after.adventurer
    if any(isinstance(event, DoorTaken) for event in events):  # the level that was left, not the one entered
        board, cell = before.board, next(event.cell for event in events if isinstance(event, Moved))
    yield from map_lines(board, cell)
    yield from _status_lines(after, events)


def _status_lines(state: State, events: Sequence[Event]) -> Iterator[str]:
    """The lines of a turn's events, and an empty one; after a death its line alone."""
    if any(isinstance(event, Died) for event in events):
        yield DEATH
        return
    for event in events:
        match event:
            case Moved(cell=cell):
                yield f"You have moved to row {cell.row} and column {cell.col}\n"
            case Stayed(cell=cell):
                yield f"You stayed at row {cell.row} and column {cell.col}\n"
                yield "You didn't move. Are you lost?\n"
            case TreasureTaken(treasure=treasure):
                yield "Well done, adventurer! You found some treasure.\n"
                yield f"You now have {_as_fixed(treasure)}.\n"
            case AmuletTaken():
                yield "The magic amulet sparkles and crumbles into dust.\n"
                if not any(isinstance(other, DoublingRefused) for other in events):
                    yield "The ground begins to rumble. Are the walls moving?\n"
            case DoorTaken():
                yield "You go through the doorway into the unknown beyond...\n"
            case Escaped():
                yield "Congratulations, adventurer! You have escaped the dungeon!\n"
                yield f"You escaped with {_as_fixed(state.treasure)} and in {state.moves} total moves.\n"
            case _:
                pass
    yield "\n"


def remarks(state: State, events: Sequence[Event]) -> Iterator[str]:
    """Sentences for standard error: a doubling was refused, or no level lies behind the door."""
    for event in events:
        if isinstance(event, DoublingRefused):
            yield from sentences(event, state.dungeon)
    if state.status is Status.OUT_OF_LEVELS and state.dungeon.missing is None:
        yield f"There is no level behind this door: {state.dungeon.name} ends here, with {treasures(state.treasure)}."


def _as_fixed(number: int) -> str:
    """Treasures as the prescribed lines have them: digits without commas."""
    return treasures(number).replace(",", "")


def play(
    read: Callable[[], Dungeon] | None,
    max_cells: int,
    source: TextIO,
    out: TextIO,
    messages: TextIO,
    actions: Iterable[str] = (),
) -> PlainEnd:
    """Plays a dungeon in plain text, as docs/games/crawler.md prescribes, character for character.

    Args:
        read: the dungeon; None asks for its name and the number of levels.
        max_cells: a doubling beyond it is refused, in a dungeon that is asked for.
        source: the commands.
        out: gets the transcript and nothing else.
        messages: gets warnings and remarks.
        actions: played already, as recordings write them.
    """
    out.write(INSTRUCTIONS)
    if read is None:
        out.write(ASK_DUNGEON)
        out.flush()
        name, count = read_word(source), read_word(source)
        if not name or not count:
            out.write(FAREWELL)
            return PlainEnd(0)
        if not count.isascii() or not count.isdigit() or int(count[:7]) < 1:
            raise LevelError(f"the number of levels must be a whole number from 1 on, not {count[:40]!r}", "<stdin>")
        read = partial(read_dungeon, name, int(count[:7]), max_cells)
    dungeon = read()
    for warning in dungeon.warnings:
        print(f"warning: {warning}", file=messages)

    if not dungeon.levels:
        out.write("Level 1\n")
        return _no_such_level(dungeon.missing, None, out, messages)
    controller = TurnController(rules, dungeon)
    controller.apply_texts(actions)
    words = Words(spoken(dungeon, _map_text), controller, source, out)
    out.writelines(_level_lines(controller.state))
    try:
        while controller.outcome is None:
            words.prompt(ASK_COMMAND)
            if words.answered():
                continue
            command = read_command(words.source)
            if command in ("", "q"):
                out.write(FAREWELL)
                return PlainEnd(0, controller)
            if command == RESTART:
                controller.restart()
                again = [f"Level {controller.state.number}\n"] if words.is_quiet else _level_lines(controller.state)
                out.writelines(again)
                continue
            try:
                action = rules.read_action(command)
            except ValueError:
                out.write(UNKNOWN_COMMAND)
                continue
            before = controller.state
            turn = controller.apply(action)
            if words.is_quiet:
                out.writelines([*_status_lines(turn.state, turn.events), words.hunters()])
            else:
                out.writelines(turn_lines(before, turn.state, turn.events))
            for remark in remarks(turn.state, turn.events):
                print(remark, file=messages)
            if turn.state.number != before.number:
                level = [f"Level {turn.state.number}\n"] if words.is_quiet else _level_lines(turn.state)
                out.writelines(level)
    except KeyboardInterrupt:  # what was played is kept all the same
        return PlainEnd(130, controller)
    if controller.state.status is Status.OUT_OF_LEVELS and dungeon.missing is not None:
        out.write(f"Level {controller.state.number + 1}\n")
        return _no_such_level(dungeon.missing, controller, out, messages)
    return PlainEnd(0, controller)


def _no_such_level(
    error: LevelError | None, controller: TurnController[Any, Any, Any] | None, out: TextIO, messages: TextIO
) -> PlainEnd:
    out.flush()
    print(error, file=messages)
    out.write(NO_SUCH_LEVEL)
    return PlainEnd(1, controller)
