"""The levels of a game, of a day, or of all games: a list to be searched, with what one will see beside it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import groupby
from textwrap import wrap

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from dungeon_tui.core.arguments import daily
from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.core.files import typed_path
from dungeon_tui.core.forms import Form
from dungeon_tui.core.words import counted, duration
from dungeon_tui.storage.results import Level, Record
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.keys import Key, as_bound, footer_of
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.menu.sources import A_MOMENT, Look, Sources
from dungeon_tui.ui.widgets.dialogs import LineDialog, PasteInput
from dungeon_tui.ui.widgets.form_dialog import FormDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.key_bar import KeyBar

_LIST_WIDTH = 34  # columns of an entry
_HELP = """Choose a level; beside it you see what it looks like. Type to search: every word must be somewhere in its
title, group or game."""
_CHOOSING, _APP = "Choosing", "The app"
KEYS = (
    Key("levels.play", "enter", "Enter", "Play", "play it, or open what it names", _CHOOSING, footer=1,
        bound_to="choose"),
    Key("levels.up", "up", "↑", "Up", "the entry before", _CHOOSING, bound_to="move(-1)"),
    Key("levels.down", "down", "↓", "Down", "the next entry", _CHOOSING, bound_to="move(1)"),
    Key("levels.page-up", "pageup", "PgUp", "Page up", "a page up", _CHOOSING, bound_to="turn_page('up')"),
    Key("levels.page-down", "pagedown", "PgDn", "Page down", "a page down", _CHOOSING, bound_to="turn_page('down')"),
    Key("levels.leave", "escape", "Esc", "Back", "drop the search, then back to all games", _CHOOSING, footer=2,
        bound_to="back"),
    Key("levels.help", "f1", "F1", "Help", "this page", _APP, footer=3, bound_to="help"),
    Key("levels.palette", "ctrl+p", "ctrl+p", "Commands", "themes, and other commands", _APP,
        footer=4, bound_to="app.command_palette"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the menu that can be chosen."""

    game: Game
    opening: Opening | None  # None: open a file
    title: str = ""  # in the list; empty: the opening's


@dataclass(frozen=True, slots=True)
class FormEntry:
    """A line of the menu that asks for what a level shall be like."""

    game: Game
    form: Form


@dataclass(frozen=True, slots=True)
class Fold:
    """A line of the menu under which entries unfold."""

    title: str
    entries: tuple[Entry, ...]


AnyEntry = Entry | FormEntry | Fold


