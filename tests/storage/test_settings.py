"""Settings: whatever the file holds, it is read and told of with its place; writing leaves the rest alone."""

import os
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.files import UnwritableError
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.toml_positions import leaves, offsets
from dungeon_tui.storage.folders import HOME
from dungeon_tui.storage.settings import (
    MOST_BYTES,
    SINGLE,
    TABLE,
    Loaded,
    Settings,
    keep,
    load_settings,
    parse,
    settings_path,
    shown_value,
    values_of,
    without,
)


def read(text: str | bytes) -> Loaded:
    return parse(LevelFile("s.toml", text.encode() if isinstance(text, str) else text))


GOOD: list[tuple[str, Settings]] = [
    ("", Settings()),
    ('theme = "nord"', Settings(theme="nord")),
    ("\ufeffbell = true\r\nanimation = false\r\n", Settings(bell=True, animation=False)),
    ("zoom = 3\nspeed = 500", Settings(zoom="3", speed="500")),
    ('zoom = "fit"\nglyphs = \'ascii\'\nmoves = """hjkl"""', Settings(glyphs="ascii", moves="hjkl")),
    ('hints = "never"\nlost = "at once"', Settings(hints="never", lost="at once")),
    ('[keys]\n"move.up" = "i, ctrl+u"', Settings(keys={"move.up": "i,ctrl+u"})),
    ('keys.move.up = "shift+up,comma,?"', Settings(keys={"move.up": "shift+up,comma,?"})),
    ('[keys.move]\nup = "question_mark"', Settings(keys={"move.up": "question_mark"})),
    ('[games.delve]\nfog = false\noverlay = "heat"', Settings(games={"delve": {"fog": False, "overlay": "heat"}})),
    ('games = {chase = {sight = true}}', Settings(games={"chase": {"sight": True}})),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), GOOD)
def test_good_settings_are_read(text: str, wanted: Settings) -> None:
    loaded = read(text)
    assert (loaded.settings, loaded.troubles) == (wanted, ())


BAD: list[tuple[str | bytes, int, int, str]] = [
    ('them = "nord"', 1, 1, "theme"),
    ("theme = 3.5", 1, 9, "name"),
    ("bell = 1", 1, 8, "true or false"),
    ('\n\n  bell  =  "yes"  # x', 3, 12, "true or false"),
    ('glyphs = "latin"', 1, 10, '"unicode"'),
    ("speed = 4", 1, 9, '"5"'),
    ("zoom = true", 1, 8, '"fit"'),
    ("theme = {dark = 1}", 1, 10, "theme"),
    ('[theme]\nname = "nord"', 2, 1, "theme"),
    ("keys = 3", 1, 8, "[keys]"),
    ('[keys]\nhint = "foo"', 2, 8, "'foo'"),
    ('[keys]\n"mové.x" = ""', 2, 12, "text"),
    ('[keys]\nmove.up = "up,,i"', 2, 11, "comma"),
    ("[keys]\nhint = ['i']", 2, 8, "text"),
    ("games = 3", 1, 9, "[games.crawler]"),
    ("[games]\ncrawler = true", 2, 11, "[games.crawler]"),
    ("[games.crawler]\nsight = 1979-05-27 07:32:00", 2, 9, "true"),
    ("[games.crawler]\nsight = 'a\\u0007'\ndanger = \"\\u0007\"", 3, 10, "short"),
    ("x = [1, {y = ']'}] # }\nbell = 2", 2, 8, "bell"),
    ("theme = 'a'\ntheme = 'b'", 2, 12, "not TOML"),
    ("bell = true\nzoom = ", 2, 8, "not TOML"),
    (b"bell = true\n\xff", 2, 1, "not text"),
    (b"bell = true\0", 1, 12, "not text"),
    ("a." * 40 + "a = 1", 1, 1, "deeply"),
    ("x = " + "[" * 5000, 1, 1, "not TOML"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "said"), BAD)
def test_what_is_wrong_is_reported_with_its_place_and_what_would_be_right(
    text: str | bytes, line: int, column: int, said: str
) -> None:
    trouble = read(text).troubles[-1]
    assert said in trouble.message
    if "[" * 5000 not in str(text):  # how far its reader comes is Python's matter
        assert (trouble.line, trouble.column) == (line, column)


def test_beside_what_is_wrong_the_rest_holds() -> None:
    loaded = read('theme = "nord"\nspeed = 4\nbell = true\n[keys]\nhint = "foo"\nundo = "u"\n')
    assert loaded.settings == Settings(theme="nord", bell=True, keys={"undo": "u"})
    assert [trouble.line for trouble in loaded.troubles] == [2, 5]


