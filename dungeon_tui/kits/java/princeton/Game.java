import java.lang.Character;  // a submission may have its own class Character

/** A game between a monster and a rogue, with the parts that they use. */
public class Game {
    private final Dungeon dungeon;
    private Site monsterSite;
    private Site rogueSite;

    public Game(In in) {
        int size = Integer.parseInt(in.readLine().trim());
        char[][] board = new char[size][size];
        for (int i = 0; i < size; i++) {
            String line = in.readLine();
            for (int j = 0; j < size; j++) {
                board[i][j] = line.charAt(2 * j);
                if (Character.isUpperCase(board[i][j])) monsterSite = new Site(i, j);
                if (board[i][j] == '@') rogueSite = new Site(i, j);
                if (board[i][j] == '@' || Character.isUpperCase(board[i][j])) board[i][j] = '.';
            }
        }
        dungeon = new Dungeon(board);
    }

    public Site getMonsterSite() {
        return monsterSite;
    }

    public Site getRogueSite() {
        return rogueSite;
    }

    public Dungeon getDungeon() {
        return dungeon;
    }
}
