"""Distance maps: how far every cell is from its nearest goal, for walkers and for those who tunnel."""

from dungeon_tui.engine.distance.maps import UNREACHED, WEIGHTS, distance_map, tunnelling_distance_map

__all__ = ["UNREACHED", "WEIGHTS", "distance_map", "tunnelling_distance_map"]
