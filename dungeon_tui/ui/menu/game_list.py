"""A list of games, one a line; only the lines that are seen are built."""

from __future__ import annotations

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

ROOMY = 66  # columns from which on a line has the game, and the year
_GAP, _WHEN, _GAME, _STATE = 2, 16, 10, 16  # columns
_SHORT_WHEN, _SHORT_STATE = 11, 9


class GameList(ScrollView, can_focus=False):
    """The games in their order, one of them highlighted."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "game-list--title", "game-list--fact", "game-list--won", "game-list--lost", "game-list--goes-on",
        "game-list--here",
    }  # fmt: skip
    DEFAULT_CSS = """
    GameList { background: $map-back; scrollbar-size: 1 1; overflow-x: hidden; }
    GameList > .game-list--title { color: $note; background: $map-back; }
    GameList > .game-list--fact { color: $path; background: $map-back; }
    GameList > .game-list--won { color: $prize; background: $map-back; }
    GameList > .game-list--lost { color: $foe; background: $map-back; }
    GameList > .game-list--goes-on { color: $you; background: $map-back; }
    GameList > .game-list--here { color: $map-back; background: $you; text-style: bold; }
    """

    @dataclass
    class Highlighted(Message):
        """Another game is highlighted; None: there is none."""

        item: Item | None

    class Chosen(Message):
        """The highlighted game was clicked."""

    def __init__(self, **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._items: Sequence[Item] = ()
        self._place = 0

    @property
    def highlighted(self) -> Item | None:
        """The game that is highlighted; None in an empty list."""
        return self._items[self._place] if self._items else None

    def show(self, items: Sequence[Item], same: Item | None = None) -> None:
        """Lists these games; highlights the one whose source is that of `same`, else the one at the same place."""
        self._items = items
        wanted = None if same is None else _identity(same)
        found = (place for place, item in enumerate(items) if _identity(item) == wanted)
        place = self._place if wanted is None else next(found, self._place)
        self.virtual_size = Size(1, len(items))
        self._place = max(0, min(place, len(items) - 1))
        self._tell()

    def move(self, places: int) -> None:
        """Highlights a game further down, or up (places < 0); the nearest one there is."""
        place = max(0, min(self._place + places, len(self._items) - 1))
        if place != self._place:
            self._place = place
            self._tell()

    @property
    def page(self) -> int:
        """The lines that are seen at once."""
        return max(1, self.size.height - 1)

    def _tell(self) -> None:
        height, top = self.size.height, round(self.scroll_y)
        if not top <= self._place < top + height and height:
            self.scroll_to(y=max(0, self._place - (height - 1 if self._place > top else 0)), animate=False)
        self.refresh()
        self.post_message(self.Highlighted(self.highlighted))

    def on_resize(self) -> None:
        """Keeps the highlighted game in view."""
        self.call_after_refresh(self._tell)

    def on_click(self, event: events.Click) -> None:
        """Highlights the game that was clicked; posts Chosen where it was highlighted already."""
        place = round(self.scroll_y) + event.y
        if place < len(self._items):
            if place == self._place:
                self.post_message(self.Chosen())
            self.move(place - self._place)

    def render_line(self, y: int) -> Strip:
        """One line of the list as it is painted."""
        place, width = round(self.scroll_y) + y, self.scrollable_content_region.width
        if place >= len(self._items):
            return Strip.blank(width, self.get_component_rich_style("game-list--title"))
        here = "game-list--here" if place == self._place else ""
        parts = [
            Segment(text, self.get_component_rich_style(here or f"game-list--{kind}"))
            for text, kind in _columns(self._items[place], width)
        ]
        return Strip(parts).adjust_cell_length(width, parts[-1].style)


def _columns(item: Item, width: int) -> list[tuple[str, str]]:
    """Texts of a line, each with the kind that colours it."""
    is_roomy = width >= ROOMY
    when, state = (_WHEN, _STATE) if is_roomy else (_SHORT_WHEN, _SHORT_STATE)
    game = _GAME + _GAP if is_roomy else 0
    stands = item.state if len(item.state) <= state else item.state.split(", ")[0]  # won 1x, turn 75: won 1x
    title = max(1, width - 2 - when - game - state - 2 * _GAP)
    kind = {Standing.WON: "won", Standing.GOES_ON: "goes-on", Standing.LOST: "lost", Standing.BROKEN: "lost"}
    name = item.game.title if item.game is not None else ""
    return [
        (f" {_cut(item.when if is_roomy else item.when[5:], when)}  ", "fact"),
        *([(f"{_cut(name, _GAME)}  ", "fact")] if is_roomy else []),
        (f"{_cut(item.title, title)}  ", "title"),
        (f"{_cut(stands, state)} ", kind.get(item.standing, "fact")),
    ]


def _cut(text: str, width: int) -> str:
    """The text in a number of columns; where it is longer, dots say so."""
    if len(text) > width > 4:
        text = set_cell_size(text, width - 3).rstrip() + "..."
    return set_cell_size(text, width)


def _identity(item: Item) -> tuple[str, object]:
    source = item.source
    return ("game", source.id) if hasattr(source, "id") else ("file", source.path)
