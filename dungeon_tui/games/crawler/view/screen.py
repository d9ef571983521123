"""The crawler on screen: what its states look like, in glyphs and words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from threading import Event

import numpy as np

from dungeon_tui import engine
from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Event as GameEvent
from dungeon_tui.core.rules import LevelBegun, Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import capitalised, counted, duration
from dungeon_tui.games.crawler.ai.par import Par, Point, beside, level_result, panel_rows, par_of, result_text
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import AMULET, MONSTER, OPEN, PILLAR, TILE_NAMES, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.rules import Threat, threats
from dungeon_tui.games.crawler.model.state import (
    ACTION_OF,
    Action,
    AmuletTaken,
    Died,
    DoorTaken,
    Doubled,
    Escaped,
    MonstersAdvanced,
    Moved,
    State,
    Status,
    TreasureTaken,
)
from dungeon_tui.games.crawler.view import words
from dungeon_tui.games.crawler.view.advice.hints import Adviser
from dungeon_tui.games.crawler.view.advice.preview import GhostPicture, Preview, mark_ghosts, preview
from dungeon_tui.games.crawler.view.advice.prospects import Prospects, Watch
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.games.crawler.view.analysis import CrawlerAnalysis
from dungeon_tui.games.crawler.view.figure import figure
from dungeon_tui.games.crawler.view.picture import (
    SHOWN_AMULET,
    YOU,
    NewQuarters,
    Picture,
    danger_layer,
    shown_tiles,
    sight_layer,
)
from dungeon_tui.games.crawler.view.words import sentences, threat_text, treasures
from dungeon_tui.storage.settings import Value, truth
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import ADVICE, LOOKING, Key
from dungeon_tui.ui.map.distance_layer import DistanceField
from dungeon_tui.ui.map.source import CellLayer, Layer, MapSource
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import (
    DANGER,
    SIGHT,
    Curve,
    Fate,
    Finale,
    Frame,
    Hints,
    Journeys,
    KeyWords,
    Motions,
    Numbers,
    PerfectLine,
    Switch,
    ToggledLayer,
    Warnings,
)
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.motion import opening, sparkling, struck
from dungeon_tui.ui.play.overlay import Same
from dungeon_tui.ui.widgets.figure import Figure
from dungeon_tui.ui.widgets.message_log import Line
from dungeon_tui.ui.widgets.side_panel import Facts

_PLACES_LISTED = 200
_STAGES = 5  # of a level that grows
_AWHILE = 12  # turns after which a threat that was gone is told again
_MEANINGS: dict[type[GameEvent], Meaning] = {
    TreasureTaken: Meaning.PRIZE,
    AmuletTaken: Meaning.MAGIC,
    Doubled: Meaning.MAGIC,
    MonstersAdvanced: Meaning.FOE,
    Died: Meaning.FOE,
    DoorTaken: Meaning.DOOR,
    Escaped: Meaning.WAY_OUT,
}
_ENDS = {Status.ESCAPED: "You have escaped the dungeon!", Status.DIED: "You were caught"}

_WORDS = {
    "curve": ("Curve", "plot par for each number of treasures, and your own place"),
}
_LINE = Key("plan", "P", "P", "Line out", "show the shortest line out", ADVICE, 9)
_AIM = Key("aim", "N", "N", "Aim", "how much treasure hints aim at", ADVICE)
_WATCH = Key("outlook.watch", "V", "V", "Watch fate",
             "when to tell that no way out is left: asked for, at once, never", ADVICE)  # fmt: skip
_PREVIEW = Key("preview", "D", "D", "Doubled", "beside an amulet, show what it would make of the level", LOOKING)


class CrawlerView(GameView):
    """The crawler on screen."""

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self._is_left = Event()
        self._solving = Solving()
        self._adviser = Adviser(self._solving, glyphs)
        self._prospects = Prospects(self._solving)
        self.has_preview = True
        self._threats: list[tuple[State, tuple[Threat, ...]]] = []  # of the states that were asked for last
        self._preview: tuple[State, Preview | None] | None = None  # the same
        self._standing: tuple[Turn[State, Action], Par | None, list[tuple[str, Point]], list[tuple[str, str]]] | None
        self._standing = None  # the turn told last, par as it was found by then, and both as the panel has them
        self._par: Par | None = None  # of the dungeon, once it was left
        adviser, prospects = self._adviser, self._prospects
        self.features = (
            KeyWords(_WORDS),
            Journeys(places, route, reason_to_stop),
            Hints(
                adviser.advise,
                stop=adviser.stop_thinking,
                think_ahead=self.think_ahead,
            ),
            ToggledLayer(
                SIGHT,
                "Lines of sight",
                partial(sight_layer, glyphs=glyphs),
                lambda: "Sight: the marked lines are those along which monsters see you.",
            ),
            ToggledLayer(
                DANGER,
                "Danger",
                partial(danger_layer, glyphs=glyphs),
                lambda: f"Danger: {glyphs.cross} marks where your next turn would be the last.",
            ),
            ToggledLayer(
                _LINE,
                "The line out",
                adviser.line,
                lambda: adviser.line_note,
                adviser.is_line_slow,
                is_answer=True,
            ),
            Warnings(self.warning_layer, self.remarks),
            Switch(_AIM, adviser.next_aim),
            Switch(
                _WATCH,
                lambda state: prospects.next_watch(),
                lambda: prospects.setting,
                prospects.turn_to,
                setting="lost",
            ),
            Switch(_PREVIEW, self.switch_preview, lambda: self.has_preview, self._turn_preview_to),
            Fate(
                prospects.outlook,
                is_watched=lambda: prospects.watch is Watch.ALWAYS,
                is_hidden=lambda: prospects.watch is Watch.OFF,
            ),
            Numbers(("walking",), distance_key, distances),
            CrawlerAnalysis(self._solving.planner, adviser.aim_at, glyphs),
            PerfectLine(adviser.perfect_line),
            Curve(self.curve),
            Finale(self.scores, self.prepare_ending),
            Motions(partial(motion, glyphs=glyphs)),
        )

    def picture(self, state: State) -> MapSource:
        """Map of the board with the adventurer; beside an amulet, if previews are on, of the doubled level."""
        shown = self._previewed(state)
        if shown is not None and shown.after is not None:
            return GhostPicture(shown, self.glyphs)
        return Picture(state.board, state.adventurer, self.glyphs)

    def focus_cell(self, state: State) -> Cell:
        """The adventurer's cell."""
        return state.adventurer

    def changed_rows(self, before: State, after: State) -> Iterable[int] | None:
        """Rows that differ between two states; None, for all, in another level or where a preview is shown."""
        if self._previewed(after) is not None:
            return None
        cells = after.board.changed_cells(before.board)
        if cells is None:
            return None
        return chain({before.adventurer.row, after.adventurer.row}, (cells // after.board.width).tolist())

    def greeting(self, level: Dungeon) -> Iterable[Line]:
        """Lines on the dungeon, faults of its files, threats at the start, and an amulet beside it."""
        yield Line(level.sidecar.summary or f"Welcome to {level.title}.")
        for warning in filter(None, (*level.warnings, par_of(level).warning)):
            yield Line(f"Note: {warning}", Meaning.DOOR)
        first: Turn[State, Action] = Turn(rules.start(level))
        yield from told_text(first.state)
        yield from told_threats(first, self._threatened)
        yield from self._told_amulet(first)

    def facts(self, turn: Turn[State, Action]) -> Facts:
        """Level, treasure, moves, par and monsters in sight, for the panel; the aim if it exceeds one treasure."""
        state, dungeon, aim = turn.state, turn.state.dungeon, self._adviser.aim
        note, board = dungeon.notes[state.number - 1], state.board
        distances = sorted(chain.from_iterable(each for _, each in rules.sight_lines(state).values()))
        level = f"Level {state.number} of {max(dungeon.asked, len(dungeon.levels))}"
        points, par_rows = self._par_beside(turn)
        rows = [
            ("Treasure", f"{state.treasure:,}"),
            ("Moves", f"{state.moves:,}"),
            *([("Aim", treasures(aim))] if aim > 1 else []),
            *par_rows,
            ("Monsters", f"{len(distances):,} in sight" if distances else "none in sight"),
            *([("Nearest", f"{counted(distances[0], 'step')} away")] if distances else []),
            ("You are at", state.adventurer.place),
            ("Map", f"{board.height} x {board.width}"),
        ]
        return Facts(
            goal=words.goal(state),
            title=dungeon.title,
            subtitle=f"{level}: {note.name}" if note.name else level,
            caption=f"by {note.author}" if note.author else "",
            rows=tuple(rows),
            short=(  # the most important first: a narrow line has no room for the last ones
                treasures(state.treasure),
                counted(state.moves, "move"),
                *([f"{counted(len(distances), 'monster')} in sight"] if distances else []),
                level,
                *(f"{label.lower()} {point.moves:,}" for label, point in points),
                *([] if distances else ["no monster in sight"]),
                f"map {board.height} x {board.width}",
            ),
        )

    def _par_beside(self, turn: Turn[State, Action]) -> tuple[list[tuple[str, Point]], list[tuple[str, str]]]:
        """Par for the treasure held: (label, fewest moves) pairs, and the same as rows of the panel."""
        state, front = turn.state, self._solving.found
        par = None if front is None else front.par
        if self._standing is not None:
            before, found, points, rows = self._standing
            is_near = before is turn or before.parent is turn or turn.parent is before
            is_same = before.state.number == state.number and before.state.treasure == state.treasure
            if is_near and is_same and found is par:
                self._standing = turn, par, points, rows
                return points, rows
        points = beside(turn, par)
        rows = list(panel_rows(points))
        self._standing = turn, par, points, rows
        return points, rows

    def story(self, turn: Turn[State, Action]) -> Iterable[Line]:
        """Lines on the events, things that monsters may break, an amulet beside."""
        yield from told_events(turn)
        yield from told_threats(turn, self._threatened)
        yield from self._told_amulet(turn)

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        """The step in a direction, legal or not; staying if there is none."""
        return Action.STAY if direction is None else ACTION_OF[direction]

    def warning_layer(self, state: State) -> Layer:
        """Layer on the things that monsters may break next turn, and the monsters that an amulet would bring."""
        shown = self._previewed(state)
        layer = sight_layer(state, self.glyphs) if state.dungeon.sidecar.is_lesson else CellLayer()
        if shown is not None:
            mark_ghosts(layer, shown, self.glyphs)
        for threat in self._threatened(state):
            layer.mark(threat.cell, None, None, Tint.DANGER)
        return layer

    def remarks(self, state: State) -> Sequence[str]:
        """Sentences on things that monsters may break next turn, and on the amulet beside; that one may be empty."""
        shown = self._previewed(state)
        amulet = "" if shown is None else shown.text
        return [*(threat_text(state, threat) for threat in self._threatened(state)), amulet]

    def switch_preview(self, state: State) -> str:
        """Turns previews of amulets on or off; returns the sentence that says so."""
        self.has_preview = not self.has_preview
        if not self.has_preview:
            return "Beside an amulet you see the level as it is."
        shown = self._previewed(state)
        return shown.text if shown is not None else "Beside an amulet you see what it would make of the level."

    def _turn_preview_to(self, value: Value) -> None:
        self.has_preview = truth(value)

    def cell_text(self, state: State, cell: Cell) -> str:
        """Words for a cell: its place, and the tile there, or in a preview the one to come; empty off the map."""
        shown = self._previewed(state)
        if shown is not None and shown.is_ghost(cell):
            return shown.cell_text(cell)
        if not cell.is_inside(state.board.height, state.board.width):
            return ""
        tile = state.board[cell]
        name = "you, the adventurer" if cell == state.adventurer and tile != MONSTER else TILE_NAMES[tile]
        if tile == WAY_OUT and state.treasure == 0:
            name += ", shut until you own treasure"
        return f"{capitalised(cell.place)}: {name}"

    # -- hints

    def think_ahead(self, state: State) -> None:
        """Loads the solver, searches for the first hint and, on boards that are small enough, for par."""
        self._adviser.think_ahead(state)
        if self._solving.may_think_ahead(state):
            self._solving.par_of(state.dungeon)

    def legend(self) -> Sequence[tuple[str, str]]:
        """Glyphs of the tiles and their meanings."""
        shown = shown_tiles(self.glyphs)
        return [(YOU, "you, the adventurer"), *((shown.get(tile, chr(tile)), TILE_NAMES[tile]) for tile in TILE_NAMES)]

    def prepare_ending(self, turn: Turn[State, Action]) -> None:
        """Finds the par that the dialog at the end compares an escape with. May take seconds: call it in a thread."""
        if turn.state.status is Status.ESCAPED:
            self._par = self._solving.par_for(turn.state)

    def scores(self, state: State) -> Sequence[Score]:
        """Scores of an escape: moves, with par for that much treasure, and treasure."""
        return scores(state, self._par)

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """Title and text of the dialog at the end: treasure, moves, time, the result beside par, treasure left."""
        return ended(state, outcome, seconds, self._par)

    def curve(self, state: State) -> Figure | str:
        """Plot of the fewest moves out by treasure, or why there is none; "" if the game was left meanwhile."""
        par = self._solving.par_of(state.dungeon)
        if self._is_left.is_set():
            return ""
        return figure(state, par, is_open=self._solving.may_find_more)

    def close(self) -> None:
        """Stops all searches, in whatever thread they run."""
        self._is_left.set()
        self._solving.close()

    def _threatened(self, state: State) -> tuple[Threat, ...]:
        for known, found in self._threats:
            if known is state:
                return found
        self._threats = [(state, threats(state)), *self._threats[:1]]
        return self._threats[0][1]

    def _told_amulet(self, turn: Turn[State, Action]) -> Iterator[Line]:
        """The line on an amulet beside the adventurer, at the turn that comes there; none if previews are off."""
        shown, parent = self._previewed(turn.state), turn.parent
        if shown is None:
            return
        before = None if parent is None else preview(parent.state)
        if before is None or before.place != shown.place:
            hides = "" if shown.after is None else " {preview} hides this."
            yield Line(shown.text + hides, Meaning.MAGIC)

    def _previewed(self, state: State) -> Preview | None:
        """The preview of an amulet beside the adventurer; None if there is none, or previews are off."""
        if not self.has_preview:
            return None
        if self._preview is None or self._preview[0] is not state:
            self._preview = state, preview(state) if is_near_amulet(state) else None
        return self._preview[1]


def is_near_amulet(state: State) -> bool:
    """True if an amulet lies above, below, on the left or on the right of the adventurer."""
    (row, col), tiles = state.adventurer, state.board.array()
    return AMULET in tiles[max(row - 1, 0) : row + 2, col] or AMULET in tiles[row, max(col - 1, 0) : col + 2]


def told_events(turn: Turn[State, Action]) -> Iterator[Line]:
    """Lines on a turn's events, and at a level's start the result of the one before; a plain step gives none."""
    for event in turn.events:
        if isinstance(event, LevelBegun) and (worth := level_result(turn)):
            yield Line(worth)
        meaning = _MEANINGS.get(type(event), Meaning.NOTE)
        yield from (Line(text, meaning) for text in sentences(event, turn.state.dungeon))
        if isinstance(event, LevelBegun):
            yield from told_text(turn.state)


def told_text(state: State) -> Iterator[Line]:
    """The text that the author of a level has for those who come there, if there is one."""
    if text := state.dungeon.notes[state.number - 1].text:
        yield Line(text, Meaning.DOOR)


def told_threats(turn: Turn[State, Action], of: Callable[[State], Sequence[Threat]] = threats) -> Iterator[Line]:
    """Lines on a turn's threats, without those of the last 12 turns in this level: each is told once."""
    present = of(turn.state)
    told: set[tuple[int, int]] = set()
    before = turn.parent
    while present and before is not None and turn.ply - before.ply <= _AWHILE:
        if before.state.number != turn.state.number:
            break
        told.update(threat.cell for threat in of(before.state))
        before = before.parent
    for threat in present:
        if threat.cell not in told:
            yield Line(threat_text(turn.state, threat), Meaning.FOE)


def ended(state: State, outcome: Outcome, seconds: float, par: Par | None) -> tuple[str, str]:
    """Title and text of the end: treasure, moves, time, the result beside par, and treasure left behind."""
    time = duration(seconds)
    lines = [f"{treasures(state.treasure)}, {counted(state.moves, 'move')}, {time}."]
    if state.status is Status.ESCAPED:
        if result := result_text(par, state.treasure, state.moves):
            lines = [f"{treasures(state.treasure)}, {time}.", result]
        left = state.left_behind
        lines.append(f"Left behind: {treasures(left)}." if left else "You left no treasure behind.")
    elif state.status is Status.DIED:
        lines.append("Undo takes the last move back.")
    else:
        lines.insert(0, outcome.reason)
    return _ENDS.get(state.status, "No level lies behind this door"), "\n".join(lines)


def scores(state: State, par: Par | None) -> tuple[Score, ...]:
    """Scores of an escape beside par, as far as that is proven: moves for so much treasure, and treasure."""
    if state.status is not Status.ESCAPED:
        return ()
    point = None if par is None else par.at(state.treasure)
    least = point.moves if point is not None and point.is_proven else None
    most = par.points[-1].treasure if par is not None and par.is_all and par.points else None
    return Score("moves", state.moves, least), Score("treasure", state.treasure, most, is_less_better=False)


def motion(turn: Turn[State, Action], glyphs: Glyphs) -> Sequence[Frame]:
    """Frames of a death, a treasure taken, a door that opens, and a level's new quarters as they grow."""
    frames, step = list[Frame](), None
    for event in turn.events:
        match event:
            case Moved():
                step = event
            case Died(cell):
                return struck(cell)
            case TreasureTaken() if step is not None:
                frames = sparkling(step.cell, glyphs)
            case DoorTaken() if step is not None:
                return opening(step.cell, step.origin, YOU, glyphs)
            case Doubled(height, width):
                shares = (share / _STAGES for share in range(_STAGES + 1))
                frames = [Frame(NewQuarters(height // 2, width // 2, share)) for share in shares]
            case _:
                pass
    return frames


def places(state: State) -> Sequence[tuple[str, Cell]]:
    """Places to travel to, each with its glyph: all tiles but floor and pillars, the 200 nearest, nearest first."""
    tiles = state.board.array()
    glyphs = {tile: chr(tile) for tile in TILE_NAMES} | {AMULET: SHOWN_AMULET}
    found = np.argwhere((tiles != OPEN) & (tiles != PILLAR))
    distances = np.abs(found - np.array(state.adventurer)).sum(axis=1)
    nearest = found[np.argsort(distances, kind="stable")[:_PLACES_LISTED]]
    return [(glyphs[tiles[row, col]], Cell(int(row), int(col))) for row, col in nearest]


def route(state: State, cell: Cell) -> Sequence[Action] | str:
    """A shortest walk to a cell over open floor and treasure, as if no monster moved; or why there is none.

    Doors, ways out and amulets change the level: they are entered only as the goal.
    """
    if not cell.is_inside(state.board.height, state.board.width):
        return "That is not there yet: the amulet would bring it."
    tile = state.board[cell]
    if cell == state.adventurer:
        return "You are there already."
    if tile == PILLAR:
        return "That is a pillar: nobody can stand there."
    if tile == MONSTER:
        return "A monster stands there."
    if tile == WAY_OUT and state.treasure == 0:
        return "The way out stays shut: you need a treasure first."
    tiles = state.board.copy()
    passable = (tiles == OPEN) | (tiles == TREASURE)
    passable[cell] = passable[state.adventurer] = True
    distance = engine.distance_map(passable, np.array([cell]), diagonal=False)
    if distance[state.adventurer] == engine.UNREACHED:
        return f"You can't go there: no way leads to {cell.place}."
    steps = np.diff(engine.path(distance, state.adventurer, diagonal=False), axis=0)
    return tuple(ACTION_OF[Direction((int(rows), int(cols)))] for rows, cols in steps)


def reason_to_stop(before: State | None, after: State) -> str:
    """Sentence if more monsters see the adventurer than before, at which travel stops; empty if it goes on."""
    if after.status is not Status.PLAYING or (before is not None and before.number != after.number):
        return ""
    if before is None:
        return "A monster sees you." if _monsters_in_sight(after) else ""
    return "A monster comes into sight." if _monsters_in_sight(after) > _monsters_in_sight(before) else ""


def distance_key(state: State) -> Hashable:
    """Key that is equal for states with the same `distances`: the board, by identity, and the adventurer's cell."""
    return Same(state.board), state.adventurer


def distances(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """Steps from the adventurer, four ways, pillars being all that stops; with arrows, steps that lead back."""
    distance = engine.distance_map(state.board.copy() != PILLAR, np.array([state.adventurer]), diagonal=False)
    steps = engine.downhill(distance, diagonal=False) if has_arrows else None
    return DistanceField(kind, distance, steps, engine.UNREACHED, engine.farthest(distance))


def _monsters_in_sight(state: State) -> int:
    return sum(len(distances) for _, distances in rules.sight_lines(state).values())
