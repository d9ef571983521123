"""Names of strategies, goals and kinds of boards. Loads no engine: help pages and share codes need it not."""

from dungeon_tui.core.catalogue import YOU

# Strategies of each seat, and their display names.
NAMES = {"monster": ("random", "greedy", "bfs", "perfect"), "rogue": ("random", "flee", "cycle", "perfect", "dfs")}
PAIRS = ("random", "greedy/flee", "bfs/cycle", "perfect", "bfs/dfs")
"""Strategies to compare a program with that plays both sides: one name, or the monster's and the rogue's."""
TITLES = {
    "random": "random steps",
    "greedy": "greedy, straight at the rogue",
    "bfs": "shortest path",
    "flee": "fleeing, as far as possible",
    "cycle": "circling, round a loop",
    "perfect": "perfect play",
    "dfs": "depth-first search, 50 moves",
}
CATCH, SURVIVE, SAFETY = AIMS = ("catch", "survive", "safety")  # the goals of tasks

KINDS = ("rooms", "walls", "pillars")
"""Kinds of generated boards: rooms and corridors; a hall cut by walls with doors; a hall of pillars."""


def seats(monster: str | None, rogue: str | None) -> dict[str, str]:
    """The player of each side. Unless named, you play one side (by default the rogue) and bfs or flee the other."""
    if rogue is None:
        rogue = "flee" if monster == YOU else YOU
    if monster is None:
        monster = "bfs" if rogue == YOU else YOU
    return {"monster": monster, "rogue": rogue}
