"""Verdicts for teachers: a table, HTML pages, and Gradescope's results."""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from html import escape as escape_markup
from itertools import count
from pathlib import Path

from dungeon_tui.core.files import make_folder, refuse_other, write_text
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.text import printable
from dungeon_tui.core.toml_positions import read_toml
from dungeon_tui.judge.verdicts import HIDDEN, Test, Verdict

ALL_IN_ONE = "verdicts.html"
GAMES = "games"  # the folder of their pages
_MOST_POINTS = 1_000_000
_MOST_RUBRIC = 64 * 2**10  # bytes

Rubric = Mapping[str, float]
"""Points by a pattern of tests' names; a test belongs to the first pattern that it matches."""
EACH: Rubric = {}
"""No rubric: a point for each test."""
GamePage = Callable[[str, str], str]
"""The web page of a game, from a title and its recording."""


def read_rubric(path: str) -> Rubric:
    """Reads points from a TOML file. Raises LevelError if they are wrong."""
    file = read_level_file(path, _MOST_RUBRIC)
    points = read_toml(file).get("points")
    if not isinstance(points, dict) or not points:
        raise LevelError('a rubric has a table [points], as in "shipped/*" = 60', file.name)
    for pattern, number in points.items():
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= _MOST_POINTS:
            offset = max(0, file.data.find(str(pattern).encode()))
            trouble = f"{pattern}: points are a number from 0 to {_MOST_POINTS:,}"
            raise LevelFile(file.name, file.data).error(offset, trouble)
    return {str(pattern): float(number) for pattern, number in points.items()}


def points(tests: Sequence[Test], rubric: Rubric = EACH) -> list[float]:
    """The points of each test that counts. Tests whose first matching pattern is the same share its points evenly.

    >>> tests = [Test("shipped/a", True, 0.1), Test("shipped/b", True, 0.1), Test("random/1", True, 0.1)]
    >>> points(tests, {"shipped/*": 60, "*": 40})
    [30.0, 30.0, 40.0]
    """
    if not rubric:
        return [float(test.counts) for test in tests]
    families = [_family(test, rubric) if test.counts else None for test in tests]
    return [0.0 if family is None else rubric[family] / families.count(family) for family in families]


def unmatched(tests: Sequence[Test], rubric: Rubric) -> list[str]:
    """The patterns of a rubric to which no test belongs."""
    used = {_family(test, rubric) for test in tests}
    return [pattern for pattern in rubric if pattern not in used]


def _family(test: Test, rubric: Rubric) -> str | None:
    """The pattern of a rubric to which a test belongs; without a rubric the beginning of its name."""
    if not rubric:
        return test.name.partition("/")[0]
    return next((pattern for pattern in rubric if fnmatchcase(test.name, pattern)), None)


def score(verdict: Verdict, rubric: Rubric = EACH) -> tuple[float, float]:
    """A program's points, and the maximum."""
    worth = points(verdict.tests, rubric)
    return sum(one * test.earned for one, test in zip(worth, verdict.tests, strict=True)), sum(worth)


def gradescope(verdict: Verdict, rubric: Rubric = EACH) -> str:
    """The results.json of a submission for Gradescope's autograder."""
    tests = [
        {
            "name": test.name,
            "score": round(worth * test.earned, 4),
            "max_score": round(worth, 4),
            "status": "passed" if test.is_right else "failed",
            "output": test.said,
            "visibility": "after_published" if test.name.startswith(HIDDEN) else "visible",
        }
        for test, worth in zip(verdict.tests, points(verdict.tests, rubric), strict=True)
    ]
    total = round(score(verdict, rubric)[0], 4)
    seconds = round(sum(test.seconds for test in verdict.tests))
    results = {"score": total, "execution_time": seconds, "output": verdict.summary, "tests": tests}
    return json.dumps(results, indent=1) + "\n"


