"""The deep on screen: what its states look like, in glyphs and words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from dungeon_tui import engine
from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import capitalised, counted, duration, turn_name
from dungeon_tui.games.deep.ai.solver import Hints as Lines
from dungeon_tui.games.deep.ai.solver import escape, lost_since
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import Campaign
from dungeon_tui.games.deep.model.descent import score
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.room import CHASM, DOORS, NUMBERED_DOORS, PILLAR, TREASURE
from dungeon_tui.games.deep.model.state import (
    STEPS,
    Action,
    AmuletTaken,
    BombBlewUp,
    Died,
    DoorTaken,
    ItemTaken,
    ItemUsed,
    MonsterKilled,
    MonsterMoved,
    MonsterWoke,
    Moved,
    RingFell,
    State,
    Status,
    Stayed,
    StayReason,
    TreasureTaken,
    Won,
)
from dungeon_tui.games.deep.view import picture, words
from dungeon_tui.storage.settings import Value, truth
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import GAME, MOVES, Key
from dungeon_tui.ui.map.distance_layer import DistanceField, Wording
from dungeon_tui.ui.map.source import MapSource
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import (
    DANGER,
    SIGHT,
    Advice,
    Fate,
    Finale,
    Frame,
    Hints,
    Journeys,
    Motions,
    Numbers,
    OneLife,
    Outlook,
    Special,
    Switch,
    ToggledLayer,
    Warnings,
)
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.motion import opening, sparkling, struck
from dungeon_tui.ui.play.overlay import Same
from dungeon_tui.ui.widgets.message_log import Line
from dungeon_tui.ui.widgets.side_panel import Facts

_PRACTICE = Key("practice", "U", "U", "Practice", "in a descent: one life, or moves that can be taken back", GAME)
_ACTIONS = {direction: action for action, direction in STEPS.items()}
_PATIENCE = 5.0  # seconds, of a search
_KINDS = ("walking", "tracker")
_WORDINGS = {"tracker": Wording("Distances of a tracker", of_cell="a tracker there is {} steps away")}
_MEANINGS: dict[type, Meaning] = {
    TreasureTaken: Meaning.PRIZE,
    ItemTaken: Meaning.MAGIC,
    ItemUsed: Meaning.MAGIC,
    AmuletTaken: Meaning.MAGIC,
    DoorTaken: Meaning.DOOR,
    MonsterWoke: Meaning.FOE,
    MonsterMoved: Meaning.FOE,
    RingFell: Meaning.FOE,
    Won: Meaning.WAY_OUT,
}


class DeepView(GameView):
    """The deep on screen."""

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self.is_practice = False
        self._lines = Lines()
        items = [(name, item) for name, item in ITEMS.items() if item.key]
        self.features = (
            *(
                Special(Key(f"item.{name}", item.key, item.key, capitalised(name), item.text, MOVES), Action(item.key))
                for name, item in items
            ),
            Journeys(picture.places, route, reason_to_stop),
            Hints(self.advise, think_ahead=make_levels),
            Fate(outlook, is_watched=lambda: False, is_hidden=lambda: False),
            ToggledLayer(SIGHT, "Lines of sight", partial(picture.sight_layer, glyphs=glyphs), lambda: words.SIGHT),
            ToggledLayer(
                DANGER,
                "Danger",
                partial(picture.danger_layer, glyphs=glyphs),
                partial(words.DANGER.format, glyphs.cross),
            ),
            Warnings(partial(picture.warning_layer, glyphs=glyphs), remarks),
            Numbers(_KINDS, lambda state: (Same(state.room.board), state.adventurer.cell), distances, _WORDINGS),
            Finale(scores),
            OneLife(lambda state: state.campaign.is_descent and not self.is_practice),
            Switch(_PRACTICE, self._switch_practice, lambda: self.is_practice, self._turn_practice_to),
            Motions(partial(motion, glyphs=glyphs)),
        )

    def picture(self, state: State) -> MapSource:
        """Map of the level with all that stands on it."""
        return picture.Picture(state, self.glyphs)

    def focus_cell(self, state: State) -> Cell:
        """The adventurer's cell."""
        return state.adventurer.cell

    def changed_rows(self, before: State, after: State) -> Iterable[int] | None:
        """None: any row; levels are small."""
        return None

    def greeting(self, level: Campaign) -> Iterable[Line]:
        """The campaign's summary, and what is told at its first level's start."""
        first = next(iter(level.levels.values()))
        yield Line(level.summary or f"Welcome to {level.title or 'the deep'}.")
        if first.text:
            yield Line(first.text, Meaning.DOOR)

    def facts(self, turn: Turn[State, Action]) -> Facts:
        """Treasure, moves, what works at present, monsters, and what is carried."""
        state = turn.state
        adventurer, level = state.adventurer, state.level
        known = picture.seen(state)
        in_sight = sum(1 for each in state.room.monsters if known is None or known[each.cell])
        works = [
            *([("Haste", f"{counted(adventurer.haste, 'move')} left")] if adventurer.haste else []),
            *([("Frost", f"{counted(adventurer.frost, 'turn')} left")] if adventurer.frost else []),
            *([("Next fall", f"in {counted(level.shrinks - state.room.turns % level.shrinks, 'turn')}")]
              if level.shrinks else []),
        ]  # fmt: skip
        carried = words.inventory(state)
        return Facts(
            goal=words.goal(state),
            title=state.campaign.title or "The deep",
            subtitle=level.title or level.name,
            caption=f"by {state.campaign.author}" if state.campaign.author else "",
            rows=(
                ("Treasure", f"{adventurer.treasure:,}"),
                ("Points", f"{score(state)}") if state.campaign.is_descent else ("Moves", f"{state.moves:,}"),
                *works,
                *([("Par", f"{counted(level.par, 'move')} with all gold")] if level.par else []),
                *(carried or [("Carried", "nothing yet")]),
                ("Monsters", f"{in_sight:,} in sight"),
                ("Levels", f"{len(state.left) + 1} of {len(state.campaign.levels)} seen"),
            ),
            more=tuple(words.doors(state)),
            short=(
                counted(adventurer.treasure, "treasure"),
                *([", ".join(label for label, _ in carried)] if carried else []),
                *(f"{label.lower()} {value}" for label, value in works),
                counted(state.moves, "move"),
                level.title or level.name,
                f"{counted(in_sight, 'monster')} in sight",
            ),
        )

    def story(self, turn: Turn[State, Action]) -> Iterator[Line]:
        """Lines on the events that the adventurer can know of."""
        known = picture.seen(turn.state)
        is_elsewhere = any(isinstance(event, DoorTaken) for event in turn.events)
        for event in turn.events:
            cell = getattr(event, "cell", None)
            hidden = known is not None and not is_elsewhere and isinstance(cell, Cell) and not known[cell]
            if hidden and isinstance(event, MonsterMoved | MonsterWoke | MonsterKilled):
                continue
            if isinstance(event, Stayed) and event.reason is StayReason.PRICE and turn.action in STEPS:
                tile = turn.state.room.tile(event.cell.neighbour(STEPS[turn.action]))
                yield Line(f"{capitalised(words.door_text(tile, turn.state.level.doors[tile]))}.", Meaning.DOOR)
                continue
            for text in filter(None, words.sentences(event, turn.state.campaign)):
                yield Line(text, _MEANINGS.get(type(event), Meaning.NOTE))
        if turn.state.status is Status.DIED:
            yield Line(f"{words.ended(turn.state, outcome_of(turn.state), '')[0]}.", Meaning.FOE)

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        """The step in a direction; staying if there is none."""
        return Action.STAY if direction is None else _ACTIONS[direction]

    def cell_text(self, state: State, cell: Cell) -> str:
        """Words for a cell: its place, and what stands or lies there; empty off the map."""
        if not cell.is_inside(state.room.board.height, state.room.board.width):
            return ""
        known = picture.seen(state)
        tile = state.room.tile(cell)
        monster = state.room.monster_at(cell)
        if known is not None and not known[cell]:
            what = "not in sight"
        elif cell == state.adventurer.cell and state.status is not Status.DIED:
            what = "you, the adventurer"
        elif monster is not None:
            looks = state.campaign.kinds[monster.kind].looks
            is_hidden = not monster.is_awake and looks == TREASURE
            what = words.TILES[looks] if is_hidden else words.monster_text(state, monster.kind, monster.is_awake)
        else:
            what = words.tile_text(tile, state.level.doors.get(tile))
        return f"{capitalised(cell.place)}: {what}"

    def legend(self) -> Sequence[tuple[str, str]]:
        """Glyphs of the tiles, items and monsters, and their meanings."""
        glyphs = self.glyphs
        return [
            (picture.YOU, "you, the adventurer"),
            (glyphs.floor, "open floor"),
            (glyphs.wall, "pillar"),
            ("$", "treasure"),
            (picture.SHOWN_AMULET, "amulet: it doubles the level"),
            ("1-9 ?", "doors"),
            ("!", "way out"),
            *((chr(item.tile), f"{name}: {item.text}") for name, item in ITEMS.items()),
            *picture.legend_kinds(),
            (picture.CHASM_MARK, "falls at the end of this turn"),
        ]

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """Title and text of the end: treasure, moves, time, levels seen, and what killed you."""
        return words.ended(state, outcome, duration(seconds))

    def _switch_practice(self, state: State) -> str:
        self.is_practice = not self.is_practice
        return "Practice: moves can be taken back." if self.is_practice else "A descent has one life again."

    def _turn_practice_to(self, value: Value) -> None:
        self.is_practice = truth(value)

    # -- hints

    def advise(self, state: State, step: int) -> Advice:
        """The door to make for; the move; the whole line."""
        if state.status is not Status.PLAYING:
            return Advice("The game is over: undo, or restart.", is_all=True)
        found = self._lines.onward(state, _PATIENCE)
        line = found.line
        if line is None:
            return Advice(words.NO_DOOR if found.is_decided else words.NO_DOOR_KNOWN, is_all=True)
        if step == 0:
            proof = ", and none is shorter" if found.is_decided else ""
            return Advice(f"Towards {_door_of(state, line)}: {counted(len(line), 'move')}{proof}.")
        if step == 1:
            return Advice(f"{_move_text(line[0])}.")
        layer = picture.line_layer(state, line, self.glyphs)
        return Advice(f"The line: {counted(len(line), 'move')}.", layer, is_all=True)


