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
        return self.par is not None and (self.value <= self.par if self.is_less_better else self.value >= self.par)
