// A submission that draws: its Game is a window, which can't be made without a screen; its Rogue takes it that there is one game.
class In {
    private final java.util.Scanner scanner = new java.util.Scanner(System.in);
    String readLine() { return scanner.nextLine(); }
}

class Site {
    public int i, j;
    public Site(int i, int j) { this.i = i; this.j = j; }
}

class Dungeon {
    private char[][] board;
    public Dungeon(char[][] board) { this.board = board; }
    public boolean isSite(int i, int j) { return i >= 0 && j >= 0 && i < board.length && j < board.length && board[i][j] != ' '; }
}

class Game extends javax.swing.JFrame {
    private static final char ROGUE = '@', ROOM = '.';
    private Dungeon dungeon;
    private int N;
    private Site monsterSite, rogueSite;
    private Monster monster;
    private Rogue rogue;
    public Game(In in) {
        N = Integer.parseInt(in.readLine());
        setVisible(true);
    }
    public Site getMonsterSite() { return monsterSite; }
    public Site getRogueSite() { return rogueSite; }
    public Dungeon getDungeon() { return dungeon; }
}

class Monster {
    private Game game;
    private Dungeon dungeon;
    public Monster(Game game) { this.game = game; dungeon = game.getDungeon(); }
    public Site move() {
        Site at = game.getMonsterSite(), to = game.getRogueSite();
        Site down = new Site(at.i + Integer.signum(to.i - at.i), at.j), right = new Site(at.i, at.j + Integer.signum(to.j - at.j));
        return down.i != at.i && dungeon.isSite(down.i, down.j) ? down : dungeon.isSite(right.i, right.j) ? right : at;
    }
}

class Rogue {
    private static Dungeon only;
    private Game game;
    public Rogue(Game game) { this.game = game; if (only == null) only = game.getDungeon(); }
    public Site move() {
        if (only != game.getDungeon()) throw new IllegalStateException("another dungeon");
        return game.getRogueSite();
    }
}
