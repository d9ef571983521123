"""Figures that compare the results on a level."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """One figure of a result: moves, treasure, cost, health."""

    aim: str  # "moves"; the same for all ends of a level
    value: int
    par: int | None = None  # the best possible value, if proven
    is_less_better: bool = True

    @property
    def is_par(self) -> bool:
        """True if the value is the best possible."""
        return self.par is not None and (self.value == self.par or self.is_better_than(self.par))

    def is_better_than(self, value: int) -> bool:
        """True if the value beats another."""
        return self.value < value if self.is_less_better else self.value > value
