"""Results: the ends of games with their scores, compared and counted. A library may raise LibraryError."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from dungeon_tui.core.scores import Score
from dungeon_tui.core.text import printable
from dungeon_tui.storage.library import Library

Level = tuple[str, str]
"""A level as the menu has it: the game's name, and arguments of `GAME play`."""

_QUERY = """
SELECT ends.game, ends.turn, games.game, games.level, games.seed, games.players, games.title, games.arguments,
    games.daily, ends.at, ends.outcome, ends.is_won, ends.is_helped, ends.is_undone, ends.seconds, aim, value, par,
    is_less_better
FROM ends JOIN games ON games.id = ends.game LEFT JOIN scores ON scores.game = ends.game AND scores.turn = ends.turn
    AND typeof(value) = 'integer' AND typeof(par) IN ('integer', 'null')
WHERE games.removed = '' AND date(substr(ends.at, 1, 10), '+0 days') = substr(ends.at, 1, 10) AND ends.at > '0001'
    AND typeof(ends.seconds) = 'real' AND ({}) ORDER BY ends.at, ends.game, ends.turn, place
"""  # without unsound rows, which damaged or imported libraries may have

TABLE = 5  # games in a table of points


@dataclass(frozen=True, slots=True)
class Result:
    """One end of a game, with its scores."""

    id: int  # of the game
    turn: int  # its number
    game: str
    level: str  # its hash
    seed: int
    players: str
    title: str
    arguments: str
    daily: str
    at: str
    outcome: str
    is_won: bool
    is_helped: bool
    is_undone: bool
    seconds: float
    scores: tuple[Score, ...]

    @property
    def day(self) -> date:
        """The day on which it was played."""
        return date.fromisoformat(self.at[:10])

    @property
    def is_clean(self) -> bool:
        """True for a win without hints and without undo."""
        return self.is_won and not self.is_helped and not self.is_undone

    @property
    def is_par(self) -> bool:
        """True for a win that reaches every proven par; False if there is none."""
        proven = [score for score in self.scores if score.par is not None]
        return self.is_won and bool(proven) and all(score.is_par for score in proven)

    def score(self, aim: str) -> Score | None:
        """The score for an aim, or None."""
        return next((score for score in self.scores if score.aim == aim), None)


_FIELDS = [field.name for field in fields(Result)][:-1]


def results(library: Library, where: str = "1", *values: object) -> list[Result]:
    """The results for which a condition on `games` and `ends` holds, the oldest first."""
    with library.reading() as database:
        rows = database.execute(_QUERY.format(where), values).fetchall()
    found = []
    for _, of_one in groupby(rows, key=lambda row: row[:2]):
        lines = list(of_one)
        scores = (
            Score(printable(str(aim)), value, par, bool(is_less))
            for *_, aim, value, par, is_less in lines
            if aim is not None
        )
        columns: dict[str, Any] = dict(zip(_FIELDS, lines[0], strict=False))
        columns.update({name: bool(columns[name]) for name in ("is_won", "is_helped", "is_undone")})
        columns["outcome"] = printable(str(columns["outcome"]))
        found.append(Result(**columns, scores=tuple(scores)))
    return found


def best_before(scores: Sequence[Score], earlier: Collection[Result]) -> list[int | None]:
    """For each score the best earlier value, or None. Only results as good in all scores after it are compared."""
    found: list[int | None] = []
    for index, score in enumerate(scores):
        equals = [each for each in earlier if all(_is_as_good(each, other) for other in scores[index + 1 :])]
        values = [known.value for each in equals if (known := each.score(score.aim)) is not None]
        found.append((min if score.is_less_better else max)(values, default=None))
    return found


def best_result(found: Iterable[Result]) -> Result | None:
    """The best result, by its first score, then the next; the oldest of equals. None without scores."""

    def rank(result: Result) -> list[int]:
        return [score.value if score.is_less_better else -score.value for score in result.scores]

    return min((each for each in found if each.scores), key=rank, default=None)


def _is_as_good(result: Result, other: Score) -> bool:
    known = result.score(other.aim)
    return known is not None and not other.is_better_than(known.value)


def stars(found: Iterable[Result]) -> int:
    """The stars, 0 to 3, for the results on one level: the best over all seats and seeds played.

    One star for a win. Two if every proven par was reached, in any game. Three if that was in one game without hints or
    undo. Without a proven par, a win without hints earns two, and one also without undo three.
    """

    def setting(result: Result) -> tuple[int, str]:
        return result.seed, result.players

    groups = groupby(sorted((each for each in found if each.is_won), key=setting), key=setting)
    return max((_stars(list(group)) for _, group in groups), default=0)


def _stars(won: Sequence[Result]) -> int:
    scores = [score for each in won for score in each.scores]
    proven = {score.aim for score in scores if score.par is not None}
    if proven - {score.aim for score in scores if score.is_par}:
        return 1
    if any(each.is_clean and proven <= {score.aim for score in each.scores if score.is_par} for each in won):
        return 3
    return 2 if proven or not all(each.is_helped for each in won) else 1


@dataclass(frozen=True, slots=True)
class Record:
    """The achievements on a level."""

    stars: int
    ends: int
    wins: int
    bests: tuple[Score, ...]  # the best one of each aim
    seconds: float | None  # the shortest time of a win