class LevelsScreen(Screen[None]):
    """Choose a level."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide")]
    BINDINGS = [replace(key.binding(), priority=True) for key in KEYS if key.id != "levels.play"]

    def __init__(
        self, title: str, games: Sequence[Game], sources: Sources, look: Look, day: date | None = None
    ) -> None:
        """Lists levels.

        Args:
            title: of the screen.
            games: those whose levels are listed.
            sources: answer what it asks.
            look: how it is drawn.
            day: lists the levels of this day; None: all that the games have.
        """
        super().__init__()
        self._heading, self._games, self._sources, self._look, self._day = title, tuple(games), sources, look, day
        self._records: Mapping[Level, Record] = {}
        self._groups: list[tuple[str, Sequence[AnyEntry]]] = []  # by heading
        self._entries: list[AnyEntry] = []  # as listed
        self._unfolded: str = ""  # the title of the one that is
        self._typed: tuple[Entry, str, Opening] | None = None  # the path of a file that was opened last
        self._made: tuple[FormEntry, Opening] | None = None  # by the form that was filled in last
        self._values: dict[FormEntry, tuple[str, ...]] = {}  # of the forms that were filled in
        self._search, self._options = PasteInput(placeholder="type to search"), OptionList(id="entries")
        self._text = Static(id="preview-text")
        self._map = MapView(frame=look.glyphs.frame, ways=look.glyphs.pointers)
        self._key_bar = KeyBar([])

    def compose(self) -> ComposeResult:
        """Yields title, search line, entries, preview and footer."""
        with Horizontal(id="header"):
            yield Static(self._heading, id="title")
            yield self._search
        with Horizontal():
            yield self._options
            with Vertical(id="preview"):
                yield self._text
                yield self._map
        yield self._key_bar

    def on_mount(self) -> None:
        """Shows the keys; the list follows once it is read."""
        self._options.can_focus = False
        self._search.focus()
        self.settings_changed()
        self._list_levels()

    def settings_changed(self) -> None:
        """Shows keys by their names as they are bound now."""
        keys = footer_of(as_bound(self, KEYS))
        self._key_bar.show([(self._look.glyphs.plain(key.shown), key.label, key.action) for key in keys])

    def draw_with(self, look: Look) -> None:
        """Draws in another manner from now on."""
        self._look = look
        self._preview_again()

    def on_screen_resume(self) -> None:
        """Marks what was reached, which may be more than before."""
        if self._groups:
            self._mark_records()

    def on_screen_suspend(self) -> None:
        """Leaves no message to the screens that follow."""
        self.app.clear_notifications()

    @work
    async def _list_levels(self) -> None:
        self._records = await in_background(self._sources.records)
        groups: list[tuple[str, Sequence[AnyEntry]]] = []
        if self._day is not None:
            groups.append(("", await in_background(_dailies, self._games, self._day)))
        for game in self._games if self._day is None else ():
            try:
                entries = [Entry(game, opening) for opening in await in_background(_openings, game)]
            except ValueError as error:
                entries = []
                self.notify(str(error), severity="error", markup=False)
            forms = [FormEntry(game, form) for form in game.levels().forms()]
            files = [Entry(game, None)] if game.open_note else []
            groups.append((game.title, [*forms, *_folded_entries(entries), *files]))
        self._groups = groups
        first = next(self._undone(), None)
        self._unfolded = next((each.title for each in self._folds() if first in each.entries), "")
        self._fill(first)

    def _folds(self) -> Iterator[Fold]:
        return (entry for _, entries in self._groups for entry in entries if isinstance(entry, Fold))

    def _undone(self) -> Iterator[Entry]:
        """Yields the levels that were not won, in their order."""
        for _, entries in self._groups:
            for entry in entries:
                for each in entry.entries if isinstance(entry, Fold) else (entry,):
                    if isinstance(each, Entry) and each.opening is not None:
                        reached = self._record(each)
                        if reached is None or not reached.stars:
                            yield each

    @work(exclusive=True, group="records")
    async def _mark_records(self) -> None:
        """Marks each level with its stars."""
        found = await in_background(self._sources.records)
        if found != self._records:
            self._records = found
            for number, entry in enumerate(self._entries):
                self._options.replace_option_prompt(f"entry-{number}", self._line(entry))
            self._preview_again()

    def _record(self, entry: Entry) -> Record | None:
        return None if entry.opening is None else self._records.get((entry.game.name, entry.opening.arguments))

    def _listed(self) -> Iterator[tuple[str, Sequence[AnyEntry]]]:
        """Yields the entries to list by heading: those that the search leaves, or all, folded."""
        words = self._search.value.lower().split()
        for heading, entries in self._groups:
            flat: list[AnyEntry] = []
            for entry in entries:
                is_open = bool(words) or (isinstance(entry, Fold) and entry.title == self._unfolded)
                flat += [entry] if not words or not isinstance(entry, Fold) else []
                flat += entry.entries if isinstance(entry, Fold) and is_open else ()
            yield heading, [entry for entry in flat if all(word in _words(heading, entry) for word in words)]

    def _fill(self, marked: AnyEntry | None = None) -> None:
        """Lists what there is, with an entry highlighted; where that isn't there, the first level."""
        options = self._options
        options.clear_options()
        self._entries = []
        for heading, entries in self._listed():
            if entries and len(self._groups) > 1:
                if options.option_count:
                    options.add_option(Option("", disabled=True))
                options.add_option(Option(Content.styled(heading, "bold $prize"), disabled=True))
            for entry in entries:
                options.add_option(Option(self._line(entry), id=f"entry-{len(self._entries)}"))
                self._entries.append(entry)
        if not self._entries:
            none = "No level matches." if self._groups else ""
            self._text.update(none)
            self._map.display = False
            return
        levels = (entry for entry in self._entries if isinstance(entry, Entry))
        place = self._entries.index(marked if marked in self._entries else next(levels, self._entries[0]))
        options.highlighted = options.get_option_index(f"entry-{place}")

    def mark(self, game: Game, arguments: str) -> None:
        """Highlights the level that these arguments of `GAME play` open, if it is listed."""
        listed = [(entry, self._unfolded) for entry in self._entries]
        folded = [(entry, fold.title) for fold in self._folds() for entry in fold.entries]
        for entry, title in (*listed, *folded):
            opening = entry.opening if isinstance(entry, Entry) and entry.game is game else None
            if opening is not None and opening.arguments == arguments != "":
                self._unfolded = title
                self._fill(entry)
                return

    @property
    def _highlighted_entry(self) -> AnyEntry | None:
        option = self._options.highlighted_option
        return None if option is None else self._entry(option.id)

    @on(Input.Changed)
    def _searched(self) -> None:
        if self._groups:
            self._fill(self._highlighted_entry)

    # -- choosing

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        entry = self._entry(event.option.id)
        if entry is not None:
            self._open(entry)

    @on(Input.Submitted)
    def action_choose(self) -> None:
        """Opens the highlighted entry; of a file entry, asks for the path first."""
        self._options.action_select()

    def action_move(self, places: int) -> None:
        """Highlights the next entry, or the one before."""
        self._options.action_cursor_down() if places > 0 else self._options.action_cursor_up()

    def action_turn_page(self, way: str) -> None:
        """Highlights an entry a page up or down."""
        options = self._options
        options.action_page_down() if way == "down" else options.action_page_up()  # type: ignore[no-untyped-call]

    def action_back(self) -> None:
        """Closes messages, or drops the search; where there is none, closes the screen."""
        if self._search.value:
            self._search.value = ""
        else:
            self.dismiss()

    def action_help(self) -> None:
        """Opens the help page: the keys of the list."""
        self.app.push_screen(HelpScreen(self._heading, _HELP, (), as_bound(self, KEYS), self._look.glyphs))

    @work
    async def _open(self, entry: AnyEntry) -> None:
        if isinstance(entry, Fold):
            self._unfolded = "" if entry.title == self._unfolded else entry.title
            self._fill(entry)
        elif isinstance(entry, FormEntry):
            await self._fill_in(entry)
        elif entry.opening is not None:
            self._sources.choose(entry.game, entry.opening)
        else:
            await self._open_file(entry)

    async def _open_file(self, entry: Entry, typed: str = "", trouble: str = "") -> None:
        question = LineDialog("Open a level file", entry.game.open_note, check=typed_path, typed=typed, trouble=trouble)
        path = await self.app.push_screen_wait(question)
        if path is not None:
            opening = entry.game.levels().open_file(typed_path(path))
            self._typed = entry, path, opening
            self._sources.choose(entry.game, opening)

    async def _fill_in(self, entry: FormEntry, trouble: str = "") -> None:
        """Asks for the values of a form, and opens the level that they name."""
        form, levels = entry.form, entry.game.levels()
        question = FormDialog(
            form.title,
            form.fields,
            self._values.get(entry, form.usual),
            self._look.glyphs,
            check=lambda values: levels.named(form.filled(values)),
            trouble=trouble,
        )
        answer = await self.app.push_screen_wait(question)
        if answer is not None:
            self._values[entry] = answer
            opening = levels.named(form.filled(answer))
            self._made = entry, opening
            self._sources.choose(entry.game, opening)

    @work
    async def refuse(self, opening: Opening, trouble: str) -> None:
        """Says why an opening can't be played; if a path was typed or a form filled in for it, asks again."""
        if self._typed is not None and self._typed[2] is opening:
            await self._open_file(*self._typed[:2], trouble)
        elif self._made is not None and self._made[1] is opening:
            await self._fill_in(self._made[0], trouble)
        else:
            self.notify(trouble, title="This can't be played", severity="error", markup=False)

    # -- the preview

    def on_resize(self) -> None:
        """Shows the preview of the highlighted entry again, folded to the new width."""
        self.call_after_refresh(self._preview_again)

    def _preview_again(self) -> None:
        entry = self._highlighted_entry
        if entry is not None:
            self._show_preview(entry)

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        entry = self._entry(event.option.id)
        if entry is not None:
            self._show_preview(entry)

    @work(exclusive=True, group="preview")
    async def _show_preview(self, entry: AnyEntry) -> None:
        text, shown = self._text, self._map
        title, told, command = self._told(entry)
        parts: list[Content | str] = [Content.styled(title, "bold"), "\n", told]
        if command:
            parts += ["\n", Content.styled(command, "dim")]
        if isinstance(entry, Entry) and (reached := self._record(entry)) is not None:
            parts += ["\n", _reached(reached, self._look.glyphs)]
        text.update(Content.assemble(*parts))
        shown.display = False
        if not isinstance(entry, Entry) or entry.opening is None:
            return
        await asyncio.sleep(A_MOMENT)
        try:
            drawn = await in_background(self._sources.beginning, entry.game, entry.opening, self._look.glyphs)
        except ValueError as error:
            trouble = Content.styled(_folded(str(error), text.content_size.width), "$foe")
            text.update(Content.assemble(*parts, "\n", trouble))
            return
        if drawn is not None and shown.is_mounted:
            shown.display = True
            shown.draw_sprites(self._look.has_sprites)
            drawn.show_on(shown)

    def _told(self, entry: AnyEntry) -> tuple[str, str, str]:
        """Title, text and command of an entry."""
        if isinstance(entry, Fold):
            return (
                entry.title,
                f"{self._done(entry)} of {len(entry.entries)} done. Enter lists them, or hides them.",
                "",
            )
        if isinstance(entry, FormEntry):
            labels = ", ".join(field.label.lower() for field in entry.form.fields)
            return entry.form.title, f"A random one, or one to your wishes: {labels}.", ""
        game, opening = entry.game, entry.opening
        if opening is None:
            return "A level file of your own", game.open_note, ""
        command = f"dungeon-tui {game.name} play {opening.arguments}" if opening.arguments else ""
        return opening.title, opening.summary or game.summary, command

    # -- the list

    def _done(self, fold: Fold) -> int:
        """Number of entries under a line that were won."""
        records = map(self._record, fold.entries)
        return sum(reached is not None and reached.stars > 0 for reached in records)

    def _line(self, entry: AnyEntry) -> Content:
        """An entry as the list shows it: title and stars in folded lines."""
        if isinstance(entry, Fold):
            count = f"{self._done(entry)}/{len(entry.entries)}"
            mark = "-" if entry.title == self._unfolded else "+"
            return Content(f"{mark} {entry.title}".ljust(_LIST_WIDTH - len(count)) + count)
        if isinstance(entry, FormEntry):
            return Content(f"  {entry.form.title} ...")
        if entry.opening is None:
            return Content("  Open a level file ...")
        reached = self._record(entry)
        stars = "" if reached is None else reached.stars * self._look.glyphs.star
        width = _LIST_WIDTH - (len(stars) + 1 if stars else 0)
        folded = partial(wrap, subsequent_indent="    ", break_on_hyphens=False)
        first, *others = folded(entry.title or entry.opening.title, width, initial_indent="  ")
        parts: list[Content | str] = [first]
        if stars:
            parts += [" " * (_LIST_WIDTH - len(stars) - len(first)), Content.styled(stars, "$prize")]
        parts += [f"\n{line}" for line in others]
        return Content.assemble(*parts)

    def _entry(self, option_id: str | None) -> AnyEntry | None:
        return None if option_id is None else self._entries[int(option_id.removeprefix("entry-"))]