NAMES = st.text("abc.-_ é\"'\\#=[]{}\n", max_size=6)
LEAVES = st.one_of(
    st.booleans(),
    st.integers(-9, 9),
    st.text("ab\"'\\#]}\n,= ", max_size=8),
    st.floats(allow_nan=False),
    st.datetimes(),
)
TABLES: Any = st.recursive(
    st.dictionaries(NAMES, LEAVES, max_size=4),
    lambda inner: st.dictionaries(NAMES, st.one_of(inner, LEAVES, st.lists(LEAVES, max_size=3)), max_size=4),
    max_leaves=8,
)


@given(TABLES)
def test_the_places_of_values_are_where_they_stand(values: dict[str, Any]) -> None:
    text = tomlkit.dumps(values)
    found = offsets(text)
    for path, value in leaves(tomllib.loads(text)):
        key, start = found[path]
        assert text[key:start].rstrip().endswith("=")
        if isinstance(value, bool | int):
            assert text[start:].startswith(str(value).lower())
        elif isinstance(value, str):
            assert text[start] in "\"'"


@pytest.mark.parametrize(("text", "wanted"), GOOD)
def test_what_was_set_is_stored_and_can_be_unset(tmp_path: Path, text: str, wanted: Settings) -> None:
    path = tmp_path / "new" / "settings.toml"
    assert keep(path, wanted, values_of(wanted)) is None
    assert load_settings(path).settings == wanted
    for name in values_of(wanted):
        wanted = without(wanted, name)
        keep(path, wanted, {name: None})
        assert load_settings(path).settings == wanted
    assert wanted == Settings()


MINE = """# mine
bell = true # loud

# bright
theme = 'a'   # not too much
unknown = [1,
  2] # kept

[keys] # my own
hint = "f2"  # far away

# the end
"""


def test_comments_and_order_survive_a_change(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(MINE)
    settings = load_settings(path).settings
    settings = replace(settings, theme="b", keys={"hint": "f3", "undo": "u"})
    keep(path, settings, {("theme",): "b", ("keys", "hint"): "f3", ("keys", "undo"): "u"})
    lines = MINE.replace("'a'", '"b"').replace('"f2"', '"f3"').splitlines()
    written = path.read_text().splitlines()
    assert [line for line in written if line != 'undo = "u"'] == lines
    assert written.index('undo = "u"') > written.index('hint = "f3"  # far away')
    assert load_settings(path).settings == settings


@pytest.mark.parametrize("data", [b"theme = ", b"\xff\xfe", b"x" * (MOST_BYTES + 1)])
def test_a_file_that_can_not_be_read_is_set_aside_before_a_change_and_never_lost(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "settings.toml"
    settings = Settings(theme="b", bell=True)
    names = []
    for _ in range(2):
        path.write_bytes(data)
        assert load_settings(path).troubles
        aside = keep(path, settings, {("theme",): "b"})
        assert aside.read_bytes() == data
        assert load_settings(path).settings == settings  # all that holds now
        names.append(aside.name)
    assert names == ["settings-unreadable.toml", "settings-unreadable-2.toml"]


def test_a_place_where_no_folder_can_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "settings.toml"
    assert load_settings(path).settings == Settings()
    with pytest.raises(UnwritableError):
        keep(path, Settings(), {("theme",): "b"})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "settings.toml")
    loaded = load_settings(tmp_path / "settings.toml")
    assert (loaded.settings, len(loaded.troubles)) == (Settings(), 1)


def test_the_file_lies_in_the_home_that_the_environment_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME, str(tmp_path))
    assert settings_path() == tmp_path / "settings.toml"


PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


def test_the_page_on_settings_is_made_from_their_table(golden: Callable[[Path, str], None]) -> None:
    rows = ["| setting | values | effect |", "|---|---|---|"]
    for name, setting in TABLE.items():
        default = getattr(Settings(), name)
        values = [f"**{shown_value(each)}**" if each == default else shown_value(each) for each in setting.choices]
        open_ended = f"**{shown_value(default)}** ..." if name in SINGLE else "a table"
        rows.append(f"| `{name}` | {', '.join(values) or open_ended} | {setting.help} |")
    page = PAGE.read_text("utf-8")
    before, start, rest = page.partition("--update-golden -->\n")
    _, end, after = rest.partition("<!-- end -->")
    table = "\n".join(["", *rows, "", ""])
    golden(PAGE, f"{before}{start}{table}{end}{after}")
