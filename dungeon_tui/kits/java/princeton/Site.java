/** A site of a dungeon. */
public class Site {
    private final int i, j;

    public Site(int i, int j) {
        this.i = i;
        this.j = j;
    }

    public int i() {
        return i;
    }

    public int j() {
        return j;
    }

    /** Rows and columns between two sites. */
    public int manhattanTo(Site other) {
        return Math.abs(i - other.i) + Math.abs(j - other.j);
    }

    public boolean equals(Site other) {
        return other != null && i == other.i && j == other.j;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Site && equals((Site) other);
    }

    @Override
    public int hashCode() {
        return 31 * i + j;
    }
}
