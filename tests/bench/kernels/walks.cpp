// The usual algorithm, for comparison: Held and Karp's table over sets of nodes and the last of them, on the costs of the
// cheapest ways between all nodes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

extern "C" int32_t held_karp(const int32_t *ways, int nodes, int start, int needed) {
    const int32_t far = INT32_MAX / 2;
    const size_t sets = size_t(1) << nodes;
    std::vector<int32_t> least(sets * nodes, far);
    least[(size_t(1) << start) * nodes + start] = 0;
    int32_t best = far;
    for (size_t set = 0; set < sets; set++)
        for (int last = 0; last < nodes; last++) {
            const int32_t cost = least[set * nodes + last];
            if (cost >= best) continue;
            if (__builtin_popcountll(set) >= needed) {
                best = cost;
                continue;
            }
            for (int next = 0; next < nodes; next++) {
                if (set >> next & 1) continue;
                int32_t &entry = least[(set | size_t(1) << next) * nodes + next];
                entry = std::min(entry, cost + ways[last * nodes + next]);
            }
        }
    return best;
}
