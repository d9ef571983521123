"""Blocks of eight by eight cells that eight lanes of 64 bits cross together.

Written as loops or as eight variables, the chain of minima and maxima along a way becomes branches that no processor
foresees: measured ten times slower. Vectors can't become branches.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic, models, register_model

LANES = 8

_VECTOR = ir.VectorType(ir.IntType(64), LANES)
_ONE = ir.Constant(_VECTOR, [1] * LANES)


class _Lanes(types.Type):
    """Eight 64-bit integers that a kernel holds."""


@register_model(_Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)  # type: ignore[no-untyped-call]


_LANES = _Lanes("EightLanes")
_BLOCK: Any = types.UniTuple(_LANES, LANES)  # type: ignore[no-untyped-call]


def _load(typing_context: Any, array: Any, start: Any) -> Any:
    """The items start to start + 7 of an array of integers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _items(builder, _data(context, builder, array, arguments[0]), arguments[1])

    return _LANES(array, types.uintp), generate


def _store(typing_context: Any, array: Any, start: Any, what: Any) -> Any:
    """Writes lanes, or the bytes of an integer, over the items of an array from start on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.gep(_data(context, builder, array, arguments[0]), [arguments[1]])
        builder.store(arguments[2], builder.bitcast(place, arguments[2].type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(array, types.uintp, what), generate


def _load_block(typing_context: Any, cells: Any, start: Any, back: Any) -> Any:
    """Eight lanes for each of eight steps: in step s, lane i gets the item start - i * back + 7 - s."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data, place = _data(context, builder, cells, arguments[0]), arguments[1]
        rows = []
        for _ in range(LANES):
            rows.append(_items(builder, data, place))
            place = builder.sub(place, arguments[2])
        return context.make_tuple(builder, _BLOCK, _transposed(builder, rows)[::-1])

    return _BLOCK(cells, types.uintp, types.uintp), generate


def _least(typing_context: Any, lanes: Any, block: Any) -> Any:
    """The smallest value that each lane has in lanes and block."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        least = arguments[0]
        for step in range(LANES):
            least = _smaller(builder, least, builder.extract_value(arguments[1], step))
        return least

    return _LANES(_LANES, _BLOCK), generate


def _cross(typing_context: Any, front: Any, source: Any, block: Any) -> Any:
    """Takes the front over a block.

    In each step every lane turns into max(1, min(itself, the lane before it) - its value); before the first lane
    lies the last one of source, one further to the front with every step.

    Returns the front, what its last lane was in each step (as source lies), and 64 bits, a byte a step from the highest
    to the lowest, a bit a lane: whether the lane was not above the one before it.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        front, source, values = arguments
        last, turns = source, ir.Constant(ir.IntType(64), 0)
        for step in range(LANES):
            before = _shifted(builder, front, source)
            byte = builder.bitcast(builder.icmp_signed("<=", front, before), ir.IntType(8))
            place = ir.Constant(turns.type, 8 * (LANES - 1 - step))
            turns = builder.or_(turns, builder.shl(builder.zext(byte, turns.type), place))
            rest = builder.sub(_smaller(builder, front, before), builder.extract_value(values, step))
            front = builder.select(builder.icmp_signed(">", rest, _ONE), rest, _ONE)
            last, source = _shifted(builder, last, front), _shifted(builder, source, source)
        return context.make_tuple(builder, signature.return_type, [front, last, turns])

    crossed: Any = types.Tuple([_LANES, _LANES, types.uint64])  # type: ignore[no-untyped-call]
    return crossed(_LANES, _LANES, _BLOCK), generate


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """The address of an array's first item."""
    return context.make_array(kind)(context, builder, array).data


def _items(builder: Any, data: Any, start: Any) -> Any:
    """Eight items as lanes of 64 bits."""
    item = data.type.pointee
    place = builder.bitcast(builder.gep(data, [start]), ir.VectorType(item, LANES).as_pointer())
    items = builder.load(place, align=item.width // 8)
    return items if items.type == _VECTOR else builder.sext(items, _VECTOR)


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """The columns of eight rows of eight: each round swaps a bit of the row's number with one of the lane's."""
    for apart in (1, 2, 4):
        low = [LANES + (lane ^ apart) if lane & apart else lane for lane in range(LANES)]
        high = [LANES + lane if lane & apart else lane | apart for lane in range(LANES)]
        for row in range(LANES):
            if not row & apart:
                pair = rows[row], rows[row | apart]
                rows[row], rows[row | apart] = (_shuffled(builder, *pair, which) for which in (low, high))
    return rows


def _shifted(builder: Any, lanes: Any, source: Any) -> Any:
    """The lanes, each moved up by one, and first the last one of source."""
    return _shuffled(builder, lanes, source, [2 * LANES - 1, *range(LANES - 1)])


def _shuffled(builder: Any, some: Any, others: Any, which: list[int]) -> Any:
    """Those of sixteen lanes, some and others."""
    return builder.shuffle_vector(some, others, ir.Constant(ir.VectorType(ir.IntType(32), LANES), which))


def _smaller(builder: Any, some: Any, others: Any) -> Any:
    """The smaller one in each lane."""
    return builder.select(builder.icmp_signed("<", some, others), some, others)


load: Any = intrinsic(_load)
store: Any = intrinsic(_store)
load_block: Any = intrinsic(_load_block)
least: Any = intrinsic(_least)
cross: Any = intrinsic(_cross)
