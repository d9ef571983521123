"""The delve in words, the same ones on screen and in plain text: events, monsters, cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.ai.plan import Aim, Plan
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import AMULET, IMMUTABLE, OPEN, ROCK, TERRAIN_NAMES
from dungeon_tui.games.delve.model.maps import TUNNELLING, WALKING
from dungeon_tui.games.delve.model.state import (
    STEPS,
    UNSEEN,
    Ability,
    Action,
    AmuletBroughtUp,
    AmuletTaken,
    DungeonCleared,
    HeartGained,
    Monster,
    MonsterKilled,
    PlayerDied,
    PlayerHit,
    RockWorn,
    StairsTaken,
    State,
    Status,
    Stayed,
)

FIGHTING = "Step onto monsters before they step onto you: each hit takes one of your three hearts."
NEARNESS = "close", "near", "far off"
NOTE = "Note: {}"  # what is odd about the level's file
SIGHT = "Sight: the marked lines are those along which monsters see you."
DANGER = "Danger: {} marks where a monster hits you in the next turn."
NOT_UNDERSTOOD = "I did not understand your command."
NOUNS = ("walker", "hunter", "seer", "oracle", "tunneller", "digger", "mole", "burrower")
"""The kinds that are not erratic: smart 1, telepathic 2, tunnelling 4. The first letter stands on the map."""

NEWS = {
    2: "Some here know where you are without seeing you. Listen for their footsteps.",
    3: "Some here dig through the rock. Listen for them, too.",
    4: "Moles and burrowers come straight through the rock: no corridor is safe for long.",
    rules.LAST_DEPTH: "This is the last depth: the amulet is here. Take it, and then the stairs up.",
}


def name(monster: Monster) -> str:
    """A monster's kind: "erratic tunneller"."""
    noun = NOUNS[monster.kind.abilities & ~Ability.ERRATIC]
    return f"erratic {noun}" if Ability.ERRATIC in monster.kind.abilities else noun


def letter(monster: Monster) -> str:
    """A monster's letter on the map; the erratic have capitals."""
    first = name(monster).rpartition(" ")[2][0]
    return first.upper() if Ability.ERRATIC in monster.kind.abilities else first


def legend() -> list[tuple[str, str]]:
    """The letters of the kinds, each with what the kind does."""
    senses = (
        "comes when it sees you",
        "comes when it sees you, and searches where it saw you last",
        *2 * ("always knows where you are",),
    )
    ways = ("", ", through rock")
    kinds = [(noun[0], f"{noun}: {senses[number % 4]}{ways[number // 4]}") for number, noun in enumerate(NOUNS)]
    return [*kinds, ("W ...", "erratic walker and so on: half its steps are anywhere")]


def monster_text(monster: Monster) -> str:
    """A monster's glyph and abilities: "monster c (tunnelling, erratic)"."""
    return f"monster {monster.glyph} ({monster.abilities})"


def the(monster: Monster) -> str:
    """A monster on screen: "the erratic tunneller"."""
    return f"the {name(monster)}"


def told(
    state: State, events: Iterable[Event], *, is_foggy: bool, of: Callable[[Monster], str] = monster_text
) -> Iterator[tuple[Event, str]]:
    """Events that the player can know of, each with its sentence; those without one are left out.

    Args:
        state: the state after the events.
        events: of one turn.
        is_foggy: monsters' kills and worn rock are told only if the player sees the cell.
        of: names a monster, by default as transcripts do.
    """
    seen = rules.visible(state)
    for event in events:
        match event:
            case MonsterKilled(monster=Monster(cell=cell), by=Monster()) | RockWorn(cell=cell) if is_foggy:
                is_known = bool(seen[cell])
            case _:
                is_known = True
        if is_known and (sentence := event_text(event, of)):
            yield event, sentence


def event_text(event: Event, of: Callable[[Monster], str] = monster_text) -> str:
    """Sentence for an event; empty for steps, the start of a dungeon, and rock that still stands."""
    match event:
        case Stayed():
            return "You wait."
        case MonsterKilled(monster=monster, by=None):
            return f"You killed {of(monster)}."
        case MonsterKilled(monster=monster, by=Monster() as by):
            is_same = of is the and the(by) == the(monster)
            return f"{capitalised(of(by))} killed {f'another {name(monster)}' if is_same else of(monster)}."
        case RockWorn(hardness=0):
            return "A tunneller breaks through the rock."
        case StairsTaken(is_down=is_down, depth=depth):
            return f"You went {'down' if is_down else 'up'} to depth {depth}."
        case PlayerHit(by=by, hearts=hearts):
            return f"{capitalised(of(by))} hit you: {counted(hearts, 'heart')} left."
        case HeartGained(hearts=hearts):
            return f"You take heart: {counted(hearts, 'heart')}."
        case AmuletTaken():
            return "You have the amulet. Everything in the dungeon feels where you are."
        case AmuletBroughtUp():
            return "You bring the amulet up."
        case PlayerDied(by=by):
            return f"{capitalised(of(by))} stepped on you."
        case DungeonCleared():
            return "All monsters are gone."
        case _:
            return ""


