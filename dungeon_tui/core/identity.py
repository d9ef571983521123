"""Keys by identity, for large immutable values."""

from collections.abc import Callable
from functools import lru_cache
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
    """Caches the results of a function for the `last` things, recognised by identity."""

    @lru_cache(last)
    def recall(thing: ByIdentity[ThingT]) -> ResultT:
        return function(thing.thing)

    return lambda thing: recall(ByIdentity(thing))
