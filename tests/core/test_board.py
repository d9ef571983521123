"""Boards: every version stays readable, whichever was read or made before."""

import pickle
from threading import Event, Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell

EDITS = st.lists(
    st.tuples(
        st.integers(0, 30),  # the version to start from, or to read
        st.sampled_from(["replace", "replace", "array", "copy", "cell", "row", "equal"]),
        st.dictionaries(st.integers(0, 11), st.integers(0, 255), max_size=5),
    ),
    max_size=40,
)


@given(EDITS)
def test_a_tree_of_versions_reads_like_plain_copies(edits: list[tuple[int, str, dict[int, int]]]) -> None:
    first = np.arange(12, dtype=np.uint8).reshape(3, 4)
    boards, plain = [Board.of(first)], [first.copy()]
    for pick, what, changes in edits:
        board, copy = boards[pick % len(boards)], plain[pick % len(boards)]
        other = (pick + len(changes)) % len(boards)
        match what:
            case "replace":
                boards.append(board.replace(list(changes), list(changes.values())))
                plain.append(copy.copy())
                plain[-1].flat[list(changes)] = list(changes.values())
            case "array":
                assert (board.array() == copy).all()
            case "copy":
                assert (board.copy() == copy).all()
            case "cell":
                assert board[Cell(pick % 3, pick % 4)] == copy[pick % 3, pick % 4]
            case "row":
                start, stop = sorted((pick % 5, len(changes) % 5))
                assert board.row(pick % 3, start, stop) == copy[pick % 3, start:stop].tobytes()
                assert board.row(pick % 3, start) == copy[pick % 3, start:].tobytes()
            case "equal":
                assert (board == boards[other]) == bool((copy == plain[other]).all())
    for board, copy in zip(boards, plain, strict=True):
        assert (board.array() == copy).all()


def test_nobody_writes_into_a_board() -> None:
    grid = np.zeros((1, 2), np.uint8)
    board = Board.of(grid)
    grid[0, 0] = board.copy()[0, 0] = 9
    with pytest.raises(ValueError, match="read-only"):
        board.array()[0, 0] = 1
    assert board[Cell(0, 0)] == 0


def test_a_grid_of_any_layout_is_taken() -> None:
    grid = np.arange(6, dtype=np.uint8).reshape(2, 3)
    board = Board.of(grid.T)
    assert (board.height, board.width) == (3, 2)
    assert (board.replace([1], [9]).array() == [[0, 9], [1, 4], [2, 5]]).all()
    assert (board.array() == grid.T).all()


def test_boards_are_equal_by_content_and_have_no_hash() -> None:
    board = Board.of(np.zeros((1, 2), np.uint8))
    assert board == Board.of(np.zeros((1, 2), np.uint8))
    assert board != Board.of(np.zeros((2, 1), np.uint8))
    assert board != "board"
    with pytest.raises(TypeError, match="unhashable"):
        hash(board)


def test_a_long_history_is_read_and_dropped_without_recursion() -> None:
    first = board = Board.of(np.zeros((1, 1), np.uint8))
    for turn in range(50_000):
        board = board.replace([0], [turn % 251])
    assert first[Cell(0, 0)] == 0
    assert board[Cell(0, 0)] == 49_999 % 251
    del board  # every other version goes with it
    assert first[Cell(0, 0)] == 0


def test_a_version_costs_its_changes_and_not_the_map() -> None:
    board = Board.of(np.zeros((1000, 1000), np.uint8))
    versions = [board := board.replace([turn], [1]) for turn in range(200)]
    arrays = {id(version.array().base) for version in versions}
    assert len(arrays) == 1


@pytest.mark.slow
def test_one_thread_plays_while_others_copy_older_versions() -> None:
    rng = np.random.default_rng(1)
    grid = rng.integers(0, 9, (60, 60), dtype=np.uint8)
    boards, copies = [Board.of(grid)], [grid.copy()]
    wrong: list[int] = []
    is_over = Event()

    def look_back() -> None:
        source = np.random.default_rng(2)
        while not is_over.is_set():
            number = int(source.integers(len(copies)))
            if not np.array_equal(boards[number].copy(), copies[number]):
                wrong.append(number)

    watchers = [Thread(target=look_back) for _ in range(2)]
    for watcher in watchers:
        watcher.start()
    for _ in range(1500):
        live = boards[-1].array()  # read in pieces, as rules do
        assert np.array_equal(live[:30], copies[-1][:30])
        assert np.array_equal(live[30:], copies[-1][30:])
        cell = int(rng.integers(3600))
        later = copies[-1].copy()
        later.reshape(-1)[cell] ^= 1
        boards.append(boards[-1].replace([cell], [later.reshape(-1)[cell]]))
        copies.append(later)
    is_over.set()
    for watcher in watchers:
        watcher.join()
    assert wrong == []


def test_a_version_can_be_sent_elsewhere() -> None:
    old = Board.of(np.zeros((2, 3), np.uint8))
    new = old.replace([4], [7])
    assert [pickle.loads(pickle.dumps(board)) == board for board in (old, new)] == [True, True]
