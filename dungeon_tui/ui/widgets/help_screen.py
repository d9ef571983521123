"""The help page: the rules of the game, and the keys, from the table they are made from."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from textwrap import wrap

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import Key
from dungeon_tui.ui.map import sprites
from dungeon_tui.ui.palette import Tint, cell_style

_WIDTH, _AROUND = 76, 10  # columns of the page; those of its frame, its margins and its scroll bar
_NARROWEST = 12  # columns of a text


class HelpScreen(ModalScreen[None]):
    """Rules and keys; any of ?, F1, q, Escape and Enter leads back."""

    BINDINGS = [Binding("escape,q,question_mark,f1,enter", "app.pop_screen", show=False)]

    def __init__(
        self,
        title: str,
        rules: str,
        legend: Iterable[tuple[str, str]],
        keys: Iterable[Key],
        glyphs: Glyphs = UNICODE,
        *,
        has_sprites: bool = False,
    ) -> None:
        super().__init__()
        self._glyphs, self._has_sprites = glyphs, has_sprites
        self._heading, self._rules, self._legend, self._keys = title, rules, tuple(legend), tuple(keys)

    def compose(self) -> ComposeResult:
        """Yields the page, which scrolls."""
        page = VerticalScroll(Static(self.page(), classes="page"))
        page.border_subtitle = "arrows scroll, Esc closes"
        yield page

    def page(self) -> Content:
        """The text of the page: title, rules, glyphs and keys, folded to the screen's width."""
        plain = self._glyphs.plain
        parts: list[Content | str] = [
            Content.styled(self._heading, "bold"),
            "\n\n",
            plain(self._rules.replace("`", "")),
            "\n",
        ]
        if self._legend:
            parts.append("\n")
            for glyph, name in self._legend:
                upper, lower = self._drawn(glyph)
                words = self._hanging(plain(name), 12 if self._has_sprites else 5)
                parts += [upper, Content.styled(f"  {glyph}  ", "bold $prize"), words, "\n"]
                parts += [lower, "\n"] if lower else []
        for section, keys in groupby(self._keys, key=lambda key: key.section):
            parts += ["\n", Content.styled(section, "bold $path"), "\n"]
            for key in keys:
                parts += [Content.styled(f"  {plain(key.shown):<14}", "$you"), self._hanging(plain(key.help), 16), "\n"]
        return Content.assemble(*parts)

    def _drawn(self, glyph: str) -> tuple[Content, Content]:
        """The two lines of a glyph's sprite in its smallest size; blank without one, empty where none are drawn."""
        if not self._has_sprites:
            return Content(""), Content("")
        for (drawn, meaning), name in sprites.NAMES.items():
            if drawn == glyph and name != "floor":
                style = cell_style(self.app.theme_variables, meaning, Tint.NONE)
                lines = (sprites.line(name, 4, 2, number, style) for number in (0, 1))
                upper, lower = (Content.assemble("   ", *map(_content, line)) for line in lines)
                return upper, lower
        return Content(" " * 7), Content("")

    def on_resize(self) -> None:
        """Folds the page to the new width."""
        self.query_one(".page", Static).update(self.page())

    def _hanging(self, text: str, indent: int) -> str:
        """The text folded to the screen's width, the lines after the first indented by so many columns."""
        width = min(_WIDTH, self.app.size.width * 96 // 100) - _AROUND - indent
        return ("\n" + " " * indent).join(wrap(text, max(width, _NARROWEST)))


def _content(segment: Segment) -> Content:
    style = segment.style
    assert style is not None
    colours = [colour.name for colour in (style.color, style.bgcolor) if colour is not None]
    return Content.styled(segment.text, " on ".join(colours if len(colours) == 2 else ["#000000", *colours]))
