"""The fate of a game: can it still be won, and if not, since when?"""

from collections.abc import Callable
from time import monotonic

from dungeon_tui.core.last_chance import LastChance, last_chance
from dungeon_tui.core.turns import Turn
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.games.crawler.view.words import WAYS, move_name, turn_name
from dungeon_tui.ui.play.features import Outlook

_TIME_LIMIT_S = 10.0  # for an answer that you asked for
_BACKGROUND_TIME_LIMIT_S = 3.0
WAY_LEFT = "You can still get out."
LOST = "No way out is left"


class Prospects:
    """Checks if a game can still be won."""

    def __init__(self, solving: Solving, aim: Callable[[], int]) -> None:
        self._solving, self._aim = solving, aim
        self._lost_from: Turn[State, Action] | None = None  # as reported last

    def is_reported_lost(self, turn: Turn[State, Action]) -> bool:
        """True if an outlook said that a turn is lost, of itself or of one before."""
        while turn is not self._lost_from and turn.parent is not None:
            turn = turn.parent
        return turn is self._lost_from

    def outlook(self, turn: Turn[State, Action], is_requested: bool) -> Outlook:
        """True if the game can still be won at a turn, and the last turn when it could; may take seconds."""
        planner, stop = self._solving.planner(turn.state), self._solving.newest("outlook")
        deadline = monotonic() + (_TIME_LIMIT_S if is_requested else _BACKGROUND_TIME_LIMIT_S)

        def is_lost(state: State) -> bool | None:
            return planner.is_lost(state, max(deadline - monotonic(), 0.0), stop)

        verdict, status = is_lost(turn.state), turn.state.status
        if verdict is None:
            return Outlook("Can you still get out? Unknown: neither a way nor a proof found in time.")
        if not verdict:
            return Outlook(WAY_LEFT if status is Status.PLAYING else "You are out.")
        line = turn.line()
        chance = last_chance([each.state for each in line], is_lost)
        if stop.is_set():
            return Outlook("")
        back = None if chance.ply is None else line[chance.ply]
        lost_from = turn if not chance.is_exact else line[0 if chance.ply is None else chance.ply + 1]
        self._lost_from = lost_from
        move = "" if chance.ply is None else f"your {move_name(line[chance.ply + 1], turn.state.number)}"
        mark = LOST + ", {last_chance} goes back" * (back is not None)
        better = ""
        if back is not None and back is lost_from.parent:
            left = max(deadline - monotonic(), 0.0)
            found = planner.escape(back.state, self._aim(), left, stop)
            if found.moves is not None:
                better = f": {WAYS.get(Action(found.commands[0][0]), 'staying')} was best"
        return Outlook(lost_text(status, chance, back), True, back, lost_from, mark, better, move)


def lost_text(status: Status, chance: LastChance, back: Turn[State, Action] | None = None) -> str:
    """Sentence for a lost game; the screen adds the move that lost it if that is known."""
    lost = {Status.PLAYING: LOST, Status.DIED: "You are dead"}.get(status, "The game is over")
    if chance.is_exact:
        return f"{lost}."
    if back is None:
        return f"{lost}. Since when is unknown."
    return f"{lost}: you could still get out at {turn_name(back)}. {{last_chance}} goes back there."
