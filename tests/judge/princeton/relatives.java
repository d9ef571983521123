// A submission whose classes are called as Java's own, whose players are a relative and a Runner, and which may be easy; the kit has the rest.
import java.util.function.Supplier;

class Path {
    static Site toward(Site from, Site to) { return new Site(from.i() + Integer.signum(to.i() - from.i()), from.j()); }
}

class Reader {
    static Site read(Supplier<Site> site) { return java.util.Objects.requireNonNull(site.get(), "nowhere to go"); }
}

abstract class Character {
    final Game game;
    Character(Game game) { this.game = game; }
    abstract Site move();
}

abstract class Monster extends Character {
    Monster(Game game) { super(game); }
}

class Hunter extends Monster {
    private final boolean isEasy;
    Hunter(Game game, boolean isEasy) { super(game); this.isEasy = isEasy; }
    Site move() { return isEasy ? game.at[0] : Path.toward(game.getMonsterSite(), game.getRogueSite()); }
}

class Runner extends Character {
    Runner(Game game) { super(game); }
    Site move() { return Reader.read(() -> game.getMonsterSite().i() == 1 ? null : game.getRogueSite()); }
}

class MonsterView {
    void move() {}
}

class Game {
    final Site[] at = new Site[1];
    private Dungeon dungeon;
    private Site monsterSite, rogueSite;
    private Character monster, rogue;
    private final MonsterView view = new MonsterView();
    Game(In in, boolean isEasy) {
        char[][] board = new char[in.readInt()][];
        in.readLine();
        for (int i = 0; i < board.length; i++) {
            String row = in.readLine();
            board[i] = new char[board.length];
            for (int j = 0; j < board.length; j++) {
                board[i][j] = row.charAt(2 * j);
                if (board[i][j] >= 'A') monsterSite = new Site(i, j);
                if (board[i][j] == '@') rogueSite = new Site(i, j);
            }
        }
        dungeon = new Dungeon(board);
        monster = new Hunter(this, isEasy);
        rogue = new Runner(this);
    }
    Site getMonsterSite() { return monsterSite; }
    Site getRogueSite() { return rogueSite; }
    Dungeon getDungeon() { return dungeon; }
}
