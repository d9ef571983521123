"""Slow, obvious twins of the chase's strategies, on the twin of its rules; and of the folding of a graph."""

from collections.abc import Callable, Iterable, Mapping, Set

from tests.naive_chase_rules import Chase, Site, values
from tests.naive_pursuit import UNREACHED

AROUND = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)]  # the order of ties

Links = Mapping[int, Set[int]]  # the neighbours of each node, itself among them


def moves(chase: Chase, site: Site) -> list[Site]:
    """Where a move may lead, in the order in which ties are broken."""
    around = [(site[0] + down, site[1] + right) for down, right in AROUND]
    return [to for to in around if to in chase.moves(site)]


def monster_moves(chase: Chase) -> list[Site]:
    """The same for the monster: staying, then what is not to the right of the rogue's direction, the nearest first."""
    here, goal = complex(*chase.monster), complex(*chase.rogue)

    def rank(to: Site) -> tuple[bool, bool, float]:
        turned = (complex(*to) - here) * (goal - here).conjugate()  # rows down, columns right: left is positive
        return to != chase.monster, turned.imag < 0, abs(goal - complex(*to))

    return sorted(moves(chase, chase.monster), key=rank)


def first(sites: Iterable[Site], key: Callable[[Site], float]) -> Site:
    """The first of the smallest."""
    best = None
    for site in sites:
        if best is None or key(site) < key(best):
            best = site
    assert best is not None
    return best


def steps(chase: Chase, start: Site) -> dict[Site, int]:
    """The moves from a site to all others."""
    distance = dict.fromkeys(chase.sites, UNREACHED)
    reached, count = {start}, 0
    while reached:
        distance.update(dict.fromkeys(reached, count))
        count += 1
        reached = {to for site in reached for to in chase.moves(site) if distance[to] == UNREACHED}
    return distance


def greedy_monster(chase: Chase) -> Site:
    row, col = chase.rogue
    return first(monster_moves(chase), lambda to: ((to[0] - row) ** 2 + (to[1] - col) ** 2) ** 0.5)


def bfs_monster(chase: Chase) -> Site:
    distance = steps(chase, chase.rogue)
    return first(monster_moves(chase), lambda to: distance[to])


def perfect_monster(chase: Chase) -> Site:
    hunting, fleeing = values(chase)
    distance = steps(chase, chase.rogue)
    least = min(fleeing[to, chase.rogue] for to in chase.moves(chase.monster))
    best = [to for to in monster_moves(chase) if fleeing[to, chase.rogue] == least]
    if least == UNREACHED:
        safe = {to: [reply for reply in chase.moves(chase.rogue) if hunting[to, reply] == UNREACHED] for to in best}
        best = [to for to in best if len(safe[to]) == min(map(len, safe.values()))]
    return first(best, lambda to: distance[to])


def flee_rogue(chase: Chase) -> Site:
    distance = steps(chase, chase.monster)
    return first((to for to in moves(chase, chase.rogue) if to != chase.monster), lambda to: -distance[to])


def dfs_rogue(chase: Chase) -> Site:
    """On boards of at most fifty sites."""
    distance = steps(chase, chase.monster)
    seen, paths = {chase.rogue}, list[list[Site]]()

    def search(path: list[Site]) -> None:
        for to in moves(chase, path[-1]):
            if to not in seen and distance[to] > len(path):
                seen.add(to)
                paths.append([*path, to])
                search([*path, to])

    search([chase.rogue])
    return max(paths, key=len)[1] if paths else flee_rogue(chase)


def perfect_rogue(chase: Chase) -> Site:
    hunting, _ = values(chase)
    distance = steps(chase, chase.monster)
    most = max(hunting[chase.monster, to] for to in chase.moves(chase.rogue))
    best = [to for to in moves(chase, chase.rogue) if hunting[chase.monster, to] == most]
    return first(best, lambda to: -distance[to])


def core(links: Links) -> set[int]:
    """The nodes of a graph that are left when one after another is taken away that sees no more than another sees."""
    left = set(links)
    while True:
        seen = {node: links[node] & left for node in left}
        folded = [node for node in left if any(seen[node] <= seen[other] for other in seen[node] - {node})]
        if not folded:
            return left
        left.remove(folded[0])
