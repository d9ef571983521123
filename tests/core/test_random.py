"""SplitMix64, against its author's published numbers."""

import numpy as np
import pytest

from dungeon_tui.core.random import Random


def test_the_published_numbers_come_out() -> None:
    random = Random(1234567)
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [random.word() for _ in range(4)] == published


@pytest.mark.parametrize("seed", [0, 1, -1, 2**64 - 1, 2**64 + 5, -(10**30)])
def test_words_are_the_same_one_by_one_and_together(seed: int) -> None:
    one, many = Random(seed), Random(seed)
    words = many.words(1000)
    assert words.dtype == np.uint64
    assert words.tolist() == [one.word() for _ in range(1000)]
    assert one.state == many.state
    assert many.words(0).tolist() == []


def test_numbers_stay_in_their_bounds_and_reach_them() -> None:
    random = Random(5)
    assert {random.below(7) for _ in range(500)} == set(range(7))
    assert {random.between(-2, 2) for _ in range(500)} == {-2, -1, 0, 1, 2}
    assert {random.choice("abc") for _ in range(100)} == set("abc")
    assert {random.below(1) for _ in range(10)} == {0}


def test_a_state_goes_on_where_it_was() -> None:
    random = Random(9)
    random.words(17)
    assert Random(random.state).words(5).tolist() == random.words(5).tolist()
