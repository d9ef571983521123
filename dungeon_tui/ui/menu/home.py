"""The home screen: the game you left, the daily levels, and a card for each game."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from functools import partial

from textual import events, work
from textual.app import ComposeResult
from textual.command import DiscoveryHit, Hit, Hits
from textual.containers import Grid, Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.storage.shelf import Item
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import Look
from dungeon_tui.ui.keys import Key, KeyCommands, KeyScreen, as_bound, footer
from dungeon_tui.ui.map import sprites
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.menu.sources import Sources
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.widgets.dialogs import LineDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.key_bar import KeyBar

_HELP = """Choose a game with the arrows or by its number; Enter opens its levels. 0 opens the daily levels. Games
are saved automatically: continue the last one here, or any other under Games. In a game, ? shows its rules and keys."""
_CHOOSE = "Choose a game: press its number, or the arrows and Enter."
_NAME = (
    " ▄▄█ ▄  ▄ ▄▄▄   ▄▄▄  ▄▄   ▄▄  ▄▄▄       ▄█▄  ▄  ▄ ▀",
    "█  █ █  █ █  █ █  █ █▀▄█ █  █ █  █       █   █  █ █",
    " ▀▀▀  ▀▀▀ ▀  ▀  ██▀  ▀▀   ▀▀  ▀  ▀ ▄▄▄▄   ▀▀  ▀▀▀ ▀",
)
_FIRST = 35  # columns of the first word
_FIGURES = ("monster", Meaning.FOE), ("hero", Meaning.YOU), ("treasure", Meaning.PRIZE)  # sprites beside the name
_CHOOSING, _MORE, _APP = "Choosing", "More", "The app"
KEYS = (
    Key("menu.up", "up,w,k", "Up", "up", _CHOOSING, bound_to="move(0, -1)"),
    Key("menu.down", "down,s,j", "Down", "down", _CHOOSING, bound_to="move(0, 1)"),
    Key("menu.left", "left,a,h", "Left", "left", _CHOOSING, bound_to="move(-1, 0)"),
    Key("menu.right", "right,d,l", "Right", "right", _CHOOSING, bound_to="move(1, 0)"),
    Key("menu.play", "enter", "Open", "continue the game, or open the levels of a game", _CHOOSING,
        footer=1, bound_to="choose"),
    Key("menu.find", "slash", "Find", "find a level of any game", _CHOOSING, footer=2, bound_to="find"),
    Key("menu.open", "o", "Open code", "open a share code", _CHOOSING, footer=8, bound_to="open_code"),
    Key("menu.games", "g", "Saved games", "all saved games", _MORE, footer=3, bound_to="app.games"),
    Key("menu.statistics", "t", "Statistics", "numbers of all games, days in a row, a calendar", _MORE,
        footer=4, bound_to="statistics"),
    Key("menu.settings", "comma", "Settings", "colours, keys and more", _APP,
        footer=5, bound_to="app.settings"),
    Key("menu.help", "question_mark", "Help", "this page", _APP, footer=6, bound_to="help"),
    Key("menu.close", "escape", "Close", "close a message", _APP, bound_to="close_messages"),
    Key("menu.palette", "ctrl+p", "Commands", "themes, and other commands", _APP,
        footer=9, bound_to="app.command_palette"),
    Key("menu.leave", "q", "Leave", "leave the app; ctrl+q and ctrl+c do so everywhere", _APP,
        footer=7, bound_to="app.quit"),
)  # fmt: skip


class Tile(Static, can_focus=True):
    """A line to choose."""

    chosen: Callable[[], object]

    def on_click(self) -> None:
        self.chosen()


class Card(Vertical, can_focus=True):
    """A game: its name, your progress, a miniature and a summary."""

    def __init__(self, number: int, game: Game, chosen: Callable[[], object]) -> None:
        super().__init__()
        self.game, self.chosen, self._number = game, chosen, number
        self.progress = Static(classes="progress")
        self.map = MapView(frame=" " * 6, ways="", is_preview=True)

    def compose(self) -> ComposeResult:
        with Horizontal(classes="heading"):
            yield Static(f"{self._number} {self.game.title}", classes="title")
            yield self.progress
        yield self.map
        yield Static(self.game.summary, classes="summary")

    def on_click(self) -> None:
        self.chosen()


class HomeCommands(KeyCommands):
    """Offers the daily levels, the games and the menu's commands in the palette, and finds levels by name."""

    async def startup(self) -> None:
        self._levels = dict[str, Callable[[], object]]()
        if isinstance(self.screen, HomeScreen):
            self._levels = await in_background(self.screen.named_levels)

    async def discover(self) -> Hits:
        if isinstance(self.screen, HomeScreen):
            for name, choose in self.screen.lists():
                yield DiscoveryHit(name, choose)
        async for hit in super().discover():
            yield hit

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        if isinstance(self.screen, HomeScreen):
            for name, choose in (*self.screen.lists(), *self._levels.items()):
                if (score := matcher.match(name)) > 0:
                    yield Hit(score, matcher.highlight(name), choose)
        async for hit in super().search(query):
            yield hit


