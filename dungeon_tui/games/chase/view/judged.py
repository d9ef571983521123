"""Programs judged by their chases, and broken: their verdicts with all that pages and tables tell of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import cycle, zip_longest
from pathlib import Path
from typing import Any

from dungeon_tui.core import recording
from dungeon_tui.core.files import UnwritableError, write_text
from dungeon_tui.core.plain import in_columns
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import judge
from dungeon_tui.games.chase.ai.breaker import Search, search
from dungeon_tui.games.chase.ai.external import refuse_uncaged
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.ai.referee import load_player
from dungeon_tui.games.chase.ai.solver import solve, value_text
from dungeon_tui.games.chase.ai.tournament import labels
from dungeon_tui.games.chase.model.dungeon import read_board
from dungeon_tui.games.chase.model.level import Level, level_text
from dungeon_tui.games.chase.model.players import NAMES
from dungeon_tui.games.chase.model.state import Side
from dungeon_tui.games.chase.view.transcript import run_values
from dungeon_tui.judge.breaker import Found
from dungeon_tui.judge.verdicts import Test, Verdict
from dungeon_tui.storage.recordings import SUFFIX

_SLOW = 3  # chases in a row that end because a move took too long: the rest isn't played
_SHOWN = 12  # chases in a summary
_LONGEST_STEM = 120  # characters of a file's name


def solved_boards(names: Sequence[str], moves: int) -> list[Level]:
    """The boards of these names, each under a name of its own, for chases of so many monster moves.

    Raises:
        LevelError: one can't be read.
        ValueError: one has more sites than the engine solves.
    """
    boards = [replace(read_board(name, moves), name=label) for name, label in zip(names, labels(names), strict=True)]
    for level in boards:
        try:
            solve(level)
        except ValueError as error:
            raise ValueError(f"{level.name}: {error}") from None
    return boards


def judged(
    boards: Sequence[Level],
    sides: Sequence[str],
    is_classic: bool,
    seed: int,
    seconds: float,
    record: Path | None,
    program: str,
) -> Verdict:
    """The verdict on a program: a chase for each seat, opponent and board.

    Args:
        boards: to be played on, as `solved_boards` gives them.
        sides: the program's seats.
        is_classic: the classic strategies are opponents, too.
        seed: of the chases.
        seconds: for a move.
        record: the folder for a recording of each chase; None: there are none.
        program: a strategy's name.

    Raises:
        UnwritableError: a recording can't be written.
        CageError: the program can't be caged.
    """
    verdicts: list[judge.Verdict] = []
    fault, player = "", None
    with ExitStack() as stack:
        for side in map(Side, sides):
            slow = 0  # a Monster that never answers says nothing about the Rogue
            try:
                player = None if fault else _seated(stack, player, side, program, seconds)
            except StrategyError as error:
                refuse_uncaged(error)
                fault = str(error)
            for name in judge.opponents(side.other, is_classic):
                opponent = stack.enter_context(load_player(side.other, name))
                for level in boards:
                    if fault or player is None or slow >= _SLOW:
                        why = fault or f"not played: it took too long {_SLOW} times before"
                        verdicts.append(judge.unplayed(level, side, name, why))
                        continue
                    game, verdict = judge.chase(level, player, opponent, seed)
                    is_slow = verdict.reason is not None and max(verdict.seconds, default=0.0) >= seconds
                    slow = slow + 1 if is_slow else 0
                    verdicts.append(verdict)
                    if record is not None:
                        _write(record, program, game, verdict)
    values = {
        "program": program,
        "loads": not fault,
        "reason": fault or None,
        "chases": [] if fault else [verdict.values() for verdict in verdicts],
    }
    return Verdict(program, values, tuple(map(_test, verdicts)), fault or _summary(verdicts))


def broken(
    sides: Sequence[str], seed: int, seconds: float, most: float, tell: Callable[[str], object], program: str
) -> Found:
    """The smallest board found on which a program throws away what could be won; its seats share the time.

    Args:
        sides: the program's seats.
        seed: of the boards and the chases.
        seconds: for a move.
        most: seconds for all of it.
        tell: is told how far it is, in words.
        program: a strategy's name.

    Raises:
        StrategyError: the program can't be loaded.
    """
    found, player = [], None
    with ExitStack() as stack:
        for side in map(Side, sides):
            player = _seated(stack, player, side, program, seconds)
            opponent = stack.enter_context(load_player(side.other, judge.EXACT))
            found.append(search(player, opponent, most / len(sides), seed, tell))
    return _found(program, found)


def _seated(stack: ExitStack, player: Player | None, side: Side, program: str, seconds: float) -> Player:
    """The program on another seat: the same process, for it is told whose move it is. Raises StrategyError."""
    if player is None or any(program in names for names in NAMES.values()):
        player = stack.enter_context(load_player(side, program, seconds))
    player.side = side
    return player


def _write(folder: Path, program: str, game: judge.Game, verdict: judge.Verdict) -> None:
    """Writes the recording of a chase, which opens at the first mistake."""
    players = {verdict.side.value: program, verdict.side.other.value: verdict.opponent}
    made = recording.record(game, "chase", players, f"{program}, the {verdict.side.value}, on {verdict.board}")
    fault = verdict.first_mistake or verdict.first_slip
    opened = replace(made, opens_at=0 if fault is None else fault.ply)
    stem = re.sub(r"\W+", "-", f"{program} {verdict.side.value} {verdict.board} {verdict.opponent}").strip("-")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableError(folder, error) from None
    write_text(folder / f"{stem[-_LONGEST_STEM:]}{SUFFIX}", recording.recording_text(opened))


# -- in words


def _test(verdict: judge.Verdict) -> Test:
    name = f"{verdict.side.value}/{verdict.opponent}/{verdict.board}"
    is_forfeit = verdict.reason is not None
    is_right = not (is_forfeit or verdict.is_lost)
    return Test(name, is_right, round(sum(verdict.seconds), 3), "" if is_right else _told(verdict), not is_forfeit)


def _outcome(verdict: judge.Verdict) -> str:
    """The end of a chase in words."""
    moves = counted(verdict.monster_moves, "monster move")
    if verdict.reason is not None:
        after = f" after {moves}" if verdict.judged else ""
        return f"forfeit{after}: {printable(verdict.reason)}"
    return f"captured in {moves}" if verdict.outcome == "captured" else f"{verdict.outcome} for {moves}"


def _forced(verdict: judge.Verdict) -> str:
    """The end that exact play comes to, in words."""
    return value_text(UNREACHED if verdict.value is None else verdict.value)


def _told(verdict: judge.Verdict) -> str:
    """A chase in lines for people: the end that exact play comes to, its own, the first mistake and its refutation."""
    lines = [f"exact play: {_forced(verdict)}", f"played: {_outcome(verdict)}"]
    fault = verdict.first_mistake or verdict.first_slip
    if fault is not None:
        what = "mistake" if fault.loss is None else f"slip, which costs {counted(fault.loss, 'monster move')},"
        site, better = getattr(fault, verdict.side.value), "; ".join(cell.place for cell in fault.better)
        move = f"stays on {site.place}" if fault.played == site else f"from {site.place} to {fault.played.place}"
        lines.append(f"first {what} in move {fault.ply // 2 + 1}: {move}")
        lines.append(f"better: {better}")
    if verdict.refutation:
        movers = cycle((verdict.side.other.value, verdict.side.value))
        told = (f"{mover} {site.place}" for mover, site in zip(movers, verdict.refutation, strict=False))
        lines.append(f"refutation: {'; '.join(told)}")
    return "\n".join(lines)


def _summary(verdicts: Sequence[judge.Verdict]) -> str:
    """The chases that were not as good as can be, a line each, and the first of them told in full."""
    wrong = [verdict for verdict in verdicts if verdict.is_lost or verdict.reason is not None]
    if not wrong:
        return ""
    rows = [("seat", "board", "against", "exact play", "outcome", "slips")]
    for verdict in wrong[:_SHOWN]:
        slips = str(len(verdict.losses or {}) - verdict.thrown_away)
        rows.append((verdict.side.value, verdict.board, verdict.opponent, _forced(verdict), _outcome(verdict), slips))
    more = f"and {len(wrong) - _SHOWN} more\n" if len(wrong) > _SHOWN else ""
    first = next((verdict for verdict in wrong if verdict.first_mistake), wrong[0])
    counts = f"{len(wrong)} of {counted(len(verdicts), 'chase')} not as good as can be"
    table = in_columns(rows, "<<<<<>")
    return f"{counts}:\n\n{table}{more}\nthe {first.side.value} on {first.board}\n{_told(first)}"


def _found(program: str, searches: Sequence[Search]) -> Found:
    """The smallest board found, as a file with the chase below its rows; or up to where none was found."""
    tried = sum(search.tried for search in searches)
    beaten = [(search.size, search.game, search.verdict) for search in searches if search.game and search.verdict]
    if not beaten:
        size = min(search.size for search in searches)
        nothing = dict.fromkeys(("size", "input", "expected", "got"))
        told = f"Nothing found: {counted(tried, 'board')} tried, the small ones in order up to {counted(size, 'site')}."
        return Found({"found": False, **nothing, "tried": tried, "largest": size}, told)
    size, game, verdict = min(beaten, key=lambda one: (one[2].reason is not None, one[0]))  # it may know one seat only
    played, judged = run_values(game.turn.line()), verdict.values()
    values = {
        "found": True,
        "size": size,
        "input": level_text(game.level),
        "expected": _forced(verdict),
        "got": _outcome(verdict),
        "tried": tried,
        **{key: judged[key] for key in ("side", "value", "first_mistake", "refutation")},
        "chase": played,
    }
    note = f"{printable(program)}, the {verdict.side.value}\n{_told(verdict)}\n\n{_chase(played)}"
    text = level_text(replace(game.level, note=note))
    return Found(values, text.rstrip("\n"), (("board.txt", text.encode()),))


def _chase(played: Mapping[str, Any]) -> str:
    """The sites of both sides, move by move, up to a position that came before."""
    rows, seen = [("move", *(side.value for side in Side))], set[object]()
    for move, sites in enumerate(zip_longest(*(played[side.value] for side in Side))):
        rows.append((str(move), *("" if site is None else site.place for site in sites)))
        if sites in seen:
            rows.append(("...", "", ""))
            break
        seen.add(sites)
    return in_columns(rows, "><<")
