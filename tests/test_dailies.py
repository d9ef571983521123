"""The dailies of all games: the same for everyone, for ever, and certified where the game can be solved.

And `open CODE` and `daily`: what is opened, and what is printed.
"""

from contextlib import suppress
from datetime import date
from typing import Any

import pytest

from dungeon_tui.core.catalogue import YOU, Game, Opening, find_game, find_games
from dungeon_tui.core.codes import Share, decode, encode
from dungeon_tui.core.options import UnknownLevelError, daily
from dungeon_tui.core.recording import level_hash
from dungeon_tui.games.chase.ai.tasks import LEAST_DECISIONS, LEAST_MOVES, SIMPLE, is_safe, only_moves, prospects
from dungeon_tui.games.chase.model import rules as chase_rules
from dungeon_tui.games.chase.model.players import SAFETY
from dungeon_tui.games.chase.model.state import Side
from dungeon_tui.games.crawler.ai.daily import LEAVE_BY, daily_dungeon, daily_level, par
from tests.processes import call, json_of

GOLDEN = {
    ("crawler", "2000-01-01"): "abb941915b262bb0",
    ("crawler", "2026-11-22"): "bb13f1f746f1c71c",
    ("crawler", "2031-05-09"): "0d43ead97b631730",
    ("chase", "2000-01-01"): "30ebfdb051c2a7a8",
    ("chase", "2026-11-22"): "a6819adaa1f7a020",
    ("chase", "2031-05-09"): "55f32681f201b6de",
    ("rescue", "2000-01-01"): "d4f1a7bd74d63a52",
    ("rescue", "2026-11-22"): "61b78b712d0fe3a2",
    ("rescue", "2031-05-09"): "06f77f2a680e5918",
    ("delve", "2000-01-01"): "4319102d209154cf",
    ("delve", "2026-11-22"): "3125d2fc0ad44ade",
    ("delve", "2031-05-09"): "2bad9b0519c3ca1b",
    ("expedition", "2000-01-01"): "dffe35fac0aee143",
    ("expedition", "2026-11-22"): "53ee969acfe0bd60",
    ("expedition", "2031-05-09"): "121f8983cbc48e4b",
    ("deep", "2000-01-01"): "4491b210dac324ad",
    ("deep", "2026-11-22"): "c78d9265a6f9ee60",
    ("deep", "2031-05-09"): "9b82c284a06bbc2d",
}


def of_day(game_name: str, day: date) -> tuple[Opening, Any]:
    """The opening of a game's daily level, and the level."""
    game = find_game(game_name)
    opening = game.levels().named(daily(day))
    return opening, opening.load()


def games_of(day: date) -> list[Game]:
    """The games that have a level of a day."""
    found = []
    for game in find_games():
        with suppress(UnknownLevelError):
            game.levels().named(daily(day))
            found.append(game)
    return found


@pytest.mark.parametrize(("game_name", "day"), GOLDEN)
def test_the_level_of_a_day_is_the_same_for_ever(game_name: str, day: str) -> None:
    game = find_game(game_name)
    assert game is not None
    opening, level = of_day(game_name, date.fromisoformat(day))
    assert level_hash(game.levels().pack_level(level))[:16] == GOLDEN[game_name, day]
    assert (opening.title, opening.arguments) == (f"Daily {day}", f"--date {day}")
    assert opening.day == date.fromisoformat(day)


@pytest.mark.parametrize("game", find_games(), ids=lambda game: game.name)
@pytest.mark.parametrize("day", ["1999-12-31", "2026-02-30", "today", "20261122", "0000-01-01", ""])
def test_days_that_have_none_are_refused(game: Any, day: str) -> None:
    with pytest.raises(ValueError, match=r"date|early"):
        game.levels().named(f"--date {day}")


def test_daily_is_the_date_of_today() -> None:
    given = find_game("crawler").commands().OPTIONS.given("", {"daily": True})
    assert given.arguments == f"--date {date.today()}"


@pytest.mark.parametrize(
    "number", [*range(1, 8), *(pytest.param(number, marks=pytest.mark.slow) for number in range(8, 15))]
)
def test_exact_play_proves_the_chases_task(number: int) -> None:
    opening, level = of_day("chase", date(2026, 11, number))
    assert level.moves >= LEAST_MOVES
    decisions = only_moves(level, SIMPLE[Side(level.task.seat)][0])
    assert (decisions[0], len(decisions) >= LEAST_DECISIONS) == (1, True)
    assert opening.players[level.task.seat] == YOU
    assert prospects(level).is_open(chase_rules.start(level))
    assert not (level.task.aim == SAFETY and is_safe(chase_rules.start(level)))


def test_the_crawlers_par_is_no_more_than_its_levels_take_one_by_one() -> None:
    day = date(2026, 11, 21)
    found = par(daily_dungeon(day))
    assert found is not None
    assert sum(daily_level(day, each).moves for each in ("easy", "normal")) < found
    assert found <= sum(daily_level(day, each).moves for each in LEAVE_BY)


@pytest.mark.parametrize("game", games_of(date(2026, 11, 22)), ids=lambda game: game.name)
def test_the_next_day_has_another_level(game: Any) -> None:
    following = game.levels().pack_level(of_day(game.name, date(2026, 11, 23))[1])
    assert level_hash(following)[:16] != GOLDEN[game.name, "2026-11-22"]


POSITIONS = [
    (Share("crawler", "tutorial", ("d", "d", "s")), "q", "Level 1\n"),
    (Share("crawler", "--date 2026-11-22", ("e",)), "e q", "You stayed"),
    (Share("chase", "open-room", ()), "q", "You are the rogue"),
    (Share("rescue", "classic", ("health 7", "right")), "s q", "7"),
    (Share("delve", "--seed 5 --monsters 2 --depths 3", (".", ".")), ". q", "Command"),
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
