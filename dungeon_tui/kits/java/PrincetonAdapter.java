// Explicit imports: a class of the submission would hide one imported by "*", and even java.lang.Character.
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.lang.Character;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.TreeMap;

/**
 * Plays the chase with the classes of a submission to the assignment "Rogue", unchanged: Game, Dungeon, Site, Monster
 * and Rogue with its move(). Each position is written into the Site fields of their Game, private ones too.
 *
 * If a Game can't be constructed, because it needs a screen or a player fails, the adapter allocates one without its
 * constructor, fills its fields with the dungeon, the sites and the size, and constructs each player by itself.
 */
public class PrincetonAdapter {
    private final String prefix;  // of the submission's classes: their package, and a dot
    private final List<String> rows = new ArrayList<>();  // of the board, as wide as its size
    private final Map<String, int[]> starts = new TreeMap<>();  // row and column of each side
    private final Map<String, Object> players = new HashMap<>();  // by side
    private final Map<String, List<Held>> sites = new HashMap<>();  // the fields that hold them, by side
    private final ClassLoader loader = fresh();
    private Object game;

    private record Held(Object owner, Field field) {}

    /** A fault of the submission; the message describes it. */
    private static class Fault extends Exception {
        Fault(String message) {
            super(message);
        }
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        PrintStream answers = System.out;
        System.setOut(System.err);  // keep the submission's output and input apart from the protocol
        System.setIn(InputStream.nullInputStream());
        System.setProperty("java.awt.headless", "true");
        String prefix = prefix();
        PrincetonAdapter adapter = null;
        Throwable failed = null;  // in making the game
        for (String line; (line = lines.readLine()) != null && !line.trim().equals("quit");) {
            String[] words = line.trim().split("\\s+");
            if (words[0].equals("protocol")) answers.println("name Rogue of Princeton\nprotocol chase 1");
            if (words[0].equals("board")) {
                List<String> rows = new ArrayList<>();
                while (rows.size() < Integer.parseInt(words[1])) rows.add(lines.readLine());
                adapter = new PrincetonAdapter(prefix, rows);
                try {
                    failed = null;
                    adapter.make();
                } catch (Throwable error) {
                    failed = error;
                }
                answers.println("ready");
            }
            if (!words[0].equals("position")) continue;
            int[] at = Arrays.stream(words).skip(3).mapToInt(Integer::parseInt).toArray();
            try {
                if (failed != null) throw failed;
                int[] to = adapter.move(words[1], new int[] {at[0], at[1]}, new int[] {at[2], at[3]});
                answers.println("move " + to[0] + " " + to[1]);
            } catch (Throwable error) {
                answers.println("error " + told(error));
            }
        }
        System.exit(0);  // the submission may have started threads
    }

