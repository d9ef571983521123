"""The list of settings. Changes apply and are saved immediately; you rebind a key by pressing another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from dungeon_tui.core.toml_positions import Keys
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.storage.settings import SINGLE, TABLE, Preferences, Value, values_of, with_value
from dungeon_tui.ui import keys as bound
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.keys import MOVE_KEYS, Key, KeyCommands, KeyScreen, KeyTable, footer, list_keys
from dungeon_tui.ui.widgets.key_bar import KeyBar

_TITLE, _SHORT_TITLE = 24, 20  # columns
_ROOMY = 60  # columns of the screen that leave room for whole titles
_LIST, _CHANGING = "The list", "Changing"
KEYS = (
    *list_keys("settings", _LIST, MOVE_KEYS["up"], MOVE_KEYS["down"]),
    Key("settings.left", MOVE_KEYS["left"], "Before", "the value before", _CHANGING, 3, "change(-1)"),
    Key("settings.right", MOVE_KEYS["right"], "Next", "the next value", _CHANGING, 4, "change(1)"),
    Key("settings.choose", "enter", "Change", "the next value; of a key: press another one for it",
        _CHANGING, 1, "choose"),
    Key("settings.default", "backspace,delete", "Default", "back to the default", _CHANGING, 5, "default", shown="⌫"),
    Key("settings.leave", "q,escape,comma", "Back", "back to where you were", _LIST, 2, "dismiss", shown="q"),
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
    keys: dict[str, Key] = {}
    for table in tables:
        for key in table.keys:
            titles.setdefault(key.id, []).append(table.title)
            keys.setdefault(key.id, key)
    shared = "Keys in every game"
    groups: dict[str, list[Row]] = {shared: []}
    for name, key in keys.items():
        heading = shared if len(titles[name]) >= games else f"Keys: {', '.join(titles[name])}"
        groups.setdefault(heading, []).append(Row(("keys", name), key.label, key.help or key.label, key))
    return list(groups.items())


class KeyDialog(ModalScreen[str | None]):
    """Waits for a key for a command; returns it, or None. Says why a key can't be used, and waits again."""

    def __init__(self, preferences: Preferences, tables: Sequence[KeyTable], key: Key) -> None:
        super().__init__()
        self._preferences, self._tables, self._key = preferences, tables, key

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(Content(f"{self._key.label} ({self._key.id})"), classes="title")
            yield Label(Content("Press the key. Esc leaves it as it is."))
            yield Label(classes="trouble")

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.dismiss(None)
            return
        name, keys = self._key.id, event.key
        try:
            settings = with_value(self._preferences.settings, ("keys", name), keys)
            refused = bound.checked(settings, self._tables)[1].get(name)
        except ValueError as error:
            refused = str(error)
        if refused is None:
            self.dismiss(keys)
            return
        trouble = self.query_one(".trouble", Label)
        trouble.update(Content(sentence(refused)))
        trouble.display = True


