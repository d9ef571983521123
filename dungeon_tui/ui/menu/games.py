"""The saved games: find, continue, replay, rename, remove and export them."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import duration, sentence
from dungeon_tui.storage import recordings
from dungeon_tui.storage.library import LazyLibrary, Library, LibraryError
from dungeon_tui.storage.results import record, results
from dungeon_tui.storage.shelf import Item, items, opening, recording_of
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import Look
from dungeon_tui.ui.keys import Key, KeyCommands, KeyScreen, as_bound, footer, list_keys
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.menu.game_list import GameOption
from dungeon_tui.ui.menu.levels import reached_text
from dungeon_tui.ui.menu.sources import PREVIEW_DELAY_S
from dungeon_tui.ui.snapshot import position
from dungeon_tui.ui.widgets.dialogs import LineDialog, SearchInput
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.key_bar import KeyBar

_HELP = (
    "Type to search: every word must be in the date, game, title, end or players.\n"
    "A game opens at its current turn. From the start, it is a replay; making a move takes over."
)
_CHOOSING, _CHANGING = "Choosing", "Changing"
KEYS = (
    Key("games.open", "enter", "Open", "continue the game", _CHOOSING, 1, "open(False)"),
    Key("games.start", "ctrl+r", "Replay", "replay it from the start", _CHOOSING, 3, "open(True)"),
    *list_keys("games", _CHOOSING),
    Key("games.rename", "f2", "Rename", "change the title", _CHANGING, 5, "rename"),
    Key("games.remove", "delete", "Remove", "remove it from the list", _CHANGING, 7, "remove"),
    Key("games.restore", "ctrl+z", "Restore", "bring back the last removed game, until you leave",
        _CHANGING, bound_to="restore"),
    Key("games.export", "ctrl+e", "Export", "write it to a file as a recording", _CHANGING, 4, "export"),
    Key("games.help", "question_mark,f1", "Help", "this page", _CHOOSING, 6, "help", shown="?"),
    Key("games.leave", "escape", "Back", "clear the search, then go back", _CHOOSING, 2, "back"),
)  # fmt: skip


class GamesScreen(KeyScreen[None]):
    """The list of all games, with a preview."""

    COMMANDS = {KeyCommands}
    keys = KEYS
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide")]
    BINDINGS = [replace(key.binding(), priority=True) for key in KEYS if key.id != "games.open"]

    def __init__(
        self, games: Sequence[Game], choose: Callable[[Game, Opening], object], lazy_library: LazyLibrary, look: Look
    ) -> None:
        super().__init__()
        self._choose, self._lazy_library, self._look, self.glyphs = choose, lazy_library, look, look.glyphs
        self._games = tuple(games)
        self._items: list[Item] = []
        self._is_read = False
        self._removed: list[Item] = []
        self._list = OptionList()
        self._list.can_focus = False

    def compose(self) -> ComposeResult:
        with Horizontal(id="header"):
            yield Static("Games", id="title")
            yield Static("reading ...", id="count")
        yield SearchInput(placeholder="type to search")
        with Horizontal(id="games"):
            yield self._list
            with Vertical(id="preview"):
                yield Static(id="preview-text")
                yield MapView(frame=self.glyphs.frame, ways=self.glyphs.pointers, is_preview=True)
        yield KeyBar([], id="footer")

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self.settings_changed()

    def settings_changed(self) -> None:
        back = "Clear search" if self.query_one(Input).value else "Back"
        self.query_one("#footer", KeyBar).show(footer(self, KEYS, self.glyphs.plain, back=back))

    def on_screen_resume(self) -> None:
        self._read()

    @work(exclusive=True, group="reading")
    async def _read(self, same: Item | None = None) -> None:
        try:
            found = await in_background(lambda: items(self._library, self._games))
        except ValueError as error:
            self._tell(str(error))
            found = []
        self._items, self._is_read = found, True
        self._show(same or self._here)

    def _show(self, same: Item | None = None) -> None:
        words = self.query_one(Input).value.lower().split()
        shown = [item for item in self._items if all(word in item.words for word in words)]
        count = f"{len(shown):,} of {len(self._items):,}" if len(shown) < len(self._items) else f"{len(shown):,}"
        self.query_one("#count", Static).update(count)
        index = self._list.highlighted or 0
        ids = [item.stored.id for item in shown]
        self._list.set_options(map(GameOption, shown))
        self._list.highlighted = ids.index(same.stored.id) if same is not None and same.stored.id in ids else index
        if not shown:
            self._preview(None)

    def _tell(self, error: str) -> None:
        self.app.clear_notifications()
        self.notify(sentence(error), severity="error", markup=False)

    def _say(self, text: str, title: str = "") -> None:
        self.app.clear_notifications()
        self.notify(text, title=title, timeout=10, markup=False)

    # -- choosing

    @on(Input.Changed)
    def _searched(self) -> None:
        self.settings_changed()
        if self._is_read:
            self._show(self._here)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_open(False)

    @on(OptionList.OptionSelected)
    def _chosen(self, message: OptionList.OptionSelected) -> None:
        if isinstance(message.option, GameOption):
            self._open(message.option.item, at_start=False)

    @property
    def _here(self) -> Item | None:
        """The highlighted game."""
        option = self._list.highlighted_option
        return option.item if isinstance(option, GameOption) else None

    async def action_move(self, way: str) -> None:
        await self._list.run_action(way)

    def action_open(self, at_start: bool) -> None:
        item = self._here
        if item is not None:
            self._open(item, at_start)

    def _open(self, item: Item, at_start: bool) -> None:
        self._choose(item.game, opening(item, self._library, at_start))

    @property
    def _library(self) -> Library:
        """The library of the listed games. Raises LibraryError if there is none."""
        if (library := self._lazy_library.get()) is None:
            raise LibraryError(self._lazy_library.trouble)
        return library

    def action_back(self) -> None:
        search = self.query_one(Input)
        if search.value:
            search.value = ""
        else:
            self.dismiss()

    def action_help(self) -> None:
        keys = as_bound(self, KEYS)
        self.app.push_screen(HelpScreen("Games", _HELP, (), keys, self.glyphs))

    # -- the preview

    @on(OptionList.OptionHighlighted)
    def _highlighted(self) -> None:
        self._preview(self._here)

    def on_resize(self) -> None:
        self.call_after_refresh(lambda: self._preview(self._here))

    @work(exclusive=True, group="preview")
    async def _preview(self, item: Item | None) -> None:
        text, shown = self.query_one("#preview-text", Static), self.query_one(MapView)
        shown.visible = False
        if item is None:
            none = "No games played yet." if not self._items else "Nothing matches."
            text.update(none if self._is_read else "")
            return
        head: list[Content | str] = [Content.styled(item.title, "bold"), *_about(item)]
        text.update(Content.assemble(*head))
        if not text.content_size.width:
            return
        await asyncio.sleep(PREVIEW_DELAY_S)
        trouble = ""
        try:
            if found := await in_background(results, self._library, "games.id = ?", item.stored.id):
                head.append(reached_text(record(found), self.glyphs))
                text.update(Content.assemble(*head))
            drawn = await in_background(position, item, self._library, self.glyphs, shown.container_size)
        except ValueError as error:
            drawn, trouble = None, str(error)
        if drawn is not None and shown.is_attached:
            trouble = drawn.trouble
            shown.visible = True
            shown.draw_sprites(self._look.has_sprites)
            drawn.show_on(shown)
        if trouble:
            text.update(Content.assemble(*head, "\n", Content.styled(trouble, "$foe")))

    # -- changing

    @work
    async def action_rename(self) -> None:
        item = self._here
        if item is None:
            return
        title = await self.app.push_screen_wait(LineDialog("Another title", "", typed=item.title))
        if title is None or title == item.title:
            return
        try:
            self._library.change(item.stored.id, title=title)
        except LibraryError as error:
            self._tell(str(error))
        self._read(item)

    def action_remove(self) -> None:
        item = self._here
        if item is None:
            return
        try:
            self._library.remove(item.stored.id)
        except LibraryError as error:
            self._tell(f"can't be removed: {error}")
            return
        self._removed.append(item)
        self._items = [each for each in self._items if each != item]
        self._show()
        self._say(self.spell(f"{item.title}: removed. {{games.restore}} brings it back."))

    def action_restore(self) -> None:
        if not self._removed:
            return
        try:
            self._library.restore(self._removed[-1].stored.id)
        except LibraryError as error:
            self._tell(f"can't be brought back: {error}")
            return
        self._read(self._removed.pop())

    # -- exporting

    @work
    async def action_export(self) -> None:
        item = self._here
        if item is None:
            return
        try:
            path = await in_background(lambda: recordings.write(recording_of(item, self._library)))
        except ValueError as error:
            self._tell(str(error))
        else:
            self._say(printable(str(path)), "Exported")


def _about(item: Item) -> Iterator[str]:
    stored = item.stored
    yield f"\n{item.game.title}\n{item.facts}\n"
    yield f"begun {stored.began[:16]}, open for {duration(stored.seconds)}; game {stored.id}, {stored.key[:8]}\n"
    if stored.arguments:
        yield f"dungeon-tui {stored.game} play {printable(stored.arguments)}\n"
