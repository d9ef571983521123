"""Figures by which the ends of a level are compared."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """One figure of an end: moves, treasure, cost, health."""

    aim: str  # "moves"; the same for all ends of a level
    value: int
    par: int | None = None  # the best value there is, where it is proven
    is_less_better: bool = True

    @property
    def is_par(self) -> bool:
        """True if the value is the best there is."""
        return self.par is not None and not self.is_worse_than(self.par)

    def is_better_than(self, value: int) -> bool:
        """True if the value beats another one."""
        return self.value < value if self.is_less_better else self.value > value

    def is_worse_than(self, value: int) -> bool:
        """True if another value beats this one."""
        return self.value > value if self.is_less_better else self.value < value
