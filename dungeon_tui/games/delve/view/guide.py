"""The delve in words, for its screen and for plain text; in fog only what you know."""

from collections.abc import Callable, Sequence

import numpy as np

from dungeon_tui.core.grid import EIGHT_WAYS, Cell, cells_of
from dungeon_tui.core.guide import MapGuide, apart
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.finds import GLYPHS
from dungeon_tui.games.delve.model.level import AMULET, ROCK, STAIRS_DOWN, STAIRS_UP, TERRAIN_NAMES
from dungeon_tui.games.delve.model.state import ACTION_OF, STEPS, UNSEEN, Action, Monster, State
from dungeon_tui.games.delve.view import words

COMMANDS = "hjklyubn.<>SFBfq"
_NAMES = {ROCK: "rock", UNSEEN: "the dark"} | {code: TERRAIN_NAMES[code] for code in (STAIRS_UP, STAIRS_DOWN)}
_MOST_STEPS = 3  # of a hint, if nothing is coming


class DelveGuide(MapGuide[State]):
    """The delve in words."""

    commands = (
        "h j k l: left, down, up, right; y u b n: up-left, up-right, down-left, down-right; .: stay; < >: stairs up,"
        " down; S: haste; F: frost; B: bomb; f: fog; q: quit."
    )
    keys = {way: ACTION_OF[way].value for way in EIGHT_WAYS}
    names = {action.value: STEPS[action].words if action in STEPS else action.name.lower() for action in Action}

    def __init__(self, is_foggy: Callable[[], bool]) -> None:
        self._is_foggy = is_foggy

    def here(self, state: State) -> Cell:
        return state.player

    def name(self, state: State, cell: Cell) -> str:
        if not cell.is_inside(state.height, state.width):
            return "edge"
        monster, is_foggy = state.monster_at(cell), self._is_foggy()
        if monster is not None and (not is_foggy or words.is_known(state, monster)):
            return words.named(monster)
        code = int((state.seen if is_foggy else state.terrain)[cell])
        if code == UNSEEN:
            return _NAMES[UNSEEN]
        if any(bomb.cell == cell for bomb in state.bombs):
            return "lit bomb"
        return "amulet" if cell == state.amulet else dict(state.things).get(cell) or _NAMES.get(code, "")

    def landmarks(self, state: State) -> Sequence[tuple[str, Cell]]:
        """Stairs, amulet, things, monsters (sleepers out of sight, too) that you know of, the nearest first."""
        looks = (state.seen if self._is_foggy() else state.terrain).copy()
        stairs = STAIRS_DOWN, STAIRS_UP
        landmarks = [(chr(code), cell) for code in stairs for cell in cells_of(np.argwhere(looks == code))]
        monsters = [each for each in state.monsters if not self._is_foggy() or words.is_known(state, each)]
        landmarks += [(monster.kind.letter, monster.cell) for monster in monsters]
        landmarks += [(GLYPHS[name], cell) for cell, name in state.things if looks[cell] != UNSEEN]
        if state.amulet is not None and looks[state.amulet] != UNSEEN:
            landmarks.append((chr(AMULET), state.amulet))
        distance = solver.known_distance(state, is_foggy=self._is_foggy())
        return sorted(landmarks, key=lambda landmark: int(distance[landmark[1]]))

    def monsters(self, state: State) -> Sequence[Cell]:
        return [monster.cell for monster in self.shown_monsters(state)]

    def shown_monsters(self, state: State) -> list[Monster]:
        """The monsters in sight, or without fog all, the nearest first."""
        monsters = solver.monsters_in_view(state) if self._is_foggy() else state.monsters
        return sorted(monsters, key=lambda monster: self._away(state.player, monster.cell))

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        return solver.route(state, cell, is_foggy=self._is_foggy())

    def underfoot(self, state: State) -> str:
        return words.on_stairs(state)

    def standing(self, state: State) -> str:
        return f"{words.score(state)} {words.goal(state)}"

    def hunters(self, state: State) -> Sequence[str]:
        """The monsters that see you or know of you, by their turns to you; in fog unseen ones as sounds."""
        known = solver.noticed(state) if self._is_foggy() else state.monsters
        seen = rules.visible(state)
        coming = [each for each in known if seen[each.cell] or solver.is_aware(state, each)]
        coming.sort(key=lambda each: solver.turns_away(state, each))
        return [*dict.fromkeys(self._hunter_text(state, each) for each in coming)]

    def _hunter_text(self, state: State, monster: Monster) -> str:
        if self._is_foggy() and not rules.visible(state)[monster.cell]:
            return words.sound(state, monster)
        is_cut_off = solver.turns_away(state, monster) == UNREACHED
        away = "no way leads to you" if is_cut_off else words.when(state, monster)
        return f"{words.named(monster)}: {apart(state.player, monster.cell)}, {away}"

    def deadly(self, state: State) -> Sequence[Action]:
        """The actions that may cost the last of your hearts."""
        if not state.is_fair or state.hearts > 1:
            return ()
        return [action for action in rules.legal_actions(state) if solver.is_risky(state, action)]

    def hint(self, state: State) -> str:
        """A careful player's next actions: one if a monster is coming or in sight, else a few."""
        wanted, seen = solver.plan(state), rules.visible(state)
        is_alone = wanted.monster is None and not any(seen[each.cell] for each in state.monsters)
        keys = self.typed(state, wanted.actions[: _MOST_STEPS if is_alone else 1])
        return f"Type {keys}: {self.runs(keys)}. {words.hint(state, wanted, 0)}"