def sighting(monster: Monster) -> str:
    """The message that a monster has come into sight."""
    return f"You see {_with_speed(monster)}."


def coming(state: State, monster: Monster) -> str:
    """The message of the time that a monster, seen or heard, needs to the player."""
    who = the(monster) if rules.visible(state)[monster.cell] else "what you hear"
    turns = solver.turns_away(state, monster)
    when = f"in {counted(turns, 'turn')}" if turns else "at once"
    return f"{capitalised(who)} can be here {when}."


def hearts_left(state: State) -> str:
    """The message that a monster has hit."""
    return f"You have {counted(state.hearts, 'heart')} left."


def threat(monster: Monster) -> str:
    """The message that a monster comes and hits in one turn."""
    return f"{capitalised(the(monster))} hits you before you can strike, if you stay. x shows where it would."


def can_hit(monster: Monster) -> str:
    """The reason not to wait."""
    return f"{capitalised(the(monster))} can hit you."


def sounds(state: State, monsters: Iterable[Monster]) -> str:
    """The message of monsters that are heard: "You hear digging to the east, near."."""
    heard = dict.fromkeys(sound(state, monster) for monster in monsters)
    return f"You hear {'; '.join(heard)}."


def sound(state: State, monster: Monster) -> str:
    """The sound of a monster, its direction, and how near it is: "footsteps to the north-west, far off"."""
    rows, cols = monster.cell.row - state.player.row, monster.cell.col - state.player.col
    vertical, level = ("north" if rows < 0 else "south"), ("west" if cols < 0 else "east")
    ways = (vertical,) * (2 * abs(rows) >= abs(cols)) + (level,) * (2 * abs(cols) >= abs(rows))
    what = "digging" if Ability.TUNNELLING in monster.kind.abilities else "footsteps"
    return f"{what} to the {'-'.join(ways)}, {NEARNESS[nearness(state, monster)]}"


def nearness(state: State, monster: Monster) -> int:
    """The place in NEARNESS of the time that a monster needs to the player."""
    turns = solver.turns_away(state, monster)
    return (turns > solver.CLOSE) + (turns > solver.NEAR)


def knowledge(state: State, monster: Monster) -> str:
    """The knowledge that a monster has of the player, in words that follow its name."""
    if state.has_amulet:
        return "feels where the amulet is"
    if Ability.TELEPATHIC in monster.kind.abilities:
        return "always knows where you are"
    if rules.visible(state)[monster.cell]:
        is_smart = Ability.SMART in monster.kind.abilities
        return "sees you, and will look for you where it saw you last" if is_smart else "sees you"
    return "doesn't know you are here" if monster.last_seen is None else "looks for you where it saw you last"


def found(code: int) -> str:
    """The message that stairs, by their terrain code, or the amulet came into sight."""
    return f"You see {'the ' * (code == AMULET)}{_thing(code)}."


def _thing(code: int) -> str:
    return "amulet" if code == AMULET else TERRAIN_NAMES[code]


def arrival(state: State) -> str:
    """The message that the player has entered a dungeon."""
    news = NEWS.get(state.depth, "") if state.is_fair else ""
    return f"Depth {state.depth}: {counted(len(state.monsters), 'monster')}. {news}".rstrip()


def on_stairs(code: int) -> str:
    """The message that the player stands on stairs; their terrain code is the key that takes them."""
    return f"{capitalised(TERRAIN_NAMES[code])}: {chr(code)} takes them."


