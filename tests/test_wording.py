"""Every sentence of each game and of the screens, in golden files: other tests ask for facts.

The sentences are read off the sources: each text that begins or ends as a sentence does.
`{...}` stands for a value, `{id}` for the key of that command.
"""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import dungeon_tui
from dungeon_tui.core.catalogue import find_games

PACKAGE = Path(dungeon_tui.__file__).parent
PLACES = {"screens": ("ui", "cli"), **{game.name: (f"games/{game.name}",) for game in find_games()}}


def texts(tree: ast.AST) -> Iterator[str]:
    """The texts of a module but docstrings, with {...} for the values in f-strings."""
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


@pytest.mark.parametrize("name", PLACES)
def test_all_sentences(name: str, golden: Callable[[Path, str], None]) -> None:
    trees = (ast.parse(path.read_text("utf-8")) for place in PLACES[name] for path in (PACKAGE / place).rglob("*.py"))
    said = {repr(text) for tree in trees for text in texts(tree) if is_sentence(text)}
    golden(Path(__file__).with_name("sentences") / f"{name}.txt", "\n".join(sorted(said)) + "\n")
