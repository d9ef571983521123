"""The menu: the games and what each one offers, with a preview."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import groupby
from textwrap import wrap

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from dungeon_tui.core.arguments import daily
from dungeon_tui.core.catalogue import Game, Opening, Preview, find_games
from dungeon_tui.core.codes import CodeError, decode, opening_of
from dungeon_tui.core.forms import Form
from dungeon_tui.core.words import counted, duration
from dungeon_tui.storage.results import Level, Record
from dungeon_tui.storage.shelf import Item, Waiting
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.keys import Key, as_bound, footer_of
from dungeon_tui.ui.widgets.dialogs import LineDialog
from dungeon_tui.ui.widgets.form_dialog import FormDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.key_bar import KeyBar

A_MOMENT = 0.12  # seconds that a game is highlighted before it is played again for its picture
_PREVIEW_ROWS = 30  # of a level that are shown
_LIST_WIDTH = 34  # columns of an entry
_HELP = """Choose what to play; beside it you see what it looks like. Every game is kept: the last one that
you left comes first, and all are under Games and recordings. A game is left for this menu, and in each one ? shows its
rules and keys."""
_CHOOSING, _APP = "Choosing", "The app"
KEYS = (
    Key("menu.up", "up,k,w", "↑ w k", "Up", "the entry before", _CHOOSING, bound_to="up"),
    Key("menu.down", "down,j,s", "↓ s j", "Down", "the next entry", _CHOOSING, bound_to="down"),
    Key("menu.play", "enter", "Enter", "Play", "play it, or open a level file of yours", _CHOOSING,
        footer=1, bound_to="choose"),
    Key("menu.open", "o", "o", "Code", "open a code that somebody sent", _CHOOSING,
        footer=2, bound_to="open_code"),
    Key("menu.games", "g", "g", "Games", "all games and recordings", _CHOOSING, footer=3, bound_to="app.games"),
    Key("menu.statistics", "t", "t", "Statistics", "numbers of all games, days in a row, a calendar", _CHOOSING,
        footer=4, bound_to="app.statistics"),
    Key("menu.settings", "comma", ",", "Settings", "colours, keys and more; all is kept", _APP,
        footer=5, bound_to="app.settings"),
    Key("menu.help", "question_mark", "?", "Help", "this page", _APP, footer=6, bound_to="help"),
    Key("menu.close", "escape", "Esc", "Close", "close a message", _APP, bound_to="close_messages"),
    Key("menu.palette", "ctrl+p", "ctrl+p", "Commands", "themes, and other commands", _APP,
        footer=8, bound_to="app.command_palette"),
    Key("menu.leave", "q", "q", "Leave", "leave the app; ctrl+q and ctrl+c do so everywhere", _APP,
        footer=7, bound_to="app.quit"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the menu that can be chosen."""

    game: Game
    opening: Opening | None  # None: open a file
    title: str = ""  # in the list; empty: the opening's


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A line of the menu that opens a screen."""

    title: str
    text: str  # beside it
    action: str


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


AnyEntry = Entry | PageEntry | FormEntry | Fold

_GAMES = PageEntry(
    "Games and recordings",
    "All games that were played here, each at its last turn, and the recordings of your folder: "
    "to be found, gone on with, looked at from their start, given names, removed and exported.",
    "app.games",
)


class MenuScreen(Screen[None]):
    """Choose a game."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide")]
    BINDINGS = [key.binding() for key in KEYS]

    def __init__(
        self,
        games: Sequence[Game],
        choose: Callable[[Game, Opening], object],
        waiting: Callable[[], Awaitable[Waiting | None]],
        records: Callable[[], Mapping[Level, Record]],
        position: Callable[[Item, Glyphs, int, int], Content],
        glyphs: Glyphs,
        day: date | None = None,
    ) -> None:
        """Lists what there is to play.

        Args:
            games: the games it offers.
            choose: told of the opening that was chosen.
            waiting: finds the game that waits to be gone on with.
            records: reads what was reached on each level, in a thread.
            position: draws the map of a game where it stands, in so many columns and lines at most, in a thread.
            glyphs: spell the help page, and the stars.
            day: of the dailies, which are highlighted at first; None: today's, and the first entry is.
        """
        super().__init__()
        self._find_waiting = waiting
        self._read_records = records
        self._position = position
        self._records: Mapping[Level, Record] = {}
        self._glyphs = glyphs
        self._day = day
        self._choose = choose
        self._games = tuple(games)
        self._entries: list[AnyEntry] = []
        self._groups: list[tuple[str, Sequence[AnyEntry]]] = []
        self._unfolded: str = ""  # the title of the one that is
        self._waiting: Waiting | None = None
        self._first: Entry | None = None  # that goes on with it
        self._typed: tuple[Entry, str, Opening] | None = None  # the path of a file that was opened last
        self._made: tuple[FormEntry, Opening] | None = None  # by the form that was filled in last
        self._values: dict[FormEntry, tuple[str, ...]] = {}  # of the forms that were filled in

    def compose(self) -> ComposeResult:
        """Yields title, entries, preview and footer."""
        with Horizontal(id="header"):
            yield Static("Dungeons to play, and to look into", id="title")
            yield Static(id="progress")
        with Horizontal():
            yield OptionList(id="entries")
            with VerticalScroll(id="preview", can_focus=False):
                yield Static(id="preview-text")
        yield KeyBar([])

    def on_mount(self) -> None:
        """Lists the games at once; what they offer is read in a thread."""
        entries = self.query_one(OptionList)
        for game in self._games:
            entries.add_option(Option(Content.styled(game.title, "bold"), disabled=True))
            entries.add_option(Option(Content.styled("  reading the levels ...", "dim"), disabled=True))
        entries.focus()
        self.settings_changed()
        self.call_after_refresh(self._list_openings)  # behind the first frame

    def settings_changed(self) -> None:
        """Shows keys by their names as they are bound now."""
        for bar in self.query(KeyBar):
            keys = footer_of(as_bound(self, KEYS))
            bar.show([(self._glyphs.plain(key.shown), key.label, key.action) for key in keys])

    def draw_with(self, glyphs: Glyphs) -> None:
        """Spells texts in other characters from now on."""
        self._glyphs = glyphs

    def show_progress(self, text: str) -> None:
        """Shows the progress of work behind the menu; empty: none."""
        for line in self.query("#progress").results(Static):  # none while the screen comes or goes
            line.update(Content(text))

    def on_screen_resume(self) -> None:
        """Lists the game that waits, which may be another one by now, and what was reached."""
        if self._groups:
            self._look_for_waiting()
            self._mark_records()

    def on_screen_suspend(self) -> None:
        """Leaves no message to the screens that follow."""
        self.app.clear_notifications()

    @work
    async def _list_openings(self) -> None:
        groups: list[tuple[str, Sequence[AnyEntry]]] = []
        for game in self._games:
            try:
                entries = [Entry(game, opening) for opening in await in_background(_openings, game)]
            except ValueError as error:
                entries = []
                self.notify(str(error), severity="error", markup=False)
            forms = [FormEntry(game, form) for form in game.levels().forms()]
            files = [Entry(game, None)] if game.open_note else []
            groups.append((game.title, [*forms, *_folded_entries(entries), *files]))
        day = self._day or date.today()
        groups.append((f"Daily {day}", await in_background(_dailies, self._games, day)))
        groups.append(("All that was played", [_GAMES]))
        self._groups, self._waiting = groups, await self._find_waiting()
        self._fill()
        self._tell_interruption()
        self._mark_records()

    @work(exclusive=True, group="records")
    async def _mark_records(self) -> None:
        """Marks each level with its stars."""
        found = await in_background(self._read_records)
        if found != self._records and self.query(OptionList):
            self._records = found
            options = self.query_one(OptionList)
            for number, entry in enumerate(self._entries):
                if entry is not self._first:
                    options.replace_option_prompt(f"entry-{number}", self._line(entry))
            self._preview_again()

    def _record(self, entry: Entry) -> Record | None:
        return None if entry.opening is None else self._records.get((entry.game.name, entry.opening.arguments))

    @work(exclusive=True, group="waiting")
    async def _look_for_waiting(self) -> None:
        found = await self._find_waiting()
        before, self._waiting = self._waiting, found
        if (before and before.item) != (found and found.item):
            self._fill()

    def _fill(self) -> None:
        """Lists all there is; the same entry stays highlighted, at first the game that was cut short, or the first."""
        if not self.query(OptionList):
            return  # the app was left meanwhile
        options = self.query_one(OptionList)
        marked = self._entry(options.highlighted_option.id) if options.highlighted_option is not None else None
        options.clear_options()
        self._entries = []
        waiting, self._first = self._waiting, None
        if waiting is not None and waiting.item.game is not None:
            self._first = Entry(waiting.item.game, waiting.opening)
            self._add(self._first, _continue_line(waiting))
        for title, entries in self._groups:
            if not entries:
                continue
            if options.option_count:
                options.add_option(Option("-" * _LIST_WIDTH, disabled=True) if self._glyphs.is_ascii else None)
            options.add_option(Option(Content.styled(title, "bold $prize"), disabled=True))
            for entry in entries:
                self._add(entry, self._line(entry))
                if isinstance(entry, Fold) and entry.title == self._unfolded:
                    for inner in entry.entries:
                        self._add(inner, self._line(inner))
        if self._entries:
            options.highlighted = options.get_option_index(f"entry-{self._place_of(marked)}")
            if self._day is not None and marked is None:  # all dailies are to be seen
                self.call_after_refresh(options.scroll_to_highlight, top=True)

    def _place_of(self, marked: AnyEntry | None) -> int:
        """The place of an entry that was highlighted; where it isn't there, of the day's first daily, or the first."""

        def is_wanted(entry: AnyEntry) -> bool:
            if marked is not None:
                return entry is marked
            if not isinstance(entry, Entry) or entry.opening is None:
                return False
            return self._day is None or entry.opening.day is not None

        return next((place for place, entry in enumerate(self._entries) if is_wanted(entry)), 0)

    def _add(self, entry: AnyEntry, line: Content) -> None:
        self.query_one(OptionList).add_option(Option(line, id=f"entry-{len(self._entries)}"))
        self._entries.append(entry)

    def _tell_interruption(self) -> None:
        """Says that the game that waits was cut short, and how to go on with it."""
        if self._waiting is not None and self._waiting.was_interrupted and self._day is None:
            item = self._waiting.item
            text = f"{item.title} was cut short at {item.state}. Enter goes on from there."
            self.notify(text, timeout=15, markup=False)

    def on_resize(self) -> None:
        """Shows the preview of the highlighted entry again, folded to the new width."""
        self.call_after_refresh(self._preview_again)

    def _preview_again(self) -> None:
        option = self.query_one(OptionList).highlighted_option
        if option is not None and (entry := self._entry(option.id)) is not None:
            self._show_preview(entry)

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        entry = self._entry(event.option.id)
        if entry is not None:
            self._show_preview(entry)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        entry = self._entry(event.option.id)
        if entry is not None:
            self._open(entry)

    def action_choose(self) -> None:
        """Opens the highlighted entry; of a file entry, asks for the path first."""
        self.query_one(OptionList).action_select()

    def action_down(self) -> None:
        """Highlights the next entry."""
        self.query_one(OptionList).action_cursor_down()

    def action_up(self) -> None:
        """Highlights the entry before."""
        self.query_one(OptionList).action_cursor_up()

    def action_close_messages(self) -> None:
        """Closes the notifications on the screen."""
        self.app.clear_notifications()

    def action_help(self) -> None:
        """Opens the help page: the games, and the menu's keys."""
        games = "\n".join(f"  {game.title}: {game.summary}" for game in find_games())
        self.app.push_screen(HelpScreen("The menu", f"{_HELP}\n\n{games}", (), as_bound(self, KEYS), self._glyphs))

    @work(exclusive=True, group="preview")
    async def _show_preview(self, entry: AnyEntry) -> None:
        text = self.query_one("#preview-text", Static)
        if isinstance(entry, Fold):
            done = f"{self._done(entry)} of {len(entry.entries)} done. Enter lists them, or hides them again."
            text.update(Content.assemble(Content.styled(entry.title, "bold"), f"\n\n{done}"))
            return
        if isinstance(entry, PageEntry):
            text.update(Content.assemble(Content.styled(entry.title, "bold"), f"\n\n{entry.text}"))
            return
        if isinstance(entry, FormEntry):
            labels = ", ".join(field.label.lower() for field in entry.form.fields)
            text.update(Content.assemble(
                Content.styled(entry.form.title, "bold"), f"\n\nMade by chance, or as you choose: {labels}.",
            ))  # fmt: skip
            return
        game, opening = entry.game, entry.opening
        if opening is None:
            text.update(Content.assemble(
                Content.styled("A level file of your own", "bold"),
                f"\n\n{game.open_note}",
            ))  # fmt: skip
            return
        parts: list[Content | str] = [
            Content.styled(opening.title, "bold"),
            "\n",
            opening.summary or game.summary,
            "\n",
        ]
        if opening.arguments:
            parts += [Content.styled(f"dungeon-tui {game.name} play {opening.arguments}", "dim"), "\n"]
        if (reached := self._record(entry)) is not None:
            parts += [_reached(reached, self._glyphs), "\n"]
        width = text.content_size.width
        try:
            if entry is self._first and self._waiting is not None:
                item = self._waiting.item
                text.update(Content.assemble(*parts))  # it may take a while to be played again
                await asyncio.sleep(A_MOMENT)
                parts += ["\n", await in_background(self._position, item, self._glyphs, width, _PREVIEW_ROWS)]
            for preview in await in_background(opening.preview):
                parts += _preview_parts(preview, width)
        except ValueError as error:
            parts += ["\n", Content.styled(_folded(str(error), width), "$foe")]
        text.update(Content.assemble(*parts))
        for pane in self.query(VerticalScroll):  # none once the app is being left
            pane.scroll_home(animate=False)

    @work
    async def _open(self, entry: AnyEntry) -> None:
        if isinstance(entry, Fold):
            self._unfolded = "" if entry.title == self._unfolded else entry.title
            self._fill()
        elif isinstance(entry, PageEntry):
            await self.run_action(entry.action)
        elif isinstance(entry, FormEntry):
            await self._fill_in(entry)
        elif entry.opening is not None:
            self._choose(entry.game, entry.opening)
        else:
            await self._open_file(entry)

    async def _open_file(self, entry: Entry, typed: str = "", trouble: str = "") -> None:
        question = LineDialog("Open a level file", entry.game.open_note, typed=typed, trouble=trouble)
        path = await self.app.push_screen_wait(question)
        if path is not None:
            opening = entry.game.levels().open_file(os.path.expanduser(path))
            self._typed = entry, path, opening
            self._choose(entry.game, opening)

    async def _fill_in(self, entry: FormEntry, trouble: str = "") -> None:
        """Asks for the values of a form, and opens the level that they name."""
        form, levels = entry.form, entry.game.levels()
        question = FormDialog(
            form.title,
            form.fields,
            self._values.get(entry, form.usual),
            self._glyphs,
            check=lambda values: levels.named(form.filled(values)),
            trouble=trouble,
        )
        answer = await self.app.push_screen_wait(question)
        if answer is not None:
            self._values[entry] = answer
            opening = levels.named(form.filled(answer))
            self._made = entry, opening
            self._choose(entry.game, opening)

    @work
    async def action_open_code(self) -> None:
        """Asks for a share code, again and again while it is wrong, and opens the position."""
        typed, trouble = "", ""
        text = (
            "Type or paste it: up to 80 letters and digits, capital and small ones, which hold a level and the moves."
        )
        while code := await self.app.push_screen_wait(LineDialog("Open a code", text, typed=typed, trouble=trouble)):
            self.show_progress("Reading the code ...")
            try:
                game, opening = await in_background(_decoded, code)
            except CodeError as error:
                typed, trouble = code, str(error)
            else:
                self._choose(game, opening)
                return
            finally:
                self.show_progress("")

    @work
    async def refuse(self, opening: Opening, trouble: str) -> None:
        """Says why an opening can't be played; if a path was typed or a form filled in for it, asks again."""
        if self._typed is not None and self._typed[2] is opening:
            await self._open_file(*self._typed[:2], trouble)
        elif self._made is not None and self._made[1] is opening:
            await self._fill_in(self._made[0], trouble)
        else:
            self.notify(trouble, title="This can't be played", severity="error", markup=False)

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
        if isinstance(entry, PageEntry):
            return Content(f"  {entry.title} ...")
        if isinstance(entry, FormEntry):
            return Content(f"  {entry.form.title} ...")
        if entry.opening is None:
            return Content("  Open a level file ...")
        reached = self._record(entry)
        stars = "" if reached is None else reached.stars * self._glyphs.star
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


