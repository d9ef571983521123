"""Campaigns from pictures, for tests."""

from dungeon_tui.core.board import Board
from dungeon_tui.core.level import LevelFile
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import Campaign, read_campaign
from dungeon_tui.games.deep.model.room import Adventurer, Room
from dungeon_tui.games.deep.model.state import Action, State

LEGEND = {
    "V": "up-down", "H": "left-right", "X": "diagonal", "S": "sprinter", "T": "tracker", "Z": "sleeper", "C": "mimic",
    "[": "shield", ")": "sword", "k": "key", "h": "haste", "f": "frost", "b": "bomb", "s": "scroll",
}  # fmt: skip


def campaign_text(levels: dict[str, tuple[str, str]]) -> str:
    """TOML of levels by name: a picture, rows parted by blanks, and further lines of the level's table."""
    lines = ["[legend]", *(f"{key!r} = {name!r}" for key, name in LEGEND.items())]
    for name, (picture, more) in levels.items():
        lines += [f"[levels.{name}]", 'map = """', *picture.split(), '"""', more]
    return "\n".join(lines) + "\n"


def campaign_of(picture: str, more: str = "") -> Campaign:
    """A campaign of one level; a door 9 leads out of it, unless there is more to say."""
    if not more.endswith("}") and "9" in picture:
        more += '\n[levels.one.doors]\n9 = {ending = "out"}'
    return read_campaign(LevelFile("picture", campaign_text({"one": (picture, more)}).encode()))


def state_of(picture: str, more: str = "") -> State:
    """The start of a campaign of one level."""
    return rules.start(campaign_of(picture, more))


def played(state: State, letters: str) -> State:
    for letter in letters:
        state, _ = rules.step(state, Action(letter))
    return state


def entered(campaign: Campaign, name: str, door: str = "", treasure: int = 0) -> State:
    """The state of an adventurer who comes to a level through a door, or at its start."""
    level = campaign.levels[name]
    room = Room(Board.of(level.tiles), level.monsters)
    cell = room.cell_of(ord(door)) if door else level.start
    assert cell is not None
    return State(campaign, level, room, Adventurer(cell, treasure), {})