def make_levels(state: State) -> None:
    """Makes the levels to come of a descent while the first one is played."""
    for name in state.campaign.levels:
        state.campaign.levels[name]


def _door_of(state: State, line: Sequence[Action]) -> str:
    """The door that a line leads to, in a few words."""
    level = state.level
    for action in line:
        tile, state = state.room.tile(rules.destination(state, action)[0]), rules.step(state, action)[0]
    return words.door_text(tile, level.doors.get(tile)).partition(":")[0]


def outlook(turn: Turn[State, Action], is_asked: bool) -> Outlook:
    """The prospects of the present level: can it still be left alive, and since when not?"""
    turns = [turn]
    while (before := turns[0].parent) is not None and before.state.level is turn.state.level:
        turns.insert(0, before)
    if turn.state.status is Status.PLAYING:
        found = escape(turn.state, time_limit=_PATIENCE, greed=4)
        if not found.is_lost:
            text = words.STILL_OPEN if found.line is not None else words.UNKNOWN
            return Outlook(text if is_asked else "")
    number, is_proven = lost_since([each.state for each in turns])
    if number >= len(turns) or not is_proven:
        return Outlook(words.UNKNOWN if is_asked else "")
    chance = turns[number - 1] if number else None
    text = f"No door can be reached alive since {turn_name(turns[number].ply)}."
    is_told = chance is not None and not turn.state.campaign.is_descent
    back = f" {{last_chance}} goes back to {turn_name(chance.ply)}." if is_told and chance else ""
    mark = f"no way on since {turn_name(turns[number].ply)}"
    return Outlook(text + back, True, chance, turns[number], mark)


