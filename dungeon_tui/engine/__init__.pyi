"""What the engine exports, for editors and type checkers; __init__.py loads each name when it is used."""

# ruff: noqa: I001
from dungeon_tui.engine.descent import (
    STAY as STAY,
    STEPS as STEPS,
    NoPathError as NoPathError,
    downhill as downhill,
    farthest as farthest,
    path as path,
    path_to as path_to,
)
from dungeon_tui.engine.distance.maps import (
    UNREACHED as UNREACHED,
    WEIGHTS as WEIGHTS,
    cost_distance_map as cost_distance_map,
    distance_map as distance_map,
    distance_maps as distance_maps,
    flee_map as flee_map,
    tunnelling_distance_map as tunnelling_distance_map,
)
from dungeon_tui.engine.graph import (
    fold_graph as fold_graph,
    graph_distances as graph_distances,
)
from dungeon_tui.engine.grid_dp.health import (
    minimum_health as minimum_health,
    minimum_health_path as minimum_health_path,
    need_table as need_table,
)
from dungeon_tui.engine.pursuit.solve import (
    solve_pursuit as solve_pursuit,
)
from dungeon_tui.engine.sight import (
    field_of_view as field_of_view,
)
from dungeon_tui.engine.walks.answers import (
    CheapestWalk as CheapestWalk,
    cheapest_costs as cheapest_costs,
    cheapest_walk as cheapest_walk,
    count_walks as count_walks,
    first_steps as first_steps,
)
from dungeon_tui.engine.walks.problem import (
    WalkProblem as WalkProblem,
)
