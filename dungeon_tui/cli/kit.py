"""`dungeon-tui kit`: a program that plays the chase, in a chosen language, or an autograder, as a starting point."""

from pathlib import Path
from typing import Annotated

import typer

from dungeon_tui.core.catalogue import find_games
from dungeon_tui.core.files import make_folder, write_text
from dungeon_tui.core.plain import fail
from dungeon_tui.core.text import printable
from dungeon_tui.ui import command_line as shell

KITS = Path(__file__).parents[1] / "kits"
LANGUAGES = ("python", "java", "c++", "javascript")
GRADESCOPE = "gradescope"
_RUNNABLE = {"setup.sh", "run_autograder"}


def kit(
    kind: Annotated[str, shell.argument("LANGUAGE", f"One of {', '.join(LANGUAGES)}; or {GRADESCOPE}.")],
    words: Annotated[
        list[str] | None,
        shell.argument(
            "[GAME] [DIR]", f"The folder to write to; default: chase-LANGUAGE. {GRADESCOPE}: game and folder."
        ),
    ] = None,
) -> None:
    """Write a small program that plays the chase, or an autograder, for you to change. Overwrites no file."""
    kind, words = kind.casefold(), words or []
    if kind not in (*LANGUAGES, GRADESCOPE):
        raise typer.BadParameter(f"{kind!r} is not one of {', '.join((*LANGUAGES, GRADESCOPE))}", param_hint="LANGUAGE")
    game = ""
    if kind == GRADESCOPE:
        judged = [each.name for each in find_games() if each.problem_in]
        game = words.pop(0) if words else ""
        if game not in judged:
            raise typer.BadParameter(f"{game!r} is not one of {', '.join(judged)}", param_hint="GAME")
    if len(words) > 1:
        raise typer.BadParameter(f"one folder, not {', '.join(words)}", param_hint="DIR")
    folder = Path(words[0]) if words else Path(f"{game}-{kind}" if game else f"chase-{kind}")
    # Check all names before the first file is written.
    source = KITS / kind
    paths = [path for path in sorted(source.rglob("*")) if path.is_file() and path.parent.name != "__pycache__"]
    files = [path.relative_to(source) for path in paths]
    for name in files:
        if (folder / name).exists():
            fail(f"{printable(str(folder / name))} exists and is not overwritten; name another folder")
    for name in files:
        make_folder((folder / name).parent)
        text = (source / name).read_text("utf-8")
        write_text(folder / name, text.replace("GAME", game) if game else text)
        if name.name in _RUNNABLE:
            (folder / name).chmod(0o755)
    print(f"{printable(str(folder))}: {', '.join(map(str, files))}. Read README.md next.")
