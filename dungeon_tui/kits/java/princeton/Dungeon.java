/** A dungeon of rooms, corridors and walls. */
public class Dungeon {
    private final char[][] board;

    public Dungeon(char[][] board) {
        this.board = board;
    }

    public int size() {
        return board.length;
    }

    private char at(Site v) {
        boolean isInside = v.i() >= 0 && v.j() >= 0 && v.i() < size() && v.j() < size();
        return isInside ? board[v.i()][v.j()] : ' ';
    }

    public boolean isCorridor(Site v) {
        return at(v) == '+';
    }

    public boolean isRoom(Site v) {
        return at(v) == '.';
    }

    public boolean isWall(Site v) {
        return at(v) == ' ';
    }

    public boolean isLegalMove(Site v, Site w) {
        int rows = Math.abs(v.i() - w.i()), cols = Math.abs(v.j() - w.j());
        if (isWall(v) || isWall(w) || rows > 1 || cols > 1) return false;
        return rows == 0 || cols == 0 || isRoom(v) && isRoom(w);
    }
}
