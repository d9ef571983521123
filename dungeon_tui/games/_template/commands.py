"""The game's command line. It is read for `--help`: functions import heavy parts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.plain import Console
from dungeon_tui.games._template.model.options import OPTIONS as OPTIONS

if TYPE_CHECKING:
    from dungeon_tui.games._template.model.rules import Level

app = typer.Typer()  # further commands


def opened(opening: Opening | None) -> Play:
    if opening is None:
        from dungeon_tui.games._template.view import openings

        return Play(None, partial(_play_plain, openings.openings()[0]))
    return Play(opening, partial(_play_plain, opening))


def best(level: Level) -> int | None:
    from dungeon_tui.games._template.model import rules
    from dungeon_tui.games._template.view.guide import TemplateGuide

    return len(TemplateGuide().way_out(rules.start(level))) or None


def _play_plain(opening: Opening, console: Console) -> PlainEnd:
    from dungeon_tui.core import plain_play
    from dungeon_tui.core.turns import Turn, TurnController
    from dungeon_tui.core.words import sentences
    from dungeon_tui.games._template.model import rules
    from dungeon_tui.games._template.view.guide import EVENTS, GOAL, TemplateGuide
    from dungeon_tui.games._template.view.screen import Picture
    from dungeon_tui.ui.glyphs import ASCII

    def board(state: rules.State) -> str:
        picture = Picture(state, ASCII)
        return "".join("".join(picture.row(row, 0, picture.width).glyphs) + "\n" for row in range(picture.height))

    def turn_text(turn: Turn[rules.State, rules.Action], instead: str | None) -> str:
        lines = [text for event in turn.events for text in sentences(EVENTS, event, turn.state)]
        return (board(turn.state) if instead is None else instead) + "".join(f"{line}\n" for line in lines)

    controller: TurnController[rules.Level, rules.State, rules.Action] = TurnController(rules, opening.load())
    controller.apply_texts(opening.actions)
    script = plain_play.Script(
        guide=TemplateGuide(),
        opening=f"{GOAL}\n{board(controller.state)}",
        board=board,
        turn=turn_text,
        read_action=lambda state, text: rules.read_action(text),
        prompt="Way (w a s d, q: quit):\n",
        letters="wasdq",
    )
    return plain_play.play(script, controller, console)
