"""Graphs in compressed sparse rows: checks that name the first fault."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Indices = NDArray[np.int32]
ScalarT = TypeVar("ScalarT", bound=np.generic)


def checked_rows(indptr: ArrayLike, indices: ArrayLike, node: str = "node") -> tuple[Indices, Indices]:
    """The graph (indptr, indices) as contiguous, read-only int32.

    Raises ValueError, which names the entry, if it is none.

    The neighbours of node i are `indices[indptr[i]:indptr[i + 1]]`; `node` is the word for a node.
    """
    starts, targets = integers("indptr", indptr), integers("indices", indices)
    if len(starts) == 0:
        raise ValueError("indptr must have at least one entry, 0")
    nodes = len(starts) - 1
    if starts[0] != 0:
        raise ValueError(f"indptr[0] must be 0, not {starts[0]}")
    if starts[-1] != len(targets):
        raise ValueError(f"indptr[{nodes}] must be the number of indices, {len(targets)}, not {starts[-1]}")
    falling = np.flatnonzero(starts[1:] < starts[:-1])
    if len(falling):
        at = falling[0]
        raise ValueError(f"indptr[{at + 1}] must be at least indptr[{at}], {starts[at]}, not {starts[at + 1]}")
    if len(targets) and not 0 <= targets.min() <= targets.max() < nodes:
        entry = np.flatnonzero((targets < 0) | (targets >= nodes))[0]
        raise ValueError(f"indices[{entry}] must be a {node} from 0 to {nodes - 1}, not {targets[entry]}")
    return frozen(starts), frozen(targets)


def integers(name: str, numbers: ArrayLike) -> NDArray[np.integer]:
    """The numbers as a one-dimensional array. Raises ValueError if they have other dimensions, or are no integers."""
    array = np.asarray(numbers)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not {array.ndim}")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, not {array.dtype}")
    return array if array.size else array.astype(np.int32)


def frozen(numbers: NDArray[Any], dtype: type[ScalarT] = np.int32) -> NDArray[ScalarT]:  # type: ignore[assignment]
    """The numbers as a contiguous, read-only array of a dtype, so that one compiled kernel serves all callers."""
    view = np.ascontiguousarray(numbers, dtype).view()
    view.setflags(write=False)
    return view
