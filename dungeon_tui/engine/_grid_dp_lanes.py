"""Blocks of sixteen rows by eight columns that sixteen lanes of 64 bits cross together.

Written as loops or as variables, the chain of minima and maxima along a way becomes branches that no processor
foresees: measured ten times slower. Vectors can't become branches; sixteen lanes are two or four of them, so that
one computes while another waits.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic, models, register_model

ROWS = 16
COLS = 8


class _Lanes(types.Type):
    """Integers that a kernel holds side by side."""

    def __init__(self, bits: int, count: int) -> None:
        super().__init__(f"{count} lanes of {bits} bits")
        self.vector = ir.VectorType(ir.IntType(bits), count)


@register_model(_Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: _Lanes) -> None:
        super().__init__(manager, kind, kind.vector)  # type: ignore[no-untyped-call]


_FRONT = _Lanes(64, ROWS)
_LAST = _Lanes(64, COLS)
_TURNS = _Lanes(ROWS, COLS)
_LONE = _Lanes(64, 2)  # one integer, where a chain has to be walked alone
_BLOCK: Any = types.UniTuple(_FRONT, COLS)  # type: ignore[no-untyped-call]
_CROSSED: Any = types.Tuple([_FRONT, _LAST, _TURNS])  # type: ignore[no-untyped-call]


def _load(typing_context: Any, array: Any, start: Any) -> Any:
    """Sixteen items of an array of int64, from start on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.gep(_data(context, builder, array, arguments[0]), [arguments[1]])
        return builder.load(builder.bitcast(place, _FRONT.vector.as_pointer()), align=8)

    return _FRONT(array, types.uintp), generate


def _store(typing_context: Any, array: Any, start: Any, lanes: Any) -> Any:
    """Writes lanes over the items of an array from start on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.gep(_data(context, builder, array, arguments[0]), [arguments[1]])
        builder.store(arguments[2], builder.bitcast(place, arguments[2].type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(array, types.uintp, lanes), generate


def _load_block(typing_context: Any, cells: Any, start: Any, back: Any) -> Any:
    """Sixteen lanes for each of eight steps: in step s, lane i gets the item start - i * back + 7 - s."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data, place = _data(context, builder, cells, arguments[0]), arguments[1]
        rows = []
        for _ in range(ROWS):
            address = builder.bitcast(builder.gep(data, [place]), ir.VectorType(data.type.pointee, COLS).as_pointer())
            items = builder.load(address, align=cells.dtype.bitwidth // 8)
            rows.append(items if items.type == _LAST.vector else builder.sext(items, _LAST.vector))
            place = builder.sub(place, arguments[2])
        halves = zip(_transposed(builder, rows[:COLS]), _transposed(builder, rows[COLS:]), strict=True)
        lanes = [_shuffled(builder, *pair, range(ROWS)) for pair in halves]
        return context.make_tuple(builder, _BLOCK, lanes[::-1])

    return _BLOCK(cells, types.uintp, types.uintp), generate


def _least(typing_context: Any, lanes: Any, block: Any) -> Any:
    """The smallest value that each lane has in lanes and block."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        least = arguments[0]
        for step in range(COLS):
            least = _smaller(builder, least, builder.extract_value(arguments[1], step))
        return least

    return _FRONT(_FRONT, _BLOCK), generate


def _cross(typing_context: Any, front: Any, source: Any, block: Any) -> Any:
    """Takes the front over a block.

    In each step every lane turns into max(1, min(itself, the lane before it) - its value); before the first lane lies
    lane 7 of source, with every step one further to the front.

    Returns the front; what its last lane was in each step, the last step first; and, in the same order, a bit for each
    lane: whether it was not above the one before it.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        front, source, values = arguments
        last, turns = ir.Constant(_LAST.vector, ir.Undefined), ir.Constant(_TURNS.vector, ir.Undefined)
        for step in range(COLS):
            place = COLS - 1 - step
            before = _shuffled(builder, front, source, [ROWS + place, *range(ROWS - 1)])
            bits = builder.bitcast(builder.icmp_signed("<=", front, before), ir.IntType(ROWS))
            turns = builder.insert_element(turns, bits, ir.IntType(32)(place))
            front = _need(builder, front, before, builder.extract_value(values, step))
            upper = _shuffled(builder, front, front, range(ROWS - COLS, ROWS))
            last = _shuffled(builder, last, upper, [2 * COLS - 1, *range(COLS - 1)])
        return context.make_tuple(builder, _CROSSED, [front, last, turns])

    return _CROSSED(_FRONT, _FRONT, _BLOCK), generate


def _alone(typing_context: Any, value: Any) -> Any:
    """An integer as needed takes it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _twice(builder, arguments[0])

    return _LONE(types.int64), generate


def _needed(typing_context: Any, right: Any, below: Any, value: Any) -> Any:
    """max(1, min(right, below) - value)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        right, below, value = arguments[0], *(_twice(builder, argument) for argument in arguments[1:])
        return _need(builder, right, below, value)

    return _LONE(_LONE, types.int64, types.int64), generate


def _number(typing_context: Any, lone: Any) -> Any:
    """The integer again."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.extract_element(arguments[0], ir.IntType(32)(0))

    return types.int64(_LONE), generate


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """The address of an array's first item."""
    return context.make_array(kind)(context, builder, array).data


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """The columns of eight rows of eight: each round swaps a bit of the row's number with one of the lane's."""
    for apart in (1, 2, 4):
        low = [COLS + (lane ^ apart) if lane & apart else lane for lane in range(COLS)]
        high = [COLS + lane if lane & apart else lane | apart for lane in range(COLS)]
        for row in range(COLS):
            if not row & apart:
                pair = rows[row], rows[row | apart]
                rows[row], rows[row | apart] = (_shuffled(builder, *pair, which) for which in (low, high))
    return rows


def _shuffled(builder: Any, some: Any, others: Any, which: Any) -> Any:
    """Those lanes, counted through some and others."""
    lanes = [*which]
    return builder.shuffle_vector(some, others, ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), lanes))


def _twice(builder: Any, number: Any) -> Any:
    """A number in both of two lanes."""
    first = builder.insert_element(ir.Constant(_LONE.vector, ir.Undefined), number, ir.IntType(32)(0))
    return _shuffled(builder, first, first, [0, 0])


def _need(builder: Any, right: Any, below: Any, values: Any) -> Any:
    """max(1, min(right, below) - values) in each lane."""
    one = ir.Constant(right.type, [1] * right.type.count)
    rest = builder.sub(_smaller(builder, right, below), values)
    return builder.select(builder.icmp_signed(">", rest, one), rest, one)


def _smaller(builder: Any, some: Any, others: Any) -> Any:
    """The smaller one in each lane."""
    return builder.select(builder.icmp_signed("<", some, others), some, others)


load: Any = intrinsic(_load)
store: Any = intrinsic(_store)
load_block: Any = intrinsic(_load_block)
least: Any = intrinsic(_least)
cross: Any = intrinsic(_cross)
alone: Any = intrinsic(_alone)
needed: Any = intrinsic(_needed)
number: Any = intrinsic(_number)
