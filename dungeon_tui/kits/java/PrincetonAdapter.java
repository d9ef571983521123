// Explicit imports: a class of the submission would hide one imported by "*", and even java.lang.Character.
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Plays the chase with the classes of a submission to the assignment "Rogue", unchanged: Game, Dungeon, Site, Monster
 * and Rogue with its move(). Each position is written into the Site fields of their Game, private ones too.
 *
 * If a Game can't be constructed, because it needs a screen or a folder, ends the program, does not return, or a player
 * fails, the adapter constructs each player with the course's Game, and says so in an `info` line. If the players need
 * more than that has, it allocates the submission's Game without its constructor, and fills its fields.
 */
public class PrincetonAdapter {
    private static final long GAME_SECONDS = 8, FOREVER = 1L << 30, STACK_BYTES = 1L << 26;
    private static final String COURSE =
        "public class Game { private Dungeon dungeon; private Site monsterSite, rogueSite;"
        + " public Site getMonsterSite() { return monsterSite; } public Site getRogueSite() { return rogueSite; }"
        + " public Dungeon getDungeon() { return dungeon; } }";
    private final String prefix;  // of the submission's classes: their package, and a dot
    private final List<String> rows = new ArrayList<>();  // of the board, as wide as its size
    private final Map<String, int[]> starts = new TreeMap<>();  // row and column of each side
    private final Map<String, Object> players = new HashMap<>();  // by side
    private final Map<String, List<Held>> sites = new HashMap<>();  // the fields that hold them, by side
    private static Stuck stuck;  // the reason not to make the submission's Game again
    private static Path course;  // the folder of the course's Game, once it is compiled
    private ClassLoader loader;
    private Object game;
    private String note = "";  // what the report should say about the game
    private boolean isBare;  // the game was made without its constructor

    private record Held(Object owner, Field field) {}

    /** A fault of the submission; the message describes it. */
    private static class Fault extends Exception {
        Fault(String message) {
            super(message);
        }
    }

