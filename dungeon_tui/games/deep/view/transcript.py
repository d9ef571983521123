"""The deep as plain text: docs/games/deep.md shows what is printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from dungeon_tui.core.catalogue import PlainEnd
from dungeon_tui.core.plain import FAREWELL, read_command
from dungeon_tui.core.rules import Event, IllegalActionError
from dungeon_tui.core.spoken import Words
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import Campaign
from dungeon_tui.games.deep.model.state import Action, DoorTaken, State, Status
from dungeon_tui.games.deep.view import words
from dungeon_tui.games.deep.view.picture import Picture
from dungeon_tui.games.deep.view.spoken import spoken
from dungeon_tui.ui.glyphs import ASCII

PROMPT = "Command (w a s d: move, e: stay, 1 3 7 9: use an item, q: quit):\n"
QUIT = "q"


def play(campaign: Campaign, source: TextIO, out: TextIO, actions: Iterable[str] = ()) -> PlainEnd:
    """Plays a campaign: each character of the source that is not blank is a command; its end counts as `q`.

    Actions that were played already begin it, unprinted.

    Returns:
        The exit status (130 after Ctrl-C, else 0), and what was played.
    """
    controller: TurnController[Campaign, State, Action] = TurnController(rules, campaign)
    controller.apply_texts(actions)
    asked = Words(spoken(board_text), controller, source, out)
    text = opening_text(controller.state)
    try:
        while True:
            out.write(text)
            if controller.outcome is not None:
                return PlainEnd(0, controller)
            asked.prompt(PROMPT)
            if asked.answered():
                text = ""
                continue
            command = read_command(asked.source)
            if command in ("", QUIT):
                out.write(FAREWELL)
                return PlainEnd(0, controller)
            try:
                turn = controller.apply(rules.read_action(command))
            except IllegalActionError as error:
                text = f"{sentence(str(error))}\n"
            except ValueError:
                text = f"{words.NOT_UNDERSTOOD}\n"
            else:
                board = asked.hunters() if asked.is_quiet else board_text(turn.state)
                text = turn_text(turn.state, turn.events, board)
    except KeyboardInterrupt:  # what was played is kept all the same
        return PlainEnd(130, controller)


def opening_text(state: State) -> str:
    """The campaign's title and summary, the first level, and its text."""
    campaign = state.campaign
    lines = [campaign.title or "The deep", campaign.summary, words.goal(state), state.level.title, state.level.text]
    return "".join(f"{line}\n" for line in lines if line) + board_text(state) + standing(state)


def turn_text(state: State, events: Sequence[Event], board: str) -> str:
    """The map after a turn, or what stands for it, its events, and how it stands; at the end the reason."""
    told = [text for event in events for text in words.sentences(event, state.campaign) if text]
    ends = [] if (outcome := rules.outcome(state)) is None else [words.ended(state, outcome, "")[0] + "."]
    is_new = any(isinstance(event, DoorTaken) for event in events) and state.status is Status.PLAYING
    title = f"{state.level.title or state.level.name}\n" if is_new else ""
    return title + board + "".join(f"{line}\n" for line in (*told, *ends)) + standing(state)


def board_text(state: State) -> str:
    """A line for each row of the level, in ASCII."""
    source = Picture(state, ASCII)
    return "".join("".join(source.row(row, 0, source.width).glyphs).rstrip() + "\n" for row in range(source.height))


def standing(state: State) -> str:
    """A line with treasure, moves and what is carried, and an empty one."""
    adventurer = state.adventurer
    carried = ", ".join(label for label, _ in words.inventory(state)) or "nothing"
    falls = f" {words.FALLING}" if state.status is Status.PLAYING and rules.falling_cells(state) else ""
    figures = f"{counted(adventurer.treasure, 'treasure')}, {counted(state.moves, 'move')}. You carry: {carried}."
    return f"{figures}{falls}\n\n"
