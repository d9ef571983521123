"""A game as one web page: every turn's map and messages, with buttons and keys, in one file that loads nothing."""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import zip_longest
from string import Template, ascii_letters, digits
from types import MappingProxyType
from typing import Any

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.codes import CodeError, encode, share_of
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.recording import UNFINISHED
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Judgement, Turn, TurnController
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.ui.map.source import MapSource
from dungeon_tui.ui.palette import DARK, LIGHT, Meaning, Tint
from dungeon_tui.ui.play.analysis import Analysis
from dungeon_tui.ui.play.features import WideCells
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.snapshot import columns_of

MAX_ROWS, MAX_CELLS = 48, 120  # of the part of a large map that a page shows
MAX_LARGE_CELLS = 40  # in a row that is drawn large

_LETTERS = ascii_letters + digits  # they stand for the styles of cells; more styles take characters from _MORE on
_MORE = 0x100


class _Table:
    """Values by number, each once."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}

    def number(self, value: Any) -> int:
        return self.numbers.setdefault(value, len(self.numbers))


def page(
    game: Game,
    controller: TurnController[Any, Any, Any],
    last: Turn[Any, Any],
    title: str,
    arguments: str = "",
    players: Mapping[str, str] = MappingProxyType({}),
    trouble: str = "",
    judged: Sequence[Judgement] = (),
) -> str:
    """A web page of the turns up to `last`; changes nothing, may run in a thread. Empty texts are left out.

    With a judgement of each turn it shows the curve of values and the mistakes.
    """
    view: GameView = game.view()(game)
    turns = last.line()
    ends = [turns[0].state, turns[-1].state]
    for state in ends:
        view.prepare(state)
    columns = columns_of(view, ends, max(view.picture(state).width for state in ends))
    rows, styles, lines, facts = _Table(), _Table(), _Table(), _Table()
    frames: list[tuple[int, list[int], list[int]]] = []
    for turn in turns:
        view.prepare(turn.state)
        messages = view.story(turn) if turn.action is not None else view.greeting(controller.level)
        shown = [lines.number((int(line.meaning), line.text)) for line in messages if not line.is_transient]
        known = facts.number(" · ".join(view.facts(turn).short))
        drawn = _rows(view.picture(turn.state), view.focus_cell(turn.state), columns, styles)
        picture = [rows.number(row) for row in drawn]
        frames.append((known, shown, picture))
    moves = [controller.rules.action_text(turn.action) for turn in turns[1:]]
    end, wide = view.facts(last), view.feature(WideCells)
    data = {
        "columns": columns,
        "is_drawing": wide is not None and not wide.columns(last.state),
        "styles": [f"m{meaning} t{tint}" for meaning, tint in styles.numbers],
        "moves": moves,
        "rows": [*rows.numbers],
        "lines": [*lines.numbers],
        "facts": [*facts.numbers],
        "turns": frames,
        "judged": [(round(each.height, 2), _fault(each), _verdict(each)) for each in judged],
    }
    outcome = controller.rules.outcome(last.state)
    return _filled(
        data,
        title=title or end.title,
        goal=end.goal,
        origin=f"{game.title}: {counted(len(moves), 'turn')}, {outcome.name if outcome else UNFINISHED}. {trouble}",
        how=_how(game, controller, arguments, players),
        facts=" · ".join(end.short),
    )


def judgements(game: Game, last: Turn[Any, Any]) -> list[Judgement]:
    """Judges the turns up to `last` by exact play. Raises ValueError if the game or level has none."""
    view: GameView = game.view()(game)
    try:
        if (analysis := view.feature(Analysis)) is None:  # type: ignore[type-abstract]
            raise ValueError(f"the {game.name} has no exact play")
        analysis.prepare(last.line()[0].state)
        return [analysis.judge(turn) for turn in last.line()]
    except ValueError as error:
        raise ValueError(f"no judgement: {error}") from None
    finally:
        view.close()


def _fault(judged: Judgement) -> str:
    return "mistake" if judged.is_mistake else "slip" if judged.is_slip else ""


def _verdict(judged: Judgement) -> str:
    return capitalised(f"{judged.fault.removeprefix('a ')}: {judged.text}" if judged.fault else judged.text)


def _how(game: Game, played: TurnController[Any, Any, Any], arguments: str, players: Mapping[str, str]) -> str:
    """The command that opens the level, or without a code the program."""
    try:
        start = TurnController(played.rules, played.level, played.seed)
        return f"dungeon-tui open {encode(share_of(game, start, arguments, players))}"
    except CodeError:
        return "dungeon-tui"


def _rows(picture: MapSource, focus: Cell, columns: int, styles: _Table) -> Iterable[tuple[str, str]]:
    """The rows of a map, of a large one those near a cell: characters, and a letter for the style of each cell."""
    top, bottom = _part(focus.row, picture.height, MAX_ROWS)
    left, right = _part(focus.col, picture.width, MAX_CELLS // columns)
    for number in range(top, bottom):
        row = picture.row(number, left, right)
        texts = (f"{row.texts.get(index, glyph)[:columns]:^{columns}}" for index, glyph in enumerate(row.glyphs))
        numbers = (styles.number(style) for style in zip(row.meanings, row.tints, strict=True))
        yield "".join(texts), "".join(_LETTERS[each] if each < len(_LETTERS) else chr(_MORE + each) for each in numbers)


def _part(focus: int, size: int, most: int) -> tuple[int, int]:
    """The part of a side that is shown. It moves by half its length, so that most rows stay the same."""
    half = most // 2
    start = max(0, min(focus // half * half - half // 2, size - most))
    return start, min(size, start + most)


def _filled(data: Mapping[str, Any], **texts: str) -> str:
    folder = files("dungeon_tui.ui")
    script = (folder / "page.js").read_text("utf-8")
    style = f"{_colours()}\n{(folder / 'page.css').read_text('utf-8')}"
    last = [data["rows"][number] for number in data["turns"][-1][2]]
    is_wide = data["is_drawing"] or data["columns"] > 1 or len(last[0][0]) > MAX_LARGE_CELLS
    packed = zlib.compress(json.dumps(data, ensure_ascii=False).encode(), 9)
    return Template((folder / "page.html").read_text("utf-8")).substitute(
        {name: escape(printable(text)) for name, text in texts.items()},
        script=script,
        style=style,
        script_hash=_hash(script),
        style_hash=_hash(style),
        size="small" if is_wide else "large",
        map=escape("\n".join(text for text, _ in last)),
        moves="".join(
            f'<li class="{fault}">{escape(printable(move))}</li>'
            for move, fault in zip_longest(data["moves"], [fault for _, fault, _ in data["judged"][1:]], fillvalue="")
        ),
        data=base64.b64encode(packed).decode(),
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _colours() -> str:
    dark, light = (";".join(f"--{name}:{colour}" for name, colour in look.items()) for look in (DARK, LIGHT))
    meanings = "".join(f".m{int(meaning)}{{color:var(--{meaning.css})}}" for meaning in Meaning)
    tints = "".join(f".t{int(tint)}{{background:var(--tint-{tint.css},var(--map-back))}}" for tint in Tint if tint)
    looks = f":root{{color-scheme:dark light;{dark}}}@media (prefers-color-scheme:light),print{{:root{{{light}}}}}"
    return f"{looks}\n{meanings}{tints}"
