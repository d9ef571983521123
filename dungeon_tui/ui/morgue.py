"""A game as a page of text: what was played, how it ended, the moves, the last messages and the last map."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any

from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import counted, duration
from dungeon_tui.storage.exchange import CarriedEnd
from dungeon_tui.storage.library import KeptGame
from dungeon_tui.storage.shelf import Item
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.snapshot import map_text

WIDTH = 78  # columns of what is folded
MOST_LINES = 8  # of moves
LAST_TURNS = 5  # of which messages are told


def morgue(
    view: GameView,
    item: Item,
    controller: TurnController[Any, Any, Any],
    ends: Sequence[CarriedEnd] = (),
    trouble: str = "",
) -> str:
    """The page of a game or recording, played again up to its present turn.

    Args:
        view: how it looks.
        item: what is known of it.
        controller: at the present turn.
        ends: those of the game, in their order.
        trouble: what went wrong when it was played again.
    """
    rules, line, source = controller.rules, controller.turn.line(), item.source
    facts = view.facts(controller.turn)
    head = [item.title, f"{view.game.title}, {item.facts}", *([trouble] if trouble else [])]
    if isinstance(source, KeptGame):
        how_long = f"begun {source.began}, played last {source.played}, {duration(source.seconds)}"
        head.append(f"{how_long}; game {source.id}, {source.key}")
        if source.arguments:
            head.append(f"dungeon-tui {source.game} play {source.arguments}")
    sections = ["\n".join(map(printable, head))]
    if ends:
        sections.append("\n".join(["Ends", *(f"  {_end(end)}" for end in ends)]))
    rows = (f"{label}: {value}" if label else f"  {value}" for label, value in facts.rows)
    standing = [facts.title, facts.subtitle, *rows]
    sections.append("\n".join(["How it stands", *(f"  {printable(text)}" for text in standing if text)]))
    if moves := _moves([rules.action_text(turn.action) for turn in line[1:]]):
        sections.append("\n".join([f"Moves ({len(line) - 1:,})", *moves]))
    told = [printable(story.text) for turn in line[1:][-LAST_TURNS:] for story in view.story(turn)]
    if told:
        sections.append("\n".join(["Last messages", *(f"  {text}" for text in told)]))
    sections.append("The map\n" + map_text(view, controller.state))
    return "\n\n".join(sections) + "\n"


def _end(end: CarriedEnd) -> str:
    scores = "".join(
        f", {aim} {value:,}" + (f" (par {par:,})" if par is not None else "") for aim, value, par, _ in end.scores
    )
    how = ["won" if end.is_won else "not won", "with help" if end.is_helped else "without help"]
    how.append("with undo" if end.is_undone else "without undo")
    return printable(f"{end.at}: {end.outcome}{scores}; {', '.join(how)}, after {duration(end.seconds)}")


def _moves(texts: Sequence[str]) -> list[str]:
    """The actions in a few lines: the same ones in a row as a number of times, the middle left out where it is long."""
    words = []
    for text, same in groupby(texts):
        times = len(list(same))
        words.append(printable(text).replace(" ", "_") + (f"x{times}" if times > 1 else ""))
    lines = wrap(" ".join(words), WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    if len(lines) > MOST_LINES:
        half = MOST_LINES // 2
        left_out = counted(len(lines) - MOST_LINES, "more line")
        lines = [*lines[:half], f"  ... {left_out} ...", *lines[-half:]]
    return [line.replace("_", " ") for line in lines]
