"""The slow, obvious twin of the crawler's solver: breadth first over whole states, by the rules."""

from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.state import State, Status


def doublings(state: State, since: State) -> int:
    """How often the present level has doubled since some moment."""
    height = state.dungeon.levels[state.number - 1].tiles.shape[0]
    before = since.board.height if since.number == state.number else height
    return (state.board.height // before).bit_length() - 1


def fewest_moves(
    start: State, asked: int, max_doublings: int, most_states: int, by_door: bool = False
) -> tuple[int | None, int]:
    """(moves, least): the fewest further moves out, None if they were not found; and what no line goes below.

    The search ends after so many states. Where it has seen them all and no line leads out, least is -1.
    """
    ends = (Status.ESCAPED, Status.OUT_OF_LEVELS) if by_door else (Status.ESCAPED,)
    seen = set()
    layer = [start]
    moves = 0
    while layer:
        following = []
        moves += 1
        for state in layer:
            for action in rules.legal_actions(state):
                after, _ = rules.step(state, action)
                if after.status in ends and after.treasure >= asked:
                    return moves, moves
                if after.status is not Status.PLAYING or doublings(after, start) > max_doublings:
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
