"""A hash of a state that is the same on every machine; recordings and the library use it to notice divergence."""

import hashlib
from collections.abc import Callable, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any


def fingerprint(state: object) -> str:
    """SHA-256 over all fields of a state, in hexadecimal; includes all cells of boards.

    Leaves out dataclass fields with repr=False: the level, and links to the past. Raises TypeError for other types.
    """
    digest = hashlib.sha256()
    _add(state, digest.update)
    return digest.hexdigest()


@cache
def _hashed_fields(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.repr)


def _add(value: Any, add: Callable[[Any], None]) -> None:
    """Passes the bytes of a value and of all that it holds to a function; this is quicker than yielding them."""
    if isinstance(value, Enum):
        add(f"{value.name}\n".encode())
    elif value is None or isinstance(value, bool | int | float | str):
        add(f"{value!r}\n".encode())
    elif isinstance(value, tuple | list):
        add(f"{len(value)}\n".encode())
        for item in value:
            _add(item, add)
    elif isinstance(value, Mapping):
        _add(sorted(value.items()), add)
    elif isinstance(value, Set):
        _add(sorted(value), add)
    elif is_dataclass(value):
        kind: Any = type(value)
        for name in _hashed_fields(kind):
            _add(getattr(value, name), add)
    else:
        from dungeon_tui.core.board import Board  # here: it loads numpy

        if not isinstance(value, Board):
            raise TypeError(f"{type(value).__name__} has no fingerprint")
        add(f"{value.height} x {value.width}\n".encode())
        add(value.copy().data)