def table(verdicts: Sequence[Verdict], rubric: Rubric = EACH) -> list[list[str]]:
    """The table of all programs, headings first; the last column is empty unless a student was late."""
    rows = [["program", "right", "wrong", "failed", "points", "of", "seconds", ""]]
    for verdict in verdicts:
        counts = [_count(verdict, kind) for kind in ("right", "wrong", "failed")]
        got, of = score(verdict, rubric)
        seconds = sum(test.seconds for test in verdict.tests)
        rows.append([verdict.program, *map(str, counts), f"{round(got, 2):g}", f"{round(of, 2):g}", f"{seconds:.2f}"])
        rows[-1].append("late" if verdict.values.get("late") else "")
    return rows


def csv_text(verdicts: Sequence[Verdict], rubric: Rubric = EACH) -> str:
    """The table as comma-separated values, with the student, the time and the points of each part.

    An apostrophe stands before what a spreadsheet would take for a formula; control characters are shown as letters.
    """
    text = io.StringIO()
    parts = [*dict.fromkeys(_family(test, rubric) for verdict in verdicts for test in verdict.tests)]
    heads, *rows = table(verdicts, rubric)
    lines = [[*heads[:-1], "id", "submitted", "late", *(part or "other" for part in parts)]]
    for verdict, row, stem in zip(verdicts, rows, stems(verdicts), strict=True):
        earned = dict.fromkeys(parts, 0.0)
        for worth, test in zip(points(verdict.tests, rubric), verdict.tests, strict=True):
            earned[_family(test, rubric)] += worth * test.earned
        values = verdict.values
        told = values.get("id", stem), values.get("submitted") or "", row[-1] and "yes"
        lines.append([*row[:-1], *told, *(f"{round(number, 2):g}" for number in earned.values())])
    safe = (["'" * cell.startswith(_FORMULA_SIGNS) + printable(cell) for cell in line] for line in lines)
    csv.writer(text, lineterminator="\n").writerows(safe)
    return text.getvalue()


def write_html(
    folder: Path,
    title: str,
    verdicts: Sequence[Verdict],
    notes: str = "",
    rubric: Rubric = EACH,
    game_page: GamePage | None = None,
) -> Path:
    """Writes a page for each program and for each recorded game, an index, and all programs in one file.

    Returns the path of the index. Raises UnwritableError.
    """
    names = stems(verdicts)
    games = [_write_games(folder, name, verdict, game_page) for name, verdict in zip(names, verdicts, strict=True)]
    bodies = [_page(verdict, rubric, links) for verdict, links in zip(verdicts, games, strict=True)]
    back = '<p><a href="{}">All programs</a></p>'
    pages = {
        f"{name}.html": _html(f"{verdict.program} – {title}", back.format("index.html") + body, notes)
        for name, verdict, body in zip(names, verdicts, bodies, strict=True)
    }
    pages["index.html"] = _html(title, _index(title, verdicts, [f"{name}.html" for name in names], rubric), notes)
    sections = [  # without the games, which are other files
        f'<section id="{name}">{back.format("#")}{_page(verdict, rubric, [""] * len(verdict.tests))}</section>'
        for name, verdict in zip(names, verdicts, strict=True)
    ]
    whole = _index(title, verdicts, [f"#{name}" for name in names], rubric) + "".join(sections)
    pages[ALL_IN_ONE] = _html(title, whole, notes)
    for page in pages:
        refuse_other(folder / page, "page of verdicts")
    for page, text in pages.items():
        write_text(folder / page, text)
    return folder / "index.html"


def _write_games(folder: Path, stem: str, verdict: Verdict, game_page: GamePage | None) -> list[str]:
    """Writes the pages of a program's games; returns a link for each test, empty if it has none."""
    links = [f"{GAMES}/{stem}-{n}.html" if game_page and t.game else "" for n, t in enumerate(verdict.tests, 1)]
    for test, link in zip(verdict.tests, links, strict=True):
        if game_page and link:
            make_folder(folder / GAMES)
            refuse_other(folder / link, "page of a game")
            write_text(folder / link, game_page(f"{verdict.program}: {test.name}", test.game))
    return links


