"""Share codes: what was encoded is decoded, what was broken is told in one line, and old codes open for ever."""

import hashlib
import json
import string
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core import codes
from dungeon_tui.core.catalogue import Game, find_game, find_games, levels_folder
from dungeon_tui.core.codes import MOST_CHARACTERS, CodeError, Share, TooLongError, decode, encode, opening_of
from dungeon_tui.core.turns import TurnController

MADE = [
    ("crawler", "--seed 7 --difficulty easy"),
    ("crawler", "--seed 7 --rows 9 --cols 9 --amulet none"),
    ("crawler", "--date 2026-11-22"),
    ("chase", "--size 12"),
    ("chase", "--seed -3 --size 20 --moves 50 --monster perfect --rogue you"),
    ("chase", "gatekeeper --seed 8 --monster random"),
    ("chase", "--date 2026-11-22"),
    ("rescue", "--rows 3 --cols 4 --seed 5 --low -10 --high 10"),
    ("rescue", "--puzzle purchase --seed 1 --rows 5 --cols 6"),
    ("rescue", "--generator report"),
    ("rescue", "--date 2026-11-22"),
    ("delve", "--seed 12345 --monsters 3 --rows 30 --cols 60"),
    ("delve", "--date 2026-11-22"),
    ("expedition", "ring --coverage 66.6 --return --fog"),
    ("expedition", "--seed 4 --rooms 30 --degree 3.5 --uniform"),
    ("expedition", "--date 2026-11-22"),
]
GAMES = pytest.mark.parametrize("game", find_games(), ids=lambda game: game.name)

NAMED = {game.name: [opening.arguments for opening in game.levels().openings()] for game in find_games()}
"""Arguments of the levels that the menu offers, but for one that chance chooses."""

GOLDEN = {
    "AQT6HB-dNORiIHE": ("crawler", "easy", ""),
    "ASmvAQlK95cnUt7uuOIOgNzwfvBx": ("crawler", "--date 2026-11-22", "e,e"),
    "AcN_H9yDmGt_B9effJBb": ("chase", "gatekeeper", ""),
    "ASVD5qcsBWDsBZW-fbf-5Es60Fs": ("chase", "--size 12 --seed 5", ""),
    "Aevqfu0FaUlb0eb7RveUY-LsoII": ("rescue", "classic", "health 7,right,down"),
    "AQiXBbJzZi-Daxr9duFq6P9NMII": ("rescue", "--date 2026-11-22", ""),
    "ARyFPGJonENX8FEkbJ8V02jSEJQ": ("delve", "--date 2026-11-22", "."),
    "AUy1JMyIWsaE52iviHR-radImjAj": ("expedition", "--seed 4 --rooms 30", ""),
    "ASjZB3oX8LFFfWzimVUZHRY8u0auDdsGiVe37UKBRsV1gEW3aOc3Zt9LTGCC": (
        "rescue",
        "--puzzle purchase --seed 1 --rows 5 --cols 6",
        "health 5,right",
    ),
}
"""Codes of version 1, with game, arguments and actions; each opens for ever, unless level or rules change."""


def walked(game: Game, arguments: str, draw: Callable[[int], int], moves: int) -> Share:
    """A share after some legal moves; each is drawn among so many."""
    opening, rules = game.levels().named(arguments), game.rules()
    level = opening.load()
    controller: TurnController[Any, Any, Any] = TurnController(rules, level, opening.seed)
    while controller.turn.ply < moves and (actions := rules.legal_actions(controller.state)):
        controller.apply(actions[draw(len(actions))])
    played = tuple(rules.action_text(turn.action) for turn in controller.turn.line()[1:])
    return Share(game.name, arguments, played, level)


@GAMES
@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_a_position_reached_by_any_legal_moves_is_decoded_as_it_was(game: Game, data: st.DataObject) -> None:
    arguments = data.draw(st.sampled_from(NAMED[game.name]))
    share = walked(game, arguments, lambda few: data.draw(st.integers(0, few - 1)), data.draw(st.integers(0, 40)))
    with suppress(TooLongError):
        code = encode(share)
        assert len(code) <= MOST_CHARACTERS
        assert set(code) <= {*string.ascii_letters, *string.digits, "-", "_"}
        assert decode(code) == share


