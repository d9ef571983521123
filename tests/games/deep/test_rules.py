"""The deep's turn: small cases, random play beside the naive twin, and the classic beside the crawler."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.games.crawler.model import rules as crawler
from dungeon_tui.games.crawler.model.state import Action as CrawlerAction
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import parse_campaign
from dungeon_tui.games.deep.model.kinds import KINDS
from dungeon_tui.games.deep.model.state import (
    Action,
    Died,
    DoorPaid,
    DoorTaken,
    DoublingRefused,
    MonsterKilled,
    RingFell,
    State,
    Status,
    StayReason,
)
from tests.games.crawler.pictures import dungeon_of
from tests.games.deep.campaigns import LEGEND, campaign_of, campaign_text, played
from tests.naive_deep import Deep, Level

MONSTERS = "MVHXSTZC"
KIND_OF = LEGEND | {"M": "hunter"}
DOORS = {
    "1": {"to": "two", "door": "2"},
    "2": {"to": "one", "door": "1", "cost": 1},
    "3": {"to": "two", "key": True},
    "9": {"ending": "rich", "carry": 2},
    "!": {"ending": "escaped", "carry": 1},
}


def picture_of(state: State) -> str:
    rows = [list(row.tobytes().decode()) for row in state.room.board.array()]
    for monster in state.room.monsters:
        rows[monster.cell.row][monster.cell.col] = next(key for key, name in KIND_OF.items() if name == monster.kind)
    if state.status is Status.PLAYING:
        rows[state.adventurer.cell.row][state.adventurer.cell.col] = "o"
    return " ".join("".join(row) for row in rows)


def played_on(picture: str, letters: str, more: str = "") -> State:
    return played(rules.start(campaign_of(picture, more)), letters)


@pytest.mark.parametrize(
    ("picture", "letters", "expected"),
    [
        ("o--M9 +++++", "e", "o-M-9 +++++"),
        ("o+-M9 -----", "e", "o+-M9 -----"),
        ("o-V9 +--- +--+", "ee", "o--9 +--- +-V+"),
        ("o-V9 +--- +--+", "eee", "o--9 +-V- +--+"),
        ("o+++9 H--++", "eee", "o+++9 -H-++"),
        ("X---9 ----- o----", "e", "----9 -X--- o----"),
        ("o---S 9++++", "e", "o-S-- 9++++"),
        ("o+T-9 -+--- -----", "e", "o+--9 -+T-- -----"),
        ("o----Z 9+++++", "ee", "o----Z 9+++++"),
        ("o--Z9 +++++", "ee", "o-Z-9 +++++"),
        ("o-C-9 +++++", "ee", "o-C-9 +++++"),
        ("o-C-9 +++++", "d", "-oC-9 +++++"),
        ("o-$M9 +++++", "e", "o-M-9 +++++"),
        ("o)-M9 +++++", "dd", "--o-9 +++++"),
        ("o[-M9 +++++", "de", "-oM-9 +++++"),
        ("of-M9 +++++", "d3eeee", "-oM-9 +++++"),
        ("oh-V9 ++--+ ++--+", "d1d", "--o-9 ++--+ ++-V+"),
        ("oh-V9 ++--+ ++--+", "d1dd", "---o9 ++-V+ ++--+"),
        ("ob---9 ++++++ ------", "d7dd", "---o-9 ---+++ ------"),
        ("+b--9 +o+++ -----", "w7dd", "---o9 ---++ -----"),
        ("o@9 +++", "d", "-o9--9 ++++++ --9--9 ++++++"),
    ],
)
def test_each_kind_and_each_item_does_as_told(picture: str, letters: str, expected: str) -> None:
    assert picture_of(played_on(picture, letters)) == expected


def test_a_shield_survives_one_attack_and_no_more() -> None:
    assert played_on("o[-M9 +++++", "dee").status is Status.DIED
    assert played_on("o-M9 ++++", "ee").status is Status.DIED


def test_a_level_that_would_grow_too_large_stays_as_it_is() -> None:
    state = played_on(" ".join(["o@@9" + 60 * "-", *63 * [64 * "-"]]), "d")
    assert (state.room.board.height, state.room.board.width) == (128, 128)
    assert DoublingRefused(4 * 128 * 128) in rules.step(state, Action.RIGHT)[1]


def test_an_item_that_is_not_carried_is_refused() -> None:
    state = played_on("o-9 +++", "")
    assert Action.BOMB not in rules.legal_actions(state)
    with pytest.raises(IllegalActionError):
        rules.step(state, Action.BOMB)


def test_a_ring_falls_with_all_that_stands_there_and_is_shown_a_turn_ahead() -> None:
    state = played_on("V--- -o-- ---- ---9", "e", "shrinks = 2")
    assert len(rules.falling_cells(state)) == 12
    state, events = rules.step(state, Action.STAY)
    assert RingFell(1) in events
    assert [event.cause for event in events if isinstance(event, MonsterKilled)] == ["chasm"]
    assert picture_of(state) == "~~~~ ~o-~ ~--~ ~~~~"
    state = played(state, "e")
    assert rules.step(state, Action.STAY)[1][-1] == Died(Cell(1, 1), "chasm")


TWO = {
    "one": ("o$1 --M", '[levels.one.doors]\n1 = {to = "two", door = "2"}'),
    "two": ("--2 !o- $--", '[levels.two.doors]\n2 = {to = "one", door = "1", cost = 1}'),
}


def test_a_level_that_was_left_is_found_as_it_was_left() -> None:
    campaign = parse_campaign(LevelFile("two", campaign_text(TWO).encode())).campaign
    assert campaign is not None
    state = played(rules.start(campaign), "d")
    before = state.room
    state, events = rules.step(state, Action.RIGHT)
    assert DoorTaken("two", False) in events
    state = played(state, "s")
    state, events = rules.step(state, Action.UP)
    assert DoorPaid(1, False) in events
    assert DoorTaken("one", True) in events
    assert (state.room, state.adventurer.treasure) == (before, 0)
    state = played(state, "ad")  # and it is paid once
    assert state.level.name == "two"
    state = played(state, "s")
    assert rules.step(state, Action.UP)[0].level.name == "one"


def test_doors_ask_their_price() -> None:
    more = '[levels.one.doors]\n1 = {ending = "rich", carry = 1}\n2 = {ending = "locked", key = true}'
    state = played_on("1o2k$", "", more)
    assert rules.destination(state, Action.LEFT)[1] is StayReason.PRICE
    assert rules.destination(state, Action.RIGHT)[1] is StayReason.PRICE


@st.composite
def campaigns(draw: st.DrawFn) -> dict[str, tuple[list[str], int]]:
    """Rows with tiles of all sorts, and a period, of two levels that are joined by doors both ways."""
    levels = {}
    for name, door in (("one", "1"), ("two", "2")):
        height, width = draw(st.integers(2, 6)), draw(st.integers(3, 6))
        tiles = draw(
            st.lists(
                st.sampled_from("-" * 12 + "+$$@39!" + MONSTERS + "[)khfb[)khfb" + "s"),
                min_size=height * width,
                max_size=height * width,
            )
        )
        places = draw(st.permutations(range(height * width)))
        for place, tile in zip(places, ("o", door, "9", "k", "$", "$"), strict=False):
            tiles[place] = tile
        rows = ["".join(tiles[row * width : (row + 1) * width]) for row in range(height)]
        levels[name] = rows, 0 if "@" in tiles else draw(st.sampled_from([0, 0, 2, 3, 5]))
    return levels


def both(levels: dict[str, tuple[list[str], int]]) -> tuple[State, Deep]:
    """The start of a campaign, by the rules and by the twin."""
    texts, twins = {}, {}
    for name, (rows, period) in levels.items():
        doors = {tile: door for tile, door in DOORS.items() if any(tile in row for row in rows)}
        lines = [f"shrinks = {period}"] if period else []
        lines.append(f"[levels.{name}.doors]")
        for tile, door in doors.items():
            values = (f"{key} = {str(value).lower() if value is True else repr(value)}" for key, value in door.items())
            lines.append(f"{tile!r} = {{{', '.join(values)}}}")
        texts[name] = " ".join(rows), "\n".join(lines)
        cells = [(row, col, tile) for row, line in enumerate(rows) for col, tile in enumerate(line)]
        monsters = [(KIND_OF[tile], row, col) for row, col, tile in cells if tile in MONSTERS]
        start = next((row, col) for row, col, tile in cells if tile == "o")
        floor = ["".join("-" if tile in MONSTERS + "o" else tile for tile in row) for row in rows]
        twins[name] = Level(floor, monsters, start, doors, period)
    parsed = parse_campaign(LevelFile("drawn", campaign_text(texts).encode()))
    assert parsed.campaign is not None, parsed.errors
    return rules.start(parsed.campaign), Deep(twins)


def account(state: State) -> list[object]:
    """All that a state holds, as plain values in the twin's words."""
    you, rooms = state.adventurer, {**state.left, state.level.name: state.room}
    return [
        state.level.name, tuple(you.cell), you.treasure, sorted(you.items), you.haste, you.frost, state.moves,
        state.status.value, state.ending, {(name, chr(tile)) for name, tile in state.opened},
        {name: [
            [row.tobytes().decode() for row in room.board.copy()],
            sorted((each.kind, *each.cell, each.heading.value if each.heading else None, each.is_awake)
                   for each in room.monsters),
            sorted((*bomb.cell, bomb.turns) for bomb in room.bombs), room.turns, room.rings, room.is_mapped,
        ] for name, room in rooms.items()},
    ]  # fmt: skip


