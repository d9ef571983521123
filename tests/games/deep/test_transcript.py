"""The deep in plain text."""

import io

from dungeon_tui.core.plain import Console
from dungeon_tui.games.deep.model.campaigns import names
from dungeon_tui.games.deep.model.state import Status
from dungeon_tui.games.deep.view.transcript import play
from tests.games.deep.campaigns import campaign_of


def printed(picture: str, letters: str) -> tuple[str, Status]:
    """The text of a game in plain text, and how it ended."""
    out = io.StringIO()
    end = play(campaign_of(picture), Console(io.StringIO(letters), out))
    assert end.exit_status == 0
    return out.getvalue(), end.controller.state.status


def test_a_game_goes_to_its_end() -> None:
    text, status = printed("o$h9", "x1ddd")
    assert status is Status.WON
    blocks = text.split("\n\n")
    assert blocks[0].splitlines()[-2:] == ["@$%9", "0 treasures, 0 moves. You carry no item."]
    assert blocks[1].splitlines()[-2] == "Treasure! None left here."
    assert "1 haste" in blocks[2]
    assert text.count("Command") == 5


def test_the_end_of_the_input_ends_it_and_death_is_reported() -> None:
    assert printed("o--9", "d")[1] is Status.PLAYING
    text, status = printed("o-M9", "d")
    assert status is Status.DIED
    assert "hunter" in text


def test_the_tutorial_comes_first() -> None:
    assert names()[0] == "tutorial"
