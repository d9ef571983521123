"""Judges the draft with a solver in another process. Knows no screen."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing

from dungeon_tui.core.words import counted, sentence
from dungeon_tui.ui.editor.craft import Craft, Draft, LevelCheck
from dungeon_tui.workers import Process, ProcessError

SEARCH_DELAY_S = 0.3  # after a change
EXPLANATION_DELAY_S = 2  # without a check


class Judge:
    """Holds the check of the current draft so far."""

    def __init__(self, craft: Craft, show: Callable[[], object]) -> None:
        self.check: LevelCheck = craft.unknown()
        self.trouble = ""  # why there is no check
        self._craft, self._show = craft, show
        self._known: dict[Draft, LevelCheck] = {}  # of finished searches
        self._size = 0, 0  # of the last draft
        self._progress = ""  # of the running search
        self._compiles = not craft.is_prepared()
        self._process = Process(craft.prepare)
        self.start, self.end = self._process.start, self._process.end

    def take(self, draft: Draft) -> None:
        """Switches to a draft and what is known of it."""
        size = draft.height, draft.width
        self.trouble = self._progress = ""
        similar = self.check.oddities if size == self._size else ()
        self.check = self._known.get(draft) or self._craft.unknown(similar)
        self._size = size

    async def search(self, draft: Draft, file: str) -> None:
        """Judges the current draft after a moment, unless it was judged before."""
        if draft in self._known:
            return
        await asyncio.sleep(SEARCH_DELAY_S)
        late = asyncio.get_running_loop().call_later(EXPLANATION_DELAY_S, self._be_late)
        try:
            async with aclosing(self._process.ask(*self._craft.question(draft, file), tell=self._count)) as checks:
                async for self.check in checks:
                    self._show()
            self._known[draft] = self.check
        except (ProcessError, OSError) as error:
            self.trouble = sentence(str(error))
            self._show()
        finally:
            late.cancel()

    def text(self) -> str:
        if self.trouble:
            return self.trouble
        check = self.check
        odd = sum(oddity.cells.size for oddity in check.oddities) if check.is_checked else 0
        parts = [self._craft.check_text(check) or "Thinking ..."]
        if odd:
            parts.append(f"{counted(odd, 'odd tile')}, {{editor.warning}} shows which")
        if self._progress and not check.is_over:
            parts.append(self._progress)
        return "; ".join(parts)

    def _be_late(self) -> None:
        if self._compiles and not self._progress:
            self._progress = "the first time, the solver is compiled"
            self._show()

    def _count(self, states: int) -> None:
        self._progress = f"{states:,} states looked at"
        self._show()
