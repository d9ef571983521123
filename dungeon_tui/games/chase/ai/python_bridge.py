"""The program that runs `FILE.py:function`: it speaks docs/protocol.md; the function prints to standard error."""

import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.words import reason
from dungeon_tui.games.chase.ai.answers import NoMoveError, raised, read_site, shortened
from dungeon_tui.games.chase.model.level import Level, read_level
from dungeon_tui.games.chase.model.state import Side, State


def main(file: str, name: str) -> None:
    """Loads the function of a file and answers the lines on standard input until they end."""
    # Keep the protocol's streams for ourselves; the function's input is empty, its output goes to standard error.
    requests, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    process = os.getpid()

    def answer(*words: object) -> None:
        if os.getpid() != process:  # a child that the function forked
            os._exit(0)
        with suppress(OSError):  # the function has closed the stream
            print(*words, file=answers, flush=True)

    level: Level | None = None
    seed = 0
    try:
        function = _loaded(file, name)
    except NoMoveError as fault:
        next(requests, None)  # what is printed before the first request is no answer
        return answer("error", fault)
    if "dungeon_tui.engine" in sys.modules:
        answer("info engine")
    for line in requests:
        match line.split():
            case ["protocol", *_]:
                answer("protocol chase 1")
            case ["board", size, moves]:
                rows = "".join(next(requests) for _ in range(int(size)))
                level = replace(read_level(LevelFile("board", f"{size}\n{rows}".encode())), moves=int(moves))
                if "dungeon_tui.engine" in sys.modules:
                    from dungeon_tui.engine.warmup import warm_up

                    warm_up()
                answer("ready")
            case ["seed", number]:
                seed = int(number)
            case ["position", side, made, *sites] if level is not None:
                row, col, other_row, other_col = map(int, sites)
                state = State(level, Cell(row, col), Cell(other_row, other_col), Side(side), int(made), seed)
                try:
                    answer("move", *read_site(function(state)))
                except NoMoveError as fault:
                    answer("error", fault)
                except BaseException as error:
                    answer("error", raised(error, file))
            case ["quit"]:
                os._exit(0)  # the function may have started threads
    return None


def _loaded(file: str, name: str) -> Any:
    try:
        source = Path(file).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise NoMoveError(f"can't be opened: {reason(error)}") from None
    module = ModuleType("strategy")
    module.__file__ = file
    sys.modules[module.__name__] = module
    sys.path.insert(0, str(Path(file).resolve().parent))
    try:
        exec(compile(source, file, "exec"), module.__dict__)
    except BaseException as error:
        raise raised(error, file) from None
    function = getattr(module, name, None)
    if not callable(function):
        raise NoMoveError(f"has no function {shortened(repr(name))}")
    return function
