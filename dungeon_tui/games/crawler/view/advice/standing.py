"""The standing of a game, and its end, in words."""

from __future__ import annotations

from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.ai.par import Par, beside, panel_rows, result_text
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.words import treasures
from dungeon_tui.ui.widgets.side_panel import Facts


def standing(turn: Turn[State, Action], aim: int, found: Par | None = None) -> Facts:
    """Facts for the panel: level, treasure, moves, par, monsters in sight; the aim where it exceeds one treasure.

    Args:
        turn: the present one.
        aim: treasure.
        found: par of a dungeon without a file of it, as far as it was found behind the game.
    """
    state = turn.state
    dungeon = state.dungeon
    note = dungeon.note(state.number)
    distances: list[int] = []
    for _, each in rules.sight_lines(state).values():
        distances += each
    distances.sort()
    seen = f"{len(distances):,} in sight" if distances else "none in sight"
    height, width = state.board.height, state.board.width
    level = f"Level {state.number} of {max(dungeon.asked, len(dungeon.levels))}"
    par = beside(turn, found)
    rows = [
        ("Treasure", f"{state.treasure:,}"),
        ("Moves", f"{state.moves:,}"),
        *([("Aim", treasures(aim))] if aim > 1 else []),
        *panel_rows(par),
        ("Monsters", seen),
    ]
    if distances:
        rows.append(("Nearest", f"{counted(distances[0], 'step')} away"))
    rows += [("You are at", state.adventurer.place), ("Map", f"{height} x {width}")]
    return Facts(
        title=dungeon.title,
        subtitle=f"{level}: {note.name}" if note.name else level,
        caption=f"by {note.author}" if note.author else "",
        rows=tuple(rows),
        short=(  # the most important first: a narrow line has no room for the last ones
            treasures(state.treasure),
            counted(state.moves, "move"),
            *([f"{counted(len(distances), 'monster')} in sight"] if distances else []),
            level,
            *(f"{label.lower()} {point.moves:,}" for label, point in par),
            *([] if distances else ["no monster in sight"]),
            f"map {height} x {width}",
        ),
    )


def ended(state: State, outcome: Outcome, seconds: float, par: Par | None) -> tuple[str, str]:
    """Title and text of the end: treasure, moves, time, the result beside par, and treasure left behind."""
    minutes, rest = divmod(int(seconds), 60)
    time = f"{minutes} min {rest} s" if minutes else f"{rest} s"
    moves = counted(state.moves, "move")
    title = {
        Status.ESCAPED: "You have escaped the dungeon!",
        Status.DIED: "A monster has you",
    }.get(state.status, "No level lies behind this door")
    lines = [f"{treasures(state.treasure)}, {moves}, {time}."]
    if state.status is Status.ESCAPED:
        if result := result_text(par, state.treasure, state.moves):
            lines = [f"{treasures(state.treasure)}, {time}.", result]
        left = state.left_behind
        lines.append(f"Left behind: {treasures(left)}." if left else "You left no treasure behind.")
    elif state.status is Status.DIED:
        lines.append("Undo takes the last move back.")
    else:
        lines.insert(0, outcome.reason)
    return title, "\n".join(lines)
