"""The fate of a game: can it still be won, and if not, since when?"""

from time import monotonic

from dungeon_tui.core.last_chance import LastChance, last_chance
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import turn_name, until_turn
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.ui.play.features import Outlook

_TIME_LIMIT_S = 10.0  # for an answer that you asked for
_BACKGROUND_TIME_LIMIT_S = 3.0
WAY_LEFT = "You can still get out."
LOST = "No way out is left"


class Prospects:
    """Checks if a game can still be won."""

    def __init__(self, solving: Solving) -> None:
        self._solving = solving

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
        is_news = not is_requested and lost_from is turn  # the game adds which move did that
        return Outlook(f"{LOST}." if is_news else lost_text(status, chance), True, back, lost_from, mark_text(chance))


def lost_text(status: Status, chance: LastChance) -> str:
    """Sentence for a lost game, with the last turn from which it could be won."""
    lost = {Status.PLAYING: LOST, Status.DIED: "You are dead"}.get(status, "The game is over")
    if chance.ply is None:
        return f"{lost}. {'There was none from the start' if chance.is_exact else 'Since when is unknown'}."
    until = until_turn(chance.ply) if chance.is_exact else f"at {turn_name(chance.ply)}"
    return f"{lost}: you could still get out {until}. {{last_chance}} goes back there."


def mark_text(chance: LastChance) -> str:
    """Short text for a lost game, with the key that goes back.

    >>> mark_text(LastChance(1, True))
    'no way out since turn 2, {last_chance} goes back'
    """
    if chance.ply is None:
        return "no way out from the start" if chance.is_exact else "no way out is left"
    since = f"since {turn_name(chance.ply + 1)}" if chance.is_exact else "is left"
    return f"no way out {since}, {{last_chance}} goes back"
