// The usual algorithm, for comparison: row by row from the last cell, what is needed of a grid of 64-bit values; once with
// one row, once with the whole table and a way traced through it.

#include <algorithm>
#include <cstddef>
#include <cstdint>

static const int64_t BEYOND = INT64_MAX;

extern "C" int64_t least_health(const int64_t *grid, int64_t rows, int64_t cols, int64_t *row) {
    std::fill(row, row + cols, BEYOND);
    row[cols - 1] = 1;
    for (int64_t r = rows - 1; r >= 0; r--) {
        int64_t right = BEYOND;
        for (int64_t c = cols - 1; c >= 0; c--)
            row[c] = right = std::max<int64_t>(1, std::min(right, row[c]) - grid[r * cols + c]);
    }
    return row[0];
}

extern "C" int64_t least_health_path(const int64_t *grid, int64_t rows, int64_t cols, int64_t *table, int64_t *path) {
    for (int64_t r = rows - 1; r >= 0; r--) {
        int64_t right = BEYOND;
        for (int64_t c = cols - 1; c >= 0; c--) {
            const int64_t below = r < rows - 1 ? table[(r + 1) * cols + c] : c < cols - 1 ? BEYOND : 1;
            table[r * cols + c] = right = std::max<int64_t>(1, std::min(right, below) - grid[r * cols + c]);
        }
    }
    int64_t r = 0, c = 0;
    for (int64_t step = 0; step < rows + cols - 1; step++) {
        path[2 * step] = r;
        path[2 * step + 1] = c;
        const bool can_right = c < cols - 1, can_down = r < rows - 1;
        if (can_right && (!can_down || table[r * cols + c + 1] <= table[(r + 1) * cols + c]))
            c++;
        else
            r++;
    }
    return table[0];
}
