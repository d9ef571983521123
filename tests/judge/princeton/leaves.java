// A submission whose Game looks for a folder of its author's, and ends the program if it isn't there; it draws, too.
class Site {
    final int i, j;
    Site(int i, int j) { this.i = i; this.j = j; }
    int i() { return i; }
    int j() { return j; }
    boolean equals(Site other) { return i == other.i && j == other.j; }
}

class Game {
    private Site[] both = new Site[2];
    private Dungeon dungeon;
    Game(In in) {
        if (!new java.io.File("C:/Users/me/Desktop/rogue/images").exists()) {
            System.out.println("no images");
            System.exit(1);
        }
    }
    public Site getMonsterSite() { return both[0]; }
    public Site getRogueSite() { return both[1]; }
    public Dungeon getDungeon() { return dungeon; }
    public static void main(String[] words) { new Game(new In()); }
}

class Monster {
    private final Game game;
    Monster(Game game) { this.game = game; }
    Site move() {
        Site at = game.getMonsterSite(), to = game.getRogueSite();
        Site down = new Site(at.i + Integer.signum(to.i - at.i), at.j);
        return !down.equals(at) && game.getDungeon().isLegalMove(at, down) ? down : at;
    }
}

class Rogue {
    private final Game game;
    Rogue(Game game) { this.game = game; }
    Site move() {
        if (game.getMonsterSite().i() == 3) System.exit(3);
        return game.getRogueSite();
    }
}
