"""Every sentence that the deep can say so far, in one file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.rules import Event
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import Door, parse_campaign
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS
from dungeon_tui.games.deep.model.state import (
    Action,
    AmuletTaken,
    BombBlewUp,
    DoorPaid,
    DoorTaken,
    Doubled,
    DoublingRefused,
    ItemTaken,
    ItemUsed,
    MonsterKilled,
    MonsterMoved,
    MonstersFrozen,
    MonsterWoke,
    RingFell,
    Stayed,
    StayReason,
    TreasureTaken,
    Won,
)  # fmt: skip
from dungeon_tui.games.deep.view import words
from tests.games.deep.campaigns import campaign_of, campaign_text, played
from tests.games.deep.test_campaign import FAULTS, GOOD
from tests.wording import usage_errors

MORE_FAULTS = {
    "no level": "",
    "a level that is no table": "levels = {hall = 3}",
    "no map": "[levels.hall]",
    "an empty map": '[levels.hall]\nmap = ""',
    "a large map": campaign_text({"one": ("o$!" + 62 * "-", "")}),
    "two starts": campaign_text({"one": ("oo$!", "")}),
    "no second level": campaign_text({"one": ("o?", "")}),
    "a legend of words": "[legend]\nguard = 'hunter'",
    "a name that is taken": "[kinds.sword]\nlike = 'hunter'",
}
ENDS = {
    "won": ("o9", "d"),
    "caught": ("oM9", "e"),
    "bombed": ("ob9", "d7ae"),
    "fallen": ("o-9", "ee"),
}
HERE = Cell(0, 0)
EVENTS: tuple[Event, ...] = (
    *(Stayed(HERE, reason) for reason in StayReason), TreasureTaken(1), *map(ItemTaken, ITEMS),
    *(ItemUsed(item) for item in ITEMS if item != "key"),
    AmuletTaken(), Doubled(4, 6), DoublingRefused(20_000), DoorPaid(2, key=True), DoorTaken("one", is_return=False),
    DoorTaken("one", is_return=True), MonsterWoke("sleeper", HERE), MonsterMoved("hunter", HERE, HERE, ord("$")),
    *(MonsterKilled("up-down", HERE, cause) for cause in ("sword", "bomb", "chasm")), MonstersFrozen(0),
    BombBlewUp(HERE), RingFell(1), Won("out"),
)  # fmt: skip
DOORS = {
    "-": None, "+": None, "$": None, "@": None, "~": None, "k": None, "?": None,
    "1": Door(to="two", cost=2, key=True), "9": Door(ending="out", carry=1),
}  # fmt: skip


def sentences() -> Iterator[tuple[str, str]]:
    """Yields each sentence after the place it is said at."""
    for name, kind in KINDS.items():
        yield name, kind.text
    for name, item in ITEMS.items():
        yield name, item.text
    for old, new, _ in FAULTS:
        for error in parse_campaign(LevelFile("x", GOOD.replace(old, new, 1).encode())).errors:
            yield f"{old} -> {new}", str(error)
    for name, text in MORE_FAULTS.items():
        for error in parse_campaign(LevelFile("x", text.encode())).errors:
            yield name, str(error)
    for name, (picture, letters) in ENDS.items():
        campaign = campaign_of(picture, "shrinks = 2" if name == "fallen" else "")
        state = played(rules.start(campaign), letters)
        outcome = rules.outcome(state)
        assert outcome is not None, name
        yield name, outcome.reason
        yield name, str(rules.objection(state, Action.STAY))
        for text in (*words.ended(state, outcome, "1 min"), words.GOAL, words.FALLING, words.SIGHT, words.DANGER):
            yield name, text
    campaign = campaign_of("o9")
    for event in EVENTS:
        for text in words.sentences(event, campaign):
            yield type(event).__name__, text
    for tile, door in DOORS.items():
        yield f"tile {tile}", words.tile_text(ord(tile), door)
    yield "not carried", str(rules.objection(rules.start(campaign_of("o9")), Action.BOMB))
    yield from usage_errors("games/deep/commands.py")


def test_wording(golden: Callable[[Path, str], None]) -> None:
    lines = [f"{event}: {said}".strip().replace("\n", " / ") for event, said in sentences()]
    golden(Path(__file__).with_name("wording.txt"), "\n".join(lines))
