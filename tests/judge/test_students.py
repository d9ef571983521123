"""Programs as students write them, right and wrong: each mistake is found, on an input as small as can be expected."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.processes import call, json_of

STUDENTS = Path(__file__).parent / "students"
MISTAKES = {  # the size of the smallest input at most
    "rescue": {
        "last-cell": 1,
        "one-cell-crash": 1,
        "no-power-ups": 2,
        "greedy": 6,
        "right-first": 4,
        "square-only": 2,
        "silent": 1,
        "wrong-path": 4,
        "largest-sum": 8,
        "32-bits": 2,
        "zero-lives": 1,
        "final-sum": 2,
    },
    "expedition": {
        "greedy": 4,
        "no-corridors": 2,
        "one-way": 3,
        "counts-rooms-once": 3,
        "jumps": 4,
        "there-and-back": 2,
        "tree-twice": 2,
        "never-back": 4,
    },
    "delve": {
        "divides-wrongly": 4,
        "four-ways": 4,
        "pays-to-enter": 3,
        "digs-the-border": 2,
        "swapped-player": 2,
        "one-map": 1,
        "signed-bytes": 3,
        "first-come": 5,
        "free-floor": 2,
    },
    "crawler": {
        "sees-through-pillars": 4,
        "one-monster-a-ray": 4,
        "walks-off": 2,
        "leaves-poor": 2,
        "plural": 2,
        "shares-rows": 6,
        "copies-itself": 2,
        "farthest-first": 3,
    },
}
QUICK = {"rescue": "last-cell", "delve": "one-map"}  # found at once


def student(game: str, *mistakes: str) -> str:
    return shlex.join([sys.executable, str(STUDENTS / f"{game}.py"), *mistakes])


@pytest.mark.parametrize(
    "game", [pytest.param("rescue", marks=pytest.mark.slow), "expedition", "delve", "crawler"]
)  # rescue has 38 levels
def test_a_right_program_is_right_on_all(game: str) -> None:
    (verdict,) = json_of(game, "judge", student(game), "--random", "3")["programs"]
    assert verdict == {
        "program": student(game), "loads": True, "cases": verdict["cases"], "wrong": 0, "failed": 0, "smallest": None
    }  # fmt: skip
    assert verdict["cases"] >= 6


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("game", "mistake", "most"),
    [
        pytest.param(game, mistake, most, marks=[pytest.mark.slow] * (mistake != QUICK.get(game)))
        for game, table in MISTAKES.items()
        for mistake, most in table.items()
    ],
)
def test_each_mistake_is_found_small(game: str, mistake: str, most: int) -> None:
    bounds = ("--low", str(-(2**31)), "--high", str(2**31)) if mistake == "32-bits" else ()
    found = json_of(game, "break", student(game, mistake), "--seconds", "200", *bounds)
    assert found["found"]
    assert found["size"] <= most
    assert found["expected"] != found["got"]


@pytest.mark.parametrize("words", [("digits",), ("numbers",), ("titles", "gaps")])
def test_the_delves_maps_may_be_letters_digits_or_numbers(words: tuple[str, ...], tmp_path: Path) -> None:
    call("delve", "generate", "--seed", "1", "--output", str(tmp_path / "cave"))
    (verdict,) = json_of("delve", "judge", student("delve", *words), "--inputs", str(tmp_path / "cave"))["programs"]
    assert (verdict["wrong"], verdict["failed"]) == (0, 0)


def test_where_nothing_is_found_it_says_up_to_which_size() -> None:
    found = json_of("rescue", "break", student("rescue"), "--seconds", "0.3")
    assert not found["found"]
    assert (found["size"], found["input"]) == (None, None)
    assert found["tried"] >= 1
    assert found["largest"] >= 1


def test_the_same_seed_finds_the_same() -> None:
    first, again = (json_of("rescue", "break", student("rescue", "last-cell"), "--seed", "7") for _ in range(2))
    assert first == again


def test_a_program_may_be_a_function(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("from other import two\n\ndef least(text):\n    return two(text)\n")
    (tmp_path / "other.py").write_text("def two(text):\n    return max(1, 1 + int(text.partition('-')[2] or 0))\n")
    program, inputs = f"{tmp_path / 'one.py'}:least", ("one-trap", "one-power-up")
    (verdict,) = json_of("rescue", "judge", program, "--inputs", *inputs)["programs"]
    assert (verdict["loads"], verdict["wrong"], verdict["failed"]) == (True, 0, 0)


@pytest.mark.slow
def test_the_input_is_written_to_a_folder(tmp_path: Path) -> None:
    found = json_of("crawler", "break", student("crawler", "plural"), "--output", str(tmp_path / "small"))
    assert found["size"] <= MISTAKES["crawler"]["plural"]
    names = sorted(path.name for path in (tmp_path / "small").iterdir())
    assert names == ["dungeon1.txt", "input"]
    assert (tmp_path / "small" / "dungeon1.txt").read_text() in found["input"]
