// Speaks the protocol with dungeon-tui. Change strategy.cpp, not this file.
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Site { int row, col; };  // both from 0
using Sites = std::vector<Site>;

// The game shows the sites in plan and safe.
struct Board {
    int size = 0;
    std::vector<std::string> tiles;
    Sites plan, safe;
    bool isInside(Site s) const { return s.row >= 0 && s.col >= 0 && s.row < size && s.col < size; }
    bool isSite(Site s) const { return isInside(s) && tiles[s.row][s.col] != ' '; }
    bool isRoom(Site s) const { return isSite(s) && tiles[s.row][s.col] != '+'; }
    // All legal moves: stay, step up, down, left or right, and diagonally from room to room.
    Sites moves(Site from) const {
        Sites found;
        for (int down : {0, -1, 1})
            for (int right : {0, -1, 1})
                if (Site to{from.row + down, from.col + right}; isSite(to))
                    if (!down || !right || (isRoom(from) && isRoom(to))) found.push_back(to);
        return found;
    }
};

std::ostream& operator<<(std::ostream& out, const Sites& sites) {
    for (Site s : sites) out << ' ' << s.row << ' ' << s.col;
    return out;
}

Site move(Board& board, bool isMonster, Site monster, Site rogue);  // yours

int main() {
    Board board;
    std::ostream answers(std::cout.rdbuf(std::cerr.rdbuf()));  // keep the strategy's output apart from the answers
    for (std::string line, word, side; std::getline(std::cin, line);) {
        std::istringstream words(line);
        if (!(words >> word)) continue;
        if (word == "protocol") answers << "name C++\nprotocol chase 1" << std::endl;
        if (word == "quit") break;
        if (word == "board" && words >> board.size) {
            board.tiles.assign(board.size, std::string(board.size, ' '));
            for (auto& row : board.tiles) {
                std::getline(std::cin, line);
                for (size_t col = 0; col < row.size() && 2 * col < line.size(); col++) row[col] = line[2 * col];
            }
            answers << "ready" << std::endl;
        }
        Site monster, rogue;
        int made;
        if (word != "position") continue;
        words >> side >> made >> monster.row >> monster.col >> rogue.row >> rogue.col;
        board.plan = board.safe = {};
        Site to = move(board, side == "monster", monster, rogue);
        answers << "info plan" << board.plan << "\ninfo safe" << board.safe << "\nmove" << Sites{to} << std::endl;
    }
}
