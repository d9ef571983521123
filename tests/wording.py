"""Texts as the sources have them, for the golden files; and the numbers in a text, for all other tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import dungeon_tui

PACKAGE = Path(dungeon_tui.__file__).parent


def numbers(text: str) -> list[int]:
    """The numbers that a text names, in their order: rows, columns, counts; not its words."""
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?<!,)", text)]


def texts(tree: ast.AST) -> Iterator[str]:
    """The texts of a module from top to bottom, but docstrings; what an f-string puts in as {...}."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.JoinedStr():
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{...}" for part in node.values)
            case ast.Constant(value=str() as text):
                yield text
            case _:
                yield from texts(node)


def is_sentence(text: str) -> bool:
    """True for several words that begin or end as a sentence does; styles and signs are none."""
    words = text.split()
    return len(words) > 1 and ">" not in words and "{ " not in text and (text[0].isupper() or text[-1] in ".?!,")


def trees(place: str) -> Iterator[ast.Module]:
    """The sources of a module or folder of the package."""
    root = PACKAGE / place
    for path in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
        yield ast.parse(path.read_text(encoding="utf-8"))


def sentences(place: str) -> Iterator[str]:
    """Each text in a module or folder of the package that begins or ends as a sentence does."""
    return (text for tree in trees(place) for text in texts(tree) if is_sentence(text))


def usage_errors(place: str) -> Iterator[tuple[str, str]]:
    """Each complaint about wrong usage in a module or folder of the package, beside its kind."""
    for tree in trees(place):
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            named = {ast.unparse(node.targets[0]): node.value for node in ast.walk(function)
                     if isinstance(node, ast.Assign)}  # fmt: skip
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "typer.BadParameter":
                    said = call.args[0]
                    said = named.get(said.id, said) if isinstance(said, ast.Name) else said
                    if text := "".join(texts(ast.Expression(said))):
                        yield "usage", text
