"""The deep in plain text; docs/games/deep.md shows the output."""

from collections.abc import Iterable

from dungeon_tui.core import plain_play
from dungeon_tui.core.catalogue import PlainEnd
from dungeon_tui.core.plain import Console
from dungeon_tui.core.plain_play import Script
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import counted, sentences
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import Campaign
from dungeon_tui.games.deep.model.state import Action, State, Status
from dungeon_tui.games.deep.view import words
from dungeon_tui.games.deep.view.guide import COMMANDS, DeepGuide
from dungeon_tui.games.deep.view.picture import Picture
from dungeon_tui.ui.glyphs import ASCII

PROMPT = "Command (w a s d: move, e: stay, 1 3 7 9: use an item, q: quit):\n"


def play(campaign: Campaign, console: Console, actions: Iterable[str] = ()) -> PlainEnd:
    """Plays a campaign in plain text: each non-blank character is a command; the end of the input counts as `q`."""
    controller: TurnController[Campaign, State, Action] = TurnController(rules, campaign)
    controller.apply_texts(actions)
    script = Script(
        guide=DeepGuide(),
        opening=opening_text(controller.state),
        board=board_text,
        turn=turn_text,
        read_action=lambda state, command: rules.read_action(command),
        prompt=PROMPT,
        letters=COMMANDS,
        is_final=lambda state: state.campaign.is_descent,
    )
    return plain_play.play(script, controller, console)


def opening_text(state: State) -> str:
    """The campaign's title and summary, the goal, the first level and its text."""
    campaign = state.campaign
    lines = [campaign.title or "The deep", campaign.summary, words.goal(state), state.level.title, state.level.text]
    return "".join(f"{line}\n" for line in lines if line) + board_text(state) + standing(state)


def turn_text(turn: Turn[State, Action], board: str | None) -> str:
    """The map after a turn or its replacement, the events and the status; at the end of the game the reason."""
    state = turn.state
    lines = [text for event in turn.events for text in sentences(words.EVENTS, event, state)]
    ends = [] if state.status is Status.PLAYING else [words.ended(state, "")[0] + "."]
    board = board_text(state) if board is None else board
    return board + "".join(f"{line}\n" for line in (*lines, *ends)) + standing(state)


def board_text(state: State) -> str:
    """The level in ASCII, a line for each row."""
    source = Picture(state, ASCII)
    return "".join("".join(source.row(row, 0, source.width).glyphs).rstrip() + "\n" for row in range(source.height))


def standing(state: State) -> str:
    """A line with treasure, moves and the items carried, and an empty line."""
    adventurer = state.adventurer
    falls = f" {words.FALLING}" if state.status is Status.PLAYING and rules.falling_cells(state) else ""
    figures = f"{counted(adventurer.treasure, 'treasure')}, {counted(state.moves, 'move')}."
    return f"{figures} You carry {words.carried(state)}.{falls}\n\n"
