"""The levels of a game, of a day, or of all games: a list to search, with a preview."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import groupby
from textwrap import wrap
from typing import TypeGuard

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.core.files import typed_path
from dungeon_tui.core.options import Form, daily
from dungeon_tui.core.words import counted, duration
from dungeon_tui.storage.results import Level, Record
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.editor.opening import editor_opening
from dungeon_tui.ui.glyphs import Glyphs, Look
from dungeon_tui.ui.keys import Key, as_bound, footer, list_keys
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.menu.sources import PREVIEW_DELAY_S, Sources
from dungeon_tui.ui.widgets.dialogs import LineDialog, SearchInput
from dungeon_tui.ui.widgets.form_dialog import FormDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.key_bar import KeyBar

_LIST_WIDTH = 34  # columns of an entry
_HELP = "Choose a level; the preview shows it. Type to search titles, groups, games and previews for all words."
_CHOOSING, _APP = "Choosing", "The app"
KEYS = (
    Key("levels.play", "enter", "Play", "play the level, or open the group, form or file", _CHOOSING, footer=1,
        bound_to="choose"),
    *list_keys("levels", _CHOOSING),
    Key("levels.close", "left", "Close", "hide the group's entries", _CHOOSING, bound_to="fold(False)"),
    Key("levels.open", "right", "Open", "list the group's entries", _CHOOSING, bound_to="fold(True)"),
    Key("levels.leave", "escape", "Back", "clear the search, then go back", _CHOOSING, footer=2,
        bound_to="back"),
    Key("levels.help", "question_mark,f1", "Help", "this page", _APP, footer=3, bound_to="help", shown="?"),
    Key("levels.palette", "ctrl+p", "Commands", "themes, and other commands", _APP,
        footer=4, bound_to="app.command_palette"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list: a level, a form, or a fold of entries; without any of them it asks for a file."""

    game: Game
    opening: Opening | None = None
    form: Form | None = None  # asks for the options of a level
    title: str = ""  # in the list; empty: the opening's
    entries: tuple[Entry, ...] = ()  # that it hides

    @property
    def words(self) -> str:
        opening = self.opening
        if opening is None:
            return self.title or ("open a level file" if self.form is None else self.form.title)
        return f"{self.title} {opening.title} {opening.group} {opening.summary}"


@dataclass(frozen=True, slots=True)
class Progress:
    """The records and unfinished games of the library, by level."""

    records: Mapping[Level, Record] = field(default_factory=dict)
    under_way: Mapping[tuple[Game, str], Opening] = field(default_factory=dict)

    def record(self, entry: Entry) -> Record | None:
        """The record of an entry's level; None if it was never played."""
        return None if entry.opening is None else self.records.get((entry.game.name, entry.opening.arguments))

    def stars(self, entry: Entry) -> int:
        """The stars of an entry's level."""
        reached = self.record(entry)
        return 0 if reached is None else reached.stars

    def done(self, fold: Entry) -> int:
        """The number of levels with stars that an entry hides."""
        return sum(self.stars(entry) > 0 for entry in fold.entries)

    def is_under_way(self, entry: Entry) -> bool:
        """True if an entry's level has an unfinished game."""
        return entry.opening is not None and (entry.game, entry.opening.arguments) in self.under_way


class _EntryOption(Option):
    def __init__(self, prompt: Content, entry: Entry) -> None:
        super().__init__(prompt)
        self.entry = entry


