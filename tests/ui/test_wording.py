"""Every sentence that screens, command line and recordings say, in one golden file; other tests ask for facts.

The sentences are read off the sources: whatever text there ends as a sentence does, and what is wrong usage.
`{...}` stands for what is put in, `{id}` for the key of that id.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dungeon_tui.ui.background import UnexpectedError
from tests.wording import sentences, usage_errors


def test_all_that_the_screens_say(golden: Callable[[Path, str], None]) -> None:
    said = {repr(text) for place in ("ui", "cli", "core/recording.py") for text in sentences(place)}
    said |= {repr(text) for place in ("ui", "cli") for _, text in usage_errors(place)}
    said |= {repr(str(UnexpectedError(error))) for error in (MemoryError(), KeyError("x"))}
    golden(Path(__file__).with_name("wording.txt"), "\n".join(sorted(said)) + "\n")
