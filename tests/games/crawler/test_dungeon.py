"""Dungeons: which files belong to a name, what their sidecar says, and how recordings hold them."""

from pathlib import Path

import pytest

from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel
from dungeon_tui.games.crawler.model import dungeon as dungeons
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import (
    Note,
    find_prefix,
    load_dungeon,
    pack_level,
    read_dungeon,
    unpack_level,
)
from dungeon_tui.games.crawler.model.level import level_text
from dungeon_tui.games.crawler.view.openings import open_file, openings

LEVEL = "1 3\n0 0\n-$?\n"
BAD_LEVEL = "1 3\n0 0\n-$x\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty present folder."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of shipped levels."""
    (tmp_path / "shipped").mkdir()
    monkeypatch.setattr(dungeons, "levels_folder", lambda game: tmp_path / "shipped")
    return tmp_path / "shipped"


def write(folder: Path, *names: str, text: str = LEVEL) -> None:
    for name in names:
        (folder / name).write_text(text, encoding="utf-8")


ABSENT = "{}:1:1: can't be opened: no such file or directory"
BAD = "{}:3:3: unknown tile 'x'"
MANY = [f"cave{number}.txt" for number in range(1, 13)]


@pytest.mark.parametrize(
    ("present", "name", "levels", "read", "missing"),
    [
        pytest.param("cave1.txt cave2.txt cave3.txt cave5.txt", "cave", None, "cave1.txt cave2.txt cave3.txt",
                     "", id="no gap"),
        pytest.param(" ".join(MANY), "cave", None, " ".join(MANY), "", id="more than nine"),
        pytest.param("cave1.txt cave2.txt cave3.txt", "cave", 2, "cave1.txt cave2.txt", "", id="fewer are asked for"),
        pytest.param("cave1.txt cave3.txt", "cave", 3, "cave1.txt", ABSENT.format("cave2.txt"), id="one is missing"),
        pytest.param("cave1.txt cave2.txt! cave3.txt", "cave", None, "cave1.txt", BAD.format("cave2.txt"), id="bad"),
        pytest.param("", "cave", None, "", ABSENT.format("cave1.txt"), id="the first one is missing"),
        pytest.param("cave1.txt", "cave", 10**9, "cave1.txt", ABSENT.format("cave2.txt"), id="a huge number"),
        pytest.param("cave1.txt", "cave1.txt", None, "cave1.txt", "", id="a numbered file alone"),
        pytest.param("alone.txt", "alone.txt", None, "alone.txt", "", id="a single file"),
        pytest.param("plain", "plain", None, "plain", "", id="a single file without an ending"),
        pytest.param("cave! cave1.txt", "cave", None, "cave1.txt", "", id="numbered files win"),
        pytest.param("cave", "cave", 1, "", ABSENT.format("cave1.txt"), id="a number means numbered files"),
        pytest.param("alone.txt!", "alone.txt", None, "", BAD.format("alone.txt"), id="a single bad file"),
        pytest.param("1.txt 2.txt", "", None, "1.txt 2.txt", "", id="files that are only numbered"),
        pytest.param("deep/1.txt deep/2.txt", "deep/", None, "deep/1.txt deep/2.txt", "", id="a folder of such files"),
        pytest.param("deep/1.txt", "deep", None, "", ABSENT.format("deep1.txt"), id="a folder is no prefix"),
        pytest.param("deep/er/cave1.txt", "./deep/er/cave", None, "deep/er/cave1.txt", "", id="another folder"),
        pytest.param("deep/er/cave1.txt", "../here/deep/er/cave", None, "../here/deep/er/cave1.txt", "", id="back"),
        pytest.param("[red]cave1.txt", "[red]cave", None, "[red]cave1.txt", "", id="a name with markup"),
    ],
)  # fmt: skip
def test_the_levels_that_belong_to_a_name(
    folder: Path, present: str, name: str, levels: int | None, read: str, missing: str
) -> None:
    for file in present.split():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        write(folder, file.rstrip("!"), text=BAD_LEVEL if file.endswith("!") else LEVEL)
    dungeon = read_dungeon(name, levels)
    assert [level.file for level in dungeon.levels] == read.split()
    assert str(dungeon.missing or "").startswith(missing)
    assert (dungeon.missing is None) is (missing == "")
    assert dungeon.level_count == (levels or (3 if missing and read else max(1, len(read.split()))))
    if read:
        assert load_dungeon(name, levels).title == dungeon.title == dungeon.name
    else:
        with pytest.raises(LevelError, match=r"1:1: can't be opened|unknown tile"):
            load_dungeon(name, levels)


@pytest.mark.parametrize("name", ["nul\0name", "n" * 5000, "no/such/folder/cave"], ids=["NUL", "too long", "no folder"])
def test_names_that_no_file_can_have_are_refused_with_a_reason(folder: Path, name: str) -> None:
    with pytest.raises(LevelError, match="can't be opened"):
        load_dungeon(name)


def test_shipped_names_win_over_paths(folder: Path, shipped: Path) -> None:
    write(folder, "cave1.txt", "mine1.txt")
    write(shipped, "cave1.txt", "cave2.txt")
    assert find_prefix("cave") == str(shipped / "cave")
    assert len(read_dungeon("cave").levels) == 2
    assert find_prefix("mine") == "mine"
    assert find_prefix("./cave") == "./cave"
    assert len(read_dungeon("./cave").levels) == 1


def test_a_name_can_not_leave_the_shipped_folder(folder: Path, shipped: Path) -> None:
    write(shipped.parent, "out1.txt")
    assert find_prefix("../out") == "../out"


SIDECAR = """
title = "The [b]Cave[/b]"
author = "Ada"
summary = '''
Dark   and
damp.'''
order = 7
something_new = true

