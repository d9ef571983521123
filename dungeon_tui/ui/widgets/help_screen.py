"""The help page: goal, rules, glyphs and keys."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from textwrap import wrap

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import Key, footer_of
from dungeon_tui.ui.map import sprites
from dungeon_tui.ui.map.source import Slice, Sprite
from dungeon_tui.ui.palette import Meaning, Tint, cell_style

_WIDTH, _AROUND = 80, 10  # columns of the page; of its frame, margins and scroll bar
_NARROWEST = 12  # columns of a text
_FIRST_KEYS = 8  # of the footer, below the rules
_MOVES = {  # ids, above them
    "move": {"move.up", "move.down", "move.left", "move.right"},
    "move ↖ ↗ ↙ ↘": {"move.up-left", "move.up-right", "move.down-left", "move.down-right"},
}
_FIRST = ("stay", "overlay")


class HelpScreen(ModalScreen[None]):
    """Goal, rules, glyphs and keys, searched by typing; ?, F1, q, Esc and Enter close it."""

    BINDINGS = [
        Binding("f1,enter", "app.pop_screen", show=False),
        Binding("escape", "drop", show=False),
        Binding("backspace", "typed('')", show=False),
    ]

    def __init__(
        self,
        title: str,
        rules: str,
        legend: Iterable[tuple[str, str]],
        keys: Iterable[Key],
        glyphs: Glyphs = UNICODE,
        *,
        goal: str = "",
        drawn: Mapping[tuple[str, int], Sprite] | None = None,
    ) -> None:
        """`drawn` has the sprites to draw beside the legend's glyphs, by glyph and meaning; None: none."""
        super().__init__()
        self._glyphs, self._goal, self._sprites = glyphs, goal, drawn
        self._heading, self._rules, self._legend, self._keys = title, rules, tuple(legend), tuple(keys)
        self._search = ""
        self._text = Static(classes="page")
        self._page = VerticalScroll(self._text)

    def compose(self) -> ComposeResult:
        yield self._page

    def on_mount(self) -> None:
        self._write()

    def on_resize(self) -> None:
        self._write()

    def on_key(self, event: events.Key) -> None:
        if event.character is not None and event.character.isprintable():
            event.stop()
            event.prevent_default()  # it may close the page, and means something else below
            self.action_typed(event.character)

    def action_typed(self, character: str) -> None:
        """Searches for the typed text; without a search, q and ? close the page."""
        if not self._search and character in ("q", "?"):
            self.app.pop_screen()
            return
        self._search = self._search[:-1] if not character else self._search + character
        self._write()
        self._page.scroll_home(animate=False)

    def action_drop(self) -> None:
        if self._search:
            self._search = ""
            self._write()
        else:
            self.app.pop_screen()

    def _write(self) -> None:
        search = f"search: {self._search}, Esc clears it" if self._search else ""
        # No markup, which `[~` would break even if escaped.
        self._page.border_subtitle = Content(search or "type to search, arrows scroll, Esc closes")
        self._text.update(self.page())

    def page(self) -> Content:
        words = self._search.lower().split()

        def is_found(*texts: str) -> bool:
            return all(word in " ".join(texts).lower() for word in words)

        ways: list[Key] = []
        for what, ids in _MOVES.items():
            if moves := [key for key in self._keys if key.id in ids]:
                shown, *more = [*map(" ".join, zip(*(key.shown.split() for key in moves), strict=False))] or [""]
                ways.append(replace(moves[0], shown=shown, help="; also ".join(filter(None, [what, ", ".join(more)]))))
        others = [key for key in self._keys if key.id in _FIRST] + footer_of(self._keys)[:_FIRST_KEYS]
        first = [] if words else [*ways, *others]
        listed = {key.id for key in others}.union(*_MOVES.values()) if first else ()
        parts: list[Content | str] = [Content.styled(self._heading, "bold"), "\n\n"]
        if self._goal and not words:
            parts += [Content.styled(self._hanging(self._goal, 0), "$way-out"), "\n\n"]
        rules = self._glyphs.plain(self._rules.replace("`", ""))
        if is_found(rules):  # its lines joined up to one that ends a sentence
            lines = re.sub(r"(?<=[^.?\n])\n", " ", rules).split("\n")
            parts += ["\n".join(self._hanging(line, 0) for line in lines), "\n\n"]
        parts += [part for key in first for part in self._key(key)]
        parts += ["\n"] if first else []
        for glyph, name in self._legend:
            if is_found(glyph, name):
                parts += self._entry(glyph, name)
        for section, keys in groupby((key for key in self._keys if key.id not in listed), key=lambda key: key.section):
            found = [key for key in keys if is_found(section, key.shown, key.label, key.help)]
            if found:
                parts += ["\n", Content.styled(section, "bold $path"), "\n"]
                parts += [part for key in found for part in self._key(key)]
        parts += ["Nothing found."] * (len(parts) == 2)
        return Content.assemble(*parts)

    def _key(self, key: Key) -> tuple[Content | str, ...]:
        plain = self._glyphs.plain
        text = key.help if key.shown else f"{key.label}: {key.help}"  # by its name in the palette
        return Content.styled(f"  {plain(key.shown) or 'ctrl+p':<14}", "$you"), self._hanging(plain(text), 16), "\n"

    def _entry(self, glyph: str, name: str) -> list[Content | str]:
        upper, lower = self._drawn(glyph)
        colour = next((Meaning(meaning).css for drawn, meaning in self._named if drawn == glyph), "note")
        words = self._hanging(self._glyphs.plain(name), 12 if self._sprites is not None else 5)
        first, _, more = words.partition("\n")
        parts: list[Content | str] = [upper, Content.styled(f"  {glyph}  ", f"bold ${colour}"), first, "\n"]
        return [*parts, lower, more[len(lower) :], "\n"] if lower or more else parts

    @property
    def _named(self) -> Mapping[tuple[str, int], Sprite]:
        return sprites.SHARED if self._sprites is None else self._sprites

    def _drawn(self, glyph: str) -> tuple[Content, Content]:
        """The two lines of a glyph's sprite; blank without one, empty if sprites are off."""
        if self._sprites is None:
            return Content(""), Content("")
        for (drawn, meaning), sprite in self._sprites.items():
            if drawn == glyph and sprite.name != "floor":
                style = cell_style(self.app.theme_variables, meaning, Tint.NONE)
                lines = (sprites.line(Slice(sprite, 2, number), 4, style) for number in (0, 1))
                upper, lower = (Content.assemble("   ", *map(_content, line)) for line in lines)
                return upper, lower
        return Content(" " * 7), Content("")

    def _hanging(self, text: str, indent: int) -> str:
        width = min(_WIDTH, self.app.size.width) - _AROUND - indent
        return ("\n" + " " * indent).join(wrap(text, max(width, _NARROWEST)))


def _content(segment: Segment) -> Content:
    style = segment.style
    assert style is not None
    colours = [colour.name for colour in (style.color, style.bgcolor) if colour is not None]
    return Content.styled(segment.text, " on ".join(colours if len(colours) == 2 else ["#000000", *colours]))
