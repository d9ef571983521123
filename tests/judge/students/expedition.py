"""The cheapest walk over a map, as a student might look for it; a word names the mistake to make."""

import heapq
import json
import sys

mistake = sys.argv[1] if len(sys.argv) > 1 else ""
world = json.load(sys.stdin)
cost = {node["id"]: node.get("cost", 1) for node in world["nodes"]}
start = next(node["id"] for node in world["nodes"] if node.get("start"))
beside = {room: {} for room in cost}
for edge in world["edges"]:
    price = 0 if mistake == "no-corridors" else edge.get("cost", 0)
    beside[edge["source"]][edge["target"]] = price
    if mistake != "one-way":
        beside[edge["target"]][edge["source"]] = price


def cheapest(begin, is_end):
    """Dijkstra's algorithm over (room, rooms seen)."""
    first = begin, frozenset([begin])
    spent, before, heap, number = {first: 0}, {}, [(0, 0, first)], 0
    while heap:
        price, _, here = heapq.heappop(heap)
        if price > spent[here]:
            continue
        if is_end(here):
            walk = [here]
            while walk[-1] in before:
                walk.append(before[walk[-1]])
            return price, [room for room, _ in walk[::-1]]
        for room, corridor in beside[here[0]].items():
            if mistake == "never-back" and room in here[1]:
                continue
            there, ahead = (room, here[1] | {room}), price + corridor + cost[room]
            if ahead < spent.get(there, ahead + 1):
                spent[there], before[there] = ahead, here
                number += 1
                heapq.heappush(heap, (ahead, number, there))
    return None, []


if mistake == "greedy":
    total, walk = 0, [start]
    while len(set(walk)) < len(cost):
        price, way = cheapest(walk[-1], lambda here, walk=walk: here[0] not in walk)
        total, walk = total + price, walk + way[1:]
elif mistake == "there-and-back":
    total, walk = cheapest(start, lambda here: len(here[1]) == len(cost) and here[0] == start)
elif mistake == "tree-twice":
    total, walk, heap = 0, [], [(0, start)]
    while heap:
        price, room = heapq.heappop(heap)
        if room not in walk:
            total, walk = total + 2 * price, [*walk, room]
            for there, corridor in beside[room].items():
                heapq.heappush(heap, (corridor + cost[there], there))
    walk = []
else:
    total, walk = cheapest(start, lambda here: len(here[1]) == len(cost))
if mistake == "counts-rooms-once":
    total = sum(cost[room] for room in cost if room != start)
if mistake == "jumps":
    walk = [room for place, room in enumerate(walk) if room not in walk[:place]]
if total is None:
    print("impossible")
else:
    print("Cost:", total)
    if walk:
        print("Walk:", " -> ".join(map(str, walk)))
