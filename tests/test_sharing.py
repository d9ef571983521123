"""`open CODE` and `daily`: what is opened, what is printed, and what is refused in one line."""

from __future__ import annotations

import json
from datetime import date

import pytest

from dungeon_tui.core.catalogue import find_games
from dungeon_tui.core.codes import Share, decode, encode
from dungeon_tui.core.dailies import Tried, results_line
from dungeon_tui.core.scores import Score
from tests.processes import call

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


def test_what_was_played_is_not_played_again() -> None:
    crawler = Share("crawler", "tutorial", ("d", "s"))
    done = call("open", encode(crawler), "--plain", given=b"sq")
    assert done.stdout.decode().count("You have moved to") == 1
    through = call("crawler", "play", "tutorial", "--plain", given=b"dssq")
    assert done.stdout.decode().splitlines()[-9:] == through.stdout.decode().splitlines()[-9:]


def test_without_a_terminal_it_is_plain_text() -> None:
    done = call("open", encode(Share("crawler", "tutorial")), given=b"q")
    assert done.returncode == 0
    assert b"plain text" in done.stderr
    assert done.stdout == call("crawler", "play", "tutorial", "--plain", given=b"q").stdout


@pytest.mark.parametrize("code", ["x", "AAAA", "A" * 200_00, "", "\u00e9", "A+B", "\x1b[2J"])
def test_a_wrong_code_is_refused_in_one_line(code: str) -> None:
    done = call("open", code)
    assert (done.returncode, done.stdout) == (1, b"")
    (line,) = done.stderr.decode().splitlines()
    assert line.isprintable()


def test_the_daily_of_a_game_in_json() -> None:
    pars = []
    for game in find_games():
        done = call("daily", game.name, "--date", "2026-11-22", "--json")
        values = json.loads(done.stdout)
        assert list(values) == ["date", "game", "code", "par"]
        assert (values["date"], values["game"]) == ("2026-11-22", game.name)
        assert values["par"] is None or values["par"] > 0
        share = decode(values["code"])
        assert (share.game, share.arguments, share.actions) == (game.name, "--date 2026-11-22", ())
        assert done.stderr == b""
        pars.append(values["par"])
    assert any(par is not None for par in pars)


def test_the_dailies_of_all_games() -> None:
    values = json.loads(call("daily", "--date", "2026-11-22", "--json").stdout)
    assert values["date"] == "2026-11-22"
    assert [each["game"] for each in values["games"]] == [game.name for game in find_games()]
    lines = call("daily", "--date", "2026-11-22").stdout.decode().splitlines()
    assert [line.split()[-1] for line in lines] == [each["code"] for each in values["games"]]


def test_a_daily_without_a_terminal_is_plain_text() -> None:
    done = call("daily", "crawler", "--date", "2026-11-22", given=b"eq")
    assert done.returncode == 0
    assert done.stdout == call("crawler", "play", "--plain", "--date", "2026-11-22", given=b"eq").stdout


@pytest.mark.parametrize("arguments", ["daily chess", "daily --date 1999-12-31", "daily --date 2026-02-30", "open"])
def test_wrong_usage(arguments: str) -> None:
    done = call(*arguments.split())
    assert (done.returncode, done.stdout) == (2, b"")


def test_the_line_with_a_days_results() -> None:
    day = date(2026, 11, 22)
    lost = Tried("chase", "captured", is_won=False, is_helped=True, score=Score("moves survived", 9, 60))
    assert results_line(day, [lost]) == "dungeon-tui 2026-11-22  chase captured  with hints"
    alone = Tried("delve", "won", is_won=True, is_helped=False)
    no_par = Tried("delve", "won", is_won=True, is_helped=False, score=Score("turns", 812))
    assert results_line(day, [alone, no_par]) == "dungeon-tui 2026-11-22  delve won  delve 812  no hints"
    assert results_line(day, []) == "dungeon-tui 2026-11-22  no hints"