class HomeScreen(KeyScreen[None]):
    """Choose a game."""

    COMMANDS = {HomeCommands}
    keys = tuple(key for key in KEYS if not key.bound_to.startswith(("move", "choose", "close", "app.command")))
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (22, "-high")]
    BINDINGS = [key.binding() for key in KEYS]

    def __init__(
        self, games: Sequence[Game], sources: Sources, levels: Callable[[Game | date | None], object], look: Look
    ) -> None:
        super().__init__()
        self._games, self._sources, self._levels, self._look = tuple(games), sources, levels, look
        self.glyphs = look.glyphs
        self._waiting: tuple[Item, Opening] | None = None
        self._has_shown_waiting = False
        self._day = date.today()
        self._lettering, self._figures, self._progress = Static(id="name"), Static(id="figures"), Static(id="progress")
        self._continue, self._daily = Tile(id="continue"), Tile(id="daily")
        self._cards = [Card(number, game, partial(levels, game)) for number, game in enumerate(games, 1)]
        self._key_bar = KeyBar([])

    def compose(self) -> ComposeResult:
        with Horizontal(id="header"):
            yield self._lettering
            yield self._figures
        yield self._continue
        yield self._daily
        yield self._progress
        with Grid(id="cards"):
            yield from self._cards
        yield self._key_bar

    def on_mount(self) -> None:
        self._continue.chosen = self._go_on
        self._daily.chosen = lambda: self._levels(self._day)
        self._write_name()
        self._tell_day({}, 0)
        self.show_progress("")
        self._cards[0].focus()
        self.settings_changed()
        self.call_after_refresh(self._draw_cards)  # behind the first frame

    def settings_changed(self) -> None:
        self._key_bar.show(footer(self, KEYS, self.glyphs.plain))

    def draw_with(self, look: Look) -> None:
        self._look, self.glyphs = look, look.glyphs
        self._write_name()
        self._draw_cards()

    def show_progress(self, text: str) -> None:
        self._progress.update(Content(text or _CHOOSE))

    def on_resize(self) -> None:
        self.call_after_refresh(self._write_name)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        if self.is_mounted:
            self._write_name()

    def on_screen_resume(self) -> None:
        self._day = date.today()
        self._look_for_waiting()
        self._read_records()

    def on_screen_suspend(self) -> None:
        self.app.clear_notifications()

    def _write_name(self) -> None:
        is_drawn = not self.glyphs.is_ascii and not self.app.no_color and not self.has_class("-low", "-narrow")
        self._lettering.update(_drawn_name() if is_drawn else Content("dungeon_tui"))
        figures = sprites.picture(_FIGURES, self.app.theme_variables, "map-back") if is_drawn else ""
        self._figures.update(figures)

    # -- content

    @work(exclusive=True, group="cards")
    async def _draw_cards(self) -> None:
        await asyncio.gather(*map(self._draw_card, self._cards))  # some wait for the compiler

    async def _draw_card(self, card: Card) -> None:
        with suppress(ValueError):  # its list of levels says why
            shown = await in_background(_on_card, card.game)
            drawn = await in_background(self._sources.beginning, card.game, shown, self.glyphs, card.map.size)
            if drawn is not None and card.is_mounted:
                card.map.draw_sprites(self._look.has_sprites)
                drawn.show_on(card.map, is_card=True)

    @work(exclusive=True, group="waiting")
    async def _look_for_waiting(self) -> None:
        self._waiting = waiting = await self._sources.waiting()
        tile, is_first, self._has_shown_waiting = self._continue, not self._has_shown_waiting, True
        tile.display = waiting is not None
        if waiting is None:
            if tile.has_focus:
                self._cards[0].focus()
            return
        item, _ = waiting
        tile.update(_continue_line(item))
        if is_first:
            tile.focus()

    @work(exclusive=True, group="records")
    async def _read_records(self) -> None:
        records = await in_background(self._sources.records)
        results, streak = await in_background(self._sources.day, self._day)
        if not self.is_attached:
            return
        marks = {name: result.is_won for name, result in results.items()}
        self._tell_day(marks, streak)
        for card in self._cards:
            openings = await in_background(_openings, card.game)
            reached = [records.get((card.game.name, opening.arguments)) for opening in openings if opening.arguments]
            stars = [record.stars for record in reached if record is not None and record.stars]
            if reached:
                star = f" {sum(stars)}{self.glyphs.star}" if stars else ""
                card.progress.update(Content(f"{len(stars)}/{len(reached)}{star}"))

    def _tell_day(self, won: dict[str, bool], streak: int) -> None:
        """Shows how many of the day's levels are won."""
        facts = f"  {sum(won.values())} of {len(self._games)} won" if won else f"  a new one for each game, {self._day}"
        series = Content.styled(f"  {counted(streak, 'day')} in a row", "$prize") if streak else ""
        self._daily.update(Content.assemble(("0 Daily levels", "bold"), (facts, "dim"), series))

    def lists(self) -> Sequence[tuple[str, Callable[[], object]]]:
        games = [(f"{game.title}: {game.summary}", partial(self._levels, game)) for game in self._games]
        return [(f"Daily levels of {self._day}", partial(self._levels, self._day)), *games]

    def named_levels(self) -> dict[str, Callable[[], object]]:
        """A function that opens each shipped level, by game and title; reads files."""
        return {
            f"{game.title}: {opening.title}": partial(self._sources.choose, game, opening)
            for game in self._games
            for opening in game.levels().openings()
        }

    def _go_on(self) -> None:
        if self._waiting is not None:
            item, opening = self._waiting
            self._sources.choose(item.game, opening)

    # -- choosing

    def action_move(self, cols: int, rows: int) -> None:
        cards: list[Widget] = [self._daily, *self._cards]
        cards += [self._continue] if self._continue.display else []
        here = self.focused if self.focused in cards else cards[0]
        x, y = here.region.center

        def distance(other: Widget) -> float:
            other_x, other_y = other.region.center
            along, across = (other_x - x) * cols + (other_y - y) * rows, abs(other_x - x) * rows**2
            lies_there = along > 0 and (rows or abs(other_y - y) < 1)
            return along * 1000 + across if lies_there else float("inf")

        best = min(cards, key=distance)
        if distance(best) < float("inf"):
            best.focus()

    def action_choose(self) -> None:
        if isinstance(self.focused, (Tile, Card)):
            self.focused.chosen()

    def on_key(self, event: events.Key) -> None:
        if event.key == "0":
            self._daily.chosen()
        elif event.key.isdecimal() and 1 <= int(event.key) <= len(self._cards):
            card = self._cards[int(event.key) - 1]
            card.focus()
            card.chosen()

    @work(exclusive=True, group="statistics")
    async def action_statistics(self) -> None:
        try:
            make_screen = await in_background(self._sources.statistics_screen, self.glyphs)
        except ValueError as error:
            self.notify(sentence(str(error)), severity="error", markup=False)
            return
        if self.is_current:
            self.app.push_screen(make_screen())

    def action_find(self) -> None:
        self._levels(None)

    def action_close_messages(self) -> None:
        self.app.clear_notifications()

    def action_help(self) -> None:
        games = "\n".join(f"  {game.title}: {game.summary}" for game in self._games)
        page = HelpScreen("dungeon_tui", f"{_HELP}\n\n{games}", (), as_bound(self, KEYS), self.glyphs)
        self.app.push_screen(page)

    @work
    async def action_open_code(self) -> None:
        typed, trouble = "", ""
        text = "Type or paste a code: up to 80 letters and digits that hold a level and the moves. Capitals matter."
        while code := await self.app.push_screen_wait(LineDialog("Open a code", text, typed=typed, trouble=trouble)):
            self.show_progress("Reading the code ...")
            try:
                game, opening = await in_background(self._sources.decoded, code)
            except ValueError as error:
                typed, trouble = code, str(error)
            else:
                self._sources.choose(game, opening)
                return
            finally:
                self.show_progress("")

    def mark(self, game: Game, arguments: str) -> None:
        next(card for card in self._cards if card.game is game).focus()

    def refuse(self, opening: Opening, trouble: str) -> None:
        self.notify(trouble, title="This can't be played", severity="error", markup=False)


def _drawn_name() -> Content:
    lines = [Content.assemble((line[:_FIRST], "$you"), (line[_FIRST:], "$prize")) for line in _NAME]
    return Content("\n").join(lines)


def _openings(game: Game) -> list[Opening]:
    return game.levels().openings()


def _on_card(game: Game) -> Opening:
    return game.levels().named(game.on_card) if game.on_card else _openings(game)[0]


def _continue_line(item: Item) -> Content:
    how = "interrupted at " if item.stored.was_interrupted else ""
    game = f"{item.game.title}, " if item.game.title != item.title else ""
    facts = f"  {game}{how}{item.state}, {item.when}"
    return Content.assemble(Content.styled(f"Continue: {item.title}", "bold"), Content.styled(facts, "dim"))