def record(found: Collection[Result]) -> Record:
    """The record of the results on one level."""
    bests: dict[str, Score] = {}
    for score in (score for each in found if not (each.is_undone and each.score("points")) for score in each.scores):
        known = bests.setdefault(score.aim, score)
        if score.is_better_than(known.value):
            bests[score.aim] = score
    won = [each for each in found if each.is_won]
    fastest = min((each.seconds for each in won if each.seconds), default=None)  # 0: of recordings, which know no time
    return Record(stars(found), len(found), len(won), tuple(bests.values()), fastest)


def records(library: Library) -> dict[Level, Record]:
    """The records of all levels with arguments, by game and arguments, the level played last first."""
    with library.reading() as database:
        where = "arguments != '' AND removed = '' ORDER BY played DESC, id DESC"
        query = f"SELECT game, arguments, level FROM games WHERE {where}"
        named = dict.fromkeys(database.execute(query).fetchall())
    by_hash: dict[tuple[str, str], list[Result]] = {}
    for each in results(library):
        by_hash.setdefault((each.game, each.level), []).append(each)
    found: dict[Level, list[Result]] = {}
    for game, arguments, level in named:
        found.setdefault((game, arguments), []).extend(by_hash.get((game, level), ()))
    return {level: record(played) for level, played in found.items() if played}


# -- dailies


def daily_results(library: Library, day: date) -> dict[str, Result]:
    """The results of a day's dailies by game: the first end of each counted try."""
    found: dict[str, Result] = {}
    for each in results(library, "daily = ?", day.isoformat()):
        found.setdefault(each.game, each)
    return found


def daily_line(library: Library, day: date, games: Iterable[str]) -> str:
    """The line with a day's results, in the order of `games`; empty if none was finished."""
    found = daily_results(library, day)
    return results_line(day, [found[name] for name in games if name in found])


def results_line(day: date, played: Sequence[Result]) -> str:
    """A day's results in one line: a win's first score, with par if proven, points and depth, or the outcome."""
    parts, is_par_named = [f"dungeon-tui {day}"], False
    for each in played:
        figure, points, depth = f"{each.outcome} {'★' * stars([each])}".strip(), *map(each.score, ("points", "depth"))
        if points and depth:
            figure = f"{points.value}, depth {depth.value}"
        elif each.is_won and each.scores:
            score = each.scores[0]
            figure = f"{score.value}"
            if score.par is not None:
                figure += f"/{score.par}" + ("" if is_par_named else " par")
                is_par_named = True
        parts.append(f"{each.game} {figure}")
    helped = any(each.is_helped for each in played)
    return "  ".join([*parts, "with hints" if helped else "no hints"]) if played else ""


# -- statistics


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers for a game, or all games."""

    games: int = 0  # begun
    ends: int = 0
    wins: int = 0
    pars: int = 0  # wins at par
    clean: int = 0  # wins without hints, and without moves taken back
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row."""

    present: int = 0  # up to today, or up to yesterday as long as today may still be added
    longest: int = 0


@dataclass(frozen=True, slots=True)
class Statistics:
    """The sums over all results of a library."""

    by_game: Mapping[str, Tally]
    days: Mapping[date, int]  # the games that ended on each day
    wins: Mapping[str, Sequence[date]]  # the days of each game's wins, in their order
    streak: Streak  # of days on which a game ended
    dailies: Streak  # of days whose daily was played to its end
    points: Mapping[str, Sequence[Result]]  # by game that counts points: the ends with the most, nothing taken back

    @property
    def total(self) -> Tally:
        """The numbers for all games."""
        tallies = map(astuple, [Tally(), *self.by_game.values()])
        return Tally(*map(sum, zip(*tallies, strict=True)))


def statistics(library: Library, today: date) -> Statistics:
    """The statistics of a library."""
    found, saved = results(library), library.games()
    by_game: dict[str, list[Result]] = {}
    for each in found:
        by_game.setdefault(each.game, []).append(each)
    begun = Counter(each.game for each in saved)
    seconds: Counter[str] = Counter()
    for one in saved:
        seconds[one.game] += round(one.seconds)
    tallies = {}
    for name in begun:
        ends = by_game.get(name, [])
        won = [each for each in ends if each.is_won]
        par, clean = sum(each.is_par for each in won), sum(each.is_clean for each in won)
        tallies[name] = Tally(begun[name], len(ends), len(won), par, clean, seconds[name])
    days = Counter(day for _, day in {(each.id, each.day) for each in found})
    return Statistics(
        tallies,
        days,
        {name: [each.day for each in ends if each.is_won] for name, ends in by_game.items()},
        streak(days, today),
        streak({date.fromisoformat(each.daily) for each in found if each.daily == each.at[:10]}, today),
        {name: most for name, ends in by_game.items() if (most := _most_points(ends))},
    )


def _most_points(ends: Iterable[Result]) -> list[Result]:
    """The ends with the most points, the best first; none with undo."""
    counted = [(score.value, each) for each in ends if (score := each.score("points")) and not each.is_undone]
    return [each for _, each in sorted(counted, key=lambda pair: -pair[0])[:TABLE]]


def streak(days: Collection[date], today: date) -> Streak:
    """The days in a row up to today, and the longest run; today doesn't break a run before it is over.

    >>> first = date(2026, 2, 27)
    >>> streak([first, date(2026, 2, 28), date(2026, 3, 1)], date(2026, 3, 2))
    Streak(present=3, longest=3)
    """
    one, longest, run = timedelta(days=1), 0, 0
    played = set(days)
    for day in sorted(played):
        run = run + 1 if day - one in played else 1
        longest = max(longest, run)
    last = today if today in played else today - one
    present = 0
    while last in played:
        present, last = present + 1, last - one
    return Streak(present, longest)
