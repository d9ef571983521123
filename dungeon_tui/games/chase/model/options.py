"""The options of `chase play`: how boards and tasks are named. Loads no engine."""

from collections.abc import Collection

from dungeon_tui.core.catalogue import YOU
from dungeon_tui.core.options import NEW, SEED_KIND, Form, Option, Options, number, one_of, word
from dungeon_tui.games.chase.model.players import AIMS, KINDS, NAMES, TITLES

_SIZE = number(5, 4096)
TASK_SIZES = 8, 12  # least and most rows of a task's board: more takes longer than 3 seconds to find
MOST_NAMED = 512  # rows of a board in a share code or a form
DEFAULT_SIZE, DEFAULT_TASK_SIZE = 16, 10  # the latter is drawn in a terminal of 80 x 24
_TASK = word("TASK", f"{', '.join(AIMS)} make a new one; or a shipped task's name")
_MOVES = "Monster moves after which the rogue has evaded it, 2000 between strategies"
OWN = "or your own: FILE.py:FUNCTION, a command in quotes, or @NAME from the settings"


def _names() -> Collection[str]:
    from dungeon_tui.games.chase.model.dungeon import shipped_names

    return shipped_names()


def _player(seat: str, first: str) -> Option:
    names = dict.fromkeys((first, YOU, *NAMES[seat]))
    kind = one_of({name: TITLES.get(name, name) for name in names}, OWN)
    return Option(seat, kind, f"Who plays the {seat}", usual="you, against bfs or flee; on our boards, against perfect")


OPTIONS = Options(
    "BOARD",
    "A shipped board, or a file; - is standard input",
    _names,
    (
        Option("task", _TASK, "A task", None, "", NEW, ("kind", "monster", "rogue", "moves")),
        Option("seed", SEED_KIND, "Seed of a new board or task, and of random strategies", usual="random"),
        Option("size", _SIZE, "Rows and columns of a new board", DEFAULT_SIZE, levels=NEW),
        Option("kind", one_of(KINDS), "Kind of the new board", KINDS[0], levels=NEW),
        _player("monster", "perfect"),
        _player("rogue", YOU),
        Option("moves", number(1, 250_000), _MOVES, usual="twice the rows, at least 20"),
    ),
    summary="Play either side, or watch.",
    needs_seed=lambda given: not given.name and given["task"] in (None, *AIMS),
)


def forms() -> tuple[Form, ...]:
    """The menu's forms for new tasks and new boards."""
    aims = dict(zip(("catch the rogue", "stay free", "reach safety"), AIMS, strict=True))
    size, seed = OPTIONS["size"], OPTIONS["seed"].ask()
    usual = str(DEFAULT_TASK_SIZE)
    kinds = OPTIONS["kind"].ask(offers={kind: kind for kind in ("walls", *KINDS)})  # in halls, the monster soon is near
    board = (kinds, size.ask(usual=usual, most=MOST_NAMED), OPTIONS["monster"].ask(), OPTIONS["rogue"].ask())
    task_size = size.ask(usual=usual, least=TASK_SIZES[0], most=TASK_SIZES[1])
    return (
        OPTIONS.form("New task", OPTIONS["task"].ask(offers=aims), task_size, seed),
        OPTIONS.form("New board", *board, OPTIONS["moves"].ask(), seed),
    )
