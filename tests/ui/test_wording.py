"""Every sentence that the screens themselves say, in one golden file; other tests ask for facts, not for words.

The sentences are read off the sources: whatever text there ends as a sentence does. `{...}` stands for what is put in,
`{id}` for the key of that id.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import dungeon_tui.ui


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


def test_all_that_the_screens_say(golden: Callable[[Path, str], None]) -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in Path(dungeon_tui.ui.__file__).parent.rglob("*.py")]
    said = {repr(text) for tree in trees for text in texts(tree) if is_sentence(text)}
    golden(Path(__file__).with_name("wording.txt"), "\n".join(sorted(said)) + "\n")