class LevelsScreen(Screen[None]):
    """Choose a level."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide")]
    BINDINGS = [replace(key.binding(), priority=True) for key in KEYS if key.id != "levels.play"]

    def __init__(
        self, title: str, games: Sequence[Game], sources: Sources, look: Look, day: date | None = None
    ) -> None:
        super().__init__()
        self._heading, self._games, self._sources, self._look, self._day = title, tuple(games), sources, look, day
        self._groups: list[tuple[str, Sequence[Entry]]] = []  # by heading
        self._progress = Progress()
        self.entries: list[Entry] = []  # as listed
        self._unfolded: str = ""  # title of the open fold
        self._asked: tuple[Opening, Callable[[str], Awaitable[object]]] | None = None
        """The last opening from a dialog, and a function that asks again and says why."""
        self._values: dict[Entry, tuple[str, ...]] = {}  # of the filled forms
        # Home's key to find a level begins no search.
        self._search = SearchInput(placeholder="type to search", restrict="(?!/).*")
        self._options = OptionList(id="entries")
        self._text = Static(id="preview-text")
        self._map = MapView(frame=look.glyphs.frame, ways=look.glyphs.pointers, is_preview=True)
        self._key_bar = KeyBar([])

    def compose(self) -> ComposeResult:
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
        self._options.can_focus = False
        self._search.focus()
        self.settings_changed()
        self._list_levels()

    def settings_changed(self) -> None:
        back, here = "Clear search" if self._search.value else "Back", self._highlighted_entry
        choose = "Play" if here is None or not here.entries else "Hide" if here.title == self._unfolded else "List"
        keys = [key for key in KEYS if self.entries or key.id != "levels.play"]
        self._key_bar.show(footer(self, keys, self._look.glyphs.plain, back=back, choose=choose))

    def draw_with(self, look: Look) -> None:
        self._look = look
        self._preview_again()

    def on_screen_resume(self) -> None:
        if self._groups:
            self._mark_records()
            self._preview_again()  # the size may be another

    def on_screen_suspend(self) -> None:
        self.app.clear_notifications()

    @work
    async def _list_levels(self) -> None:
        self._progress = await in_background(self._read_library)
        groups: list[tuple[str, Sequence[Entry]]] = []
        if self._day is not None:
            groups.append(("", await in_background(_dailies, self._games, self._day)))
        for game in self._games if self._day is None else ():
            try:
                entries = [Entry(game, opening) for opening in await in_background(_openings, game)]
            except ValueError as error:
                entries = []
                self.notify(str(error), severity="error", markup=False)
            found = await in_background(_dailies, [game], date.today())
            of_today = [replace(each, title="Daily level") for each in found]
            forms = [Entry(game, form=form) for form in game.levels().forms()]
            files = [Entry(game)] if game.open_note else []
            groups.append((game.title, [*_folded_entries(entries), *of_today, *forms, *files]))
        self._groups = groups
        levels = {(each.game.name, each.opening.arguments): each for each in self._levels() if each.opening}
        last = next((levels[key].opening for key in self._progress.records if key in levels), None)  # played
        new = [(each.opening, each) for each in levels.values() if not self._progress.stars(each)]
        in_last = (each for opening, each in new if opening and last and opening.group == last.group)
        started = next(
            (levels[game.name, key] for game, key in self._progress.under_way if (game.name, key) in levels), None
        )
        first = started or next(in_last, new[0][1] if new else None)
        self._unfolded = next((each.title for each in self._folds() if first in each.entries), "")
        self._fill(first)

    def _folds(self) -> Iterator[Entry]:
        return (entry for _, entries in self._groups for entry in entries if entry.entries)

    def _levels(self) -> Iterator[Entry]:
        return (each for _, entries in self._groups for entry in entries for each in entry.entries or (entry,))

    @work(exclusive=True, group="records")
    async def _mark_records(self) -> None:
        before, self._progress = self._progress, await in_background(self._read_library)
        if (self._progress.records, [*self._progress.under_way]) != (before.records, [*before.under_way]):
            self._fill(self._highlighted_entry)

    def _read_library(self) -> Progress:
        under_way = self._sources.levels_under_way(() if self._day else self._games)
        return Progress(self._sources.records(), under_way)

    def _listed(self) -> list[tuple[str, Sequence[Entry]]]:
        """The entries to list, by heading: without a search all, folded; else the matches, those by title first."""
        words = self._search.value.lower().split()

        def rank(entry: Entry) -> int:
            """0 if the title begins so, 1 if words of it do, 2 if it has them, 3 for a match in other words."""
            title = (entry.title or (entry.opening.title if entry.opening else entry.words)).lower()
            at = f" {title}".find(f" {' '.join(words)}")
            return min(at, 1) if at >= 0 else 2 if all(word in title for word in words) else 3

        found: list[tuple[str, Sequence[Entry]]] = []
        listed = {(each.game, each.opening.arguments) for each in self._levels() if each.opening}
        more = [(key[0], each) for key, each in self._progress.under_way.items() if key not in listed]
        for heading, entries in self._groups:
            flat = [Entry(game, each) for game, each in more if game.title == heading]
            for entry in entries:
                flat += [entry] if not words or not entry.entries else []
                flat += entry.entries if words or entry.title == self._unfolded else ()
            texts = [(each, f" {heading} {each.words}".lower()) for each in flat]  # words begin so, except the title's
            matches = [each for each, text in texts if rank(each) < 3 or all(f" {word}" in text for word in words)]
            found.append((heading, sorted(matches, key=rank)))
        return sorted(found, key=lambda group: min(map(rank, group[1]), default=3))

    def _fill(self, marked: Entry | None = None) -> None:
        """Fills the list and highlights an entry; if it isn't listed, the best match or the first level."""
        options = self._options
        options.clear_options()
        self.entries = []
        for heading, entries in self._listed():
            if entries and len(self._groups) > 1:
                if options.option_count:
                    options.add_option(Option("", disabled=True))
                options.add_option(Option(Content.styled(heading, "bold $prize"), disabled=True))
            for entry in entries:
                options.add_option(_EntryOption(self._line(entry), entry))
                self.entries.append(entry)
        self.workers.cancel_group(self, "preview")  # of the list before
        if not self.entries:
            self._text.update("No level matches." if self._groups else "")
            self._map.visible = False
            self.settings_changed()
            return
        if marked not in self.entries:
            levels = [entry for entry in self.entries if not entry.entries and entry.form is None]
            marked = (self.entries if self._search.value else levels + self.entries)[0]
        options.highlighted = next(
            index
            for index, each in enumerate(options.options)
            if isinstance(each, _EntryOption) and each.entry == marked
        )
        options.scroll_to_highlight(top=bool(marked.entries) and marked.title == self._unfolded)  # shows its entries

    def mark(self, game: Game, arguments: str) -> None:
        listed = [(entry, self._unfolded) for entry in self.entries]
        folded = [(entry, fold.title) for fold in self._folds() for entry in fold.entries]
        for entry, title in (*folded, *listed):
            if entry.game is game and entry.opening and entry.opening.arguments == arguments != "":
                self._unfolded = title
                self._fill(entry)
                return

    @property
    def _highlighted_entry(self) -> Entry | None:
        option = self._options.highlighted_option
        return option.entry if isinstance(option, _EntryOption) else None

    @on(Input.Changed)
    def _searched(self) -> None:
        if self._groups:
            self._fill(None if self._search.value else self._highlighted_entry)

    # -- choosing

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if self._is_listed(event.option):
            self._open(event.option.entry)

    @on(Input.Submitted)
    def action_choose(self) -> None:
        self._options.action_select()

    async def action_move(self, way: str) -> None:
        await self._options.run_action(way)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Leaves Left and Right to the line with the search, if there is one."""
        return action != "fold" or not self._search.value

    def action_fold(self, is_open: bool) -> None:
        here = self._highlighted_entry
        for fold in self._folds():
            if here is not None and (here is fold or here in fold.entries):
                self._unfolded = fold.title if is_open else ""
                self._fill(here if is_open else fold)
                return

    def action_back(self) -> None:
        if self._search.value:
            self._clear_search()
        else:
            self.dismiss()

    def _clear_search(self) -> None:
        here, self._search.value = self._highlighted_entry, ""
        if here is not None and here.opening is not None:
            self.mark(here.game, here.opening.arguments)

    def action_help(self) -> None:
        rules = f"{self._games[0].rules_text}\n\n" if len(self._games) == 1 else ""
        self.app.push_screen(HelpScreen(self._heading, f"{rules}{_HELP}", (), as_bound(self, KEYS), self._look.glyphs))

    @work
    async def _open(self, entry: Entry) -> None:
        if entry.entries:
            self._unfolded = "" if entry.title == self._unfolded else entry.title
            self._fill(entry)
        elif entry.form is not None:
            await self._fill_in(entry)
        elif entry.opening is not None:
            await self._play(entry.game, entry.opening)
        else:
            await self._open_file(entry)

    async def _play(self, game: Game, opening: Opening) -> None:
        """Opens a level, or continues a game of it."""
        opening = await in_background(self._sources.seated, game, opening)
        if (chosen := await self._sources.continued(self.app, game, opening)) is None:
            return
        if self._search.value:
            self._clear_search()
        self._sources.choose(game, chosen)

    async def _open_file(self, entry: Entry, typed: str = "", trouble: str = "") -> None:
        question = LineDialog("Open a level file", entry.game.open_note, check=typed_path, typed=typed, trouble=trouble)
        path = await self.app.push_screen_wait(question)
        if path is not None:
            opening = entry.game.levels().open_file(typed_path(path))
            self._asked = opening, partial(self._open_file, entry, path)
            await self._play(entry.game, opening)

    async def _fill_in(self, entry: Entry, trouble: str = "") -> None:
        form, levels = entry.form, entry.game.levels()
        assert form is not None
        question = FormDialog(
            f"{form.title}\n{form.note}".strip(),
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
            self._asked = opening, partial(self._fill_in, entry)
            await self._play(entry.game, opening)

    @work
    async def refuse(self, opening: Opening, trouble: str) -> None:
        """Says why an opening can't be played; asks again for the path or the form that it came from."""
        if self._asked is not None and self._asked[0] is opening:
            await self._asked[1](trouble)
        else:
            self.notify(trouble, title="This can't be played", severity="error", markup=False)

    # -- the preview

    def on_resize(self) -> None:
        self.call_after_refresh(self._preview_again)

    def _preview_again(self) -> None:
        entry = self._highlighted_entry
        if entry is not None:
            self._show_preview(entry)

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self._is_listed(event.option):
            self.settings_changed()
            self._show_preview(event.option.entry)

    @work(exclusive=True, group="preview")
    async def _show_preview(self, entry: Entry) -> None:
        text, shown = self._text, self._map
        title, summary = self._description(entry)
        parts: list[Content | str] = [Content.styled(title, "bold"), "\n", summary]
        reached = self._progress.record(entry)
        if reached is not None and (reached.wins or not self._progress.is_under_way(entry)):
            parts += ["\n", reached_text(reached, self._look.glyphs)]
        text.update(Content.assemble(*parts))
        shown.visible = False
        if entry.opening is None:
            return
        await asyncio.sleep(PREVIEW_DELAY_S)
        try:
            opening, space = entry.opening, shown.container_size
            drawn = await in_background(self._sources.beginning, entry.game, opening, self._look.glyphs, space)
        except ValueError as error:
            text.update(Content.assemble(*parts, "\n", Content.styled(str(error), "$foe")))
            return
        if drawn is not None and shown.is_mounted:
            shown.visible = True
            text.update(Content.assemble(*parts, f"\n{drawn.standing}" * bool(drawn.standing)))
            shown.draw_sprites(self._look.has_sprites)
            drawn.show_on(shown)

    def _description(self, entry: Entry) -> tuple[str, str]:
        if entry.entries:
            done = f"{self._progress.done(entry)} of {len(entry.entries)} done."
            return entry.title, f"{done} Right lists them, Left hides them."
        if entry.form is not None:
            form, labels = entry.form, [each.label.lower() for each in entry.form.fields if each.label != "Seed"]
            records = [record for (name, _), record in self._progress.records.items() if name == entry.game.name]
            best = max(
                (score.value for record in records for score in record.bests if score.aim == form.aim), default=0
            )
            text = f"{form.note} Random, or from a seed." + f" You choose: {', '.join(labels)}." * bool(labels)
            return form.title, (text + f" Best {form.aim}: {best:,}." * bool(best)).strip()
        game, opening = entry.game, entry.opening
        if opening is None:
            return "A level file of your own", game.open_note
        return opening.title, opening.summary or game.summary

    # -- the list

    def _line(self, entry: Entry) -> Content:
        if entry.entries:
            count = f"{self._progress.done(entry)}/{len(entry.entries)}"
            mark = "-" if entry.title == self._unfolded else "+"
            return Content(f"{mark} {entry.title}".ljust(_LIST_WIDTH - len(count)) + count)
        if entry.form is not None:
            return Content(f"  {entry.form.title} ...")
        if entry.opening is None:
            return Content("  Open a level file ...")
        progress = self._progress
        stars = progress.stars(entry) * self._look.glyphs.star
        mark = f"{'under way' * progress.is_under_way(entry)} {stars}".strip() or "tried" * bool(progress.record(entry))
        width = _LIST_WIDTH - (len(mark) + 1 if mark else 0)
        indent = "  " if self._search.value or not entry.opening.group else "    "  # below its fold
        folded = partial(wrap, subsequent_indent=f"  {indent}", break_on_hyphens=False)
        first, *others = folded(entry.title or entry.opening.title, width, initial_indent=indent)
        parts: list[Content | str] = [first]
        if mark:
            style = "$prize" if stars else "dim"
            parts += [" " * (_LIST_WIDTH - len(mark) - len(first)), Content.styled(mark, style)]
        parts += [f"\n{line}" for line in others]
        return Content.assemble(*parts)

    def _is_listed(self, option: Option) -> TypeGuard[_EntryOption]:
        """False if the option is of an earlier list: its message came too late."""
        return isinstance(option, _EntryOption) and option.entry in self.entries


