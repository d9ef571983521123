"""`open CODE` and `daily`: what is opened, what is printed, and what is refused in one line."""

from datetime import date

import pytest

from dungeon_tui.core.codes import Share, decode, encode
from tests.processes import call, json_of
from tests.test_dailies import games_of

POSITIONS = [
    (Share("crawler", "tutorial", ("d", "d", "s")), "q", "Level 1\n"),
    (Share("crawler", "--date 2026-11-22", ("e",)), "e q", "You stayed"),
    (Share("chase", "open-room", ()), "q", "You are the rogue"),
    (Share("rescue", "classic", ("guess 3", "guess 9", "health 7", "right")), "s q", "7"),
    (Share("delve", "--seed 5 --monsters 3", (".", ".")), ". q", "Command"),
    (Share("expedition", "ring", ()), "q", "ring"),
]


@pytest.mark.parametrize(("share", "typed", "fact"), POSITIONS, ids=lambda each: getattr(each, "game", None))
def test_play_goes_on_in_plain_text(share: Share, typed: str, fact: str) -> None:
    done = call("open", encode(share), "--plain", given="\n".join(typed.split()).encode())
    assert done.returncode == 0
    assert fact in done.stdout.decode()
    assert done.stderr == b""


def test_the_dailies_of_all_games_and_of_one() -> None:
    values = json_of("daily", "--date", "2026-11-22")
    assert values["date"] == "2026-11-22"
    assert [each["game"] for each in values["games"]] == [game.name for game in games_of(date(2026, 11, 22))]
    for each in values["games"]:
        assert list(each) == ["date", "game", "code", "par"]
        assert decode(each["code"]) == Share(each["game"], "--date 2026-11-22")
    pars = {each["game"]: each["par"] for each in values["games"]}
    assert pars["crawler"] > 0
    assert json_of("daily", "rescue", "--date", "2026-11-22") in values["games"]
    lines = call("daily", "--date", "2026-11-22").stdout.decode().splitlines()
    assert [line.split()[-1] for line in lines] == [each["code"] for each in values["games"]]


def test_a_daily_without_a_terminal_is_plain_text() -> None:
    done = call("daily", "crawler", "--date", "2026-11-22", given=b"eq")
    assert done.returncode == 0
    assert done.stdout == call("crawler", "play", "--plain", "--date", "2026-11-22", given=b"eq").stdout
