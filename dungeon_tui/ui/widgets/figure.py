"""Content of a plot: series of points, axes with ticks and units. No widget."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

_PREFIXES = ("n", "µ", "m", "", "k", "M", "G", "T")  # by powers of 1000, from 1e-9 on
_PLAIN = 100_000  # numbers without a unit are written out below
_ROOM = 0.03  # of the axis, beyond the largest value


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a plot: points from left to right."""

    name: str
    x: Sequence[float]
    y: Sequence[float]


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with a comment."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: its quantity and scale."""

    label: str
    unit: str = ""  # "s", "B": takes prefixes, 1 ms
    is_log: bool = False
    has_zero: bool = True  # begins at 0

    def can_scale(self, value: float) -> bool:
        """False for 0 and less on a logarithmic axis."""
        return value > 0 or not self.is_log

    def scaled(self, value: float) -> float:
        """A value on the axis: the value itself, or its logarithm."""
        return log10(value) if self.is_log else float(value)

    def limits(self, values: Iterable[float]) -> tuple[float, float]:
        """The ends of the axis, with some room: from 0, a power of ten if logarithmic, or else below the least value.

        >>> Axis("moves", has_zero=False).limits([100, 200]), Axis("moves").limits([100, 200])
        ((97.0, 203.0), (0.0, 206.0))
        """
        scaled = [self.scaled(value) for value in values if self.can_scale(value)] or [0.0]
        low, high = min(scaled), max(scaled)
        if self.is_log:
            low = float(floor(low))
            return low, max(low + 1, high) + _ROOM
        if self.has_zero:
            low, high = min(0.0, low), max(0.0, high)
            high = max(high, low + 1)
            return low, high + _ROOM * (high - low)
        room = _ROOM * max(1.0, high - low)
        return low - room, high + room

    def ticks(self, low: float, high: float, most: int) -> list[tuple[float, str]]:
        """Positions and labels of round values between two positions.

        >>> [label for _, label in Axis("time", "s", is_log=True).ticks(-6, 0.3, 4)]
        ['1 µs', '100 µs', '10 ms', '1 s']
        >>> [label for _, label in Axis("step").ticks(0, 31, 6)]
        ['0', '10', '20', '30']
        """
        if self.is_log:
            step = float(max(1, ceil((floor(high) - low + 1) / most)))
            positions = [low + number * step for number in range(floor((high - low) / step) + 1)]
        else:
            power = 10.0 ** floor(log10((high - low) / most))
            step = max(1.0, next(power * round_ for round_ in (1, 2, 5, 10) if (high - low) / (power * round_) <= most))
            positions = [number * step for number in range(ceil(low / step), floor(high / step) + 1)]
        return [(position, number_text(10**position if self.is_log else position, self.unit)) for position in positions]


@dataclass(frozen=True, slots=True)
class Figure:
    """All that one plot shows."""

    series: tuple[Series, ...]
    x: Axis
    y: Axis
    marks: tuple[Mark, ...] = ()


def number_text(value: float, unit: str = "") -> str:
    """A number for a tick: three digits and a prefix if it has a unit or is large.

    >>> number_text(1500), number_text(2.5e6), number_text(1e-5, "s"), number_text(2048, "B")
    ('1,500', '2.5 M', '10 µs', '2.05 kB')
    """
    if not value or (not unit and abs(value) < _PLAIN):
        return f"{value:,.10g}" + (f" {unit}" if unit else "")
    thousands = floor(log10(abs(value)) / 3 + 1e-9)
    prefix = thousands + 3
    if not 0 <= prefix < len(_PREFIXES):
        return f"{value:.3g}" + (f" {unit}" if unit else "")
    return f"{value / 1000.0**thousands:.3g} {_PREFIXES[prefix]}{unit}".rstrip()


def lowest(series: Series, unit: str, counted: str) -> Mark:
    """Marks the first lowest point of a series; x counts `counted`.

    >>> lowest(Series("yours", [0, 1, 2], [7, 2, 5]), "health", "step").text
    'lowest: 2 health at step 1'
    """
    y, x = min(zip(series.y, series.x, strict=True))
    return Mark(x, y, f"lowest: {y:,} {unit} at {counted} {x:,}")


def thinned(series: Series, most: int) -> Series:
    """The series with about `most` points: the lowest and highest of each group of neighbours."""
    points = list(zip(series.x, series.y, strict=True))
    if len(points) <= most:
        return series
    size = ceil(len(points) / (most // 2))
    indices = {0, len(points) - 1}
    for start in range(0, len(points), size):
        part = range(start, min(start + size, len(points)))
        indices |= {min(part, key=lambda index: points[index][1]), max(part, key=lambda index: points[index][1])}
    chosen = [points[index] for index in sorted(indices)]
    return Series(series.name, [x for x, _ in chosen], [y for _, y in chosen])
