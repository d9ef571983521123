// A submission in the assignment's own manner: the monster takes a shortest way, the rogue goes farthest away.
import java.util.*;

class In {
    private final Scanner scanner;
    In(String name) throws java.io.IOException { scanner = new Scanner(new java.io.File(name)); }
    String readLine() { return scanner.nextLine(); }
}

class Site {
    private int i, j;
    Site(int i, int j) { this.i = i; this.j = j; }
    int i() { return i; }
    int j() { return j; }
    boolean equals(Site w) { return i == w.i && j == w.j; }
}

class Dungeon {
    private final char[][] board;
    final int N;
    Dungeon(char[][] board) { this.board = board; N = board.length; }
    int size() { return N; }
    boolean isWall(Site v) { return v.i() < 0 || v.j() < 0 || v.i() >= N || v.j() >= N || board[v.i()][v.j()] == ' '; }
    boolean isRoom(Site v) { return !isWall(v) && board[v.i()][v.j()] == '.'; }
    boolean isLegalMove(Site v, Site w) {
        if (isWall(v) || isWall(w) || Math.abs(v.i() - w.i()) > 1 || Math.abs(v.j() - w.j()) > 1) return false;
        return v.i() == w.i() || v.j() == w.j() || isRoom(v) && isRoom(w);
    }
    int[][] distances(Site from) {
        int[][] found = new int[N][N];
        for (int[] row : found) Arrays.fill(row, 9999);
        found[from.i()][from.j()] = 0;
        Deque<Site> queue = new ArrayDeque<>(List.of(from));
        while (!queue.isEmpty()) {
            Site v = queue.remove();
            for (Site w : moves(v))
                if (found[w.i()][w.j()] == 9999) {
                    found[w.i()][w.j()] = found[v.i()][v.j()] + 1;
                    queue.add(w);
                }
        }
        return found;
    }
    List<Site> moves(Site v) {
        List<Site> all = new ArrayList<>(List.of(v));
        for (int i = -1; i <= 1; i++)
            for (int j = -1; j <= 1; j++)
                if (isLegalMove(v, new Site(v.i() + i, v.j() + j))) all.add(new Site(v.i() + i, v.j() + j));
        return all;
    }
}

class Game {
    private Dungeon dungeon;
    private char MONSTER;
    private char ROGUE = '@';
    private int N;
    private Site monsterSite, rogueSite;
    private Monster monster;
    private Rogue rogue;
    Game(In in) {
        N = Integer.parseInt(in.readLine());
        char[][] board = new char[N][N];
        for (int i = 0; i < N; i++) {
            String s = in.readLine();
            for (int j = 0; j < N; j++) {
                board[i][j] = s.charAt(2 * j);
                if (board[i][j] >= 'A' && board[i][j] <= 'Z') {
                    MONSTER = board[i][j];
                    board[i][j] = '.';
                    monsterSite = new Site(i, j);
                }
                if (board[i][j] == ROGUE) {
                    board[i][j] = '.';
                    rogueSite = new Site(i, j);
                }
            }
        }
        dungeon = new Dungeon(board);
        monster = new Monster(this);
        rogue = new Rogue(this);
    }
    Site getMonsterSite() { return monsterSite; }
    Site getRogueSite() { return rogueSite; }
    Dungeon getDungeon() { return dungeon; }
}

class Monster {
    private Game game;
    Monster(Game game) { this.game = game; }
    Site move() {
        System.out.println("the monster thinks");
        int[][] far = game.getDungeon().distances(game.getRogueSite());
        return Collections.min(game.getDungeon().moves(game.getMonsterSite()), Comparator.comparing(v -> far[v.i()][v.j()]));
    }
}

class Rogue {
    private Game game;
    Rogue(Game game) { this.game = game; }
    Site move() {
        int[][] far = game.getDungeon().distances(game.getMonsterSite());
        return Collections.max(game.getDungeon().moves(game.getRogueSite()), Comparator.comparing(v -> far[v.i()][v.j()]));
    }
}
