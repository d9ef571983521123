// The usual algorithm, for comparison: each cell is queued once; a map with a border of wall; 16-bit distances + 1,
// 0 for wall and 65535 for what is not reached. The distances stay in the bordered map: no copying is timed.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" void walking(const uint8_t *passable, int height, int width, int row, int col, uint16_t *distance) {
    const int stride = width + 2;
    const size_t size = size_t(stride) * (height + 2);
    std::memset(distance, 0, size * sizeof *distance);
    for (int r = 0; r < height; r++) {
        const uint8_t *from = passable + size_t(r) * width;
        uint16_t *to = distance + size_t(r + 1) * stride + 1;
        for (int c = 0; c < width; c++) to[c] = from[c] ? 65535 : 0;
    }
    const int around[8] = {-stride, stride, -1, 1, -stride - 1, -stride + 1, stride - 1, stride + 1};
    int32_t *queue = static_cast<int32_t *>(std::malloc(size * sizeof *queue));
    size_t head = 0, tail = 0;
    const int goal = (row + 1) * stride + col + 1;
    distance[goal] = 1;
    queue[tail++] = goal;
    while (head < tail) {
        const int cell = queue[head++];
        const uint16_t next = distance[cell] + 1;
#pragma GCC unroll 8
        for (int way = 0; way < 8; way++) {
            const int other = cell + around[way];
            if (distance[other] == 65535) {
                distance[other] = next;
                queue[tail++] = other;
            }
        }
    }
    std::free(queue);
}

extern "C" void tunnelling(const uint8_t *hardness, const uint8_t *weights, int height, int width, int row, int col,
                           uint16_t *distance) {
    const int stride = width + 2;
    const size_t size = size_t(stride) * (height + 2);
    std::memset(distance, 0, size * sizeof *distance);
    uint8_t *weight = static_cast<uint8_t *>(std::calloc(size, 1));
    for (int r = 0; r < height; r++) {
        const uint8_t *from = hardness + size_t(r) * width;
        const size_t start = size_t(r + 1) * stride + 1;
        for (int c = 0; c < width; c++) {
            weight[start + c] = weights[from[c]];
            distance[start + c] = weight[start + c] ? 65535 : 0;
        }
    }
    const int around[8] = {-stride, stride, -1, 1, -stride - 1, -stride + 1, stride - 1, stride + 1};
    int32_t *queues[4];  // by the time at which a cell is left: now, and one to three later
    size_t length[4] = {0, 0, 0, 0};
    for (auto &queue : queues) queue = static_cast<int32_t *>(std::malloc(size * sizeof *queue));
    const int goal = (row + 1) * stride + col + 1;
    distance[goal] = 1;
    queues[weight[goal]][length[weight[goal]]++] = goal;
    size_t pending = 1;
    for (int now = 0; pending > 0; now++) {
        const int32_t *queue = queues[now & 3];
        const size_t count = length[now & 3];
        pending -= count;
        for (size_t index = 0; index < count; index++) {
            const int cell = queue[index];
#pragma GCC unroll 8
            for (int way = 0; way < 8; way++) {
                const int other = cell + around[way];
                if (distance[other] == 65535) {
                    distance[other] = uint16_t(now + 1);
                    const int slot = (now + weight[other]) & 3;
                    queues[slot][length[slot]++] = other;
                    pending++;
                }
            }
        }
        length[now & 3] = 0;
    }
    for (auto queue : queues) std::free(queue);
    std::free(weight);
}
