"""A game as one web page: every turn's map and messages, with buttons and keys, in one file that loads nothing."""

import base64
import hashlib
import json
import zlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from itertools import zip_longest
from string import Template, ascii_letters, digits
from typing import Any

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.codes import CodeError, encode, share_of
from dungeon_tui.core.recording import UNFINISHED
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Judgement, Turn, TurnController
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.ui.keys import names_key
from dungeon_tui.ui.map.distance_layer import DistanceLayer, OverlayStyle, Wording
from dungeon_tui.ui.map.source import CellText, Row
from dungeon_tui.ui.palette import DARK, LIGHT, Meaning, Tint
from dungeon_tui.ui.play.analysis import Analysis
from dungeon_tui.ui.play.features import Numbers
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.snapshot import columns_of

MAX_ROWS, MAX_CELLS = 48, 120  # of the part of a large map that a page shows
MAX_LARGE_CELLS = 40  # characters in a row that is drawn large
MAX_VARIATION_TURNS = 500

_LETTERS = ascii_letters + digits  # they stand for the styles of cells; more styles take characters from _MORE on
_MORE = 0x100


class _Table:
    """Values by number, each once."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}

    def number(self, value: Any) -> int:
        return self.numbers.setdefault(value, len(self.numbers))


@dataclass(frozen=True, slots=True)
class Played:
    """A game for a page. Empty texts are left out; with a judgement of each turn the page shows values and mistakes."""

    game: Game
    controller: TurnController[Any, Any, Any]
    last: Turn[Any, Any]
    title: str
    arguments: str = ""
    players: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""
    judged: Sequence[Judgement] = ()


def page(played: Played) -> str:
    """A web page of the turns up to `last`, and of the variations; changes nothing, may run in a thread."""
    controller, last = played.controller, played.last
    view: GameView = played.game.view()(played.game)
    turns = _numbered(last)
    pictures = _Pictures(view, [controller.first.state, last.state])
    lines, facts = _Table(), _Table()
    frames: list[tuple[int, list[int], list[int], list[int]]] = []
    for turn in turns:
        rows, distances = pictures.draw(turn.state)
        messages = view.story(turn) if turn.action is not None else view.greeting(controller.level)
        shown = [  # a page has none of the game's keys
            lines.number((int(line.meaning), line.text))
            for line in messages
            if not (line.is_transient or names_key(line.text))
        ]
        frames.append((facts.number(" · ".join(filter(None, view.facts(turn).short))), shown, rows, distances))
    moves = [printable(controller.rules.action_text(turn.action)) for turn in turns if turn.parent is not None]
    parents = [turns[turn.parent] for turn in turns if turn.parent is not None]
    faults = [each.kind for each in played.judged]
    end, outcome = view.facts(last), controller.rules.outcome(last.state)
    length = counted(-(-last.ply // len(played.players)), "move") if played.players else counted(last.ply, "turn")
    view.close()
    data = {
        "columns": pictures.columns,
        "you": f".m{int(Meaning.YOU)}",
        "styles": [f"m{meaning} t{tint}" for meaning, tint in pictures.styles.numbers],
        "last": last.ply,
        "sides": [*played.players],
        "moves": moves,
        "parents": parents,
        "rows": [*pictures.rows.numbers],
        "lines": [*lines.numbers],
        "facts": [*facts.numbers],
        "turns": frames,
        "distances": pictures.distances_name,
        "judged": [
            (round(each.height, 2), fault, _verdict(each)) for each, fault in zip(played.judged, faults, strict=True)
        ],
    }
    texts = {
        "title": played.title or end.title,
        "goal": end.goal,
        "origin": f"{played.game.title}: {length}, {outcome.name if outcome else UNFINISHED}. " + played.trouble,
        "how": _how(played),
        "facts": " · ".join(filter(None, end.short)),
        "map": "\n".join(pictures.text(row) for row in frames[last.ply][2]),
    }
    return _filled(
        data,
        texts,
        _move_list(moves, parents, last.ply, faults),
        size=pictures.size(texts["map"].partition("\n")[0]),
    )


def _numbered(last: Turn[Any, Any]) -> dict[Turn[Any, Any], int]:
    """The turns up to `last` by ply, and then those of variations, depth first."""
    turns = {turn: turn.ply for turn in last.line()}
    open_turns = [branch for turn in turns for branch in turn.branches if branch not in turns][::-1]
    while open_turns and len(turns) <= last.ply + MAX_VARIATION_TURNS:
        turn = open_turns.pop()
        turns[turn] = len(turns)
        open_turns += reversed(turn.branches)
    return turns


def _move_list(moves: Sequence[str], parents: Sequence[int], last: int, faults: Sequence[str]) -> str:
    """The moves as list items, each with the variations that begin beside it."""
    links = [f'<a href="#t={number}">{escape(move)}</a>' for number, move in enumerate(moves, 1)]
    variations: dict[int, list[list[str]]] = {}
    places = [*range(1, last + 1), last]  # of each turn's next moves
    for number, parent in enumerate(parents[last:], last + 1):
        place = places[parent]
        places.append(place)
        if parent <= last or parent != number - 1:
            variations.setdefault(place, []).append([])
        variations[place][-1].append(links[number - 1])
    return "".join(
        f'<li class="{fault}">{link}'
        + "".join(f" <small>({', '.join(each)})</small>" for each in variations.get(ply, ()))
        + "</li>"
        for ply, (link, fault) in enumerate(zip_longest(links[:last], faults[1:], fillvalue=""), 1)
    )


def judgements(game: Game, last: Turn[Any, Any]) -> list[Judgement]:
    """Judges the turns up to `last` by exact play. Raises ValueError if the game or level has none."""
    view: GameView = game.view()(game)
    try:
        if (analysis := view.feature(Analysis)) is None:  # type: ignore[type-abstract]
            raise ValueError(f"the {game.name} has no exact play")
        analysis = analysis.of_line(last.state)
        analysis.prepare(last.line()[0].state)
        return [analysis.judge(turn) for turn in last.line()]
    except ValueError as error:
        raise ValueError(f"no judgement: {error}") from None
    finally:
        view.close()


def _verdict(judged: Judgement) -> str:
    return capitalised(f"{judged.fault.removeprefix('a ')}: {judged.text}" if judged.fault else judged.text)


def _how(played: Played) -> str:
    """The command that opens the level, or without a code the program."""
    given = played.controller
    try:
        start = TurnController(given.rules, given.level, given.seed)
        return f"dungeon-tui open {encode(share_of(played.game, start, played.arguments, played.players))}"
    except CodeError:
        return "dungeon-tui"


_Content = tuple[tuple[str, ...], bytes, bytes, tuple[tuple[int, CellText], ...]]


def _content(row: Row) -> _Content:
    return tuple(row.glyphs), bytes(row.meanings), bytes(row.tints), tuple(row.texts.items())


class _Pictures:
    """Draws states; equal rows and styles get the same number."""

    def __init__(self, view: GameView, ends: Sequence[Any]) -> None:
        for state in ends:
            view.prepare(state)
        self._view = view
        self._numbers = view.feature(Numbers)
        columns = columns_of(view, ends, max(view.picture(state).width for state in ends))
        self.columns, self._is_drawing = max(1, columns), not columns
        self.rows, self.styles = _Table(), _Table()
        self.distances_name = ""
        self._known: tuple[Any, DistanceLayer | None] = None, None
        self._contents, self._row_numbers = _Table(), dict[_Content, int]()
        self._drawn: dict[Any, tuple[list[int], list[int]]] = {}

    def draw(self, state: Any) -> tuple[list[int], list[int]]:
        """The numbers of a picture's rows, and of those with distances; none if there are no distances.

        Large maps show the part near the focus. Each picture is drawn once: a chase goes round in circles.
        """
        self._view.prepare(state)
        picture, focus = self._view.picture(state), self._view.focus_cell(state)
        top, bottom = part(focus.row, picture.height, MAX_ROWS)
        left, right = part(focus.col, picture.width, MAX_CELLS // self.columns)
        rows = [picture.row(number, left, right) for number in range(top, bottom)]
        contents = [*map(_content, rows)]
        distances_key = self._distances_key(state)
        key = distances_key, top, left, *map(self._contents.number, contents)
        if key not in self._drawn:
            layer = self._distances(state, distances_key)
            if layer is not None:
                for number, row in enumerate(rows, top):
                    layer.paint(number, row)
            distances = [] if layer is None else [self._number(_content(row)) for row in rows]
            self._drawn[key] = [*map(self._number, contents)], distances
        return self._drawn[key]

    def text(self, row: int) -> str:
        text: str = [*self.rows.numbers][row][0]
        return text

    def size(self, text: str) -> str:
        """The CSS class of a map with such rows; the letters of a text stay together."""
        if self._is_drawing or len(text) > MAX_LARGE_CELLS:
            return "small"
        return "large" if self.columns == 1 else "large text"

    def _distances_key(self, state: Any) -> tuple[str, Hashable]:
        numbers = self._numbers
        if numbers is None:
            return "", None
        shown = [kind for kind in numbers.kinds if kind not in numbers.answers] or numbers.kinds
        return shown[0], numbers.key(state)

    def _distances(self, state: Any, key: tuple[str, Hashable]) -> DistanceLayer | None:
        numbers, kind = self._numbers, key[0]
        if numbers is not None and self._known[0] != key:
            words = numbers.wordings.get(kind) or Wording(f"Distances, {kind}")
            style = OverlayStyle.LETTERS if words.has_letters else OverlayStyle.DIGITS
            try:
                layer = DistanceLayer(numbers.field(state, kind, False), style, self._view.glyphs)
            except ValueError:  # too large
                layer = None
            self.distances_name = self.distances_name or words.name
            self._known = key, layer
        return self._known[1]

    def _number(self, content: _Content) -> int:
        """The number of a row: its characters, and a letter for the style of each cell."""
        if content not in self._row_numbers:
            glyphs, meanings, tints, texts = content
            shown = dict(texts)
            characters = (
                f"{str(shown.get(index, glyph))[: self.columns]:^{self.columns}}" for index, glyph in enumerate(glyphs)
            )
            numbers = map(self.styles.number, zip(meanings, tints, strict=True))
            styles = "".join(_LETTERS[each] if each < len(_LETTERS) else chr(_MORE + each) for each in numbers)
            self._row_numbers[content] = self.rows.number(("".join(characters), styles))
        return self._row_numbers[content]


def part(focus: int, size: int, most: int) -> tuple[int, int]:
    """The part of a side that is shown. It moves by half its length, so that most rows stay the same."""
    half = most // 2
    start = max(0, min(focus // half * half - half // 2, size - most))
    return start, min(size, start + most)


def _filled(data: Mapping[str, Any], texts: Mapping[str, str], moves: str, *, size: str) -> str:
    folder = files("dungeon_tui.ui")
    script = (folder / "page.js").read_text("utf-8")
    style = f"{_colours()}\n{(folder / 'page.css').read_text('utf-8')}"
    packed = zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 9)
    return Template((folder / "page.html").read_text("utf-8")).substitute(
        {name: escape("\n".join(map(printable, text.split("\n")))) for name, text in texts.items()},
        script=script,
        style=style,
        script_hash=_hash(script),
        style_hash=_hash(style),
        size=size,
        moves=moves,
        data=base64.b64encode(packed).decode(),
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _colours() -> str:
    dark, light = (";".join(f"--{name}:{colour}" for name, colour in look.items()) for look in (DARK, LIGHT))
    meanings = "".join(f".m{int(meaning)}{{color:var(--{meaning.css})}}" for meaning in Meaning)
    tints = "".join(f".t{int(tint)}{{background:var(--tint-{tint.css},var(--map-back))}}" for tint in Tint if tint)
    looks = f":root{{color-scheme:dark light;{dark}}}@media (prefers-color-scheme:light),print{{:root{{{light}}}}}"
    return f"{looks}\n{meanings}{tints}.t{int(Tint.FOE)}{{color:var(--map-back)}}"
