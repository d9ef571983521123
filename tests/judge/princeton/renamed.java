// A submission with names, orders and constructors of its own, in a package; its rogue fails.
package dungeon;

import java.util.*;

final class Site {
    private static final int NOWHERE = 3;
    private final int column, row;
    private Site(int row, int column) { this.row = row; this.column = column; }
    static Site at(int row, int column) { return new Site(row, column); }
    int row() { return row; }
    int column() { return column; }
}

class Dungeon {
    private final String[] rows;
    Dungeon(String text) { rows = text.split("\n"); }
    boolean isOpen(int row, int column) {
        return row >= 0 && column >= 0 && row < rows.length - 1 && column < rows.length - 1 && rows[row + 1].charAt(2 * column) != ' ';
    }
}

abstract class Board {
    protected Site hunter, prey;
    private Site goal;
}

class Game extends Board {
    private static final String NAME = "Rogue";
    private Dungeon caves;
    private Game(String file) throws java.io.IOException {
        String text = java.nio.file.Files.readString(java.nio.file.Path.of(file));
        String[] rows = text.split("\n");
        for (int row = 1; row < rows.length; row++)
            for (int at = 0; at < rows[row].length(); at += 2) {
                if (Character.isUpperCase(rows[row].charAt(at))) hunter = Site.at(row - 1, at / 2);
                if (rows[row].charAt(at) == '@') prey = Site.at(row - 1, at / 2);
            }
        caves = new Dungeon(text);
    }
    Site hunter() { return hunter; }
    Site prey() { return prey; }
    Dungeon caves() { return caves; }
}

class Monster {
    private final Game game;
    private final Dungeon dungeon;
    private Monster(Game game, Dungeon dungeon) { this.game = game; this.dungeon = dungeon; }
    private Site move() {
        int down = Integer.signum(game.prey().row() - game.hunter().row());
        int right = Integer.signum(game.prey().column() - game.hunter().column());
        int row = game.hunter().row(), column = game.hunter().column();
        if (down != 0 && dungeon.isOpen(row + down, column)) return Site.at(row + down, column);
        if (right != 0 && dungeon.isOpen(row, column + right)) return Site.at(row, column + right);
        return game.hunter();
    }
}

class Rogue {
    Rogue(Game game) {}
    public Site move() { return List.<Site>of().get(0); }
}
