"""The delve for those who don't look: what is around, who is coming, the nearest thing, the next commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.core.spoken import Spoken, Surroundings, apart, in_runs, listed
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.ai.plan import plan
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import OPEN, ROCK, STAIRS_DOWN, STAIRS_UP, TERRAIN_NAMES
from dungeon_tui.games.delve.model.state import ACTION_OF, STEPS, UNSEEN, Action, Monster, State
from dungeon_tui.games.delve.view import words

COMMANDS = "hjklyubn.<>fq"
_KEYS = (
    "h j k l: left, down, up, right; y u b n: up-left, up-right, down-left, down-right; .: stay; < >: stairs up,"
    " down; f: fog; q: leave."
)
_MOVES = {action.value: STEPS[action].words if action in STEPS else action.name.lower() for action in Action}
_MOST_STEPS = 5  # of a hint, where nothing is coming


def spoken(board: Callable[[State], str], is_foggy: Callable[[], bool]) -> Spoken[State]:
    """The answers in words of one game: the board as the transcript prints it, and whether there is fog now."""
    return Spoken(
        keys=_KEYS,
        look=lambda state: look(state, is_foggy=is_foggy()),
        who=lambda state: who(state, is_foggy=is_foggy()),
        near=lambda state, word: surroundings(state, is_foggy=is_foggy()).near(word),
        hint=_hint,
        board=board,
        commands=COMMANDS,
    )


def surroundings(state: State, *, is_foggy: bool) -> Surroundings:
    """The dungeon around the player; in fog only terrain seen and monsters in view."""
    terrain = (state.seen if is_foggy else state.terrain).copy()
    seen = rules.visible(state)
    monsters = {each.cell: words.name(each) for each in state.monsters if not is_foggy or seen[each.cell]}
    named = {ROCK: "rock", UNSEEN: "the dark", STAIRS_UP: "stairs up", STAIRS_DOWN: "stairs down"}
    places = dict.fromkeys(state.level.stairs_up, TERRAIN_NAMES[STAIRS_UP])
    places |= dict.fromkeys(state.level.stairs_down, TERRAIN_NAMES[STAIRS_DOWN])
    places |= {} if state.amulet is None else {state.amulet: "amulet"}

    def name(cell: Cell) -> str:
        return monsters.get(cell) or ("amulet" if cell == state.amulet else named.get(int(terrain[cell]), ""))

    def steps(cell: Cell) -> Iterable[Cell]:
        if cell != state.player and cell in monsters:
            return ()
        return [to for to in map(cell.neighbour, EIGHT_WAYS) if state.hardness[to] == OPEN and terrain[to] != UNSEEN]

    things = {cell: what for cell, what in places.items() if terrain[cell] != UNSEEN} | monsters
    keys = {way: ACTION_OF[way].value for way in EIGHT_WAYS}
    return Surroundings(state.player, name, [(what, cell) for cell, what in things.items()], steps, keys, monsters)


def look(state: State, *, is_foggy: bool) -> str:
    """The stairs that the player stands on, the surroundings, and how the game stands."""
    here = state.terrain[state.player]
    on = f"{words.on_stairs(here)} " if here in (STAIRS_UP, STAIRS_DOWN) else ""
    return f"{on}{surroundings(state, is_foggy=is_foggy).look()} {words.score(state)} {words.goal(state)}"


def who(state: State, *, is_foggy: bool) -> str:
    """The monsters that see the player or know of him, by the turns that they need; in fog those unseen as sounds."""
    seen = rules.visible(state)
    known = solver.noticed(state) if is_foggy else state.monsters
    coming = [each for each in known if seen[each.cell] or solver.is_aware(state, each)]
    coming.sort(key=lambda each: solver.turns_away(state, each))
    told = [_told(state, each, is_seen=not is_foggy or bool(seen[each.cell])) for each in coming]
    return listed([*dict.fromkeys(told)], len(dict.fromkeys(told)))


def _told(state: State, monster: Monster, *, is_seen: bool) -> str:
    if not is_seen:
        return words.sound(state, monster)
    turns = solver.turns_away(state, monster)
    away = "no way leads to you" if turns == UNREACHED else f"here in {counted(turns, 'turn')}"
    known = words.knowledge(state, monster)
    return f"{words.name(monster)}: {apart(state.player, monster.cell)}, {away}, {known}"


def _hint(state: State) -> str:
    """A careful player's next commands: one where a monster is coming, else a few."""
    wanted = plan(state)
    keys = "".join(action.value for action in wanted.actions[: 1 if wanted.monster else _MOST_STEPS])
    return f"Type {keys}: {in_runs(keys, _MOVES)}. {words.hint(state, wanted, 0)}"
