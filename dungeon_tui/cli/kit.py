"""`dungeon-tui kit`: a small program that plays the chase, in a language of one's choice, to be changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dungeon_tui.core.files import write_text
from dungeon_tui.core.plain import fail
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import reason

KITS = Path(__file__).parents[1] / "kits"
LANGUAGES = ("python", "java", "c++", "javascript")


def kit(
    language: Annotated[str, typer.Argument(metavar="LANGUAGE", help=f"One of {', '.join(LANGUAGES)}.")],
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="The folder to write to; default: chase-LANGUAGE.")
    ] = None,
) -> None:
    """Write out a program that plays the chase, for you to change; no file is overwritten."""
    language = language.casefold()
    if language not in LANGUAGES:
        raise typer.BadParameter(f"{language!r} is none of {', '.join(LANGUAGES)}", param_hint="LANGUAGE")
    folder = folder or Path(f"chase-{language}")
    source = KITS / language
    files = [path.relative_to(source) for path in sorted(source.rglob("*.*")) if path.parent.name != "__pycache__"]
    for name in files:
        if (folder / name).exists():
            fail(f"{printable(str(folder / name))} is there already: no file is overwritten; name another folder")
    for name in files:
        try:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            fail(f"{printable(str((folder / name).parent))}: can't be made: {reason(error)}")
        write_text(folder / name, (source / name).read_text("utf-8"))
    print(f"{printable(str(folder))}: {', '.join(map(str, files))}. README.md says how to go on.")
