"""Compiles a submission's sources, in the cage, once before it is judged."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from dungeon_tui.core.level import LevelError, read_level_file
from dungeon_tui.core.toml_positions import read_toml
from dungeon_tui.judge.program import Limits, run_program

_CPP = ".cpp", ".cc", ".cxx"
SOURCES = ".java", ".c", *_CPP
RULES_FILE = "judge.toml"  # in the folder of the submissions
_BUILD_LIMITS = Limits(seconds=120.0)
_MOST_RULES_BYTES = 2**16
_MAIN = re.compile(r"^\s*(?:public\s+)?static\s+void\s+main\s*\(", re.MULTILINE)
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rules:
    """The way to build and run a submission; empty: by the endings of its files."""

    build: str = ""  # a command line for sh, in a copy of the folder
    run: str = ""  # a command line, whose paths start there


NO_RULES = Rules()


def read_rules(folder: Path) -> Rules:
    """The rules of a folder of submissions. Raises LevelError if its judge.toml is wrong."""
    path = folder / RULES_FILE
    if not path.is_file():
        return NO_RULES
    file = read_level_file(str(path), _MOST_RULES_BYTES)
    values = read_toml(file)
    if {*values} != {"build", "run"} or not all(isinstance(value, str) and value for value in values.values()):
        raise LevelError('rules are two texts, as in build = "make" and run = "./program"', file.name)
    return Rules(values["build"], values["run"])


def has_sources(folder: Path) -> bool:
    """True if a folder holds files that one of our rules compiles."""
    return folder.is_dir() and bool(_sources(folder, *SOURCES))


def built(folder: Path, rules: Rules) -> tuple[str, str]:
    """Builds what a folder holds, there; the command line that runs it, and what went wrong."""
    chosen = rules if rules.build else _usual(folder)
    answer = run_program(["sh", "-c", chosen.build], "", _BUILD_LIMITS, within=str(folder))
    fault = "" if answer.fault is None else f"The build {answer.fault}:\n{answer.output}{answer.error}"
    return shlex.join(
        str(folder / word) if (folder / word).exists() else word for word in shlex.split(chosen.run)
    ), fault


def _usual(folder: Path) -> Rules:
    """The rules for a folder by the endings of its files."""
    if java := _sources(folder, ".java"):
        texts = {file: (folder / file).read_text("utf-8", "replace") for file in java}
        main = next((file for file, text in texts.items() if _MAIN.search(text)), java[0])
        package = _PACKAGE.search(texts[main])
        name = f"{package[1]}.{Path(main).stem}" if package else Path(main).stem
        return Rules(f"javac -encoding UTF-8 -d . {shlex.join(java)}", f"java -cp {shlex.quote(str(folder))} {name}")
    if files := _sources(folder, *_CPP):
        return Rules(f"c++ -O2 -std=c++20 -o program {shlex.join(files)}", "./program")
    return Rules(f"cc -O2 -o program {shlex.join(_sources(folder, '.c'))} -lm", "./program")


def _sources(folder: Path, *endings: str) -> list[str]:
    found = (path for path in folder.rglob("*") if path.suffix in endings and path.is_file())
    return sorted(str(path.relative_to(folder)) for path in found)
