import subprocess
import sys
from threading import Event, Thread
from time import monotonic

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.engine.walks import (
    METHODS,
    WalkProblem,
    Watch,
    cheapest_costs,
    cheapest_walk,
    count_walks,
    first_steps,
)
from tests import naive_walks as naive

EXACT = ["frontier", "programme"]


@st.composite
def tasks(draw, most=8, large=True):
    """A map of any kind of costs, joined or not, with parallel edges and loops, and a walk over it."""
    nodes = draw(st.integers(1, most))
    kinds = [(1, 1), (0, 0), (0, 1), (0, 3), (2, 9)] + ([(0, 2**40)] if large else [])
    costs, lengths = draw(st.sampled_from(kinds)), draw(st.sampled_from(kinds))
    node_costs = draw(st.lists(st.integers(*costs), min_size=nodes, max_size=nodes))
    any_node = st.integers(0, nodes - 1)
    tree = [(draw(st.integers(0, node - 1)), node, draw(st.integers(*lengths))) for node in range(1, nodes)]
    if draw(st.integers(0, 3)) == 0:
        tree = tree[1:]
    more = draw(st.lists(st.tuples(any_node, any_node, st.integers(*lengths)), max_size=nodes))
    end = draw(st.one_of(st.none(), any_node))
    return (
        tree + more,
        node_costs,
        draw(any_node),
        draw(st.integers(0, nodes)),
        end,
        draw(st.sets(any_node, max_size=2)),
    )


def problem_of(task, **options):
    edges, node_costs, start, needed, end, seen = task
    asked = {"needed": needed, "end": end, "seen": seen} | options
    return problem(len(node_costs), edges, node_costs, start, **asked)


def problem(nodes, edges, costs=None, start=0, **asked):
    """A problem on edges with their costs; nodes cost 1 each where nothing else is said."""
    return WalkProblem(*naive.compressed(nodes, edges), costs, start, **asked)


def check_walk(walk, edges, node_costs, start, needed, end, seen):
    """That a walk is one, costs what it says, does what was asked and does not go on then."""
    nodes = [*walk.walk]
    assert nodes[0] == start
    assert naive.cost_of(nodes, edges, node_costs) == walk.cost
    assert walk.seen == len({*nodes, *seen})
    over = [naive.is_over((node, frozenset({*nodes[: at + 1], *seen})), needed, end) for at, node in enumerate(nodes)]
    assert over.index(True) == len(nodes) - 1
    assert 0 <= walk.lower_bound <= walk.cost
    assert walk.is_proven == (walk.lower_bound == walk.cost)


def check_against_twin(walk, task):
    """That no walk is cheaper."""
    edges, _, start, *_, seen = task
    best = naive.least_cost(*task)
    assert walk.is_proven
    assert walk.cost == best
    assert walk.method in METHODS
    if best is None:
        assert walk.walk == ()
        assert walk.seen == len(naive.reachable(start, edges) | seen)
    else:
        check_walk(walk, *task)


@pytest.mark.parametrize("method", [None, *EXACT])
def test_the_cost_equals_the_slow_twins(method):
    @given(tasks(7, large=method != "programme"))
    @settings(max_examples=(1 if method == "programme" else 3) * settings().max_examples)
    def compare(task):
        check_against_twin(cheapest_walk(problem_of(task), method=method), task)

    compare()


@given(tasks())
def test_greedy_walks_are_walks_and_their_bound_is_one(task):
    walk = cheapest_walk(problem_of(task), method="greedy")
    best = naive.least_cost(*task)
    if best is None:
        assert walk.cost is None
    else:
        check_walk(walk, *task)
        assert walk.lower_bound <= best <= walk.cost


@given(tasks(6), st.sampled_from([1, 2, 5, 10**6]))
@settings(max_examples=2 * settings().max_examples)
def test_first_steps_and_numbers_of_walks_equal_the_slow_twins(task, cap):
    assert first_steps(problem_of(task)).tolist() == naive.first_steps(*task)
    assert count_walks(problem_of(task), cap=cap) == min(cap, naive.count_walks(*task))


@given(tasks(6))
def test_the_costs_of_each_number_of_nodes_equal_the_slow_twins(task):
    edges, node_costs, start, _, end, seen = task
    costs = list(cheapest_costs(problem_of(task)))
    right = [naive.least_cost(edges, node_costs, start, k, end, seen) for k in range(1, len(node_costs) + 1)]
    assert costs == [(cost, cost) for cost in right if cost is not None]