[[levels]]
name = "First"
hint = "Go right."
solution = "dd"

[[levels]]
name = "Second"
author = "Bo"
"""


def test_a_sidecar_tells_about_the_dungeon_and_its_levels(folder: Path) -> None:
    write(folder, "cave1.txt", "cave2.txt", "cave3.txt")
    write(folder, "cave.toml", text=SIDECAR)
    dungeon = read_dungeon("cave")
    assert dungeon.warnings == ()
    assert dungeon.title == "The [b]Cave[/b]"
    assert (dungeon.sidecar.author, dungeon.sidecar.summary, dungeon.sidecar.order) == ("Ada", "Dark and damp.", 7)
    assert dungeon.notes == (Note("First", "Ada", hint="Go right.", solution="dd"), Note("Second", "Bo"), Note())


@pytest.mark.parametrize("text", ["title =", "a = " + "[" * 100_000, "order = " + "1" * 5000], ids=range(3))
def test_a_bad_sidecar_is_a_warning_and_the_levels_are_played(folder: Path, text: str) -> None:
    write(folder, "cave1.txt")
    write(folder, "cave.toml", text=text)
    dungeon = load_dungeon("cave")
    assert (len(dungeon.levels), len(dungeon.warnings), dungeon.title) == (1, 1, "cave")
    write(folder, "cave.toml", text="order = 'first'")
    assert read_dungeon("cave").sidecar.order == 0


@pytest.mark.parametrize(
    ("path", "files"),
    [
        ("cave1.txt", ["cave1.txt", "cave2.txt"]),
        ("cave2.txt", ["cave1.txt", "cave2.txt"]),
        ("cave", ["cave1.txt", "cave2.txt"]),
        ("cave4.txt", ["cave4.txt"]),
        ("cave1234567890.txt", ["cave1234567890.txt"]),
        ("1.txt", ["1.txt"]),
        ("cave/2.txt", ["cave/2.txt"]),
        ("deep/cave2.txt", ["deep/cave1.txt", "deep/cave2.txt"]),
        ("alone", ["alone"]),
    ],
)
def test_a_file_that_is_part_of_a_dungeon_opens_all_of_it(folder: Path, path: str, files: list[str]) -> None:
    write(folder, "cave1.txt", "cave2.txt", "cave4.txt", "cave1234567890.txt", "1.txt", "alone")
    for name in ("cave", "deep"):
        (folder / name).mkdir()
    write(folder / "cave", "2.txt")
    write(folder / "deep", "cave1.txt", "cave2.txt")
    opening = open_file(path)
    assert [level.file for level in opening.load().levels] == files


@pytest.mark.parametrize("path", ["9" * 5000 + ".txt", "no\0thing.txt", "nothing7.txt", ""])
def test_a_file_that_is_not_there_is_refused_when_it_is_opened(folder: Path, path: str) -> None:
    opening = open_file(path)
    with pytest.raises(LevelError, match="can't be opened"):
        opening.load()


def test_the_menu_offers_what_is_shipped_in_the_sidecars_order(shipped: Path) -> None:
    for name, order in (("late", 3), ("early", 1), ("also-early", 1)):
        write(shipped, f"{name}1.txt")
        write(shipped, f"{name}.toml", text=f"title = 'The {name}'\nsummary = 'So {name}.'\norder = {order}")
    assert [*dungeons.shipped()] == ["also-early", "early", "late"]
    offered = openings()
    assert [(opening.title, opening.summary) for opening in offered] == [
        ("The also-early", "So also-early."),
        ("The early", "So early."),
        ("The late", "So late."),
    ]
    assert [opening.load().name for opening in offered] == ["also-early", "early", "late"]


def test_a_packed_dungeon_is_unpacked_again(folder: Path) -> None:
    write(folder, "cave1.txt", "cave2.txt")
    dungeon = read_dungeon("cave", cell_limit=50)
    packed = pack_level(dungeon)
    assert [file.name for file in packed.files] == ["cave1.txt", "cave2.txt"]
    again = unpack_level(packed)
    assert (again.name, again.cell_limit, again.level_count) == ("cave", 50, 2)
    assert [level_text(level) for level in again.levels] == [level_text(level) for level in dungeon.levels]
    assert fingerprint(rules.start(again)) == fingerprint(rules.start(dungeon))


@pytest.mark.parametrize("levels", [None, 2])
def test_a_shipped_dungeon_is_unpacked_with_what_is_said_of_it(levels: int | None) -> None:
    packed = pack_level(read_dungeon("hard", levels))
    again = unpack_level(packed)
    assert again.title == "Below the abbey, hard"
    assert again.notes[1] == read_dungeon("hard").notes[1]
    others = unpack_level(PackedLevel(packed.files[1:], packed.options))  # of that name, but not it
    assert (others.title, others.notes[0].name) == ("hard", "")


PACKED = LevelFile("x1.txt", LEVEL.encode())


@pytest.mark.parametrize(("asked", "limit"), [(12, 12), (10**12, 2_147_483_647), ("many", 2_147_483_647)])
def test_a_packed_limit_is_never_above_the_largest(asked: int | str, limit: int) -> None:
    assert unpack_level(PackedLevel((PACKED,), {"cell_limit": asked})).cell_limit == limit
    assert unpack_level(PackedLevel((PACKED,))).cell_limit == 2_147_483_647


def test_what_can_not_be_unpacked_is_refused() -> None:
    with pytest.raises(LevelError, match="at least one level"):
        unpack_level(PackedLevel(()))
    with pytest.raises(LevelError, match=r"x2\.txt:3:3: "):
        unpack_level(PackedLevel((PACKED, LevelFile("x2.txt", BAD_LEVEL.encode()))))
