"""The settings as a list: each changes at once and is kept at once; single keys are rebound by pressing them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import wrap

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from dungeon_tui.core.toml_places import Keys
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.storage.settings import SINGLE, TABLE, Value, values_of, with_value
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.keymap import KeyTable, checked, preset
from dungeon_tui.ui.keys import MOVE_KEYS, Key, KeyCommands, as_bound, footer_of, key_names, shown_key, with_key_names
from dungeon_tui.ui.preferences import Preferences
from dungeon_tui.ui.widgets.key_bar import KeyBar

_TITLE, _SHORT_TITLE, _VALUE = 24, 20, 27  # columns
_ROOMY = 60  # columns from which on there is room for whole titles
_WIDE = 130  # columns from which on a line has room for its help
_LIST, _CHANGING = "The list", "Changing"
KEYS = (
    Key("settings.up", MOVE_KEYS["up"], "↑ w k 8", "Up", "the line before", _LIST, bound_to="move('up')"),
    Key("settings.down", MOVE_KEYS["down"], "↓ s j 2", "Down", "the next line", _LIST, bound_to="move('down')"),
    Key("settings.page-up", "pageup", "PgUp", "Page up", "a page up", _LIST, bound_to="move('page-up')"),
    Key("settings.page-down", "pagedown", "PgDn", "Page down", "a page down", _LIST, bound_to="move('page-down')"),
    Key("settings.first", "home", "Home", "First", "the first line", _LIST, bound_to="move('first')"),
    Key("settings.last", "end", "End", "Last", "the last line", _LIST, bound_to="move('last')"),
    Key("settings.left", MOVE_KEYS["left"], "← a h 4", "Before", "the value before", _CHANGING, 3, "change(-1)"),
    Key("settings.right", MOVE_KEYS["right"], "→ d l 6", "Next", "the next value", _CHANGING, 4, "change(1)"),
    Key("settings.choose", "enter", "Enter", "Change", "the next value; of a key: press another one for it",
        _CHANGING, 1, "choose"),
    Key("settings.add", "plus", "+", "Add a key", "press one more key for a command", _CHANGING, 6, "add"),
    Key("settings.default", "backspace,delete", "⌫", "Default", "back to the default", _CHANGING, 5, "default"),
    Key("settings.leave", "q,escape,comma", "q", "Back", "back to where you were", _LIST, 2, "dismiss"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list."""

    path: Keys  # of the setting
    title: str
    help: str
    key: Key | None = None  # that it rebinds


def rows_of_keys(tables: Sequence[KeyTable], games: int) -> list[tuple[str, list[Row]]]:
    """Headings and rows of all single keys: those of every game first, each id once."""
    titles: dict[str, list[str]] = {}
    for table in tables:
        for key in table.keys:
            titles.setdefault(key.id, []).append(table.title)
    shared = "Keys in every game"
    groups: dict[str, list[Row]] = {shared: []}
    seen: set[str] = set()
    for table in tables:
        for key in table.keys:
            if key.id not in seen:
                seen.add(key.id)
                heading = shared if len(titles[key.id]) >= games else f"Keys: {', '.join(titles[key.id])}"
                groups.setdefault(heading, []).append(Row(("keys", key.id), key.label, key.help or key.label, key))
    return list(groups.items())


class KeyDialog(ModalScreen[str | None]):
    """Waits for a key; its result is the key's name, None if it was left. Says why a key can't be, and waits on."""

    def __init__(self, preferences: Preferences, tables: Sequence[KeyTable], key: Key, before: str = "") -> None:
        """Asks for a key.

        Args:
            preferences: the settings that it is for.
            tables: the keys of all screens, to find those that are taken.
            key: the command's.
            before: keys that it keeps beside the new one.
        """
        super().__init__()
        self._preferences, self._tables, self._key, self._before = preferences, tables, key, before

    def compose(self) -> ComposeResult:
        """Yields the question, and room for what is wrong with a key."""
        with Vertical():
            yield Label(Content(f"{self._key.label} ({self._key.id})"), classes="title")
            yield Label(Content("Press the key. Esc leaves it as it is."))
            yield Label(classes="trouble")

    def on_key(self, event: events.Key) -> None:
        """Takes the key, unless another command of the same screen has it."""
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.dismiss(None)
            return
        name = self._key.id
        keys = ",".join([*filter(None, [self._before]), event.key])
        try:
            settings = with_value(self._preferences.settings, ("keys", name), keys)
            refused = checked(settings, self._tables)[1].get(name)
        except ValueError as error:
            refused = str(error)
        if refused is None:
            self.dismiss(keys)
            return
        trouble = self.query_one(".trouble", Label)
        trouble.update(Content(sentence(refused)))
        trouble.display = True


