"""Keys by identity, for large immutable values."""

from collections.abc import Callable
from typing import Generic, TypeVar

ThingT = TypeVar("ThingT")
ResultT = TypeVar("ResultT")


class ByIdentity(Generic[ThingT]):
    """A key that is equal only to the key of the same object."""

    def __init__(self, thing: ThingT) -> None:
        self.thing = thing  # held, so that its id stays unique

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and self.thing is other.thing

    def __hash__(self) -> int:
        return id(self.thing)


def remembered(function: Callable[[ThingT], ResultT], last: int) -> Callable[[ThingT], ResultT]:
    """The function with its results for the `last` things, which it recognises by identity, cached."""
    known: dict[int, tuple[ThingT, ResultT]] = {}  # by id; the thing is held, so that its id stays unique

    def recall(thing: ThingT) -> ResultT:
        found = known.get(id(thing))
        if found is None:
            found = known[id(thing)] = thing, function(thing)
            for oldest in list(known)[:-last]:
                known.pop(oldest, None)
        return found[1]

    return recall