def tangled(nodes, degree, seed):
    """A random tree and random edges between any nodes: too wide for a quick sweep."""
    rng = np.random.default_rng(seed)
    edges = {(int(rng.integers(node)), node) for node in range(1, nodes)}
    while len(edges) < round(nodes * degree / 2):
        one, two = sorted(rng.choice(nodes, 2, replace=False).tolist())
        edges.add((one, two))
    return [(one, two, 0) for one, two in sorted(edges)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("asked", [{}, {"needed": 15}, {"returns": True}, {"needed": 18, "end": 7}])
def test_the_solvers_agree_beyond_the_slow_twins_reach(seed, asked):
    rng = np.random.default_rng(seed)
    edges = [(one, two, int(rng.integers(4))) for one, two, _ in tangled(20, 2.6, seed)]
    task = problem(20, edges, rng.integers(0, 4, 20), seed, **asked)
    walks = [cheapest_walk(task, method=method) for method in (None, *EXACT)]
    assert all(walk.is_proven for walk in walks)
    assert len({walk.cost for walk in walks}) == 1


def test_a_path_begun_inside_turns_round_at_its_nearer_end():
    path = problem(140, [(node, node + 1, 0) for node in range(139)], start=60)
    walk = cheapest_walk(path)
    assert walk.cost == 60 + 139
    assert walk.walk == (*range(60, 0, -1), *range(140))
    assert first_steps(path).tolist() == [59]
    one_way, both_ways = range(80), range(81, 81 + 2 * 60, 2)
    assert [cost for cost, _ in cheapest_costs(path)] == [*one_way, *both_ways]


def test_a_tree_is_left_by_its_longest_branch():
    star = [(0, leaf, 0) for leaf in range(1, 256)]
    walk = cheapest_walk(problem(256, star))
    assert (walk.cost, walk.is_proven) == (2 * 255 - 1, True)
    back = cheapest_walk(problem(256, star, returns=True))
    assert (back.cost, back.walk) == (2 * 255, cheapest_walk(problem(256, star, end=0)).walk)
    assert cheapest_walk(problem(256, star, needed=100)).cost == 2 * 99 - 1
    assert count_walks(problem(7, star[:6]), cap=10**6) == 720  # six leaves in any order


def test_when_time_runs_out_the_best_walk_so_far_comes_with_its_bound():
    edges = tangled(100, 3.2, 5)
    task = problem(100, edges)
    begun = monotonic()
    walk = cheapest_walk(task, Watch(0))
    assert monotonic() - begun < 30
    assert not walk.is_proven
    assert 99 <= walk.lower_bound < walk.cost
    longer = cheapest_walk(task, Watch(0.2))
    for each in (walk, longer):
        check_walk(each, edges, [1] * 100, 0, 100, None, ())
    assert longer.cost <= walk.cost
    assert longer.lower_bound >= walk.lower_bound
    stop = Event()
    stop.set()
    assert first_steps(task, Watch(stop=stop)) is None
    assert count_walks(task, Watch(0)) is None
    costs = list(cheapest_costs(task, Watch(stop=stop)))
    assert costs[0] == (0, 0)
    assert len(costs) == 100
    assert all(bound <= cost for cost, bound in costs)
    assert costs[-1][0] > costs[-1][1]


def test_without_room_the_best_walk_known_is_the_answer(monkeypatch):
    edges = tangled(16, 3.2, 1)
    right = cheapest_walk(problem(16, edges)).cost
    monkeypatch.setattr("dungeon_tui.engine.walks.sweep.MAX_BYTES", 1000)
    walk = cheapest_walk(problem(16, edges), method="frontier")
    assert not walk.is_proven
    check_walk(walk, edges, [1] * 16, 0, 16, None, ())
    assert walk.lower_bound <= right <= walk.cost
    walk = cheapest_walk(problem(16, edges))  # another solver proves it
    assert (walk.cost, walk.is_proven, walk.method) == (right, True, "programme")
    assert list(cheapest_costs(problem(16, edges)))[-1] == (right, right)


def test_too_many_states_are_not_counted(monkeypatch):
    star = problem(7, [(0, leaf, 0) for leaf in range(1, 7)])
    monkeypatch.setattr("dungeon_tui.engine.walks.answers.MAX_QUESTIONS", 20)
    assert count_walks(star) is None
    assert first_steps(star).tolist() == [1, 2, 3, 4, 5, 6]


def test_wide_graphs_are_proven_by_the_programme():
    edges = tangled(70, 3.2, 2)
    walk = cheapest_walk(problem(70, edges))
    assert (walk.is_proven, walk.method) == (True, "programme")
    check_walk(walk, edges, [1] * 70, 0, 70, None, ())


def test_the_programme_claims_no_proof_that_its_tolerances_could_spoil():
    edges = [(one, two, 2**40 - one) for one, two, _ in tangled(12, 3, 1)]
    task = problem(12, edges, [2**40] * 12, returns=True)
    walk = cheapest_walk(task, method="programme")
    exact = cheapest_walk(task)
    assert exact.is_proven
    assert walk.lower_bound <= exact.cost <= walk.cost


@pytest.mark.parametrize("method", [None, *METHODS])
def test_progress_is_told_and_bounds_the_cost(method):
    told = []
    task = problem(22, tangled(22, 2.8, 3))
    walk = cheapest_walk(task, method=method, watch=Watch(progress=lambda *news: told.append(news)))
    assert told
    _, bounds, costs = zip(*told, strict=True)
    assert all(21 <= bound <= walk.cost <= cost for bound, cost in zip(bounds, costs, strict=True))


@pytest.mark.parametrize("method", [None, *EXACT])
def test_another_thread_stops_it(method):
    begun, stop, ended = Event(), Event(), []

    def progress(*_news):
        begun.set()
        stop.wait(10)

    def run():
        watch = Watch(None, stop, progress)
        ended.append(cheapest_walk(problem(70, tangled(70, 3.2, 1)), method=method, watch=watch).is_proven)

    thread = Thread(target=run)
    thread.start()
    assert begun.wait(60)
    stop.set()
    thread.join(60)
    assert ended == [False]


ONE, TWO = ([0, 0], []), ([0, 1, 2], [1, 0])


@pytest.mark.parametrize(
    ("arrays", "asked", "message"),
    [
        (([0], []), {}, "there must be a node to start from"),
        (([0, 1], [1]), {}, r"indices\[0\] must be a node from 0 to 0, not 1"),
        (([0, 1, 1], [1]), {}, "from node 0 to node 1 must be there both ways, at the same cost"),
        ((*TWO, [1, 2]), {}, "from node 0 to node 1 must be there both ways, at the same cost"),
        ((*TWO, [1]), {}, "edge_costs must have 2 entries, not 1"),
        ((*TWO, None, [1]), {}, "node_costs must have 2 entries, not 1"),
        ((*TWO, None, [1, -1]), {}, r"node_costs\[1\] must be from 0 to 1,099,511,627,776, not -1"),
        ((*TWO, [2**41] * 2), {}, r"edge_costs\[0\] must be from 0 to"),
        ((*TWO, [0.5, 0.5]), {}, "edge_costs must be integers, not float64"),
        (([0] * 258, []), {}, "257 nodes are too many: at most 256"),
        (ONE, {"start": 1}, "start must be a node from 0 to 0, not 1"),
        (ONE, {"end": -1}, "end must be a node from 0 to 0, not -1"),
        (ONE, {"seen": [2]}, "seen must be a node from 0 to 0, not 2"),
        (ONE, {"needed": -1}, "needed must be a number of nodes, not -1"),
        (ONE, {"needed": 0.5}, "needed must be a number of nodes, not 0.5"),
        (ONE, {"end": 0, "returns": True}, "end must be None"),
    ],
)
def test_a_wrong_problem_is_refused_in_words(arrays, asked, message):
    with pytest.raises(ValueError, match=message):
        cheapest_walk(WalkProblem(*arrays, **asked))


def test_a_wrong_method_and_a_wrong_cap_are_refused_in_words():
    with pytest.raises(ValueError, match="method must be one of greedy, frontier, programme, not 'luck'"):
        cheapest_walk(WalkProblem(*ONE), method="luck")
    with pytest.raises(ValueError, match=r"a frontier of .* nodes is too wide: at most 12"):
        cheapest_walk(problem(80, tangled(80, 6, 0)), method="frontier")
    with pytest.raises(ValueError, match="cap must be at least 1, not 0"):
        count_walks(WalkProblem(*ONE), cap=0)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_any_integers_read_only_or_strided_and_nothing_is_changed(dtype):
    edges = [(one, two, one % 3) for one, two, _ in tangled(12, 2.8, 4)]
    arrays = [np.repeat(np.array(part, dtype), 2)[::2] for part in (*naive.compressed(12, edges), [1, 2] * 6)]
    for array in arrays:
        array.flags.writeable = False
    walk = cheapest_walk(WalkProblem(*arrays, np.int64(3), needed=np.int64(10)))
    plain = cheapest_walk(problem(12, edges, [1, 2] * 6, 3, needed=10))
    assert walk.walk == plain.walk
    assert walk.cost == plain.cost == naive.least_cost(edges, [1, 2] * 6, 3, 10)


def test_highs_is_loaded_where_it_is_needed_and_may_still_run_when_the_process_ends():
    code = """
import sys
import numpy as np
from dungeon_tui.engine import WalkProblem, cheapest_walk
from dungeon_tui.engine.walks import Watch
cheapest_walk(WalkProblem([0, 3, 4, 5, 6], [1, 2, 3, 0, 0, 0]))
print("highspy" in sys.modules)
rng = np.random.default_rng(3)
joined = np.triu(rng.random((48, 48)) < 0.35, 1)
joined[np.arange(47), np.arange(1, 48)] = True
joined |= joined.T
indptr, indices = np.append(0, joined.sum(axis=1).cumsum()), np.nonzero(joined)[1]
costs = np.minimum.outer(rng.integers(0, 9, 48), rng.integers(0, 9, 48))
costs = np.minimum(costs, costs.T)[np.nonzero(joined)]
task = WalkProblem(indptr, indices, costs, rng.integers(1, 9, 48), needed=29)
print(cheapest_walk(task, Watch(0.3), method="programme").is_proven)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "False\nFalse\n")
