"""The home screen: the game you left, the day's levels, and a card for each game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Grid, Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.core.words import counted
from dungeon_tui.storage.shelf import Waiting
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.keys import Key, as_bound, footer_of
from dungeon_tui.ui.map import sprites
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.menu.lettering import FIGURES, drawn_name
from dungeon_tui.ui.menu.sources import Look, Sources
from dungeon_tui.ui.widgets.dialogs import LineDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from dungeon_tui.ui.snapshot import Drawn

_HELP = """Choose a game, by its number too; its levels are one step down. Every game is kept: the one that you left
last comes first, and all are under Games and recordings. A game is left for this screen, and in each one ? shows its
rules and keys."""
_CHOOSING, _MORE, _APP = "Choosing", "More", "The app"
KEYS = (
    Key("menu.up", "up,k,w", "↑ w k", "Up", "upwards", _CHOOSING, bound_to="move(0, -1)"),
    Key("menu.down", "down,j,s", "↓ s j", "Down", "downwards", _CHOOSING, bound_to="move(0, 1)"),
    Key("menu.left", "left,h,a", "← a h", "Left", "to the left", _CHOOSING, bound_to="move(-1, 0)"),
    Key("menu.right", "right,l,d", "→ d l", "Right", "to the right", _CHOOSING, bound_to="move(1, 0)"),
    Key("menu.play", "enter", "Enter", "Open", "go on, or open the levels of a game", _CHOOSING,
        footer=1, bound_to="choose"),
    Key("menu.find", "slash", "/", "Find", "find a level of any game", _CHOOSING, footer=2, bound_to="find"),
    Key("menu.open", "o", "o", "Code", "open a code that somebody sent", _CHOOSING, footer=8, bound_to="open_code"),
    Key("menu.games", "g", "g", "Games", "all games and recordings", _MORE, footer=3, bound_to="app.games"),
    Key("menu.statistics", "t", "t", "Statistics", "numbers of all games, days in a row, a calendar", _MORE,
        footer=4, bound_to="app.statistics"),
    Key("menu.settings", "comma", ",", "Settings", "colours, keys and more; all is kept", _APP,
        footer=5, bound_to="app.settings"),
    Key("menu.help", "question_mark", "?", "Help", "this page", _APP, footer=6, bound_to="help"),
    Key("menu.close", "escape", "Esc", "Close", "close a message", _APP, bound_to="close_messages"),
    Key("menu.palette", "ctrl+p", "ctrl+p", "Commands", "themes, and other commands", _APP,
        footer=9, bound_to="app.command_palette"),
    Key("menu.leave", "q", "q", "Leave", "leave the app; ctrl+q and ctrl+c do so everywhere", _APP,
        footer=7, bound_to="app.quit"),
)  # fmt: skip


class Tile(Static, can_focus=True):
    """A line that can be chosen."""

    def __init__(self, **options: str | None) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.chosen: Callable[[], object] | None = None

    def on_click(self) -> None:
        """Chooses it."""
        self.post_message(Chosen(self))


class Card(Vertical, can_focus=True):
    """A game: its name and what was reached in it, a live miniature, and what it is about."""

    def __init__(self, number: int, game: Game, look: Look) -> None:
        super().__init__()
        self.game, self._number = game, number
        self._progress = Static(classes="progress")
        self.map = MapView(frame=" " * 6, ways="")

    def compose(self) -> ComposeResult:
        """Yields heading, map and summary."""
        with Horizontal(classes="heading"):
            yield Static(f"{self._number} {self.game.title}", classes="title")
            yield self._progress
        yield self.map
        yield Static(self.game.summary, classes="summary")

    def tell(self, progress: Content) -> None:
        """Shows what was reached."""
        self._progress.update(progress)

    def draw(self, drawn: Drawn, look: Look) -> None:
        """Shows its miniature."""
        self.map.draw_sprites(look.has_sprites)
        drawn.show_on(self.map)

    def on_click(self) -> None:
        """Chooses it."""
        self.post_message(Chosen(self))


class Chosen(Message):
    """A tile or card was clicked."""

    def __init__(self, what: Tile | Card) -> None:
        super().__init__()
        self.what = what


class HomeScreen(Screen[None]):
    """Choose a game."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (22, "-high")]
    BINDINGS = [key.binding() for key in KEYS]

    def __init__(
        self,
        games: Sequence[Game],
        sources: Sources,
        levels: Callable[[Game | date | None], object],
        look: Look,
    ) -> None:
        """Lists what there is to play.

        Args:
            games: the games it offers.
            sources: answer what it asks.
            levels: opens the list of a game's levels, of a day's, or of all.
            look: how it is drawn.
        """
        super().__init__()
        self._games, self._sources, self._levels, self._look = tuple(games), sources, levels, look
        self._waiting: Waiting | None = None
        self._was_told = False  # of a game that was cut short
        self._day = date.today()
        self._lettering, self._figures, self._progress = Static(id="name"), Static(id="figures"), Static(id="progress")
        self._continue, self._daily = Tile(id="continue"), Tile(id="daily")
        self._cards = [Card(number, game, look) for number, game in enumerate(games, 1)]
        self._key_bar = KeyBar([])

    def compose(self) -> ComposeResult:
        """Yields name, tiles, cards and footer."""
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
        """Shows the cards at once; what is on them is read in a thread."""
        self._continue.chosen = self._go_on
        self._daily.chosen = lambda: self._levels(self._day)
        self._write_name()
        self._tell_day({}, 0)
        self._cards[0].focus()
        self.settings_changed()
        self.call_after_refresh(self._draw_cards)  # behind the first frame

    def settings_changed(self) -> None:
        """Shows keys by their names as they are bound now."""
        keys = footer_of(as_bound(self, KEYS))
        shown = [(self._look.glyphs.plain(key.shown), key.label, key.action) for key in keys]
        self._key_bar.show(shown)

    def draw_with(self, look: Look) -> None:
        """Draws in another manner from now on."""
        self._look = look
        self._write_name()
        self._draw_cards()

    def show_progress(self, text: str) -> None:
        """Shows the progress of work behind the menu; empty: none."""
        self._progress.update(Content(text))

    def on_resize(self) -> None:
        """Writes the name as large as there is room for."""
        self.call_after_refresh(self._write_name)

    def notify_style_update(self) -> None:
        """Draws the figures in the colours of another theme."""
        super().notify_style_update()
        if self.is_mounted:
            self._write_name()

    def on_screen_resume(self) -> None:
        """Shows what waits and what was reached, which may be other than before."""
        self._day = date.today()
        self._look_for_waiting()
        self._read_records()

    def on_screen_suspend(self) -> None:
        """Leaves no message to the screens that follow."""
        self.app.clear_notifications()

    def _write_name(self) -> None:
        is_drawn = not self._look.glyphs.is_ascii and not self.app.no_color and not self.has_class("-low", "-narrow")
        self._lettering.update(drawn_name() if is_drawn else Content("dungeon_tui"))
        figures = sprites.picture(FIGURES, self.app.theme_variables, "map-back") if is_drawn else ""
        self._figures.update(figures)

    # -- what is shown

    @work(exclusive=True, group="cards")
    async def _draw_cards(self) -> None:
        await asyncio.gather(*map(self._draw_card, self._cards))  # one may have to wait for the compiler

    async def _draw_card(self, card: Card) -> None:
        with suppress(ValueError):  # its list of levels says why
            drawn = await in_background(self._face, card.game)
            if drawn is not None and card.is_mounted:
                card.draw(drawn, self._look)

    def _face(self, game: Game) -> Drawn | None:
        return self._sources.beginning(game, game.levels().openings()[0], self._look.glyphs)

    @work(exclusive=True, group="waiting")
    async def _look_for_waiting(self) -> None:
        self._waiting = waiting = await self._sources.waiting()
        tile, is_first, self._was_told = self._continue, not self._was_told, True
        tile.display = waiting is not None
        if waiting is None:
            if tile.has_focus:
                self._cards[0].focus()
            return
        tile.update(_continue_line(waiting))
        if is_first:
            tile.focus()
        if is_first and waiting.was_interrupted:
            item = waiting.item
            text = f"{item.title} was cut short at {item.state}. Enter goes on from there."
            self.notify(text, timeout=15, markup=False)

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
                star = Content.styled(f" {sum(stars)}{self._look.glyphs.star}" if stars else "", "$prize")
                card.tell(Content.assemble(f"{len(stars)} of {len(reached)}", star))

    def _tell_day(self, won: dict[str, bool], streak: int) -> None:
        """Shows the day's levels, each with a mark: won, lost, or not tried."""
        glyphs, parts = self._look.glyphs, [f"Daily {self._day}"]
        marks = {
            None: Content(glyphs.bullet), True: Content.styled(glyphs.star, "$prize"),
            False: Content.styled(glyphs.cross, "$foe"),
        }  # fmt: skip
        line: list[Content | str] = [*parts]
        for game in self._games:
            line += ["  ", marks[won.get(game.name)], f" {game.title}"]
        if streak:
            line += [Content.styled(f"  {counted(streak, 'day')} in a row", "$prize")]
        self._daily.update(Content.assemble(*line))

    def _go_on(self) -> None:
        if self._waiting is not None and self._waiting.item.game is not None:
            self._sources.choose(self._waiting.item.game, self._waiting.opening)

    # -- choosing

    def action_move(self, cols: int, rows: int) -> None:
        """Goes to the tile or card beside the present one."""
        places: list[Widget] = [self._daily, *self._cards]
        places += [self._continue] if self._continue.display else []
        here = self.focused if self.focused in places else places[0]
        x, y = here.region.center

        def distance(other: Widget) -> float:
            other_x, other_y = other.region.center
            along, across = (other_x - x) * cols + (other_y - y) * rows, abs(other_x - x) * rows**2
            lies_there = along > 0 and (rows or abs(other_y - y) < 1)
            return along * 1000 + across if lies_there else float("inf")

        best = min(places, key=distance)
        if distance(best) < float("inf"):
            best.focus()

    def action_choose(self) -> None:
        """Opens what is highlighted."""
        if isinstance(self.focused, (Tile, Card)):
            self._open(self.focused)

    def on_key(self, event: events.Key) -> None:
        """Opens a card by its number."""
        if event.key.isdecimal() and 1 <= int(event.key) <= len(self._cards):
            card = self._cards[int(event.key) - 1]
            card.focus()
            self._open(card)

    @on(Chosen)
    def _clicked(self, event: Chosen) -> None:
        self._open(event.what)

    def _open(self, what: Tile | Card) -> None:
        if isinstance(what, Card):
            self._levels(what.game)
        elif what.chosen is not None:
            what.chosen()

    def action_find(self) -> None:
        """Opens the list of all levels, to be searched."""
        self._levels(None)

    def action_close_messages(self) -> None:
        """Closes the notifications on the screen."""
        self.app.clear_notifications()

    def action_help(self) -> None:
        """Opens the help page: the games, and the keys of this screen."""
        games = "\n".join(f"  {game.title}: {game.summary}" for game in self._games)
        page = HelpScreen("dungeon_tui", f"{_HELP}\n\n{games}", (), as_bound(self, KEYS), self._look.glyphs)
        self.app.push_screen(page)

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
                game, opening = await in_background(self._sources.decoded, code)
            except ValueError as error:
                typed, trouble = code, str(error)
            else:
                self._sources.choose(game, opening)
                return
            finally:
                self.show_progress("")

    def mark(self, game: Game, arguments: str) -> None:
        """Highlights the card of a game."""
        next(card for card in self._cards if card.game is game).focus()

    def refuse(self, opening: Opening, trouble: str) -> None:
        """Says why an opening can't be played."""
        self.notify(trouble, title="This can't be played", severity="error", markup=False)


def _openings(game: Game) -> list[Opening]:
    return game.levels().openings()


def _continue_line(waiting: Waiting) -> Content:
    """The game that waits: its title, which game, turn and when it was played."""
    item = waiting.item
    how = "cut short at " if waiting.was_interrupted else ""
    game = f"{item.game.title}, " if item.game is not None and item.game.title != item.title else ""
    facts = f"  {game}{how}{item.state}, {item.when}"
    return Content.assemble(Content.styled(f"Continue: {item.title}", "bold"), Content.styled(facts, "dim"))
