"""Changes the code in small ways, one at a time, and counts the changes that the tests notice.

nice -n 19 python tests/bench/mutants.py [--number 120] [--seed 1] [--at COMMIT] [--only GROUP ...]

Works on a copy of the commit in a temporary folder. The mutants are drawn by the seed, as many from each group, each
from a line of its own, and each runs against the tests of its module only, which must pass without it. One that makes
them take five times as long, and a minute more, counts as killed. Prints the survivors, and killed/total per group.
"""

import argparse
import ast
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from time import monotonic
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
GROUPS = {
    "rules": "dungeon_tui/games/[!_]*/model/rules.py",
    "engine": "dungeon_tui/engine/**/*.py",
    "storage": "dungeon_tui/storage/*.py",
    "judge": "dungeon_tui/judge/*.py",
}
SPARED = {"__init__", "jit", "kernel_cache", "warmup", "problem"}  # no behaviour of their own, or the compiler's
TESTS = {  # of modules whose tests are not test_MODULE.py in the mirrored folder
    "chase/model/rules": ("games/chase/test_rules", "games/chase/test_tasks"),
    "crawler/model/rules": ("games/crawler/test_rules", "games/crawler/test_threats"),
    "delve/model/rules": ("games/delve/test_rules", "games/delve/test_hearts"),
    "rescue/model/rules": ("games/rescue/test_rules", "games/rescue/test_purchase"),
    "deep/model/rules": ("games/deep/test_rules", "games/deep/test_campaign"),
    "engine/bits": ("engine/test_distance", "engine/test_descent"),
    "engine/_rows": ("engine/test_pursuit", "engine/test_graph"),
    "storage/database": ("storage/test_library", "storage/test_journal"),
    "storage/folders": ("storage/test_library", "storage/test_settings"),
    "storage/shelf": ("ui/test_games",),
    "judge/verdicts": ("judge/test_verdicts", "judge/test_students"),
    "judge/breaker": ("judge/test_verdicts", "judge/test_students"),
    "judge/executor": ("judge/test_executor", "judge/test_reports"),
    "judge/program": ("judge/test_program", "games/chase/test_program_strategy", "games/chase/test_referee"),
    "judge/supervisor": ("judge/test_program", "games/chase/test_program_strategy", "games/chase/test_referee"),
}
SWAPPED = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "+": "-",
    "-": "+",
    "and": "or",
    "or": "and",
}


class Mutant(NamedTuple):
    """One change of one file."""

    file: Path  # below the tree
    line: int
    source: bytes  # the whole file, changed
    change: str