def twin_account(game: Deep, seen: set[str]) -> list[object]:
    return [
        game.name, (game.row, game.col), game.treasure, sorted(game.items), game.haste, game.frost, game.moves,
        game.status, game.ending, game.paid,
        {name: [
            ["".join(row) for row in level.tiles], sorted(map(tuple, level.monsters)),
            sorted(map(tuple, level.bombs)), level.turns, level.rings, level.is_mapped,
        ] for name, level in game.levels.items() if name in seen},
    ]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(levels=campaigns(), choices=st.lists(st.integers(0, 99), max_size=30))
def test_random_play_is_as_the_twin_has_it(levels: dict[str, tuple[list[str], int]], choices: list[int]) -> None:
    state, twin = both(levels)
    seen = {"one"}
    for choice in choices:
        legal = rules.legal_actions(state)
        if not legal:
            break
        before = account(state), rules.fingerprint(state)
        action = legal[choice % len(legal)]
        after, _ = rules.step(state, action)
        assert (account(state), rules.fingerprint(state)) == before
        state = after
        twin.command(action.value)
        seen.add(twin.name)
        assert account(state) == twin_account(twin, seen)


@settings(max_examples=300, deadline=None)
@given(
    tiles=st.lists(st.sampled_from("-----+$@MM"), min_size=25, max_size=25),
    start=st.integers(0, 24),
    letters=st.text("wasde", max_size=25),
)
def test_the_classic_is_the_deep_with_hunters_alone(tiles: list[str], start: int, letters: str) -> None:
    tiles[start] = "o"
    tiles[(start + 7) % 25] = "!"
    picture = " ".join("".join(tiles[row : row + 5]) for row in range(0, 25, 5))
    campaign = parse_campaign(LevelFile("classic", campaign_text({"one": (picture, "")}).encode())).campaign
    if campaign is None:  # a way out that no treasure of the level can open
        assert "$" not in picture
        return
    state, classic = rules.start(campaign), crawler.start(dungeon_of(picture))
    for letter in letters:
        state, _ = rules.step(state, Action(letter))
        classic, _ = crawler.step(classic, CrawlerAction(letter))
        assert (state.adventurer.cell, state.adventurer.treasure) == (classic.adventurer, classic.treasure)
        assert (rules.outcome(state) is None) == (crawler.outcome(classic) is None)
        if classic.status.value in ("escaped", "died"):
            return
        rows = [list(row.tobytes().decode()) for row in state.room.board.array()]
        for monster in state.room.monsters:
            rows[monster.cell.row][monster.cell.col] = "M"
        assert rows == [list(row.tobytes().decode()) for row in classic.board.array()]


def test_the_table_names_every_kind() -> None:
    assert set(KIND_OF.values()) >= set(KINDS)
