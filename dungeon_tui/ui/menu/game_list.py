"""A list of games, one per line. Unlike Textual's lists it builds only the visible lines: there may be thousands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import set_cell_size
from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from dungeon_tui.storage.shelf import Item, Standing

ROOMY = 66  # columns that leave room for the game and the year
_WHEN, _GAME, _STATE = 16, 10, 16  # columns
_SHORT_WHEN, _SHORT_STATE = 11, 9
_KINDS = {Standing.WON: "won", Standing.GOES_ON: "goes-on", Standing.LOST: "lost"}


class GameList(ScrollView, can_focus=False):
    """Games, one of them highlighted."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "game-list--title", "game-list--fact", "game-list--won", "game-list--lost", "game-list--goes-on",
        "game-list--here",
    }  # fmt: skip

    @dataclass
    class Highlighted(Message):
        """Another game is highlighted; None: there is none."""

        item: Item | None

    @dataclass
    class Chosen(Message):
        """The highlighted game was clicked."""

        item: Item

    def __init__(self, **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.items: Sequence[Item] = ()
        self._index = 0

    @property
    def highlighted(self) -> Item | None:
        return self.items[self._index] if self.items else None

    def show(self, items: Sequence[Item], same: Item | None = None) -> None:
        """Lists these games; highlights the same game as `same`, or keeps the index."""
        self.items = items
        wanted = None if same is None else same.stored.id
        found = (index for index, item in enumerate(items) if item.stored.id == wanted)
        index = self._index if wanted is None else next(found, self._index)
        self.virtual_size = Size(1, len(items))
        self._index = max(0, min(index, len(items) - 1))
        self._tell()

    def move(self, steps: int) -> None:
        index = max(0, min(self._index + steps, len(self.items) - 1))
        if index != self._index:
            self._index = index
            self._tell()

    @property
    def page(self) -> int:
        return max(1, self.size.height - 1)

    def _tell(self) -> None:
        height, top = self.size.height, round(self.scroll_y)
        if not top <= self._index < top + height and height:
            self.scroll_to(y=max(0, self._index - (height - 1 if self._index > top else 0)), animate=False)
        self.refresh()
        self.post_message(self.Highlighted(self.highlighted))

    def on_resize(self) -> None:
        self.call_after_refresh(self._tell)

    def on_click(self, event: events.Click) -> None:
        index = round(self.scroll_y) + event.y
        if index < len(self.items):
            if index == self._index:
                self.post_message(self.Chosen(self.items[index]))
            self.move(index - self._index)

    def render_line(self, y: int) -> Strip:
        index, width = round(self.scroll_y) + y, self.scrollable_content_region.width
        if index >= len(self.items):
            return Strip.blank(width, self.get_component_rich_style("game-list--title"))
        here = "game-list--here" if index == self._index else ""
        parts = [
            Segment(text, self.get_component_rich_style(here or f"game-list--{kind}"))
            for text, kind in _columns(self.items[index], width)
        ]
        return Strip(parts).adjust_cell_length(width, parts[-1].style)


def _columns(item: Item, width: int) -> list[tuple[str, str]]:
    is_roomy = width >= ROOMY
    when, state = (_WHEN, _STATE) if is_roomy else (_SHORT_WHEN, _SHORT_STATE)
    head = f" {_cut(item.when if is_roomy else item.when[5:], when)}  "
    if is_roomy:
        head += f"{_cut(item.game.title, _GAME)}  "
    stands = item.state if len(item.state) <= state else item.state.split(", ")[0]  # won 1x, turn 75: won 1x
    title = _cut(item.title, max(1, width - len(head) - state - 3))
    return [(head, "fact"), (f"{title}  ", "title"), (f"{_cut(stands, state)} ", _KINDS[item.standing])]


def _cut(text: str, width: int) -> str:
    if len(text) > width > 4:
        text = set_cell_size(text, width - 3).rstrip() + "..."
    return set_cell_size(text, width)
