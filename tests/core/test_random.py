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
