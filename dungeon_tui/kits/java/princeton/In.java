import java.io.File;
import java.io.FileNotFoundException;
import java.util.Scanner;

/** A text to read line by line. */
public class In {
    private final Scanner scanner;

    public In() {
        scanner = new Scanner(System.in);
    }

    public In(String file) {
        try {
            scanner = new Scanner(new File(file));
        } catch (FileNotFoundException error) {
            throw new IllegalArgumentException(error);
        }
    }

    public String readLine() {
        return scanner.hasNextLine() ? scanner.nextLine() : null;
    }

    public int readInt() {
        return scanner.nextInt();
    }
}
