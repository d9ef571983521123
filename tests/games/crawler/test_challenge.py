"""Levels of a difficulty keep what it promises, by certificates of their own."""

import hashlib
from threading import Event

import numpy as np
import pytest

from dungeon_tui.games.crawler.ai.challenge import AMULETS, ANY, DIFFICULTIES, NEEDED, NONE, make
from dungeon_tui.games.crawler.ai.solver import StoppedError
from dungeon_tui.games.crawler.ai.worth import Certifier, played
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, MONSTER, OPEN, WAY_OUT, Level, level_text
from dungeon_tui.games.crawler.model.state import Status


def digest(level: Level) -> str:
    return hashlib.sha256(level_text(level).encode()).hexdigest()[:16]


def without_monsters(level: Level) -> Level:
    return Level("lonely", np.where(level.tiles == MONSTER, np.uint8(OPEN), level.tiles), level.start)


@pytest.mark.parametrize("amulet", AMULETS)
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_every_promise_holds(difficulty: str, amulet: str) -> None:
    grade = DIFFICULTIES[difficulty]
    for seed in range(2):
        found = make(seed, difficulty, amulet=amulet, size=(9, 13))
        level = found.level
        assert level.tiles.shape == (9, 13)
        certifier = Certifier(level)
        best, lonely = certifier.escape(""), certifier.escape("", without_monsters(level))
        assert best.is_proven
        assert best.moves == found.moves == len(found.commands)
        assert grade.moves[0] <= 100 * found.moves / 22 <= grade.moves[1]
        assert played(level, found.commands).status is Status.ESCAPED
        assert found.moves >= lonely.moves + grade.detour
        assert (played(level, lonely.commands[0]).status is Status.ESCAPED) is grade.survives
        assert len(certifier.monsters_that_matter(best) or ()) >= grade.matter
        assert amulet != NEEDED or certifier.is_amulet_needed(best)
        assert amulet != NONE or not np.any(level.tiles == AMULET)
        assert np.count_nonzero(level.tiles == WAY_OUT) == 1


@pytest.mark.parametrize(
    ("seed", "difficulty", "rows", "cols", "amulet", "leave_by"),
    [
        (1006, "normal", 7, 5, ANY, DOOR),
        (1011, "normal", 5, 8, NONE, DOOR),
        (1015, "easy", 7, 10, NONE, WAY_OUT),
        (1089, "normal", 7, 8, ANY, WAY_OUT),
    ],
)
def test_on_a_small_level_too_no_fewer_moves_are_enough_than_promised(
    seed: int, difficulty: str, rows: int, cols: int, amulet: str, leave_by: int
) -> None:
    found = make(seed, difficulty, size=(rows, cols), amulet=amulet, leave_by=leave_by)
    assert 100 * found.moves / (rows + cols) >= DIFFICULTIES[difficulty].moves[0]


@pytest.mark.parametrize(
    ("seed", "difficulty", "amulet", "expected"),
    [
        (1, "easy", ANY, "905fff2fcb9cee83"),
        (1, "normal", NONE, "2627d18cf39e73fe"),
        (-7, "normal", NEEDED, "041794466eebc603"),
        (2**70, "hard", ANY, "8ad5df56a0823ca8"),
    ],
)
def test_a_seed_makes_the_same_level_on_every_machine(seed: int, difficulty: str, amulet: str, expected: str) -> None:
    assert digest(make(seed, difficulty, amulet=amulet, size=(8, 10)).level) == expected


def test_the_number_of_tries_is_reported_and_they_can_be_stopped() -> None:
    told: list[int] = []
    assert make(5, "normal", tell=told.append).tries == len(told) == told[-1]
    stop = Event()
    stop.set()
    with pytest.raises(StoppedError):
        make(5, "normal", stop=stop)
