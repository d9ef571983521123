"""A knight crosses a grid, right or down: how much health it takes, computed from the last cell backwards."""

from dungeon_tui.engine.grid_dp.count import MAX_PATH_STATES, count_paths
from dungeon_tui.engine.grid_dp.health import minimum_health, minimum_health_path, need_table
from dungeon_tui.engine.grid_dp.relief import best_relief

__all__ = ["MAX_PATH_STATES", "best_relief", "count_paths", "minimum_health", "minimum_health_path", "need_table"]