    /** The package of the submission's classes, with a dot; empty if they have none. */
    private static String prefix() throws IOException {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path folder = Path.of(entry);
            if (!Files.isDirectory(folder)) continue;
            try (var files = Files.walk(folder)) {
                Path found = files.filter(file -> file.endsWith("Monster.class")).min(Comparator.comparing(Path::getNameCount)).orElse(null);
                if (found != null) return folder.relativize(found).toString().replace(File.separator, ".").replace("Monster.class", "");
            }
        }
        return "";
    }

    /** A new loader for the submission's classes, so that each board starts with fresh static fields. */
    private static ClassLoader fresh() throws MalformedURLException {
        List<URL> places = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) places.add(new File(entry).toURI().toURL());
        return new URLClassLoader(places.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    private static String told(Throwable error) {
        while (error.getCause() != null && (error instanceof InvocationTargetException || error instanceof ExceptionInInitializerError))
            error = error.getCause();
        if (error instanceof Fault) return error.getMessage();
        error.printStackTrace();
        StackTraceElement[] trace = error.getStackTrace();
        for (StackTraceElement place : trace)  // prefer the submission's own lines
            if (place.getModuleName() == null && !place.getClassName().startsWith("PrincetonAdapter")) return oneLine(error + " at " + place);
        return oneLine(error + (trace.length == 0 ? "" : " at " + trace[0]));
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ");
    }

    private PrincetonAdapter(String prefix, List<String> lines) throws IOException {
        this.prefix = prefix;
        for (String line : lines) rows.add((line + " ".repeat(2 * lines.size())).substring(0, 2 * lines.size()));
        for (int row = 0; row < rows.size(); row++)
            for (int col = 0; col < rows.size(); col++) {
                char at = rows.get(row).charAt(2 * col);
                if (at == '@') starts.put("rogue", new int[] {row, col});
                if (Character.isUpperCase(at)) starts.put("monster", new int[] {row, col});
            }
    }

    private int[] move(String side, int[] monster, int[] rogue) throws Throwable {
        put("monster", monster);
        put("rogue", rogue);
        Object player = players.get(side);
        if (player == null) players.put(side, player = made(type(name(side))));  // repeat the failure to report it
        Method move = method(player.getClass(), "move");
        if (move == null) throw new Fault(name(side) + " has no move()");
        Object to = move.invoke(player);
        if (to == null) throw new Fault(name(side) + ".move() returned null");
        return place(to);
    }

    private static String name(String side) {
        return side.equals("monster") ? "Monster" : "Rogue";
    }

    // -- the game

    private void make() throws Throwable {
        InputStream input = System.in;
        try {
            System.setIn(new ByteArrayInputStream(text().getBytes()));
            game = made(type("Game"));
            findPlayers();
            for (String side : starts.keySet()) findSites(side);
        } catch (Throwable error) {
            players.clear();
            makeBare(error);
        } finally {
            System.setIn(input);
        }
        for (String side : starts.keySet())
            try {
                if (!players.containsKey(side)) players.put(side, made(type(name(side))));
            } catch (Throwable error) {  // the other side may still work
                System.err.println(told(error));
            }
    }

    /** Makes a game without its constructor, and fills its fields. */
    private void makeBare(Throwable why) throws Throwable {
        Field unsafe = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        unsafe.setAccessible(true);
        game = unsafe.getType().getMethod("allocateInstance", Class.class).invoke(unsafe.get(null), type("Game"));
        for (Field field : fields(type("Game"))) {
            if (Modifier.isStatic(field.getModifiers())) continue;
            String name = field.getName().toLowerCase();
            if (field.getType() == type("Dungeon")) field.set(game, made(type("Dungeon")));
            if (field.getType() == int.class && name.matches("n|m|size|length|dim.*")) field.set(game, rows.size());
            if (field.getType() == char.class && name.matches("m|.*monster.*")) field.set(game, letter());
            if (field.getType() == char.class && name.contains("rogue")) field.set(game, '@');
            for (String side : starts.keySet())
                if (field.getType() == type("Site") && name.contains(side)) hold(side, game, field);
        }
        for (String side : starts.keySet()) {
            if (!sites.containsKey(side)) throw why;
            put(side, starts.get(side));
        }
        System.err.println("Game was made without its constructor, which failed: " + told(why));
    }

    /** Finds the players that the game has made by the names of the fields or their types. */
    private void findPlayers() throws Throwable {
        for (String side : starts.keySet())
            for (Field field : fields(game.getClass())) {
                Object held = field.get(game);
                Method move = held == null ? null : method(held.getClass(), "move");
                boolean isCalled = (field.getType().getSimpleName() + field.getName()).toLowerCase().contains(side);
                if (isCalled && move != null && move.getReturnType() == type("Site")) players.put(side, held);
            }
    }

    /** Finds the fields that hold a side's site: in the game, or else in the player. */
    private void findSites(String side) throws Throwable {
        for (Object owner : Arrays.asList(game, players.get(side))) {
            if (owner == null || sites.containsKey(side)) continue;
            for (Field field : fields(owner.getClass()))
                if (field.getType() == type("Site") && field.get(owner) != null && Arrays.equals(place(field.get(owner)), starts.get(side)))
                    hold(side, owner, field);
        }
        if (!sites.containsKey(side)) throw new Fault("Game keeps no Site of the " + side);
    }

    private void hold(String side, Object owner, Field field) {
        sites.computeIfAbsent(side, each -> new ArrayList<>()).add(new Held(owner, field));
    }

    private void put(String side, int[] place) throws Throwable {
        for (Held held : sites.get(side)) held.field.set(held.owner, site(place));
        Method told = method(game.getClass(), "get" + name(side) + "Site");
        if (told != null && !Arrays.equals(place(told.invoke(game)), place))
            throw new Fault("Game." + told.getName() + "() does not tell the site that its fields hold");
    }

    // -- sites

    private Object site(int[] place) throws Throwable {
        Constructor<?> make = type("Site").getDeclaredConstructor(int.class, int.class);
        make.setAccessible(true);
        return make.newInstance(place[0], place[1]);
    }

    /** Row and column of a site: its integers that follow the first and the second constructor argument. */
    private int[] place(Object site) throws Throwable {
        Object probe = site(new int[] {3, 5});
        int[] place = {-1, -1};
        for (Field field : fields(type("Site")))
            if (field.getType() == int.class && !Modifier.isStatic(field.getModifiers())) {
                if (field.getInt(probe) == 3) place[0] = field.getInt(site);
                if (field.getInt(probe) == 5) place[1] = field.getInt(site);
            }
        return place;
    }

    // -- making objects

    /** An object of the submission, by the constructor with the most arguments that we can supply. */
    private Object made(Class<?> type) throws Throwable {
        if (Modifier.isAbstract(type.getModifiers())) throw new Fault(type.getName() + " is abstract, and Game has made none");
        Constructor<?>[] all = type.getDeclaredConstructors();
        Arrays.sort(all, Comparator.comparing(each -> -each.getParameterCount()));
        Throwable failed = new Fault(type.getName() + " has no constructor that takes what there is");
        for (Constructor<?> each : all)
            try {
                each.setAccessible(true);
                Object[] arguments = new Object[each.getParameterCount()];
                for (int at = 0; at < arguments.length; at++) arguments[at] = argument(each.getParameterTypes()[at], type);
                return each.newInstance(arguments);
            } catch (Unknown error) {
                continue;
            } catch (Throwable error) {
                failed = error;
            }
        throw failed;
    }

    private static class Unknown extends Exception {}

    private Object argument(Class<?> type, Class<?> owner) throws Throwable {
        if (type == int.class) return rows.size();
        if (type == boolean.class) return false;
        if (type == char[][].class) return tiles();
        if (type == String.class && owner == type("Dungeon")) return text();
        if (type == String.class || type == File.class || type == Path.class) {
            Path file = Files.createTempFile("board", ".txt");
            file.toFile().deleteOnExit();
            Files.writeString(file, text());
            return type == String.class ? file.toString() : type == File.class ? file.toFile() : file;
        }
        InputStream input = new ByteArrayInputStream(text().getBytes());
        if (type == InputStream.class) return input;
        if (type == Scanner.class) return new Scanner(input);
        if (type == BufferedReader.class || type == Reader.class) return new BufferedReader(new InputStreamReader(input));
        if (type.getSimpleName().equals("In")) return made(type);  // the submission's, or the course's
        if (game != null && type == type("Game")) return game;
        if (game != null)
            for (Field field : fields(game.getClass())) if (field.getType() == type && field.get(game) != null) return field.get(game);
        throw new Unknown();
    }

    private String text() {
        return rows.size() + "\n" + String.join("\n", rows) + "\n";
    }

    /** The dungeon without the monster and the rogue. */
    private char[][] tiles() {
        char[][] tiles = new char[rows.size()][rows.size()];
        for (int row = 0; row < tiles.length; row++)
            for (int col = 0; col < tiles.length; col++) {
                char at = rows.get(row).charAt(2 * col);
                tiles[row][col] = at == '@' || Character.isUpperCase(at) ? '.' : at;
            }
        return tiles;
    }

    private char letter() {
        int[] at = starts.get("monster");
        return rows.get(at[0]).charAt(2 * at[1]);
    }

    // -- reflection

    private Class<?> type(String name) throws Fault {
        try {
            return Class.forName(prefix + name, true, loader);
        } catch (ClassNotFoundException error) {
            throw new Fault("there is no class " + prefix + name);
        }
    }

    private static List<Field> fields(Class<?> type) {
        List<Field> found = new ArrayList<>();
        for (; type != null && type != Object.class; type = type.getSuperclass())
            for (Field field : type.getDeclaredFields())
                if (!type.getName().startsWith("java") && field.trySetAccessible()) found.add(field);
        return found;
    }

    private static Method method(Class<?> type, String name) {
        for (; type != null; type = type.getSuperclass())
            try {
                Method found = type.getDeclaredMethod(name);
                found.setAccessible(true);
                return found;
            } catch (NoSuchMethodException error) {
                continue;
            }
        return null;
    }
}
