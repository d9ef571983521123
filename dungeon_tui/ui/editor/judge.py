"""The judge of levels that are drawn: a solver in another process, and its verdict so far. Knows no screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing

from dungeon_tui.core.words import counted, sentence
from dungeon_tui.ui.editor.craft import Craft, Draft, Effort, Verdict
from dungeon_tui.workers import Process, ProcessError

A_MOMENT = 0.3  # seconds after a change before the solver begins
LATE = 2  # seconds after which to say why there is nothing yet


class Judge:
    """Knows the verdict on the present draft, as far as it has come."""

    def __init__(self, craft: Craft, show: Callable[[], object], say: Callable[[str], object]) -> None:
        """Judges nothing yet; `show` is called when there is news, `say` with the result of a longer search."""
        self.verdict: Verdict = craft.unknown()
        self.trouble = ""  # the reason for there being no verdict
        self._craft, self._show, self._say = craft, show, say
        self._known: dict[Draft, Verdict] = {}  # of searches that came to their end
        self._size = 0, 0  # of the draft judged last
        self._progress = ""  # of the search that runs
        self._compiles = not craft.is_prepared()
        self._process = Process(craft.prepare)
        self.start, self.end = self._process.start, self._process.end

    def take(self, draft: Draft, longer: Effort | None = None) -> None:
        """Takes up a draft with the verdict kept of it, or an empty one; or reopens that for a longer `search`."""
        size = draft.height, draft.width
        self.trouble = self._progress = ""
        if longer:
            self._known.pop(draft, None)
            self.verdict = self._craft.reopened(self.verdict)
        else:
            self.verdict = self._known.get(draft) or self._craft.unknown(
                self.verdict.oddities if size == self._size else ()
            )
        self._size = size

    async def search(self, draft: Draft, file: str, longer: Effort | None = None) -> None:
        """Judges the draft of a file that was taken, a moment later, unless it was judged before."""
        known = self.verdict
        if draft in self._known:
            return
        await asyncio.sleep(A_MOMENT)
        late = asyncio.get_running_loop().call_later(LATE, self._be_late)
        try:
            question = self._craft.question(draft, file, longer or self._craft.effort, known)
            async with aclosing(self._process.ask(*question, tell=self._count)) as verdicts:
                async for self.verdict in verdicts:
                    self._show()
            self._known[draft] = self.verdict
            if longer:
                self._say(self._craft.news(self.verdict, known))
        except (ProcessError, OSError) as error:
            self.trouble = sentence(str(error))
            self._show()
        finally:
            late.cancel()

    def text(self) -> str:
        """The verdict in words, with the number of odd tiles and the progress of the search."""
        if self.trouble:
            return self.trouble
        verdict = self.verdict
        odd = sum(oddity.cells.size for oddity in verdict.oddities) if verdict.is_checked else 0
        parts = [self._craft.told(verdict) or "Thinking ..."]
        if odd:
            parts.append(f"{counted(odd, 'odd tile')}, {{editor.warning}} shows which")
        if self._progress and not verdict.is_over:
            parts.append(self._progress)
        return "; ".join(parts)

    def _be_late(self) -> None:
        if self._compiles and not self._progress:
            self._progress = "the first time, the solver is compiled"
            self._show()

    def _count(self, states: int) -> None:
        self._progress = f"{states:,} states looked at"
        self._show()