class SettingsScreen(KeyScreen[None]):
    """The list of all settings."""

    COMMANDS = {KeyCommands}
    keys = KEYS
    VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-high")]
    BINDINGS = [key.binding() for key in KEYS]

    def __init__(
        self,
        preferences: Preferences,
        themes: Sequence[str],
        games: int,
        key_tables: Callable[[], Sequence[KeyTable]],
        glyphs: Glyphs,
    ) -> None:
        super().__init__(id="settings")
        self._preferences, self._themes, self._games, self.glyphs = preferences, tuple(themes), games, glyphs
        self._find_tables = key_tables
        self._tables: Sequence[KeyTable] = ()
        self.rows: dict[str, Row] = {}  # by the ids of options

    def spell(self, text: str) -> str:
        own = {key.id: bound.name_of(key) for table in self._tables for key in table.keys}
        return self.glyphs.plain(bound.with_key_names(text, own | bound.key_names(self, self.keys)))

    def compose(self) -> ComposeResult:
        yield Static("Settings", id="title")
        options = OptionList()
        options.can_focus = False  # it would keep keys that change values
        yield options
        yield Static(id="about")
        yield KeyBar([])

    def on_mount(self) -> None:
        self._fill([])
        self.settings_changed()
        self._list_keys()

    @work
    async def _list_keys(self) -> None:
        self._tables = await in_background(self._find_tables)
        if self.query(OptionList):  # it wasn't closed meanwhile
            self._fill(rows_of_keys(self._tables, self._games))

    def _fill(self, keys: Sequence[tuple[str, Sequence[Row]]]) -> None:
        options = self.query_one(OptionList)
        index = options.highlighted or 0
        single = [Row((name,), TABLE[name].title, TABLE[name].help) for name in SINGLE]
        left = Row(("games",), TABLE["games"].title, TABLE["games"].help)
        options.clear_options()
        self.rows = {}
        for heading, rows in (("", [*single, left]), *keys):
            if heading:
                options.add_option(None)
                options.add_option(Option(Content.styled(heading, "bold $prize"), disabled=True))
            for row in rows:
                name = f"row-{len(self.rows)}"
                self.rows[name] = row
                options.add_option(Option(self._line(row), id=name))
        if not keys:
            options.add_option(Option(Content.styled("  listing the keys ...", "dim"), disabled=True))
        options.highlighted = index

    # -- content

    def settings_changed(self) -> None:
        options = self.query_one(OptionList)
        for name, row in self.rows.items():
            options.replace_option_prompt(name, self._line(row))
        self.query_one(KeyBar).show(footer(self, KEYS, lambda shown: self.glyphs.plain(shown.split()[0])))
        self._tell()

    def on_resize(self) -> None:
        self.settings_changed()

    @on(OptionList.OptionHighlighted)
    def _tell(self) -> None:
        row = self._row()
        if row is None:
            return
        parts: list[Content | str] = [self.spell(sentence(row.help)), "\n"]
        values = self._values(row)
        if row.key is not None:
            parts.append(Content.styled(f"In the file: {row.path[1]!r} among [keys].", "dim"))
        elif values:
            now = self._value(row)
            if sum(len(_said(value)) + 3 for value in values) > self.size.width - 6:
                index = values.index(now) + 1 if now in values else 0
                parts.append(Content.styled(f"{index} of {len(values)}", "dim"))
            for value in values if len(parts) == 2 else ():
                parts += [Content.styled(_said(value), "bold $you" if value == now else "dim"), "   "]
        self.query_one("#about", Static).update(Content.assemble(*parts))

    def _line(self, row: Row) -> Content:
        value, is_own = self._shown(row)
        column = _TITLE if self.size.width >= _ROOMY else _SHORT_TITLE
        title = f"{self.glyphs.plain(row.title)[: column - 1]:<{column}}"
        return Content.styled(f"{'*' if is_own else ' '} {title}{self.glyphs.plain(value)}", "bold" if is_own else "")

    def _shown(self, row: Row) -> tuple[str, bool]:
        settings = self._preferences.settings
        if row.key is not None:
            own = settings.keys.get(row.key.id)
            keys = own or bound.preset(settings.moves).get(row.key.id)
            shown = row.key.shown or "none" if keys is None else " ".join(map(bound.shown_key, keys.split(",")))
            return shown, own is not None
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
        return None if option is None or option.id is None else self.rows[option.id]

    # -- its keys

    async def action_move(self, way: str) -> None:
        await self.query_one(OptionList).run_action(way)

    def action_change(self, steps: int) -> None:
        row = self._row()
        if row is None or not (values := self._values(row)):
            return
        now = self._value(row)
        index = values.index(now) + steps if now in values else 0
        self._change({row.path: values[index % len(values)]})

    @on(OptionList.OptionSelected)
    def action_choose(self) -> None:
        row = self._row()
        if row is None:
            return
        if row.key is not None:
            self._ask(row.key)
        elif row.path == ("games",):
            self.action_default()
        else:
            self.action_change(1)

    def action_default(self) -> None:
        row = self._row()
        if row is None:
            return
        paths = [path for path in values_of(self._preferences.settings) if path[: len(row.path)] == row.path]
        self._change(dict.fromkeys(paths))

    @work(exclusive=True, group="key")
    async def _ask(self, key: Key) -> None:
        keys = await self.app.push_screen_wait(KeyDialog(self._preferences, self._tables, key))
        if keys is not None:
            self._change({("keys", key.id): keys})

    def _change(self, changes: dict[Keys, Value | None]) -> None:
        self._preferences.change(changes)
        self.call_after_refresh(self.settings_changed)


def _said(value: Value) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value