def hint(state: State, wanted: Plan, step: int) -> str:
    """A step of a hint: 0 the aim and its reason, 1 the move, 2 the line."""
    if step == 1:
        return f"{_move(wanted.actions[0])}."
    if step > 1:
        return f"The line: {counted(len(wanted.actions), 'move')}."
    goal = next((_thing(code) for code in solver.finds(state).values()), "stairs")
    monster = wanted.monster
    reason = {
        Aim.STRIKE: "strike before it does",
        Aim.CORRIDOR: "get into the corridor, where they come one at a time",
        Aim.WAIT: "let it come to you, and strike as soon as it is beside you" if monster else "wait",
        Aim.STEP_AWAY: "it would hit you first; step out of its reach, and it stops beside you",
        Aim.GOAL: f"you are at the {goal} before it" if monster else f"go to the {goal}",
        Aim.EXPLORE: "explore, and listen",
    }[wanted.aim]
    return f"{coming(state, monster)[:-1] if monster else 'Nothing is near'}: {reason}."


def _move(action: Action) -> str:
    if action in STEPS:
        return f"Go {action.name.lower().replace('_', ' ')}"
    return {Action.STAY: "Stay", Action.DESCEND: "Take the stairs down", Action.ASCEND: "Take the stairs up"}[action]


def goal(state: State) -> str:
    """Goal of this depth in a sentence."""
    if not state.is_fair:
        return "Remove every monster: step onto it before it steps onto you."
    if state.has_amulet:
        return 'You have the amulet ": take the stairs up <.'
    if state.depth == rules.LAST_DEPTH:
        return 'The amulet " is on this depth: find it.'
    return f'Go down the stairs >: the amulet " is {counted(rules.LAST_DEPTH - state.depth, "depth")} below.'


def ending(state: State) -> tuple[str, str]:
    """Title and text of the dialogue at the game's end: depth, turns, monsters removed and left."""
    if state.is_fair:
        killer = state.monster_at(state.player)
        title = "The amulet is yours" if killer is None else f"{capitalised(_a(killer))} got you on depth {state.depth}"
        return title, (
            f"{rules.points(state):,} points: depth {state.deepest} of {rules.LAST_DEPTH}, "
            f"{counted(state.kills, 'monster')} removed, in {counted(state.turns, 'turn')}."
        )
    score = f"Depth {state.depth}, {counted(state.turns, 'turn')}, {counted(state.kills, 'monster')} removed by you."
    if state.status is Status.WON:
        return "The dungeon is yours", score
    left = f"{counted(len(state.monsters), 'monster')} left. Undo takes the last turn back."
    return "A monster stepped on you", f"{score}\n{left}"


def farewell(state: State) -> str:
    """The last line of a transcript."""
    ended = {Status.WON: "You won", Status.DIED: "You died"}.get(state.status, "You left")
    return f"{ended} at depth {state.depth} after {counted(state.turns, 'turn')}."


def score(state: State) -> str:
    """The line below a transcript's board: turn, depth, monsters, the player's place."""
    hearts = f"{counted(state.hearts, 'heart')}, " if state.is_fair else ""
    monsters = counted(len(state.monsters), "monster")
    return f"Turn {state.turns}, depth {state.depth}, {hearts}{monsters}. You are at {state.player.place}."


def cell_text(state: State, cell: Cell, *, is_foggy: bool = True) -> str:
    """All there is to say of a cell: who stands there, terrain, hardness, distances; in the fog what is known of it."""
    if not cell.is_inside(state.height, state.width):
        return ""
    place = f"{capitalised(cell.place)}: "
    if is_foggy and state.seen[cell] == UNSEEN:
        return f"{place}not seen yet"
    terrain = state.seen[cell] if is_foggy else state.terrain[cell]
    parts = [TERRAIN_NAMES[terrain]]
    hardness = state.hardness[cell]
    if terrain == ROCK and hardness != OPEN:
        parts = ["rock that nothing can dig" if hardness == IMMUTABLE else f"rock of hardness {hardness}"]
    for kind in (WALKING, TUNNELLING):
        steps = int(rules.distances(state, kind).distance[cell])
        if 0 < steps < UNREACHED:
            parts.append(f"{steps} away {kind}")
    if cell == state.amulet:
        parts.insert(0, "the amulet")
    if cell == state.player:
        parts.insert(0, "you")
    monster = state.monster_at(cell)
    if monster is not None and (not is_foggy or rules.visible(state)[cell]):
        parts.insert(0, f"{_with_speed(monster)}; it {knowledge(state, monster)}")
    return place + "; ".join(parts)


def _with_speed(monster: Monster) -> str:
    return f"{_a(monster)} ({letter(monster)}), speed {monster.speed} to your {rules.PLAYER_SPEED}"


def _a(monster: Monster) -> str:
    return f"{'an' if name(monster)[0] in 'aeiou' else 'a'} {name(monster)}"
