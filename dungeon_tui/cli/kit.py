"""`dungeon-tui kit`: a small program that plays the chase, in a chosen language, as a starting point."""

from pathlib import Path
from typing import Annotated

import typer

from dungeon_tui.core.files import make_folder, write_text
from dungeon_tui.core.plain import fail
from dungeon_tui.core.text import printable

KITS = Path(__file__).parents[1] / "kits"
LANGUAGES = ("python", "java", "c++", "javascript")


def kit(
    language: Annotated[str, typer.Argument(metavar="LANGUAGE", help=f"One of {', '.join(LANGUAGES)}.")],
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="The folder to write to; default: chase-LANGUAGE.")
    ] = None,
) -> None:
    """Write a small program that plays the chase, for you to change. Overwrites no file."""
    language = language.casefold()
    if language not in LANGUAGES:
        raise typer.BadParameter(f"{language!r} is not one of {', '.join(LANGUAGES)}", param_hint="LANGUAGE")
    folder = folder or Path(f"chase-{language}")
    source = KITS / language
    files = [path.relative_to(source) for path in sorted(source.rglob("*.*")) if path.parent.name != "__pycache__"]
    for name in files:
        if (folder / name).exists():
            fail(f"{printable(str(folder / name))} exists and is not overwritten; name another folder")
    for name in files:
        make_folder((folder / name).parent)
        write_text(folder / name, (source / name).read_text("utf-8"))
    print(f"{printable(str(folder))}: {', '.join(map(str, files))}. Read README.md next.")
