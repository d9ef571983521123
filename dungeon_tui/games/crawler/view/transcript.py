"""The game in plain text, with prescribed sentences."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TextIO

from dungeon_tui.core import adventure
from dungeon_tui.core.adventure import treasures
from dungeon_tui.core.board import Board
from dungeon_tui.core.catalogue import PlainEnd
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.plain import FAREWELL, Console, read_word
from dungeon_tui.core.plain_play import Script
from dungeon_tui.core.plain_play import play as play_game
from dungeon_tui.core.rules import Event
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import sentences
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, load_dungeon
from dungeon_tui.games.crawler.model.events import Died, DoorTaken, Escaped
from dungeon_tui.games.crawler.model.level import ADVENTURER, MONSTER, OPEN
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.games.crawler.view.guide import COMMANDS, CrawlerGuide
from dungeon_tui.games.crawler.view.words import EVENTS

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
UNKNOWN_COMMAND = "I did not understand your command, adventurer!"
DEATH = "You died, adventurer! Better luck next time!\n"
RESTART = "r"  # restarts the level; not part of the prescribed instructions
NO_SUCH_LEVEL = "Returning you back to the real word, adventurer!\n"

Controller = TurnController[Dungeon, State, Action]


def map_lines(board: Board, adventurer: Cell) -> Iterator[str]:
    """Yields the lines of the map with its border, three columns for each tile; a killer hides the adventurer."""
    border = "+" + "---" * board.width + "+\n"
    yield border
    for row in range(board.height):
        tiles = bytearray(board.row(row).replace(bytes([OPEN]), b" "))
        if row == adventurer.row and tiles[adventurer.col] != MONSTER:
            tiles[adventurer.col] = ADVENTURER
        yield "| " + "  ".join(tiles.decode("ascii")) + " |\n"
    yield border


def _level_lines(state: State, *, is_quiet: bool = False) -> Iterator[str]:
    yield f"Level {state.number}\n"
    if not is_quiet:
        yield from map_lines(state.board, state.adventurer)


def turn_lines(before: State, after: State, events: Sequence[Event]) -> Iterator[str]:
    """Lines that one command prints: the map after the turn (after a door, of the level left), and the status."""
    board, cell = after.board, after.adventurer
    if any(isinstance(event, DoorTaken) for event in events):
        board, cell = before.board, next(event.cell for event in events if isinstance(event, adventure.Moved))
    yield from map_lines(board, cell)
    yield from _status_lines(after, events, first=0)


def _status_lines(state: State, events: Sequence[Event], *, first: int) -> Iterator[str]:
    """Lines on a turn's events, and an empty one; after a death only its line. Counts rows and columns from `first`."""
    if any(isinstance(event, Died) for event in events):
        yield DEATH
        return
    for event in events:
        match event:
            case adventure.Moved(cell=cell):
                yield f"You have moved to row {cell.row + first} and column {cell.col + first}\n"
            case adventure.Stayed(cell=cell):
                yield f"You stayed at row {cell.row + first} and column {cell.col + first}\n"
                yield "You didn't move. Are you lost?\n"
            case adventure.TreasureTaken(treasure=treasure):
                yield "Well done, adventurer! You found some treasure.\n"
                yield f"You now have {_as_fixed(treasure)}.\n"
            case adventure.AmuletTaken():
                yield "The magic amulet sparkles and crumbles into dust.\n"
                if not any(isinstance(other, adventure.DoublingRefused) for other in events):
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
    """Sentences for standard error: the limit prevented a doubling, or no level is behind the door."""
    for event in events:
        if isinstance(event, adventure.DoublingRefused):
            yield from sentences(EVENTS, event, state)
    if state.status is Status.OUT_OF_LEVELS and state.dungeon.missing is None:
        yield f"No level lies behind this door: {state.dungeon.name} ends here, with {treasures(state.treasure)}."


def _as_fixed(number: int) -> str:
    return treasures(number).replace(",", "")


def play(read: Callable[[], Dungeon] | None, console: Console, actions: Iterable[str] = ()) -> PlainEnd:
    """Plays a dungeon in plain text exactly as docs/games/crawler.md prescribes.

    Without a dungeon to read, it asks for a name and the number of levels. Only the transcript goes to `console.out`;
    warnings and remarks go to `console.messages`. Replays `actions` first.
    """
    out, source, messages = console.out, console.source, console.messages
    out.write("" if console.is_quiet else INSTRUCTIONS)
    if read is None:
        out.write(ASK_DUNGEON)
        out.flush()
        name, count = read_word(source), read_word(source)
        if not name or not count:
            out.write(FAREWELL)
            return PlainEnd(0)
        if not count.isascii() or not count.isdigit() or int(count[:7]) < 1:
            raise LevelError(
                f"the number of levels must be a whole number of at least 1, not {count[:40]!r}", "<stdin>"
            )
        read = partial(load_dungeon, name, int(count[:7]))
    try:
        dungeon = read()
    except LevelError as error:
        out.write("Level 1\n")
        return _no_such_level(error, None, out, messages)
    for warning in dungeon.warnings:
        print(f"warning: {warning}", file=messages)

    controller = TurnController(rules, dungeon)
    controller.apply_texts(actions)
    end = play_game(_script(controller, messages), controller, console)
    if controller.state.status is Status.OUT_OF_LEVELS and dungeon.missing is not None:
        out.write(f"Level {controller.state.number + 1}\n")
        return _no_such_level(dungeon.missing, controller, out, messages)
    return end


def _script(controller: Controller, messages: TextIO) -> Script[State]:
    def turn_text(turn: Turn[State, Action], board: str | None) -> Iterator[str]:
        assert turn.parent is not None
        before, after = turn.parent.state, turn.state
        if board is None:
            yield from turn_lines(before, after, turn.events)
        else:
            yield from (*_status_lines(after, turn.events, first=1), board)
        for remark in remarks(after, turn.events):
            print(remark, file=messages)
        if after.number != before.number:
            yield from _level_lines(after, is_quiet=board is not None)

    def restarted(board: str | None) -> Iterator[str]:
        controller.restart()
        return _level_lines(controller.state, is_quiet=board is not None)

    return Script(
        guide=CrawlerGuide(Solving()),
        opening=_level_lines(controller.state),
        board=lambda state: map_lines(state.board, state.adventurer),
        turn=turn_text,
        read_action=lambda state, command: rules.read_action(command),
        not_understood=UNKNOWN_COMMAND,
        prompt=ASK_COMMAND,
        others={RESTART: restarted},
        letters=COMMANDS,
    )


def _no_such_level(error: LevelError | None, controller: Controller | None, out: TextIO, messages: TextIO) -> PlainEnd:
    out.flush()
    print(error, file=messages)
    out.write(NO_SUCH_LEVEL)
    return PlainEnd(1, controller)
