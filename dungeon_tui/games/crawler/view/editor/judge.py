"""The judge: has drafts judged by the solver in another process, and remembers the verdicts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace

from dungeon_tui.core.words import sentence
from dungeon_tui.games.crawler.ai.solver import is_prepared
from dungeon_tui.games.crawler.model.check import has_next
from dungeon_tui.games.crawler.view.editor.draft import Draft, Drawing
from dungeon_tui.games.crawler.view.editor.verdict import Effort, Verdict, judging, news, preparing
from dungeon_tui.workers import Process, ProcessError

A_MOMENT = 0.3  # seconds after a change before the solver begins
LATE = 2  # seconds after which to say why there is nothing yet
EFFORT = Effort(seconds=10, lines=12)


class Judge:
    """Knows the verdict on the present draft, as far as it has come."""

    def __init__(self, show: Callable[[], object], say: Callable[[str], object]) -> None:
        """Judges nothing yet.

        Args:
            show: called when there is news.
            say: called with the result of a longer search.
        """
        self.verdict = Verdict()
        self.trouble = ""  # the reason for there being no verdict
        self._show, self._say = show, say
        self._known: dict[Draft, Verdict] = {}  # of searches that came to their end
        self._size = 0, 0  # of the draft judged last
        self._states = 0  # looked at by the search that runs
        self._is_late = False
        self._compiles = not is_prepared()
        self._process = Process(preparing)
        self.start, self.end = self._process.start, self._process.end

    def take(self, draft: Draft, longer: Effort | None = None) -> None:
        """Turns to a draft, with all that is known of it; to be followed by `search`.

        Args:
            draft: the present one.
            longer: goes on with more effort.
        """
        size = draft.height, draft.width
        self.trouble, self._states, self._is_late = "", 0, False
        if longer:
            self._known.pop(draft, None)
            self.verdict = replace(self.verdict, is_over=False)
        else:
            self.verdict = self._known.get(draft) or Verdict(self.verdict.oddities if size == self._size else ())
        self._size = size

    async def search(self, drawing: Drawing, name: str, longer: Effort | None = None) -> None:
        """Judges the present draft after a moment, unless it was judged before; cancelled with the next change."""
        draft, known = drawing.present, self.verdict.par
        if draft in self._known:
            return
        await asyncio.sleep(A_MOMENT)
        late = asyncio.get_running_loop().call_later(LATE, self._be_late)
        try:
            arguments = draft.level(name), has_next(drawing.file), longer or EFFORT, known
            async with aclosing(self._process.ask(judging, *arguments, tell=self._count)) as verdicts:
                async for self.verdict in verdicts:
                    self._show()
            self._known[draft] = self.verdict
            if longer:
                self._say(news(self.verdict, known))
        except (ProcessError, OSError) as error:
            self.trouble = sentence(str(error))
            self._show()
        finally:
            late.cancel()

    @property
    def progress(self) -> str:
        """A note on the search that runs: the states it looked at, or why it takes long."""
        if self._states and not self.verdict.is_over:
            return f"{self._states:,} states looked at"
        return "the first time, the solver is compiled" if self._compiles and self._is_late else ""

    def _be_late(self) -> None:
        self._is_late = True
        self._show()

    def _count(self, states: int) -> None:
        self._states = states
        self._show()
