import java.util.Comparator;

/** Your strategy, for both sides. */
class Strategy {
    /** The steps between two sites if there were no walls. Is this a good measure? */
    static int apart(Bridge.Site one, Bridge.Site other) {
        return Math.max(Math.abs(one.row() - other.row()), Math.abs(one.col() - other.col()));
    }

    /** The site to go to. */
    static Bridge.Site move(Bridge board, boolean isMonster, Bridge.Site monster, Bridge.Site rogue) {
        if (isMonster)
            return board.moves(monster).stream().min(Comparator.comparing(to -> apart(to, rogue))).get();
        for (Bridge.Site to : board.moves(rogue)) if (apart(to, monster) > 1) board.safe.add(to);
        return board.moves(rogue).stream().max(Comparator.comparing(to -> apart(to, monster))).get();
    }
}
