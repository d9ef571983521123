import java.io.*;
import java.util.*;
/** Speaks the protocol with dungeon-tui. Change Strategy.java, not this file. */
class Bridge {
    record Site(int row, int col) {}  // both from 0

    int size;
    private char[][] tiles;
    List<Site> plan = new ArrayList<>(), safe = new ArrayList<>();  // shown by the game

    boolean isSite(Site s) {
        return Math.min(s.row, s.col) >= 0 && Math.max(s.row, s.col) < size && tiles[s.row][s.col] != ' ';
    }

    boolean isRoom(Site s) { return isSite(s) && tiles[s.row][s.col] != '+'; }

    /** All legal moves: stay, step up, down, left or right, and diagonally from room to room. */
    List<Site> moves(Site from) {
        List<Site> found = new ArrayList<>();
        for (int down : new int[] {0, -1, 1})
            for (int right : new int[] {0, -1, 1}) {
                Site to = new Site(from.row + down, from.col + right);
                if (isSite(to) && (down == 0 || right == 0 || isRoom(from) && isRoom(to))) found.add(to);
            }
        return found;
    }

    private static String line(String word, List<Site> sites) {
        return word + String.join("", sites.stream().map(s -> " " + s.row + " " + s.col).toList());
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        PrintStream answers = System.out;
        System.setOut(System.err);  // keep the strategy's output apart from the answers
        Bridge board = new Bridge();
        for (String line; (line = lines.readLine()) != null && !line.equals("quit");) {
            String[] words = line.trim().split("\\s+");
            if (words[0].equals("protocol")) answers.println("name Java\nprotocol chase 1");
            if (words[0].equals("board")) {
                board.size = Integer.parseInt(words[1]);
                board.tiles = new char[board.size][];
                for (int row = 0; row < board.size; row++)
                    board.tiles[row] = (lines.readLine() + " ".repeat(2 * board.size)).replaceAll("(.).", "$1").toCharArray();
                answers.println("ready");
            }
            if (!words[0].equals("position")) continue;
            int[] at = Arrays.stream(words).skip(3).mapToInt(Integer::parseInt).toArray();
            board.plan = new ArrayList<>();
            board.safe = new ArrayList<>();
            try {
                Site to = Strategy.move(board, words[1].equals("monster"), new Site(at[0], at[1]), new Site(at[2], at[3]));
                answers.println(line("info plan", board.plan) + line("\ninfo safe", board.safe) + line("\nmove", List.of(to)));
            } catch (RuntimeException | StackOverflowError error) {
                error.printStackTrace();
                answers.println("error threw " + error);
            }
        }
    }
}
