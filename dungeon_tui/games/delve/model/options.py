"""The options of `delve play`; loads no engine, for the help and the menu."""

from dataclasses import replace

from dungeon_tui.core.options import FLAG, NEW, SEED_KIND, Field, Form, Option, Options, number, one_of

DEPTHS = 10  # the amulet lies on the last; by default
COURSE, HEARTS = "course", "hearts"  # rules: one hit is death, or three hearts

MONSTERS = {HEARTS: 5, COURSE: 10}  # default for a game
RULES = one_of({HEARTS: "three hearts", COURSE: "one hit is death"})
AIMS = {
    HEARTS: "Fetch the amulet from the last depth. You have three hearts.",
    COURSE: "Kill every monster of a dungeon. One hit kills you, too.",
}

OPTIONS = Options(
    "FILE",
    "A dungeon file; - is standard input; default: a new dungeon",
    lambda: (),  # no dungeon has a name
    (
        Option("seed", SEED_KIND, "Seed of a new dungeon, or of the player's cell in a file", usual="random"),
        Option("monsters", number(1, 100_000), "Monsters on depth 1 besides guards", usual="5; 10 if one hit is death"),
        Option("rows", number(5, 500), "Rows of a new dungeon", 21, levels=NEW, excludes=("load-home",)),
        Option("cols", number(6, 500), "Columns of a new dungeon", 80, levels=NEW, excludes=("load-home",)),
        Option("rules", RULES, "Three hearts, or the course's: one hit is death", HEARTS),
        Option("depths", number(2, 20), "Depths; the amulet lies on the last", DEPTHS),
        Option("load-home", FLAG, "Read .rlg327/dungeon in the home directory", levels=NEW, is_local=True),
    ),
    summary="Play a dungeon.",
    needs_seed=lambda given: True,
)


def forms() -> tuple[Form, ...]:
    """The forms for random dungeons: one for each rules."""
    hearts = _form("New dungeon", HEARTS, OPTIONS["depths"].ask(), monsters="Monsters besides guards")
    return hearts, _form("New dungeon, one hit is death", COURSE, monsters="Monsters")


def _form(title: str, rules: str, *fields: Field, monsters: str) -> Form:
    number = replace(OPTIONS["monsters"], usual=f"{MONSTERS[rules]}").ask(monsters, most=1000)
    size = OPTIONS["rows"].ask(least=10), OPTIONS["cols"].ask("Columns", least=20)
    form = OPTIONS.form(title, *fields, number, *size, OPTIONS["seed"].ask(), note=AIMS[rules])
    return replace(form, spell=lambda text: OPTIONS.read(f"{text} --rules {rules}").arguments)
