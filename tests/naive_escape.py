"""The slow, obvious twin of the crawler's solver: breadth first over whole states, by the rules."""

from __future__ import annotations

from dungeon_tui.games.crawler import rules
from dungeon_tui.games.crawler.dungeon import Dungeon
from dungeon_tui.games.crawler.state import State, Status


def doublings(state: State) -> int:
    """How often the present level has doubled."""
    height = state.dungeon.levels[state.number - 1].tiles.shape[0]
    return (state.board.height // height).bit_length() - 1


def fewest_moves(dungeon: Dungeon, asked: int, max_doublings: int, most_states: int) -> tuple[int | None, int]:
    """(moves, least): the fewest moves out, None if they were not found; and what no line goes below.

    The search ends after so many states. Where it has seen them all and no line leads out, least is -1.
    """
    seen = set()
    layer = [rules.start(dungeon)]
    moves = 0
    while layer:
        following = []
        moves += 1
        for state in layer:
            for action in rules.legal_actions(state):
                after, _ = rules.step(state, action)
                if after.status is Status.ESCAPED and after.treasure >= asked:
                    return moves, moves
                if after.status is not Status.PLAYING or doublings(after) > max_doublings:
                    continue
                tiles = after.board.copy()
                key = (after.number, tiles.shape, tiles.tobytes(), after.adventurer, after.treasure)
                if key not in seen:
                    seen.add(key)
                    following.append(after)
                    if len(seen) > most_states:
                        return None, moves
        layer = following
    return None, -1
