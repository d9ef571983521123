"""The crawler's command line, and the plain play."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import Annotated, TextIO

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.plain import read_command, read_word

app = typer.Typer()

DungeonArgument = Annotated[
    str | None,
    typer.Argument(metavar="DUNGEON", help="A shipped dungeon, or a path prefix: PREFIX1.txt, PREFIX2.txt ..."),
]
LevelsArgument = Annotated[
    int | None, typer.Argument(metavar="LEVELS", min=1, help="How many levels; default: the files that are there.")
]
LimitOption = Annotated[
    int, typer.Option("--max-cells", min=1, help="A doubling to more cells than this is refused.", show_default=True)
]


def play(
    dungeon: DungeonArgument = None, levels: LevelsArgument = None, max_cells: LimitOption = 2_147_483_647
) -> Play:
    """Play a dungeon."""
    opening = None if dungeon is None else Opening(dungeon, partial(_load, dungeon, levels, max_cells))
    return Play(opening, partial(_play_plain, dungeon, levels, max_cells))


@app.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Level files; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Say what is wrong with level files, and what is odd about them."""
    from dataclasses import asdict

    from dungeon_tui.core.level import printable
    from dungeon_tui.games.crawler.check import check_files

    reports = check_files(files)
    if as_json:
        entries = [
            {
                "file": report.file,
                "ok": report.is_ok,
                "errors": [asdict(finding) for finding in report.errors],
                "warnings": [asdict(finding) for finding in report.warnings],
            }
            for report in reports
        ]
        print(json.dumps({"files": entries}))
    else:
        for report in reports:
            name = printable(report.file)
            for kind, findings in (("error", report.errors), ("warning", report.warnings)):
                for finding in findings:
                    print(f"{name}:{finding.line}:{finding.column}: {kind}: {finding.message}")
            if report.is_ok:
                print(f"{name}: ok" + (", but odd" if report.warnings else ""))
    bad = sum(not report.is_ok for report in reports)
    if bad:
        print(f"{bad} of {len(reports)} {'file' if len(reports) == 1 else 'files'} can't be played", file=sys.stderr)
        raise typer.Exit(1)


def _load(name: str, levels: int | None, max_cells: int) -> object:
    from dungeon_tui.games.crawler.dungeon import load_dungeon

    return load_dungeon(name, levels, max_cells)


def _play_plain(
    name: str | None, levels: int | None, max_cells: int, source: TextIO, out: TextIO, messages: TextIO
) -> PlainEnd:
    """The transcript of docs/games/crawler.md, character for character."""
    from dungeon_tui.core.turns import TurnController
    from dungeon_tui.games.crawler import rules, transcript
    from dungeon_tui.games.crawler.dungeon import read_dungeon
    from dungeon_tui.games.crawler.state import Status

    out.write(transcript.INSTRUCTIONS)
    if name is None:
        out.write(transcript.ASK_DUNGEON)
        out.flush()
        name, count = read_word(source), read_word(source)
        if not name or not count:
            out.write(transcript.FAREWELL)
            return PlainEnd(0)
        if not count.isascii() or not count.isdigit() or int(count[:7]) < 1:
            raise LevelError(f"the number of levels must be a whole number from 1 on, not {count[:40]!r}", "<stdin>")
        levels = int(count[:7])
    dungeon = read_dungeon(name, levels, max_cells)
    for warning in dungeon.warnings:
        print(f"warning: {warning}", file=messages)

    out.write("Level 1\n")
    if not dungeon.levels:
        return _no_such_level(dungeon.missing, None, out, messages)
    controller = TurnController(rules, dungeon)
    out.writelines(transcript.map_lines(controller.state.board, controller.state.adventurer))
    try:
        while controller.outcome is None:
            out.write(transcript.ASK_COMMAND)
            out.flush()
            command = read_command(source)
            if command in ("", "q"):
                out.write(transcript.FAREWELL)
                return PlainEnd(0, controller)
            try:
                action = rules.read_action(command)
            except ValueError:
                out.write(transcript.UNKNOWN_COMMAND)
                continue
            before = controller.state
            turn = controller.apply(action)
            out.writelines(transcript.turn_lines(before, turn.state, turn.events))
            for remark in transcript.remarks(turn.state, turn.events):
                print(remark, file=messages)
            if turn.state.number != before.number:
                out.write(f"Level {turn.state.number}\n")
                out.writelines(transcript.map_lines(turn.state.board, turn.state.adventurer))
    except KeyboardInterrupt:  # what was played is kept all the same
        return PlainEnd(130, controller)
    if controller.state.status is Status.OUT_OF_LEVELS and dungeon.missing is not None:
        out.write(f"Level {controller.state.number + 1}\n")
        return _no_such_level(dungeon.missing, controller, out, messages)
    return PlainEnd(0, controller)


def _no_such_level(error: LevelError | None, controller: object, out: TextIO, messages: TextIO) -> PlainEnd:
    from dungeon_tui.core.turns import TurnController
    from dungeon_tui.games.crawler import transcript

    out.flush()
    print(error, file=messages)
    out.write(transcript.NO_SUCH_LEVEL)
    return PlainEnd(1, controller if isinstance(controller, TurnController) else None)
