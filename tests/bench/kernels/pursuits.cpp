// The usual algorithm, for comparison: a queue of the positions with the pursuer to move that are decided, and for each
// with the evader to move a byte that counts the moves not yet known to lose. The moves lead both ways, at most 255
// from a site.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" void pursuit(const int32_t *indptr, const int32_t *indices, int sites, int32_t never, int32_t *moves) {
    const size_t positions = size_t(sites) * sites;
    uint8_t *left = static_cast<uint8_t *>(std::malloc(positions));
    int32_t *queue = static_cast<int32_t *>(std::malloc(positions * sizeof *queue));
    size_t head = 0, tail = 0;
    for (int evader = 0; evader < sites; evader++)
        for (int pursuer = 0; pursuer < sites; pursuer++) {
            moves[size_t(evader) * sites + pursuer] = never;
            left[size_t(evader) * sites + pursuer] = uint8_t(indptr[evader + 1] - indptr[evader]);
        }
    const auto decide = [&](int evader, int pursuer, int32_t value) {  // the evader has lost with its move next
        for (int index = indptr[pursuer]; index < indptr[pursuer + 1]; index++) {
            const size_t place = size_t(evader) * sites + indices[index];
            if (moves[place] != never) continue;
            moves[place] = value;
            queue[tail++] = int32_t(place);
        }
    };
    for (int site = 0; site < sites; site++) {
        moves[size_t(site) * sites + site] = 0;
        queue[tail++] = site * sites + site;
    }
    for (int site = 0; site < sites; site++) decide(site, site, 1);
    while (head < tail) {
        const int32_t place = queue[head++];
        const int after = place / sites, pursuer = place % sites;
        for (int index = indptr[after]; index < indptr[after + 1]; index++) {
            const int evader = indices[index];
            if (--left[size_t(evader) * sites + pursuer] == 0 && evader != pursuer)
                decide(evader, pursuer, moves[place] + 1);
        }
    }
    std::free(queue);
    std::free(left);
}