def _move_text(action: Action) -> str:
    if action in STEPS:
        return f"Go {STEPS[action].words}"
    return "Stay" if action is Action.STAY else f"Use the {action.name.lower()}, key {action.value}"


def outcome_of(state: State) -> Outcome:
    """The end of a game that is over."""
    outcome = rules.outcome(state)
    assert outcome is not None, "the game is over"
    return outcome


def remarks(state: State) -> Sequence[str]:
    """The warning of a rim that falls; none otherwise."""
    return [words.FALLING] if state.status is Status.PLAYING and rules.falling_cells(state) else []


def distances(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """Steps from the adventurer, four ways; a tracker's go past no numbered door."""
    tiles = state.room.board.copy()
    walls = [PILLAR, CHASM, *(NUMBERED_DOORS if kind == "tracker" else b"")]
    passable = ~np.isin(tiles, walls)
    passable[state.adventurer.cell] = True
    distance = engine.distance_map(passable, np.array([state.adventurer.cell]), diagonal=False)
    steps = engine.downhill(distance, diagonal=False) if has_arrows else None
    return DistanceField(kind, distance, steps, engine.UNREACHED, engine.farthest(distance))


def route(state: State, cell: Cell) -> Sequence[Action] | str:
    """A shortest walk to a cell as if no monster moved, through no door on the way; or why there is none."""
    if not cell.is_inside(state.room.board.height, state.room.board.width):
        return "That is off the map."
    if cell == state.adventurer.cell:
        return "You are there already."
    known, tiles = picture.seen(state), state.room.board.copy()
    if known is not None and not known[cell]:
        return "You don't see that cell."
    if tiles[cell] in (PILLAR, CHASM):
        return "Nobody can stand there."
    passable = ~np.isin(tiles, [PILLAR, CHASM, *DOORS])
    passable[cell] = passable[state.adventurer.cell] = True
    distance = engine.distance_map(passable, np.array([cell]), diagonal=False)
    if distance[state.adventurer.cell] == engine.UNREACHED:
        return f"You can't go there: no way leads to {cell.place}."
    steps = np.diff(engine.path(distance, state.adventurer.cell, diagonal=False), axis=0)
    return tuple(_ACTIONS[Direction((int(rows), int(cols)))] for rows, cols in steps)


def reason_to_stop(before: State | None, after: State) -> str:
    """Sentence if the next turn might be the last, or another level has begun, or a monster woke; else empty."""
    if after.status is not Status.PLAYING:
        return ""
    if before is not None and before.level is not after.level:
        return "You are in another level."
    if any(rules.step(after, action)[0].status is Status.DIED for action in (*STEPS, Action.STAY)):
        return "Danger is near."
    if rules.falling_cells(after):
        return words.FALLING
    return ""


def scores(state: State) -> Sequence[Score]:
    """Scores of an ending: treasure carried out, and moves; of a descent its points, however it ended."""
    if state.campaign.is_descent:
        return (Score("points", score(state), None, is_less_better=False),)
    if state.status is not Status.WON:
        return ()
    return (
        Score("treasure", state.adventurer.treasure, None, is_less_better=False),
        Score("moves", state.moves, None),
    )


def motion(turn: Turn[State, Action], glyphs: Glyphs) -> Sequence[Frame]:
    """Frames of a blow, a blast, a thing taken, or a door that opens."""
    frames, step = list[Frame](), None
    for event in turn.events:
        match event:
            case Moved():
                step = event
            case Died(cell) | MonsterKilled(cell=cell) | BombBlewUp(cell):
                frames = struck(cell)
            case TreasureTaken() | ItemTaken() if step is not None:
                frames = sparkling(step.cell, glyphs)
            case DoorTaken() if step is not None:
                return opening(step.cell, step.origin, picture.YOU, glyphs)
            case _:
                pass
    return frames