def _decoded(code: str) -> tuple[Game, Opening]:
    return opening_of(decode(code))


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


def _continue_line(waiting: Waiting) -> Content:
    """The game that waits as the list shows it: title, which game, turn and when it was played, in folded lines."""
    item = waiting.item
    how = "cut short at " if waiting.was_interrupted else ""
    title = "\n".join(_in_list(f"Continue: {item.title}"))
    game = f"{item.game.title}, " if item.game is not None and item.game.title != item.title else ""
    facts = "\n".join(_in_list(f"{game}{how}{item.state}, {item.when}", "    "))
    return Content.assemble(Content.styled(title, "bold"), "\n", Content.styled(facts, "dim"))


def _in_list(text: str, indent: str = "") -> list[str]:
    return wrap(
        text, width=_LIST_WIDTH, initial_indent=indent, subsequent_indent=indent.ljust(4), break_on_hyphens=False
    )


def _folded(text: str, width: int) -> str:
    """The text in lines of a width; paths go on in the next line after a separator, long names after a hyphen."""
    lines = [""]
    for whole in re.split(r"(?<=[/\\ ])", text):
        for part in [whole] if len(whole.rstrip()) <= width else re.split(r"(?<=-)", whole):
            if len(lines[-1]) + len(part.rstrip()) > width and lines[-1]:
                lines.append("")
            lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def _preview_parts(preview: Preview, width: int) -> list[Content | str]:
    """Pieces to join: a level's title, caption and lines, cut to width and height; a note says so if cut."""
    parts: list[Content | str] = ["\n", Content.styled(preview.title, "$you"), "\n"]
    parts += [Content.styled(_folded(preview.caption, width), "dim"), "\n"]
    for line in preview.lines[:_PREVIEW_ROWS]:
        for colour, run in groupby(line[:width], key=lambda character: preview.colours.get(character, "")):
            parts.append(Content.styled("".join(run), _STYLES.get(colour, f"${colour}") if colour else ""))
        parts.append("\n")
    widest = max((len(line) for line in preview.lines), default=0)
    if len(preview.lines) > _PREVIEW_ROWS or widest > width:
        parts += [Content.styled("(a part of it)", "dim"), "\n"]
    return parts


_STYLES = {"wall": "$wall on $wall-back"}