    /** The same if its code has not returned. */
    private static class Stuck extends Fault {
        Stuck(String message) {
            super(message);
        }
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        PrintStream answers = System.out;
        System.setOut(System.err);  // keep the submission's output and input apart from the protocol
        System.setIn(InputStream.nullInputStream());
        System.setProperty("java.awt.headless", "true");
        Runtime.getRuntime().addShutdownHook(new Thread(PrincetonAdapter::sleep));  // a submission that exits waits here
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
                if (!adapter.note.isEmpty()) answers.println("info text " + adapter.note);
                answers.println("ready");
            }
            if (!words[0].equals("position")) continue;
            int[] at = Arrays.stream(words).skip(3).mapToInt(Integer::parseInt).toArray();
            try {
                if (failed != null) throw failed;
                PrincetonAdapter player = adapter;
                int[] to = guarded(() -> player.move(words[1], new int[] {at[0], at[1]}, new int[] {at[2], at[3]}), FOREVER);
                answers.println("move " + to[0] + " " + to[1]);
            } catch (Throwable error) {
                answers.println("error " + told(error));
            }
        }
        Runtime.getRuntime().halt(0);  // the submission may have started threads
    }

    private static void sleep() {
        while (true)
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException error) {
                continue;
            }
    }

    /** The result of the submission's code, which may end the program, or not return. */
    private static <T> T guarded(Callable<T> code, long seconds) throws Exception {
        FutureTask<T> task = new FutureTask<>(code);
        Thread thread = new Thread(null, task, "submission", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        for (long end = System.nanoTime() + seconds * 1_000_000_000; ; )
            try {
                return task.get(20, TimeUnit.MILLISECONDS);
            } catch (ExecutionException error) {
                throw thrown(error.getCause());
            } catch (TimeoutException error) {
                for (StackTraceElement place : thread.getStackTrace())
                    if (place.getClassName().equals("java.lang.Shutdown")) throw new Stuck("it calls System.exit");
                if (System.nanoTime() > end) throw new Stuck("it takes longer than " + seconds + " s");
            }
    }

    private static Exception thrown(Throwable error) {
        if (error instanceof Error) throw (Error) error;
        return (Exception) error;
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
    private static ClassLoader fresh(Path... first) throws MalformedURLException {
        List<URL> places = new ArrayList<>();
        for (Path folder : first) places.add(folder.toUri().toURL());
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

    private int[] move(String side, int[] monster, int[] rogue) throws Exception {
        put("monster", monster);
        put("rogue", rogue);
        Object to;
        try {
            Object player = players.get(side);
            if (player == null) players.put(side, player = made(type(name(side))));  // repeat the failure to report it
            Method move = method(player.getClass(), "move");
            if (move == null) throw new Fault(name(side) + " has no move()");
            to = move.invoke(player);
        } catch (InvocationTargetException error) {
            if (note.isEmpty() || isBare || !(error.getCause() instanceof LinkageError)) throw error;
            fill(fresh());  // it needs more of Game than the course's has
            isBare = true;
            return move(side, monster, rogue);
        }
        if (to == null) throw new Fault(name(side) + ".move() returned null");
        return place(to);
    }

    private static String name(String side) {
        return side.equals("monster") ? "Monster" : "Rogue";
    }

    // -- the game

    private void make() throws Exception {
        InputStream input = System.in;
        try {
            System.setIn(new ByteArrayInputStream(text().getBytes()));
            if (stuck != null) throw stuck;
            loader = fresh();
            guarded(this::construct, GAME_SECONDS);
        } catch (Throwable error) {
            if (error instanceof Stuck) stuck = (Stuck) error;
            note = "the submission's Game can't be made (" + told(error) + "), so the course's Game is used";
            try {
                fill(course());
            } catch (Throwable other) {
                isBare = true;
                note = "the submission's Game can't be made (" + told(error) + "), so its fields are filled without its constructor";
                fill(fresh());
            }
        } finally {
            System.setIn(input);
        }
    }

    /** Makes a game by its constructor, and finds its players and sites, or makes the players. */
    private Object construct() throws Exception {
        game = made(type("Game"));
        findPlayers();
        for (String side : starts.keySet()) findSites(side);
        makePlayers();
        return game;
    }

    private void makePlayers() throws Exception {
        for (String side : starts.keySet())
            try {
                if (!players.containsKey(side)) players.put(side, made(type(name(side))));
            } catch (Throwable error) {  // the other side may still work
                System.err.println(told(error));
            }
    }

    /** A loader with the course's Game in place of the submission's. */
    private ClassLoader course() throws Exception {
        if (course != null) return fresh(course);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) throw new Fault("there is no Java compiler");
        Path folder = Files.createTempDirectory("course");
        Path source = folder.resolve("Game.java");
        Files.writeString(source, (prefix.isEmpty() ? "" : "package " + prefix.replaceAll("\\.$", "; ")) + COURSE);
        OutputStream nowhere = OutputStream.nullOutputStream();
        String[] options = {"-proc:none", "-d", folder.toString(), "-sourcepath", folder.toString(), "-cp", System.getProperty("java.class.path")};
        List<String> words = new ArrayList<>(Arrays.asList(options));
        words.add(source.toString());
        if (compiler.run(null, nowhere, nowhere, words.toArray(new String[0])) != 0) throw new Fault("the course's Game does not fit");
        return fresh(course = folder);
    }

    /** Makes a game without its constructor, fills its fields, and makes the players. */
    private void fill(ClassLoader classes) throws Exception {
        loader = classes;
        players.clear();
        sites.clear();
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
            if (!sites.containsKey(side)) throw new Fault("Game keeps no Site of the " + side);
            put(side, starts.get(side));
        }
        guarded(() -> { makePlayers(); return null; }, GAME_SECONDS);
    }

    /** Finds the players that the game has made by the names of the fields or their types. */
    private void findPlayers() throws Exception {
        for (String side : starts.keySet())
            for (Field field : fields(game.getClass())) {
                Object held = field.get(game);
                Method move = held == null ? null : method(held.getClass(), "move");
                boolean isCalled = (field.getType().getSimpleName() + field.getName()).toLowerCase().contains(side);
                if (isCalled && move != null && move.getReturnType() == type("Site")) players.put(side, held);
            }
    }

    /** Finds the fields that hold a side's site: in the game, or else in the player. */
    private void findSites(String side) throws Exception {
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

    private void put(String side, int[] place) throws Exception {
        for (Held held : sites.get(side)) held.field.set(held.owner, site(place));
        Method told = method(game.getClass(), "get" + name(side) + "Site");
        if (told != null && !Arrays.equals(place(told.invoke(game)), place))
            throw new Fault("Game." + told.getName() + "() does not tell the site that its fields hold");
    }

    // -- sites

    private Object site(int[] place) throws Exception {
        Constructor<?> make = type("Site").getDeclaredConstructor(int.class, int.class);
        make.setAccessible(true);
        return make.newInstance(place[0], place[1]);
    }

    /** Row and column of a site: its integers that follow the first and the second constructor argument. */
    private int[] place(Object site) throws Exception {
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
    private Object made(Class<?> type) throws Exception {
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
        throw thrown(failed);
    }

    private static class Unknown extends Exception {}

    private Object argument(Class<?> type, Class<?> owner) throws Exception {
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
