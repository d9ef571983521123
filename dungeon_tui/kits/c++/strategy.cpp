// Your strategy, for both sides.
#include "bridge.hpp"

#include <algorithm>
#include <cstdlib>

// The steps between two sites if there were no walls. Is this a good measure?
int apart(Site one, Site other) {
    return std::max(std::abs(one.row - other.row), std::abs(one.col - other.col));
}

// The site to go to.
Site move(Board& board, bool isMonster, Site monster, Site rogue) {
    std::vector<Site> moves = board.moves(isMonster ? monster : rogue);
    if (isMonster)
        return *std::min_element(moves.begin(), moves.end(),
                                 [&](Site a, Site b) { return apart(a, rogue) < apart(b, rogue); });
    for (Site to : moves)
        if (apart(to, monster) > 1) board.safe.push_back(to);
    return *std::max_element(moves.begin(), moves.end(),
                             [&](Site a, Site b) { return apart(a, monster) < apart(b, monster); });
}
