"""The options of `crawler play`; loads no solver, for the help and the menu."""

from collections.abc import Collection

from dungeon_tui.core.options import EXISTING, NEW, SEED, Form, Option, Options, number, one_of

MAX_CELLS = 2_147_483_647  # as in level.py

DIFFICULTIES = one_of(("easy", "normal", "hard"))  # the names of ai/challenge.py
AMULETS = one_of({"any": "perhaps", "needed": "needed", "none": "none"})
SIDES = 5, 60  # of a new level
_SIDE = number(*SIDES)


def _names() -> Collection[str]:
    from dungeon_tui.games.crawler.model.dungeon import shipped

    return shipped()


OPTIONS = Options(
    "DUNGEON",
    "A shipped dungeon, or a path prefix: PREFIX1.txt, PREFIX2.txt and so on",
    _names,
    (
        Option("levels", number(1, 999), "How many levels", None, "all files", EXISTING, (), True, True),
        Option(
            "max-cells",
            number(1, MAX_CELLS),
            "The most cells: an amulet can't double a level beyond it",
            MAX_CELLS,
            "",
            EXISTING,
            (),
            True,
        ),
        SEED,
        Option("difficulty", DIFFICULTIES, "Difficulty of a new level", "normal", levels=NEW),
        Option("rows", _SIDE, "Rows of a new level", usual="by difficulty", levels=NEW),
        Option("cols", _SIDE, "Columns of a new level", usual="by difficulty", levels=NEW),
        Option("amulet", AMULETS, "Amulets in a new level; needed: the only way to win", "any", levels=NEW),
    ),
    summary="Play a dungeon.",
)


def forms() -> tuple[Form, ...]:
    """The form for a random level that can be won."""
    fields = (OPTIONS["difficulty"].ask(), OPTIONS["rows"].ask(), OPTIONS["cols"].ask("Columns"))
    return (OPTIONS.form("New level", *fields, OPTIONS["amulet"].ask(), SEED.ask()),)