def _folded_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Entries in order, those of a group in a fold."""
    found: list[Entry] = []
    for group, some in groupby(entries, lambda entry: entry.opening.group if entry.opening is not None else ""):
        those = tuple(some)
        found += [Entry(those[0].game, title=group, entries=those)] if group else those
    return found


def _dailies(games: Sequence[Game], day: date) -> list[Entry]:
    entries = []
    for game in games:
        with suppress(ValueError):
            entries.append(Entry(game, game.levels().named(daily(day)), title=game.title))
    return entries


def _openings(game: Game) -> list[Opening]:
    return [*game.levels().openings(), *([editor_opening(game)] if game.editor_note else [])]


def reached_text(record: Record, glyphs: Glyphs) -> Content:
    """The stars, the best scores and the wins of a record."""
    bests = [
        f"Best {score.aim}: {score.value:,}"
        + (f" (par {score.par:,}). " if score.par is not None and score.is_less_better else ". ")
        for score in record.bests
    ]
    time = "" if record.seconds is None else f", the fastest in {duration(record.seconds)}"
    lost = f" Lost {counted(record.ends - record.wins, 'time')}." * (record.ends > record.wins)
    text = f"{''.join(bests)}Won {counted(record.wins, 'time')}{time}.{lost}"
    return Content.assemble((record.stars * glyphs.star + " " if record.stars else "", "$prize"), text)