def stems(verdicts: Sequence[Verdict]) -> list[str]:
    """A distinct file name for each program, never `index` or `verdicts`.

    >>> stems([Verdict(program, {}, ()) for program in ("a/one.py", "b/One.py", "one.py:go", "index.js", "...")])
    ['one', 'One-2', 'one-go', 'index-2', 'program']
    """
    names = list[str]()
    for verdict in verdicts:
        stem = Path(verdict.program.replace(".py:", "-")).stem
        stem = re.sub(r"[^\w.-]+", "-", stem).strip("-.")[-60:] or "program"
        taken = {"index", Path(ALL_IN_ONE).stem, *map(str.lower, names)}
        free = (f"{stem}-{number}" for number in count(2))
        names.append(stem if stem.lower() not in taken else next(name for name in free if name.lower() not in taken))
    return names


def escape(text: str) -> str:
    """The text for a page: no markup, and control characters in letters; line ends stay."""
    return escape_markup("\n".join(map(printable, text.split("\n"))))


def _index(title: str, verdicts: Sequence[Verdict], pages: Sequence[str], rubric: Rubric) -> str:
    heads, *rows = table(verdicts, rubric)
    lines = []
    for verdict, page, row in zip(verdicts, pages, rows, strict=True):
        name, *numbers = row
        cells = "".join(f'<td class="number">{escape(number)}</td>' for number in numbers)
        lines.append(f'<tr><th><a href="{escape(page)}">{escape(name)}</a></th><td>{_bar(verdict)}</td>{cells}</tr>')
    columns = "".join(f"<th>{escape(head)}</th>" for head in (heads[0], "", *heads[1:]))
    body = f'<div class="wide"><table><thead><tr>{columns}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    return f"<h1>{escape(title)}</h1>{body}<h2>Test by test</h2>{_matrix(verdicts, pages)}{_LEGEND}"


def _page(verdict: Verdict, rubric: Rubric, games: Sequence[str]) -> str:
    got, of = score(verdict, rubric)
    slowest = max((test.seconds for test in verdict.tests), default=0.0) or 1.0
    lines = []
    for test, worth, game in zip(verdict.tests, points(verdict.tests, rubric), games, strict=True):
        is_said = not test.is_right and not test.name.startswith(HIDDEN)
        said = "" if not is_said else f"<details><summary>why</summary><pre>{escape(test.said)}</pre></details>"
        name = f'<a href="{game}">{escape(test.name)}</a>' if game else escape(test.name)
        time = f'<span class="time" style="width:{100 * test.seconds / slowest:.0f}%"></span>'
        lines.append(
            f'<tr><td class="{_kind(test)}">{_kind(test)}</td><th>{name}{said}</th>'
            f'<td class="number">{worth * test.earned:.3g} / {worth:.3g}</td>'
            f'<td class="number">{test.seconds:.2f} s</td><td class="times">{time}</td></tr>'
        )
    summary = f"<h2>What went wrong</h2><pre>{escape(verdict.summary)}</pre>" if verdict.summary else ""
    return (
        f"<h1>{escape(verdict.program)}</h1>{_bar(verdict)}"
        f"<p>{_count(verdict, 'right')} right, {_count(verdict, 'wrong')} wrong, {_count(verdict, 'failed')} failed:"
        f" {round(got, 2):g} of {round(of, 2):g} points.</p>{summary}"
        f'<h2>Test by test</h2><div class="wide"><table><tbody>{"".join(lines)}</tbody></table></div>'
    )


def _kind(test: Test) -> str:
    return "right" if test.is_right else "wrong" if test.is_answer else "failed"


def _count(verdict: Verdict, kind: str) -> int:
    return sum(_kind(test) == kind for test in verdict.tests)


