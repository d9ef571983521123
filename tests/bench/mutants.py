"""Breaks modules in one place at a time and says which breaks no test notices.

python -m tests.bench.mutants dungeon_tui/core/turns.py --tests tests/core/test_turns.py --number 10 --seed 1
"""

from __future__ import annotations

import argparse
import ast
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

ROOT = Path(__file__).parents[2]
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}  # fmt: skip


def broken(node: ast.AST) -> ast.AST | None:
    """The node with one thing wrong, None where there is nothing to break."""
    wrong = deepcopy(node)
    match wrong:
        case ast.Compare(ops=[operator]) if type(operator) in SWAPPED:
            wrong.ops = [SWAPPED[type(operator)]()]  # type: ignore[list-item]
        case ast.BoolOp() | ast.BinOp() | ast.AugAssign() if type(wrong.op) in SWAPPED:
            wrong.op = SWAPPED[type(wrong.op)]()  # type: ignore[assignment]
        case ast.Constant(value=bool() as value):
            wrong.value = not value
        case ast.Constant(value=int() as value):
            wrong.value = value + 1
        case ast.If() | ast.IfExp() | ast.While():
            wrong.test = ast.UnaryOp(ast.Not(), wrong.test)
        case ast.Expr(value=ast.Call()) | ast.Continue() | ast.Break():
            return ast.Pass()
        case _:
            return None
    return wrong


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def mutants(source: str) -> Iterator[tuple[int, str, str]]:
    """(line, what was broken, the module's text) of every mutant; annotations and module constants stay."""
    tree = ast.parse(source)
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        for statement in function.body:
            for node in ast.walk(statement):
                wrong = broken(node)
                if wrong is None:
                    continue
                copy = ast.unparse(ast.fix_missing_locations(_Replace(node, wrong).visit(tree)))
                tree_restored = _Replace(wrong, node).visit(tree)
                assert tree_restored is tree
                was, now = (ast.unparse(each).splitlines()[0] for each in (node, wrong))
                yield node.lineno, f"{was}  ->  {now}", copy  # type: ignore[attr-defined]


def main() -> None:
    """Runs the tests on a sample of the modules' mutants and prints the survivors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--tests", nargs="+", required=True)
    parser.add_argument("--number", type=int, default=10, help="of mutants, of each module")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    survivors = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        for part in ("dungeon_tui", "tests", "levels", "pyproject.toml"):
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, Path(folder) / part)
        run = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", *options.tests]
        for module in options.modules:
            source = (ROOT / module).read_text("utf-8")
            found = list(mutants(source))
            for line, change, text in chance.sample(found, min(options.number, len(found))):
                (Path(folder) / module).write_text(text, "utf-8")
                try:
                    has_survived = subprocess.run(run, cwd=folder, capture_output=True, timeout=300).returncode == 0
                except subprocess.TimeoutExpired:
                    has_survived = False
                tried, survivors = tried + 1, survivors + has_survived
                print("SURVIVED" if has_survived else "noticed ", f"{module}:{line}: {change}", flush=True)
            (Path(folder) / module).write_text(source, "utf-8")
    print(f"{survivors} of {tried} survived")


if __name__ == "__main__":
    main()