class SettingsScreen(Screen[None]):
    """The list of all settings."""

    COMMANDS = {KeyCommands}
    VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-high")]
    BINDINGS = [key.binding() for key in KEYS]
    DEFAULT_CSS = """
    SettingsScreen { background: $map-back; }
    SettingsScreen #title { padding: 1 2 0 2; height: 2; text-style: bold; color: $you; }
    SettingsScreen OptionList { height: 1fr; padding: 0 1; }
    SettingsScreen OptionList {
        border: none; background: $map-back; background-tint: transparent 0%;
        & > .option-list--option-highlighted { background: $you; color: $map-back; }
    }
    SettingsScreen #about { height: 5; padding: 0 2; background: $surface; color: $note; }
    SettingsScreen.-low #about { height: 3; }
    """

    def __init__(
        self,
        preferences: Preferences,
        themes: Sequence[str],
        games: int,
        key_tables: Callable[[], Sequence[KeyTable]],
        glyphs: Glyphs,
    ) -> None:
        """Lists the settings.

        Args:
            preferences: the settings, which it changes.
            themes: names of the themes that there are.
            games: how many games there are.
            key_tables: finds the keys of all screens; called in a thread.
            glyphs: spell names of keys.
        """
        super().__init__(id="settings")
        self._preferences, self._themes, self._games, self._glyphs = preferences, tuple(themes), games, glyphs
        self._find_tables = key_tables
        self._tables: Sequence[KeyTable] = ()
        self._rows: dict[str, Row] = {}  # by the ids of options
        self.keys = KEYS

    def spell(self, text: str) -> str:
        """The text with names of keys for ids in braces, in characters that this terminal can show."""
        own = {key.id: key.shown.split()[0] for table in self._tables for key in table.keys}
        return self._glyphs.plain(with_key_names(text, own | key_names(self, self.keys)))

    def compose(self) -> ComposeResult:
        """Yields title, list, the words on the line that is chosen, and the footer."""
        yield Static("Settings", id="title")
        options = OptionList()
        options.can_focus = False  # it would keep keys that change values
        yield options
        yield Static(id="about")
        yield KeyBar([])

    def on_mount(self) -> None:
        """Lists the settings; the keys of all games once they are found."""
        self._fill([])
        self.settings_changed()
        self._list_keys()

    @work
    async def _list_keys(self) -> None:
        self._tables = await in_background(self._find_tables)
        self._fill(rows_of_keys(self._tables, self._games))

    def _fill(self, keys: Sequence[tuple[str, Sequence[Row]]]) -> None:
        options = self.query_one(OptionList)
        place = options.highlighted or 0
        single = [Row((name,), TABLE[name].title, TABLE[name].help) for name in SINGLE]
        left = Row(("games",), TABLE["games"].title, TABLE["games"].help)
        options.clear_options()
        self._rows = {}
        for heading, rows in (("", [*single, left]), *keys):
            if heading:
                options.add_option(None)
                options.add_option(Option(Content.styled(heading, "bold $prize"), disabled=True))
            for row in rows:
                name = f"row-{len(self._rows)}"
                self._rows[name] = row
                options.add_option(Option(self._line(row), id=name))
        if not keys:
            options.add_option(Option(Content.styled("  listing the keys ...", "dim"), disabled=True))
        options.highlighted = place

    # -- what is shown

    def settings_changed(self) -> None:
        """Shows the values, and the names of keys, as they are now."""
        options = self.query_one(OptionList)
        for name, row in self._rows.items():
            options.replace_option_prompt(name, self._line(row))
        for bar in self.query(KeyBar):
            keys = footer_of(as_bound(self, KEYS))
            bar.show([(self._glyphs.plain(key.shown.split()[0]), key.label, key.action) for key in keys])
        self._tell()

    def on_resize(self) -> None:
        """Folds all to the new width."""
        self.settings_changed()

    @on(OptionList.OptionHighlighted)
    def _tell(self) -> None:
        """Says what the chosen line is, and which values it may have."""
        row = self._row()
        if row is None:
            return
        width = max(self.size.width - 6, 20)
        lines = wrap(self.spell(sentence(row.help)), width)
        parts: list[Content | str] = ["\n".join(lines), "\n"]
        values = self._values(row)
        if row.key is not None:
            parts.append(Content.styled(f"In the file: {row.path[1]!r} among [keys].", "dim"))
        elif values:
            now = self._value(row)
            if sum(len(_said(value)) + 3 for value in values) > width:
                place = values.index(now) + 1 if now in values else 0
                parts.append(Content.styled(f"{place} of {len(values)}", "dim"))
            for value in values if len(parts) == 2 else ():
                parts += [Content.styled(_said(value), "bold $you" if value == now else "dim"), "   "]
        self.query_one("#about", Static).update(Content.assemble(*parts))

    def _line(self, row: Row) -> Content:
        """A line of the list: title and value, marked where it isn't the default; where there is room the help."""
        value, is_own = self._shown(row)
        title, value = self._glyphs.plain(row.title), self._glyphs.plain(value)
        column = _TITLE if self.size.width >= _ROOMY else _SHORT_TITLE
        line = f"{'*' if is_own else ' '} {title[: column - 1]:<{column}}{value}"
        parts: list[Content | str] = [Content.styled(line, "bold" if is_own else "")]
        if self.size.width >= _WIDE:
            room = self.size.width - _TITLE - _VALUE - 10
            parts.append(" " * max(_VALUE - len(value), 1))
            parts.append(Content.styled(wrap(self.spell(row.help), room)[0] if row.help else "", "dim"))
        return Content.assemble(*parts)

    def _shown(self, row: Row) -> tuple[str, bool]:
        """The value as people read it, and whether it is another one than the default."""
        settings = self._preferences.settings
        if row.key is not None:
            own = settings.keys.get(row.key.id)
            keys = own or preset(settings.moves).get(row.key.id)
            return row.key.shown if keys is None else " ".join(map(shown_key, keys.split(","))), own is not None
        if row.path == ("games",):
            number = sum(map(len, settings.games.values()))
            return (counted(number, "toggle") if number else "nothing"), bool(number)
        return _said(self._value(row)), row.path in values_of(settings)

    def _value(self, row: Row) -> Value:
        values: dict[str, Value] = {name: getattr(self._preferences.settings, name) for name in SINGLE}
        return values.get(row.path[0], "")

    def _values(self, row: Row) -> tuple[Value, ...]:
        return self._themes if row.path == ("theme",) else TABLE[row.path[0]].choices

    def _row(self) -> Row | None:
        option = self.query_one(OptionList).highlighted_option
        return None if option is None or option.id is None else self._rows[option.id]

    # -- its keys

    def action_move(self, way: str) -> None:
        """Chooses another line."""
        options = self.query_one(OptionList)
        ways = {
            "up": options.action_cursor_up,
            "down": options.action_cursor_down,
            "page-up": options.action_page_up,
            "page-down": options.action_page_down,
            "first": options.action_first,
            "last": options.action_last,
        }
        ways[way]()

    def action_change(self, steps: int) -> None:
        """Gives the setting its next value, or the one before; of a key that can't be said."""
        row = self._row()
        if row is None or not (values := self._values(row)):
            return
        now = self._value(row)
        place = values.index(now) + steps if now in values else 0
        self._change({row.path: values[place % len(values)]})

    @on(OptionList.OptionSelected)
    def action_choose(self) -> None:
        """Asks for another key; gives other settings their next value, and forgets what games have noted."""
        row = self._row()
        if row is None:
            return
        if row.key is not None:
            self._ask(row.key, "")
        elif row.path == ("games",):
            self.action_default()
        else:
            self.action_change(1)

    def action_add(self) -> None:
        """Asks for one more key for a command."""
        row = self._row()
        if row is not None and row.key is not None:
            name = row.key.id
            settings = self._preferences.settings
            self._ask(row.key, settings.keys.get(name) or preset(settings.moves).get(name) or row.key.keys)

    def action_default(self) -> None:
        """Gives a setting its default again; forgets what games have noted."""
        row = self._row()
        if row is None:
            return
        paths = [path for path in values_of(self._preferences.settings) if path[: len(row.path)] == row.path]
        self._change(dict.fromkeys(paths))

    @work(exclusive=True, group="key")
    async def _ask(self, key: Key, before: str) -> None:
        keys = await self.app.push_screen_wait(KeyDialog(self._preferences, self._tables, key, before))
        if keys is not None:
            self._change({("keys", key.id): keys})

    def _change(self, changes: dict[Keys, Value | None]) -> None:
        self._preferences.change(changes)
        self.call_after_refresh(partial(self.settings_changed))


def _said(value: Value) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value