@pytest.mark.parametrize(("name", "arguments"), MADE)
def test_a_level_that_options_make_is_made_again(name: str, arguments: str) -> None:
    game = find_game(name)
    assert game is not None
    share = walked(game, arguments, lambda few: few // 2, 3)
    found = decode(encode(share))
    assert found == share
    packed = game.levels().pack_level
    assert packed(found.level) == packed(share.level)
    assert len(encode(Share(name, arguments))) <= MOST_CHARACTERS


@GAMES
def test_every_opening_of_the_menu_has_a_code(game: Game) -> None:
    for opening in game.levels().openings():
        found, named = opening_of(decode(encode(Share(game.name, opening.arguments))))
        assert found is game
        assert (named.title, named.seed, named.players) == (
            named.title if game.name == "delve" else opening.title,
            opening.seed,
            opening.players,
        )


def test_a_position_on_a_days_level_is_no_try_of_it() -> None:
    today = opening_of(decode(encode(Share("delve", "--date 2026-11-22"))))[1]
    later = opening_of(decode(encode(Share("delve", "--date 2026-11-22", (".",)))))[1]
    assert today.day == date(2026, 11, 22)
    assert later.day is None


def test_every_shipped_dungeon_of_the_crawler_has_a_code_for_its_shortest_way_out() -> None:
    for path in levels_folder("crawler").glob("*.par.jsonl"):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        share = Share("crawler", path.name.partition(".")[0], tuple("".join(lines[1]["commands"])))
        assert decode(encode(share)) == share


def test_actions_that_are_not_listed_are_texts() -> None:
    share = Share("rescue", "classic", ("health 500", "right", "down"))
    code = encode(share)
    assert len(code) <= MOST_CHARACTERS
    assert decode(code) == share
    share = Share("chase", "open-room", ("forfeit it won't move",))
    assert decode(encode(share)) == share


@pytest.mark.parametrize("code", GOLDEN)
def test_codes_of_version_1_open_for_ever(code: str) -> None:
    game, arguments, actions = GOLDEN[code]
    assert decode(code) == Share(game, arguments, tuple(actions.split(",") if actions else ()))


def test_blanks_and_line_ends_count_for_nothing() -> None:
    code = encode(Share("crawler", "easy", ("d",)))
    assert decode(f" {code[:10]}\r\n  {code[10:]}\t\n") == decode(code)


def test_every_mistyped_character_is_noticed() -> None:
    code = encode(Share("crawler", "tutorial", ("d", "d", "s", "w")))
    random = Random(1)
    for place, sign in enumerate(code):
        for other in random.sample(sorted({*string.ascii_letters, *string.digits, "-", "_"} - {sign}), 6):
            with pytest.raises(CodeError):
                decode(code[:place] + other + code[place + 1 :])
        with pytest.raises(CodeError):
            decode(code[:place])
    with pytest.raises(CodeError):
        decode(code.swapcase())


def rewritten(version: int, share: Share, change: Callable[[int], int] = lambda number: number) -> str:
    """A code with a right checksum, but with something else in it."""
    digits = codes.Digits()
    codes.follow(digits, share)
    return codes.spelled(version, change(digits.number()))


EASY = Share("crawler", "easy", ("d",))


@pytest.mark.parametrize(
    ("code", "fact"),
    [
        ("", "missing"),
        ("  \n", "missing"),
        ("A", "mistyped"),
        ("AAAA", "mistyped"),
        ("A" * 81, "too long"),
        ("A" * 5_000_000, "too long"),
        ("ACC+DEF", "'+'"),
        ("AC\x1bDEF", "control character (U+001B)"),
        ("ACéDEF", "U+00E9"),
        (rewritten(2, EASY), "version 2"),
        (rewritten(1, EASY, lambda number: number << 100), ""),
        (rewritten(1, EASY, lambda number: number >> 20), ""),
    ],
    ids=lambda each: each[:20],
)
def test_what_is_no_code_is_reported_in_one_line(code: str, fact: str) -> None:
    with pytest.raises(CodeError, match=r"^[^\n]+$") as caught:
        decode(code)
    assert fact in str(caught.value)
    assert str(caught.value).isprintable()


def text_of(words: str) -> str:
    """A code that begins with a game and arguments of one's own."""
    digits, (name, _, arguments) = codes.Digits(), words.partition(" ")
    digits.digit(256, hashlib.sha256(name.encode()).digest()[0])
    codes.text(digits, "", arguments)
    digits.digit(1 << 60, 1)  # what follows is anything
    return codes.spelled(1, digits.number())


UNKNOWN = [
    ("nethack", "game is not here"),
    ("crawler", "DUNGEON"),
    ("crawler no-such-dungeon", "no-such-dungeon"),
    ("crawler ../../etc/passwd", "passwd"),
    ("crawler /dev/stdin", "/dev/stdin"),
    ("crawler --seed 2 --rows 40 --cols 40 --difficulty hard", "at most 20"),
    ("crawler --seed 2 --cols 21", "at most 20"),
    ("crawler --date 1999-12-31", "too early"),
    ("crawler easy easy", "easy"),
    ("chase x.py:f", "x.py:f"),
    ("chase open-room --monster x.py:f", "x.py:f"),
    ("chase --size 9999", "9,999"),
    ("rescue --rows 100000 --cols 100000", "too many"),
    ("rescue --puzzle purchase --rows 1 --cols 1", "can't be opened"),
    ("delve dungeon", "dungeon"),
    ("delve --seed " + "9" * 40, "--seed"),
    ("expedition ring --start nowhere", "nowhere"),
]
"""Texts of codes that name no level, and words of what is said of each."""


@pytest.mark.parametrize(("told", "fact"), UNKNOWN)
def test_what_names_no_level_is_reported(told: str, fact: str) -> None:
    with pytest.raises(CodeError, match=r"^[^\n]+$") as caught:
        decode(text_of(told))
    assert fact in str(caught.value)


def test_a_level_that_was_changed_since_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    code = encode(EASY)
    monkeypatch.setattr(codes, "level_hash", lambda packed: "0" * 64)
    with pytest.raises(CodeError, match="changed since"):
        decode(code)


def test_other_rules_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    code = encode(EASY)
    game = find_game("crawler")
    monkeypatch.setattr(game.rules(), "VERSION", 2)
    with pytest.raises(CodeError, match="rules 1"):
        decode(code)


WITHOUT_CODE = [
    Share("crawler", "easy", tuple("dw" * 300)),
    Share("crawler", "easy", ("d",) * 40_000),
    Share("crawler", "easy", ("north",)),
    Share("crawler", "no-such-dungeon"),
    Share("nethack", "--seed 1"),
    Share("rescue", "classic", ("right",)),
    Share("rescue", "classic", ("health x",)),
    Share("rescue", "classic", ("health 0",)),
    Share("chase", "open-room", ("forfeit \u03b1",)),
]


@pytest.mark.parametrize("share", WITHOUT_CODE)
def test_what_has_no_code_is_reported(share: Share) -> None:
    with pytest.raises(CodeError, match=r"^[^\n]+$"):
        encode(share)