def mutants(tree: Path, file: Path) -> Iterator[Mutant]:
    """All changes of a file: operators, numbers, truth values, conditions and calls that are statements."""
    source = (tree / file).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def offsets(node: ast.AST) -> tuple[int, int]:
        place = {name: getattr(node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
        return (
            starts[place["lineno"] - 1] + place["col_offset"],
            starts[place["end_lineno"] - 1] + place["end_col_offset"],
        )

    def changed(node: ast.AST, start: int, stop: int, new: bytes) -> Mutant:
        text = source[:start] + new + source[stop:]
        line = source[:start].count(b"\n") + 1
        now = text.splitlines()[line - 1].decode().strip()
        return Mutant(file, line, text, f"{source.splitlines()[line - 1].decode().strip()}  ->  {now}")

    parsed = ast.parse(source)
    spared = {id(each) for node in ast.walk(parsed) for each in _annotations(node)}
    for node in ast.walk(parsed):
        if id(node) in spared:
            continue
        pair: tuple[ast.AST, ast.AST] | None = None
        match node:
            case ast.Compare(left=left, comparators=[right]) | ast.BinOp(left=left, right=right):
                pair = left, right
            case ast.BoolOp(values=[left, right, *_]):
                pair = left, right
            case ast.UnaryOp(op=ast.Not()):
                yield changed(node, offsets(node)[0], offsets(node)[0] + len("not "), b"")
            case ast.Assign(targets=[ast.Name(id="TYPE_CHECKING")], value=value):
                spared.add(id(value))
            case ast.Constant(value=bool() as value):
                yield changed(node, *offsets(node), f"{not value}".encode())
            case ast.Constant(value=int() as value):
                yield changed(node, *offsets(node), f"{value + 1}".encode())
            case ast.Expr(value=ast.Call()):
                yield changed(node, *offsets(node), b"pass")
            case ast.If(test=test) if test.lineno == test.end_lineno:
                start, stop = offsets(test)
                yield changed(node, start, stop, b"not (" + source[start:stop] + b")")
        if pair is not None:
            start, stop = offsets(pair[0])[1], offsets(pair[1])[0]
            sign = source[start:stop].decode().strip(" ()\n")
            if sign in SWAPPED:
                yield changed(node, start, stop, source[start:stop].replace(sign.encode(), SWAPPED[sign].encode()))


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of annotations and decorators, which change nothing that runs."""
    roots = [getattr(node, name, None) for name in ("annotation", "returns")] + getattr(node, "decorator_list", [])
    for root in roots:
        if isinstance(root, ast.AST):
            yield from ast.walk(root)


def tests_of(tree: Path, file: Path) -> tuple[str, ...]:
    """The files of tests that a module's mutants run against."""
    name = file.relative_to("dungeon_tui").with_suffix("").as_posix().removeprefix("games/")
    game = name.partition("/")[0]
    usual = (f"games/{game}/test_rules",) if name.endswith("model/rules") else ()
    folder, _, module = name.partition("/")
    named = TESTS.get(name) or usual or (f"{folder}/test_{module.partition('/')[0]}",)
    found = tuple(f"tests/{each}.py" for each in named if (tree / f"tests/{each}.py").exists())
    return found or (f"tests/{folder}",)


@cache
def limit_of(tree: Path, tests: tuple[str, ...]) -> float | None:
    """The seconds that tests may take with a mutant; None if they fail without one."""
    began = monotonic()
    if not pass_tests(tree, tests, None):
        print(f"not counted, these fail without any mutant: {' '.join(tests)}", flush=True)
        return None
    return 60 + 5 * (monotonic() - began)


def pass_tests(tree: Path, tests: tuple[str, ...], limit: float | None) -> bool:
    """True if tests pass within some seconds."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", "HYPOTHESIS_PROFILE": "ci"}
    run = subprocess.Popen(
        command, cwd=tree, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        return run.wait(limit) == 0
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        return False


def is_killed(tree: Path, mutant: Mutant) -> bool | None:
    """True if a test fails, or takes too long; None if it fails without the mutant, too."""
    tests, path = tests_of(tree, mutant.file), tree / mutant.file
    limit, before = limit_of(tree, tests), path.read_bytes()
    if limit is None:
        return None
    path.write_bytes(mutant.source)
    try:
        return not pass_tests(tree, tests, limit)
    finally:
        path.write_bytes(before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at", default="HEAD", metavar="COMMIT")
    parser.add_argument("--only", nargs="+", choices=GROUPS, default=list(GROUPS), metavar="GROUP")
    given = parser.parse_args()
    chance, killed, total = random.Random(given.seed), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        archive = subprocess.run(["git", "archive", given.at], cwd=ROOT, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        drawn = {group: draw(tree, pattern, given.number // len(GROUPS), chance) for group, pattern in GROUPS.items()}
        for group in given.only:
            for mutant in drawn[group]:
                found = is_killed(tree, mutant)
                killed[group] += found is True
                total[group] += found is not None
                if found is False:
                    print(f"survived: {mutant.file}:{mutant.line}: {mutant.change}", flush=True)
            print(f"{group}: {killed[group]}/{total[group]} killed", flush=True)
    print(f"all: {killed.total()}/{total.total()} killed")


def draw(tree: Path, pattern: str, number: int, chance: random.Random) -> list[Mutant]:
    """Mutants of the files of a group, each of a line of its own."""
    lines: dict[tuple[Path, int], list[Mutant]] = {}
    for file in sorted(path.relative_to(tree) for path in tree.glob(pattern) if path.stem not in SPARED):
        for mutant in mutants(tree, file):
            lines.setdefault((file, mutant.line), []).append(mutant)
    return [chance.choice(lines[place]) for place in chance.sample(sorted(lines), number)]


if __name__ == "__main__":
    main()
