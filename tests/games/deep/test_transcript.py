"""The deep in plain text, and campaigns made of classic levels."""

import io
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.deep.commands import app
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import read_campaign
from dungeon_tui.games.deep.model.campaigns import converted, names
from dungeon_tui.games.deep.model.state import Status
from dungeon_tui.games.deep.view.transcript import play
from tests.games.deep.campaigns import campaign_of, played


def printed(picture: str, letters: str) -> tuple[str, Status]:
    """The text of a game in plain text, and how it ended."""
    out = io.StringIO()
    end = play(campaign_of(picture), io.StringIO(letters), out)
    assert end.exit_status == 0
    return out.getvalue(), end.controller.state.status


def test_a_game_goes_to_its_end() -> None:
    text, status = printed("o$h9", "x1ddd")
    assert status is Status.WON
    blocks = text.split("\n\n")
    assert blocks[0].splitlines()[-2:] == ["@$h9", "0 treasures, 0 moves. You carry: nothing."]
    assert blocks[1].splitlines()[-2] == "Treasure! You have 1 treasure."
    assert "1 haste" in blocks[2]
    assert text.count("Command") == 5


def test_the_end_of_the_input_ends_it_and_death_is_reported() -> None:
    assert printed("o--9", "d")[1] is Status.PLAYING
    text, status = printed("o-M9", "d")
    assert status is Status.DIED
    assert "hunter" in text


def test_classic_levels_become_a_campaign(tmp_path: Path) -> None:
    (tmp_path / "old1.txt").write_text("2 3\n0 0\n- $ ?\n- + -\n")
    (tmp_path / "old2.txt").write_text("1 3 0 0 --!")
    campaign = read_campaign(LevelFile("x", converted(str(tmp_path / "old")).encode()))
    state = played(rules.start(campaign), "dddd")
    assert (state.status, state.level.name, state.adventurer.treasure) == (Status.WON, "level-2", 1)
    done = CliRunner().invoke(app, ["convert", str(tmp_path / "old"), "--output", str(tmp_path / "new.toml")])
    assert done.exit_code == 0
    assert (tmp_path / "new.toml").read_text() == converted(str(tmp_path / "old"))


@pytest.mark.parametrize("text", ["", "2 2 0 0 --", "1 1 0 0 $", "1 2 0 0 -Q", "1 99 0 0 " + 99 * "-", "a b c d --"])
def test_what_is_no_classic_level_is_refused_at_its_place(text: str, tmp_path: Path) -> None:
    (tmp_path / "old1.txt").write_text(text)
    with pytest.raises(LevelError) as caught:
        converted(str(tmp_path / "old"))
    assert caught.value.line == 1


def test_the_story_comes_first() -> None:
    assert names()[0] == "story"