def _folded_entries(entries: Sequence[Entry]) -> list[Entry | Fold]:
    """Entries in their order; those of a group under one line, at the place of its first."""
    found: list[Entry | Fold] = []
    for group, some in groupby(entries, lambda entry: entry.opening.group if entry.opening is not None else ""):
        those = tuple(some)
        found += [Fold(group, those)] if group else those
    return found


def _words(heading: str, entry: AnyEntry) -> str:
    """The text of an entry in which a search looks."""
    if isinstance(entry, FormEntry):
        return f"{heading} {entry.form.title}".lower()
    if isinstance(entry, Fold):
        return f"{heading} {entry.title}".lower()
    opening = entry.opening
    words = (
        "open a level file" if opening is None else f"{entry.title} {opening.title} {opening.group} {opening.summary}"
    )
    return f"{heading} {words}".lower()


def _dailies(games: Sequence[Game], day: date) -> list[Entry]:
    """The daily levels of a day, of the games that have one."""
    entries = []
    for game in games:
        with suppress(ValueError):
            entries.append(Entry(game, game.levels().named(daily(day)), title=game.title))
    return entries


def _openings(game: Game) -> list[Opening]:
    """The openings of a game, its editor last."""
    return [*game.levels().openings(), *([game.editor()] if game.has_editor else [])]


def _reached(record: Record, glyphs: Glyphs) -> Content:
    """The record of a level in words: stars, the best of each aim, wins."""
    bests = [
        f"{score.aim} {score.value:,}" + (f" (par {score.par:,})" if score.par is not None else "")
        for score in record.bests
    ]
    best = f"Best: {', '.join(bests)}. " if bests else ""
    time = "" if record.seconds is None else f", the fastest in {duration(record.seconds)}"
    text = f"{best}Won {record.wins:,} of {counted(record.ends, 'game')}{time}."
    return Content.assemble((record.stars * glyphs.star + " " if record.stars else "", "$prize"), text)


def _folded(text: str, width: int) -> str:
    """The text in lines of a width; paths go on in the next line after a separator, long names after a hyphen."""
    lines = [""]
    for whole in re.split(r"(?<=[/\\ ])", text):
        for part in [whole] if len(whole.rstrip()) <= width else re.split(r"(?<=-)", whole):
            if len(lines[-1]) + len(part.rstrip()) > width and lines[-1]:
                lines.append("")
            lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)
