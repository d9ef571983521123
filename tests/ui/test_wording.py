"""Every sentence that the screens themselves say, in one golden file; other tests ask for facts, not for words.

The sentences are read off the sources: whatever text there ends as a sentence does, and what is wrong usage. `{...}` stands for what is put in,
`{id}` for the key of that id.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

from tests.wording import PACKAGE, texts, usage_errors


def is_sentence(text: str) -> bool:
    """True for several words that begin or end as a sentence does; styles and signs are none."""
    words = text.split()
    return len(words) > 1 and ">" not in words and "{ " not in text and (text[0].isupper() or text[-1] in ".?!,")


def test_all_that_the_screens_say(golden: Callable[[Path, str], None]) -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (PACKAGE / "ui").rglob("*.py")]
    said = {repr(text) for tree in trees for text in texts(tree) if is_sentence(text)}
    said |= {repr(text) for place in ("ui", "cli") for _, text in usage_errors(place)}
    golden(Path(__file__).with_name("wording.txt"), "\n".join(sorted(said)) + "\n")