def _bar(verdict: Verdict) -> str:
    whole = max(1, len(verdict.tests))
    parts = ((kind, 100 * _count(verdict, kind) / whole) for kind in ("right", "wrong", "failed"))
    return '<span class="bar">' + "".join(f'<i class="{k}" style="width:{w:.1f}%"></i>' for k, w in parts) + "</span>"


def _matrix(verdicts: Sequence[Verdict], pages: Sequence[str]) -> str:
    """An SVG with a mark for each program (row) and test (column): round if right, square if wrong, a bar if failed."""
    tests = max((verdict.tests for verdict in verdicts), key=len)
    squares = [
        f'<text transform="translate({10 * index + 8},-4) rotate(-90)">{escape(test.name[-_MAX_LABEL:])}</text>'
        for index, test in enumerate(tests)
    ]
    for row, (verdict, page) in enumerate(zip(verdicts, pages, strict=True)):
        rects = "".join(
            f'<rect x="{10 * index}" y="{10 * row + _SHAPES[_kind(test)][0]}" width="9" class="{_kind(test)}"'
            f' height="{9 - 2 * _SHAPES[_kind(test)][0]}" rx="{_SHAPES[_kind(test)][1]}">'
            f"<title>{escape(f'{verdict.program}: {test.name}: {_kind(test)}')}</title></rect>"
            for index, test in enumerate(verdict.tests)
        )
        name = f'<text x="-4" y="{10 * row + 8}" text-anchor="end">{escape(verdict.program[-_MAX_LABEL:])}</text>'
        squares.append(f'<a href="{escape(page)}">{name}{rects}</a>')
    margin = 5 * _MAX_LABEL
    width, height = margin + 10 * len(tests), margin + 10 * len(verdicts)
    size = f'viewBox="-{margin} -{margin} {width} {height}" style="width:{1.5 * width:.0f}px"'
    return f'<div class="wide"><svg {size} role="img" aria-label="Programs by tests">{"".join(squares)}</svg></div>'


def _html(title: str, body: str, notes: str) -> str:
    note = f"<footer>{escape(notes)}</footer>" if notes else ""
    return (
        '<!DOCTYPE html><!-- Verdicts of dungeon-tui --><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>{body}{note}</body></html>\n"
    )


_MAX_LABEL = 28  # characters
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
_SHAPES = {"right": (0, 4.5), "wrong": (0, 0), "failed": (3, 0)}  # margin and roundness: colours don't stand alone
_LEGEND = (
    '<p class="legend"><i class="right"></i> right <i class="wrong"></i> wrong '
    '<i class="failed"></i> no answer, or an unreadable one</p>'
)
_STYLE = """
:root { color-scheme: light dark; --right: #2a9d5c; --wrong: #d1495b; --failed: #8d99ae; --line: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: auto; padding: 1rem; }
h1 { overflow-wrap: anywhere; font-size: clamp(1.3rem, 6vw, 2rem); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .3rem .6rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 500; } thead th { font-weight: 600; } thead th:nth-child(n + 3) { text-align: right; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.bar { display: flex; min-width: 6rem; height: .8rem; margin: .4rem 0; border-radius: .2rem; overflow: hidden; }
.bar .right, rect.right, .legend .right { background: var(--right); fill: var(--right); }
.bar .wrong, rect.wrong, .legend .wrong { background: var(--wrong); fill: var(--wrong); }
.bar .failed, rect.failed, .legend .failed { background: var(--failed); fill: var(--failed); }
.legend i { display: inline-block; width: .8rem; height: .8rem; margin-left: 1rem; }
td.right { color: var(--right); } td.wrong { color: var(--wrong); } td.failed { color: var(--failed); }
.times { min-width: 5rem; } .time { display: block; height: .8rem; margin-top: .4rem; background: var(--line); }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); border-radius: .3rem; font-size: .85rem; }
svg text { font-size: 8px; fill: currentColor; }
section { margin-top: 4rem; border-top: 2px solid var(--line); }
footer { margin-top: 2rem; font-size: .85rem; opacity: .7; }
"""
