"""Games and recordings: all that was played, to be found, gone on with, looked at, renamed, removed and exported."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from textwrap import wrap

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.core.files import UnwritableError, write_new
from dungeon_tui.core.recording import recording_text
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted, duration, reason, sentence
from dungeon_tui.storage import recordings
from dungeon_tui.storage.exchange import ends_of
from dungeon_tui.storage.library import KeptGame, LazyLibrary, Library, LibraryError
from dungeon_tui.storage.places import home
from dungeon_tui.storage.recordings import Saved
from dungeon_tui.storage.shelf import Item, Standing, items, last_of, opening, played, recording_of
from dungeon_tui.ui.asciicast import asciicast
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.keys import Key, KeyCommands, as_bound, footer_of, key_names, with_key_names
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.menu.game_list import GameList
from dungeon_tui.ui.menu.sources import A_MOMENT, Look
from dungeon_tui.ui.morgue import morgue
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.snapshot import position, svg
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog, LineDialog, PasteInput
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.key_bar import KeyBar

TURNS_A_SECOND = 5  # of an asciicast
_HELP = (
    "Type to search: every word must be somewhere in date, game, title, end or players.\n"
    "A game opens at the turn where it stands, a recording at its last one. From the start, both are replays: "
    "your own move takes over from there."
)
_CHOOSING, _CHANGING, _FILTERS = "Choosing", "Changing", "Which are shown"
KEYS = (
    Key("games.open", "enter", "Enter", "Open", "go on where it stands", _CHOOSING, 1, "open(False)"),
    Key("games.start", "ctrl+r", "ctrl+r", "Replay", "look at it from its start", _CHOOSING, 3, "open(True)"),
    Key("games.up", "up", "↑", "Up", "the game before", _CHOOSING, bound_to="move(-1)"),
    Key("games.down", "down", "↓", "Down", "the next game", _CHOOSING, bound_to="move(1)"),
    Key("games.page-up", "pageup", "PgUp", "Page up", "a page up", _CHOOSING, bound_to="turn_page(-1)"),
    Key("games.page-down", "pagedown", "PgDn", "Page down", "a page down", _CHOOSING, bound_to="turn_page(1)"),
    Key("games.first", "ctrl+home", "ctrl+Home", "First", "the first one", _CHOOSING, bound_to="move(-1000000)"),
    Key("games.last", "ctrl+end", "ctrl+End", "Last", "the last one", _CHOOSING, bound_to="move(1000000)"),
    Key("games.game", "ctrl+g", "ctrl+g", "Game", "of one game, or of all", _FILTERS, bound_to="filter('game')"),
    Key("games.end", "ctrl+l", "ctrl+l", "End", "those won, lost, or going on", _FILTERS, bound_to="filter('end')"),
    Key("games.time", "ctrl+t", "ctrl+t", "Time", "of today, of a week, of a month", _FILTERS,
        bound_to="filter('time')"),
    Key("games.rename", "f2", "F2", "Rename", "give it another title", _CHANGING, 5, "rename"),
    Key("games.remove", "delete", "Del", "Remove", "take it off the list", _CHANGING, 7, "remove"),
    Key("games.restore", "ctrl+z", "ctrl+z", "Restore", "bring back what was removed last, while this is open",
        _CHANGING, bound_to="restore"),
    Key("games.export", "ctrl+e", "ctrl+e", "Export", "write a recording, an asciicast, a picture or a text",
        _CHANGING, 4, "export"),
    Key("games.help", "f1", "F1", "Help", "this page", _CHOOSING, 6, "help"),
    Key("games.leave", "escape", "Esc", "Back", "drop search and filters, then back to the menu", _CHOOSING, 2, "back"),
)  # fmt: skip
_ENDS = {
    "Any end": tuple(Standing),
    "Going on": (Standing.GOES_ON,),
    "Won": (Standing.WON,),
    "Lost": (Standing.LOST,),
    "Recordings": (),
}
_TIMES = {"Any time": None, "Today": 0, "Last 7 days": 6, "Last 30 days": 29}  # days before today


class GamesScreen(Screen[None]):
    """The list of all games and recordings, beside a preview."""

    COMMANDS = {KeyCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide")]
    BINDINGS = [replace(key.binding(), priority=True) for key in KEYS if key.id != "games.open"]
    DEFAULT_CSS = """
    GamesScreen { background: $map-back; }
    GamesScreen #header { height: 3; padding: 1 2 0 2; }
    GamesScreen #title { width: auto; text-style: bold; color: $you; }
    GamesScreen #count { width: 1fr; text-align: right; color: $path; }
    GamesScreen #filters { dock: none; padding: 0 1; background: $map-back; }
    GamesScreen Input { border: none; height: 1; padding: 0 1; margin: 0 1; background: $surface; }
    GamesScreen Input:focus { border: none; }
    GamesScreen #games { margin-top: 1; }
    GamesScreen GameList { width: 3fr; height: 1fr; }
    GamesScreen #preview { width: 2fr; height: 1fr; padding: 0 2; }
    GamesScreen #preview-text { height: auto; margin-bottom: 1; }
    GamesScreen.-narrow #preview { display: none; }
    """

    def __init__(
        self,
        games: Sequence[Game],
        choose: Callable[[Game, Opening], object],
        lazy_library: LazyLibrary,
        look: Look,
    ) -> None:
        """Lists what was played.

        Args:
            games: those that are listed.
            choose: told of the opening that was chosen.
            lazy_library: holds the games.
            look: how it is drawn.
        """
        super().__init__()
        self._games, self._choose, self._lazy_library, self._look = tuple(games), choose, lazy_library, look
        self._items: list[Item] = []
        self._is_read = False
        self._game: Game | None = None  # the filters
        self._end, self._time = "Any end", "Any time"
        self._removed: list[tuple[Item, Path | None]] = []  # with the present path of a file
        self.keys = KEYS

    def spell(self, text: str) -> str:
        """The text with names of keys for ids in braces, in characters that this terminal can show."""
        return self._look.glyphs.plain(with_key_names(text, key_names(self, self.keys)))

    def compose(self) -> ComposeResult:
        """Yields title, search line, filters, list, preview and footer."""
        with Horizontal(id="header"):
            yield Static("Games and recordings", id="title")
            yield Static("reading ...", id="count")
        yield PasteInput(placeholder="type to search")
        yield KeyBar([], id="filters")
        with Horizontal(id="games"):
            yield GameList()
            with Vertical(id="preview"):
                yield Static(id="preview-text")
                yield MapView(frame=self._look.glyphs.frame, ways=self._look.glyphs.pointers)
        yield KeyBar([], id="footer")

    def on_mount(self) -> None:
        """Shows the keys; the list follows once it is read."""
        self.query_one(Input).focus()
        self.settings_changed()
        self._forget_removed()  # of a screen that was ended from outside

    def settings_changed(self) -> None:
        """Shows keys by their names as they are bound now."""
        keys = {key.id: key for key in as_bound(self, KEYS)}
        footer = footer_of(keys.values())
        self.query_one("#footer", KeyBar).show([(self.spell(key.shown), key.label, key.action) for key in footer])
        values = {"game": self._game.title if self._game else "All games", "end": self._end, "time": self._time}
        named = [(keys[f"games.{name}"], label) for name, label in values.items()]
        self.query_one("#filters", KeyBar).show([(self.spell(key.shown), label, key.action) for key, label in named])

    def on_screen_resume(self) -> None:
        """Reads the list anew: a game may have been played, here or elsewhere."""
        self._read()

    def on_unmount(self) -> None:
        """Removes for good the recordings that were removed."""
        self._forget_removed(ours=True)

    def _forget_removed(self, ours: bool = False) -> None:
        try:
            recordings.forget_removed(ours)
        except OSError as error:
            self._tell(ValueError(f"a removed recording can't be deleted: {reason(error)}"))

    @work(exclusive=True, group="reading")
    async def _read(self, same: Item | None = None) -> None:
        try:
            found = await in_background(self._find)
        except ValueError as error:
            self._tell(error)
            return
        self._items, self._is_read = found, True
        self._show(same or self.query_one(GameList).highlighted)

    def _find(self) -> list[Item]:
        try:
            return items(self._lazy_library.get(), self._games)
        except LibraryError as error:
            raise ValueError(str(error)) from None

    def _show(self, same: Item | None = None) -> None:
        """Lists those that search and filters leave."""
        words = self.query_one(Input).value.lower().split()
        days = _TIMES[self._time]
        since = "" if days is None else str(date.today() - timedelta(days=days))
        standings = _ENDS[self._end]
        shown = [
            item
            for item in self._items
            if (self._game is None or item.game is self._game)
            and (item.is_like(standings) if standings else isinstance(item.source, Saved))
            and item.when >= since
            and all(word in item.words for word in words)
        ]
        count = f"{len(shown):,} of {len(self._items):,}" if len(shown) < len(self._items) else f"{len(shown):,}"
        self.query_one("#count", Static).update(count)
        self.query_one(GameList).show(shown, same)

    def _tell(self, error: Exception) -> None:
        self.app.clear_notifications()
        self.notify(sentence(str(error)), severity="error", markup=False)

    def _say(self, text: str, title: str = "") -> None:
        self.app.clear_notifications()
        self.notify(text, title=title, timeout=10, markup=False)

    # -- choosing

    @on(Input.Changed)
    def _searched(self) -> None:
        if self._is_read:
            self._show(self.query_one(GameList).highlighted)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_open(False)

    @on(GameList.Chosen)
    def _chosen(self) -> None:
        self.action_open(False)

    def action_move(self, places: int) -> None:
        """Highlights another game."""
        self.query_one(GameList).move(places)

    def action_turn_page(self, pages: int) -> None:
        """Highlights a game a page further."""
        games = self.query_one(GameList)
        games.move(pages * games.page)

    def action_open(self, at_start: bool) -> None:
        """Opens the highlighted game where it stands, or at its start as a replay."""
        item = self.query_one(GameList).highlighted
        if item is None:
            return
        if item.game is None:
            self._tell(ValueError(_fault(item)))
        else:
            self._choose(item.game, opening(item, self._library, at_start))

    @property
    def _library(self) -> Library | None:
        return self._lazy_library.get()

    def action_filter(self, what: str) -> None:
        """Goes to the next value of a filter."""
        if what == "game":
            around = (None, *self._games)
            self._game = around[(around.index(self._game) + 1) % len(around)]
        elif what == "end":
            self._end = _after(self._end, list(_ENDS))
        else:
            self._time = _after(self._time, list(_TIMES))
        self.settings_changed()
        self._show(self.query_one(GameList).highlighted)

    def action_back(self) -> None:
        """Drops search and filters; where there are none, closes the screen."""
        search = self.query_one(Input)
        if not search.value and (self._game, self._end, self._time) == (None, "Any end", "Any time"):
            self.dismiss()
            return
        search.value = ""
        self._game, self._end, self._time = None, "Any end", "Any time"
        self.settings_changed()
        self._show(self.query_one(GameList).highlighted)

    def action_help(self) -> None:
        """Opens the help page."""
        keys = as_bound(self, KEYS)
        self.app.push_screen(HelpScreen("Games and recordings", _HELP, (), keys, self._look.glyphs))

    # -- the preview

    @on(GameList.Highlighted)
    def _highlighted(self, message: GameList.Highlighted) -> None:
        self._preview(message.item)

    def on_resize(self) -> None:
        """Shows the preview again, folded to the new width."""
        self.call_after_refresh(lambda: self._preview(self.query_one(GameList).highlighted))

    @work(exclusive=True, group="preview")
    async def _preview(self, item: Item | None) -> None:
        text, shown = self.query_one("#preview-text", Static), self.query_one(MapView)
        width = text.content_size.width
        shown.display = False
        if item is None:
            none = "Nothing was played yet." if not self._items else "Nothing matches."
            text.update(none if self._is_read else "")
            return
        head = [Content.styled("\n".join(wrap(item.title, max(10, width))), "bold"), "\n", *_about(item, width)]
        text.update(Content.assemble(*head))
        if item.game is None or width < 1:
            return
        await asyncio.sleep(A_MOMENT)
        trouble = ""
        try:
            drawn = await in_background(position, item, self._library, self._look.glyphs)
        except ValueError as error:
            drawn, trouble = None, str(error)
        if drawn is not None and shown.is_attached:
            trouble = drawn.trouble
            shown.display = True
            shown.draw_sprites(self._look.has_sprites)
            drawn.show_on(shown)
        if trouble:
            folded = "\n".join(wrap(trouble, max(10, width)))
            text.update(Content.assemble(*head, "\n", Content.styled(folded, "$foe")))

    # -- changing

    @work
    async def action_rename(self) -> None:
        """Asks for another title of the highlighted game, and keeps that."""
        item = self.query_one(GameList).highlighted
        if item is None or item.game is None:
            return
        title = await self.app.push_screen_wait(LineDialog("Another title", "", typed=item.title))
        if title is None or title == item.title:
            return
        source, library = item.source, self._library
        try:
            if isinstance(source, Saved):
                await in_background(_retitle, source.path, title)
            elif library is not None:
                library.change(source.id, title=title)
        except (ValueError, LibraryError) as error:
            self._tell(error)
        self._read(item)

    def action_remove(self) -> None:
        """Takes the highlighted game off the list; of a recording the file is removed once this screen is left."""
        item, library, path = self.query_one(GameList).highlighted, self._library, None
        if item is None:
            return
        try:
            if isinstance(item.source, Saved):
                path = recordings.remove(item.source.path)
            elif library is not None:
                library.remove(item.source.id)
        except (OSError, LibraryError) as error:
            self._tell(ValueError(f"can't be removed: {reason(error)}"))
            return
        self._removed.append((item, path))
        self._items = [each for each in self._items if each != item]
        self._show()
        self._say(self.spell(f"{item.title}: removed. {{games.restore}} brings it back."))

    def action_restore(self) -> None:
        """Brings back what was removed last."""
        if not self._removed:
            return
        item, path = self._removed[-1]
        try:
            if isinstance(item.source, KeptGame):
                if self._library is not None:
                    self._library.restore(item.source.id)
            elif path is not None:
                path.rename(item.source.path)
        except (OSError, LibraryError) as error:
            self._tell(ValueError(f"can't be brought back: {reason(error)}"))
            return
        self._removed.pop()
        self._read(item)

    # -- exporting

    @work
    async def action_export(self) -> None:
        """Asks in which form, and writes the highlighted game to a file of the folder of exports."""
        item = self.query_one(GameList).highlighted
        if item is None or item.game is None:
            return
        answers = [
            Answer("r", "Recording", "recording"),
            Answer("a", "Asciicast", "asciicast"),
            Answer("s", "SVG of a turn", "svg"),
            Answer("t", "Text", "text"),
            Answer("n", "Nothing", ""),
        ]
        text = f"{item.title}, to a file in {printable(str(exports()))}"
        dialog = ChoiceDialog("Export", "\n".join(wrap(text, 60)), answers, glyphs=self._look.glyphs)
        form, ply = await self.app.push_screen_wait(dialog), None
        if form == "svg":
            last = item.source.turns
            question = LineDialog("SVG of a turn", f"The number of the turn, from 0 to {last:,}.", check=_turn(last),
                                  typed=str(last if isinstance(item.source, Saved) else item.source.ply))  # fmt: skip
            typed = await self.app.push_screen_wait(question)
            if typed is None:
                return
            ply = int(typed)
        if not form:
            return
        try:
            path = await in_background(export, item, self._library, form, ply)
        except ValueError as error:
            self._tell(error)
        else:
            self._say(printable(str(path)), "Exported")


def _retitle(path: Path, title: str) -> None:
    try:
        recordings.retitle(path, title)
    except UnwritableError as error:
        raise ValueError(str(error)) from None


def exports() -> Path:
    """The path of the folder of exports; it may not be there yet."""
    return home() / "exports"


def export(item: Item, library: Library | None, form: str, ply: int | None = None) -> Path:
    """Writes a game to a new file of the folder of exports, and returns its path; for a thread.

    Args:
        item: the game.
        library: it is kept there.
        form: "recording", "asciicast", "svg" or "text".
        ply: the turn of an SVG, or the nearest there is; None: the one where the game stands.

    Raises:
        ValueError: it can't be played again, or not be written.
    """
    assert item.game is not None
    view: GameView = item.game.view()(item.game)
    controller, trouble = played(item, library)
    turn = controller.turn if controller.turn.parent is not None else last_of(controller.turn)
    title = f"{item.game.title}: {item.title}"
    if form == "recording":
        ending, text = ".jsonl", recording_text(recording_of(item, library))
    elif form == "asciicast":
        ending, text = ".cast", "".join(asciicast(view, turn.line(), title, TURNS_A_SECOND))
    elif form == "svg":
        line = last_of(controller.turn).line()
        chosen = controller.turn if ply is None else line[max(0, min(ply, len(line) - 1))]
        ending, text = ".svg", svg(view, chosen, f"{title}, turn {chosen.ply:,}")
    else:
        is_kept = isinstance(item.source, KeptGame) and library is not None
        ends = ends_of(library, item.source) if is_kept else []  # type: ignore[arg-type]
        ending, text = ".txt", morgue(view, item, controller, ends, trouble)
    words = re.sub(r"\W+", "-", f"{item.game.name} {item.title} {item.when}".lower()).strip("-")
    try:
        exports().mkdir(parents=True, exist_ok=True)
        return write_new(exports() / f"{words[:80]}{ending}", text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise ValueError(f"can't be written: {reason(error)}") from None


def _about(item: Item, width: int) -> list[Content | str]:
    """Lines on a game for the preview."""
    source = item.source
    if item.game is None:
        return [Content.styled("\n".join(wrap(_fault(item), max(10, width))), "$foe"), "\n"]
    facts = [item.game.title, item.facts]
    if isinstance(source, KeptGame):
        facts.append(f"begun {source.began[:16]}, {duration(source.seconds)}; game {source.id}, {source.key[:8]}")
        if source.arguments:
            facts.append(f"dungeon-tui {source.game} play {printable(source.arguments)}")
    else:
        facts.append(f"a recording: {printable(source.path.name)}")
    return ["\n".join(line for fact in facts for line in wrap(fact, max(10, width))), "\n"]


def _fault(item: Item) -> str:
    assert isinstance(item.source, Saved)
    return f"{printable(str(item.source.path))}: {item.source.error or 'of a game that is not listed here'}"


def _after(value: str, values: Sequence[str]) -> str:
    return values[(values.index(value) + 1) % len(values)]


def _turn(last: int) -> Callable[[str], object]:
    def check(typed: str) -> None:
        if not typed.isdecimal() or int(typed) > last:
            raise ValueError(f"a number from 0 to {counted(last, 'turn')}, please")

    return check
