"""The delve in words, on screen and in plain text: events, monsters, cells."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dungeon_tui.core import words
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.meaning import Meaning
from dungeon_tui.core.rules import Event
from dungeon_tui.core.words import Table, Telling, capitalised, counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model import state as model
from dungeon_tui.games.delve.model.finds import BOMB_TURNS, EFFECTS, FIND_OF_KEY, FINDS, GLYPHS, GOLD, HEART, PILE
from dungeon_tui.games.delve.model.level import AMULET, STAIRS_DOWN, STAIRS_UP, TERRAIN_NAMES
from dungeon_tui.games.delve.model.maps import WALKING, apart
from dungeon_tui.games.delve.model.state import Ability, Action, Monster, Mood, State, Status

NEARNESS = "close", "near", "far off"
FOG = ("Fog of war off: you see everything. That counts as help.", "Fog of war on.")
DANGER = "Where {} or red is, you may be hit next turn."
BLAST = "Your bomb blows up at the end of this turn: get away."
WAY = "The way to {}: {}{}. Press {} again to walk there."
STOPS, YOUR_TURN = "You stop here. ", "Fight, flee or wait ({stay})."
WAITS, FOUGHT = "Press {explore} to wait.", "Out of sight, one monster kills another."
AMULET_TAKEN = "You have the amulet: back to <. All that lives here feels where you are."
AMULET_NEXT = "{{explore}} again takes the amulet: all that sleeps wakes. Left here: {}."
LOST, LEAVE, NO_MOVE = "You and {} see each other no more.", ": leave this cell", "no move is safe"
PURSUER_SOON, PURSUER_HERE = "A pursuer will soon come by the stairs.", "A pursuer has come by the stairs."
NO_STAIRS = "You haven't found any stairs {} yet."
COURSE_RULES = """One hit is death: whoever steps onto another kills it, you and the monsters alike, in the dark too.
You win when all monsters of a dungeon are dead. Monsters kill each other as well, seen or unseen, and that counts.
You don't need stairs: `>` and `<` lead to a new dungeon, one depth down or up, with two more monsters for each depth.
Monsters come when they see you, or always know where you are; some dig, and erratic ones move at random half the time.
While you take 10 turns a monster takes 5 to 20, by its speed."""
_KEYS = {Action.STAY: "stay", Action.DESCEND: "stairs.down", Action.ASCEND: "stairs.up"}  # ids


def legend(*, is_fair: bool) -> list[tuple[str, str]]:
    """The letters of the kinds of a game with hearts, or of the course's game, and their habits."""
    drawn = model.KINDS if is_fair else model.KINDS[: model.DRAWN]
    asleep = f"{_habit(model.SLEEPER, Mood.ASLEEP)}, then "
    more = {model.ARCHER: "; never steps onto you", model.PURSUER: "; gives no points"}
    rows = [
        (each.letter, f"{each.name}: {asleep * (each is model.SLEEPER)}{_habit(each, Mood.AWAKE)}{more.get(each, '')}")
        for each in drawn
        if Ability.ERRATIC not in each.abilities
    ]
    return [*rows, ("W ...", "capitals: erratic, half their moves are random")]


def things_legend() -> list[tuple[str, str]]:
    """The glyphs of gold and finds."""
    return [(glyph, name if name in FINDS else f"{name}: {EFFECTS[name]}") for name, glyph in GLYPHS.items()]


def _habit(kind: model.Kind, mood: Mood) -> str:
    if mood is Mood.ASLEEP:
        return f"wakes within {rules.WAKES} steps of you"
    if Ability.SHOOTING in kind.abilities:
        return "draws its bow if you are in line with it, and shoots a turn later: strike it before"
    if Ability.PACK in kind.abilities:
        return "hunts in a pack, but comes alone in a corridor"
    if Ability.COWARD in kind.abilities and mood is not Mood.BOLD:
        return "runs when it sees you, over you if you block its way, and comes back with others"
    if Ability.TELEPATHIC in kind.abilities:
        sense = "always knows where you are"
    elif Ability.SMART in kind.abilities:
        sense = "hunts you once it sees you"
    else:
        sense = "comes while it sees you"
    way = ", through rock" if Ability.TUNNELLING in kind.abilities else ""
    return sense + way + (", half its moves random" if Ability.ERRATIC in kind.abilities else "")


def the(monster: Monster) -> str:
    """A monster in a sentence: "the erratic tunneller"."""
    return f"the {named(monster)}"


def named(monster: Monster) -> str:
    """A monster's kind, and whether it sleeps: "sleeping guard"."""
    return f"{'sleeping ' * (monster.mood is Mood.ASLEEP)}{monster.kind.name}"


def _killed(event: model.MonsterKilled, state: State) -> str:
    if event.by is None:
        return f"You kill {the(event.monster)}{' for no points' * (event.monster.kind is model.PURSUER)}."
    return f"{capitalised(the(event.by))} kills {_a(event.monster)} to the {_way(state, event.monster.cell)}."


def _way(state: State, cell: Cell) -> str:
    return model.compass(cell.row - state.player.row, cell.col - state.player.col)


def _taken(event: model.ThingTaken, _: State) -> str:
    if event.gold:
        return f"You take {event.gold} gold."
    return f"You take the {event.name}: key {FINDS[event.name].key} uses it."


_USED = {
    "haste": "The world slows down around you.",
    "frost": "The air freezes: nothing moves but you.",
    "bomb": f"You lay a bomb. In {BOMB_TURNS} turns it hits all within a step, you too: get away.",
}


def _hit(event: model.PlayerHit, state: State) -> str:
    by = capitalised(the(event.by)) if event.by else "Your bomb"
    return f"{by} hits you. {hearts_left(state)}" if event.hearts else f"{by} kills you."


def _woke(event: model.MonsterWoke, state: State) -> str:
    may_wait = solver.may_wait(state) and apart(event.cell, state.player) > 1 and not state.has_amulet
    return f"{capitalised(the(event.monster))} wakes{': let it come, then strike.' if may_wait else '!'}"


def _aims(state: State, cell: Cell) -> str:
    safe = [each for each in rules.legal_actions(state) if not solver.is_risky(state, each)]
    away = "leave its line" if any(each in model.STEPS for each in safe) else move(state, safe[0]) if safe else NO_MOVE
    return f"An archer to the {_way(state, cell)} aims: {'strike it' if apart(cell, state.player) == 1 else away}."


EVENTS: Table = {
    model.MonsterKilled: Telling(_killed, Meaning.PRIZE),
    model.RockWorn: Telling(
        lambda event, _: "" if event.hardness else f"{capitalised(the(event.monster))} breaks through the rock.",
        Meaning.FOE,
    ),
    model.StairsTaken: Telling(
        lambda event, _: f"You go {'down' if event.is_down else 'up'} to depth {event.depth}.", Meaning.DOOR
    ),
    model.PlayerHit: Telling(_hit, Meaning.FOE, "struck"),
    model.ThingTaken: Telling(_taken, Meaning.MAGIC, "sparkling"),
    model.FindUsed: Telling(lambda event, _: _USED[event.name], Meaning.MAGIC),
    model.FrostEnded: Telling("The frost is over."),
    model.BombBlewUp: Telling("The bomb explodes.", Meaning.FOE, "struck"),
    model.MonsterWoke: Telling(_woke, Meaning.FOE),
    model.MonsterFled: Telling(
        lambda event, _: f"{capitalised(the(event.monster))} sees you and runs to fetch others.", Meaning.FOE
    ),
    model.MonstersCalled: Telling(
        lambda event, _: (
            f"You hear a call: {counted(event.number, 'monster')} will come for you."
            if event.number
            else "You hear a call, and no answer."
        ),
        Meaning.FOE,
    ),
    model.BowUsed: Telling(
        lambda event, state: "The arrow hits nobody." if event.has_missed else _aims(state, event.cell), Meaning.FOE
    ),
    model.PursuerDue: Telling(lambda event, _: PURSUER_SOON if event.turns else PURSUER_HERE, Meaning.FOE),
    model.HeartGained: Telling(
        lambda event, _: f"You take the heart: you have {event.hearts} again.", Meaning.PRIZE, "sparkling"
    ),
    model.AmuletTaken: Telling(AMULET_TAKEN, Meaning.PRIZE, "sparkling"),
    model.AmuletBroughtUp: Telling("You bring the amulet up.", Meaning.WAY_OUT),
    model.DungeonCleared: Telling(lambda _, state: "" if state.has_amulet else "All monsters are dead.", Meaning.PRIZE),
}


def event_texts(state: State, events: Iterable[Event], *, is_foggy: bool) -> Iterator[tuple[Event, str, Meaning]]:
    """The events that the player can know of (fog hides some), with sentence and meaning; `state` is after them."""
    seen = rules.visible(state)
    for event in events:
        match event:
            case model.RockWorn() | model.MonsterWoke() | model.MonsterFled() | model.BowUsed() if (
                is_foggy and not seen[event.cell]
            ):
                continue
            case model.MonsterKilled(monster=Monster(cell=cell), by=Monster()) if is_foggy and not seen[cell]:
                yield event, FOUGHT, Meaning.PRIZE
                continue
        yield from ((event, text, meaning) for text, meaning in words.event_texts(EVENTS, event, state))


def sighting(monsters: Sequence[Monster], state: State | None = None) -> str:
    """Message: monsters alike came into sight, the nearest last. Their habits, or with a state (known ones) when."""
    near, (each, who) = monsters[-1], ("it", "it") if len(monsters) == 1 else ("each", "the nearest")
    faster, habit = near.speed - rules.PLAYER_SPEED, _habit(near.kind, near.mood)
    pace = "as fast as you" if not faster else "faster than you" if faster > 0 else "slower than you"
    is_asleep = near.mood is Mood.ASLEEP
    seen = f"You see {group(monsters, is_more=is_asleep and state is not None)}, {pace}"
    if state is None or solver.is_running(near):
        return f"{seen}: {each} {habit}."
    is_soon = not is_asleep and solver.turns_away(state, near) <= solver.NEAR
    return f"{seen}{f': {who} {when(state, near)}' * is_soon}."


def group(monsters: Sequence[Monster], *, is_more: bool = False) -> str:
    """Monsters alike: "2 hunters (h)"; `is_more`: besides those that you know."""
    near, number = monsters[-1], len(monsters)
    one = f"another {named(near)}" if is_more else _a(near)
    return f"{one if number == 1 else counted(number, 'more ' * is_more + named(near))} ({near.kind.letter})"


def coming(state: State, monster: Monster) -> str:
    """Message: what a seen or heard monster may do soon."""
    is_seen = rules.visible(state)[monster.cell]
    who = capitalised(the(monster) if is_seen else f"what you hear to the {_way(state, monster.cell)}")
    return f"{who} {'is next to you' if apart(monster.cell, state.player) == 1 else when(state, monster)}."


def when(state: State, monster: Monster) -> str:
    """Says what a monster may do soon: the turns until it can hit a player who stays, or how far it shoots."""
    if solver.is_running(monster):
        return "runs to fetch others"
    if monster.kind is model.ARCHER:
        shoots = f"may shoot {rules.ARROW_STEPS} steps far"
        return shoots if rules.visible(state)[monster.cell] else "may be an archer"
    turns = solver.turns_to_hit(state, monster)
    return f"can hit you in {turns} turns" if turns > 1 else "can hit you here"


def hearts_left(state: State) -> str:
    """Message: a monster has hit."""
    return f"You have {counted(state.hearts, 'heart')} left."


def risk(state: State, action: Action) -> str:
    """Message: a journey's step strikes, or may cost a heart; then what is safe. Empty for a safe step."""
    if not solver.is_risky(state, action):
        other = state.monster_at(solver.end_of(state, (action,)))
        return f"{capitalised(the(other))} is in the way: strike it." if other and is_known(state, other) else ""
    monster, do = solver.attacker(state, action), "kill you" if state.hearts == 1 else "take a heart"
    who = capitalised(the(monster)) if monster else "Your bomb"
    safe = "Stay ({stay}) is safe; " * (not solver.is_risky(state, Action.STAY))
    return f"{who} may {do} there.\n{capitalised(f'{safe}{move(state, action)}')}{_key(action)} risks it."


def can_hit(state: State, monster: Monster) -> str:
    """Message: a monster can hit a player who stays, or stands next to one; and another one that guards it."""
    if monster.aim is not None:
        return _aims(state, monster.cell)
    costs = solver.costs_at_worst(state)
    best = [action for action, cost in costs.items() if cost == min(costs.values())]
    strike = next((action for action in costs if solver.end_of(state, (action,)) == monster.cell), None)
    other = solver.attacker(state, strike) if strike and strike not in best else None
    who = f"another {named(other)}" if other and other.kind is monster.kind else the(other or monster)
    guarded = f"; if you strike it, {who} can hit you" * (other is not None)
    why = ": strike it" if strike in best else guarded
    if solver.attacker(state, Action.STAY) is None:
        return f"{capitalised(the(monster))} is next to you{why}."
    is_find = all(action.value in FIND_OF_KEY for action in best)
    where = ", whatever you do" if costs[best[0]] else ", wherever you step" * is_find
    return f"{capitalised(the(monster))} can hit you{where or f' here{why or LEAVE}'}."


def hearing(state: State, monsters: Iterable[Monster]) -> str:
    """Message: sounds that are new, or nearer than before."""
    return f"You hear {'; '.join(heard(state, monsters))}."


def heard(state: State, monsters: Iterable[Monster]) -> list[str]:
    """The sounds that the player hears, the nearest first; each kind once a direction."""
    sounds: dict[str, str] = {}
    for monster in sorted(monsters, key=lambda each: solver.turns_away(state, each)):
        sounds.setdefault(_noise(state, monster), sound(state, monster))
    return [*sounds.values()]


def sound(state: State, monster: Monster) -> str:
    """A monster's sound, direction and nearness: "footsteps to the north-west, far off"."""
    return f"{_noise(state, monster)}, {NEARNESS[nearness(state, monster)]}"


def _noise(state: State, monster: Monster) -> str:
    what = "digging" if Ability.TUNNELLING in monster.kind.abilities else "footsteps"
    return f"{what} to the {_way(state, monster.cell)}"


def nearness(state: State, monster: Monster) -> int:
    """Index in NEARNESS of a monster."""
    turns = solver.turns_away(state, monster)
    return (turns > solver.CLOSE) + (turns > solver.NEAR)


def _guard(state: State, cell: Cell) -> str:
    """The sleepers that the player has seen near a thing, in words that follow it; empty if there are none."""
    guards = Counter(named(each) for each in solver.sleepers(state) if apart(cell, each.cell) <= rules.WAKES)
    who = " and ".join(f"a {name}" if number == 1 else counted(number, name) for name, number in guards.items())
    return f" beside {who}" * bool(who)


def past_sleepers(state: State, guarded: Mapping[Cell, str], steps: int, stairs: str) -> str:
    """Message: exploring stops before sleepers, or what they guard; `stairs`: "to" or "down" those that are known."""
    left = sorted(map(a_thing, {*guarded.values()}))
    lie = f"{capitalised(' and '.join(left))} lie{'s' * (len(left) == 1)} beside" if left else "What is left lies past"
    who = _guard(state, *guarded).removeprefix(" beside ") if len(guarded) == 1 else solver.sleeping(state)
    leave = f", {{stairs.down}} {stairs} the stairs" * bool(stairs)
    return f"{lie} {who}: {{explore}} again goes there ({counted(steps, 'step')}){leave}."


def a_thing(name: str) -> str:
    """A thing in a sentence: "gold", "a heart"."""
    return f"{'a ' * (name in ('bomb', HEART))}{name}"


def lying(state: State) -> str:
    """The things that you have not yet taken from this dungeon, seen or not: "120 gold, 2 finds, 1 heart"."""
    numbers = Counter("find" if name in FINDS else name for _, name in state.things)
    gold = numbers.pop(GOLD, 0) * PILE * state.depth
    return ", ".join([f"{gold} gold"] * (gold > 0) + [counted(number, name) for name, number in numbers.items()])


def belongings(state: State) -> list[tuple[str, str]]:
    """Gold and finds of the player, and what is at work, as labels and texts."""
    rows = [("Amulet", "yours")] * state.has_amulet + [("Gold", f"{state.gold:,}")] * bool(state.gold)
    numbers = {name: state.carried.count(name) for name in FINDS}
    rows += [(capitalised(name), f"{number} (key {FINDS[name].key})") for name, number in numbers.items() if number]
    return [*rows, *at_work(state)]


def bag(state: State, cross: str) -> str:
    """The keys of the player's finds: "bag F B×2"."""
    numbers = Counter(FINDS[name].key for name in state.carried).items()
    return " ".join(["bag"] * bool(numbers) + [f"{key}{f'{cross}{number}' * (number > 1)}" for key, number in numbers])


def at_work(state: State) -> list[tuple[str, str]]:
    """The finds that work now, as labels and texts."""
    rows = [("Hasted", f"{counted(state.haste, 'move')} left")] if state.haste else []
    if frost := solver.frost_turns(state):
        rows.append(("Frozen", f"{counted(frost, 'turn')} left"))
    bombs = [(bomb.time - state.time) * rules.PLAYER_SPEED // rules.TICKS for bomb in state.bombs]
    return [*rows, *(("Bomb", f"in {counted(turns, 'turn')}") for turns in bombs)]


def found(code: int) -> str:
    """Message: stairs, by their terrain code, or the amulet came into sight."""
    return f"You see {'the ' * (code == AMULET)}{_thing(code)}."


def _thing(code: int) -> str:
    return "amulet" if code == AMULET else TERRAIN_NAMES[code]


def arrival(state: State) -> str:
    """Message: the player has entered a dungeon."""
    last = " Bring the amulet back here." * (state.depth == state.level.depths and state.is_fair)
    things = f"; {lying(state)}" if state.things else ""
    return f"Depth {state.depth}: {counted(len(state.monsters), 'monster')}{things}.{last}"


def on_stairs(state: State) -> str:
    """Message: the stairs under the player, their key, their destination, the things left behind; else empty."""
    code = int(state.terrain[state.player])
    if code not in (STAIRS_UP, STAIRS_DOWN):
        return ""
    if code == STAIRS_UP and state.is_fair:
        return "Stairs up: press < to go out and win." if state.has_amulet else ""
    where = f"{'another dungeon, ' * (not state.is_fair)}depth {max(1, state.depth + (-1 if code == STAIRS_UP else 1))}"
    behind = f" and leaves {left} behind" if (left := lying(state)) else ""
    return f"{capitalised(TERRAIN_NAMES[code])}: {chr(code)} leads to {where}{behind}."


def hint(state: State, wanted: solver.Plan, step: int) -> str:
    """A step of a hint: 0 the aim and its reason, 1 the move, 2 the length of the line."""
    cost = solver.cost_at_worst(state, wanted.actions[0])
    risk = f", at the risk of {'your life' if cost >= state.hearts else 'a heart'}" * bool(cost)
    if step > 1:
        return f"Drawn: your way for {counted(len(wanted.actions), 'move')}."
    do = move(state, wanted.actions[0])
    if step:
        return f"{capitalised(do)}{_key(wanted.actions[0])}{risk}."
    goal = next((_thing(code) for code in solver.finds(state).values()), "stairs")
    monster = wanted.monster
    is_seen = monster is not None and rules.visible(state)[monster.cell]
    end = solver.end_of(state, wanted.actions)
    thing = dict(solver.things(state)).get(end, "find")
    price = f"{counted(len(wanted.actions), 'move')} away"
    left = solver.explore_route(state, may_wake=False)  # or why there is nothing more to explore
    seen = solver.things(state)
    unseen = lying(replace(state, things=tuple(each for each in state.things if each not in seen)))
    guards, let_come = _guard(state, end), "; if one wakes, let it come, then strike"
    seek = f"; unseen: {unseen}" if unseen else ", and listen"
    seek = f" past {solver.sleeping(state)}{let_come}" if isinstance(left, str) else seek
    until = ": until then " if monster and wanted.aim in ("explore", "take", "goal") else ": "
    better = "strike" if do.startswith("strike") else "leave this cell" if do.startswith("step") else do
    reason = {
        "leave": "get away from the bomb",
        "take": f"take the {thing}{guards}, {price}{let_come * bool(guards)}",
        "strike": "strike before it does",
        "corridor": "get into the corridor, where they come one at a time",
        "wait": "let it come, then strike" if monster and not solver.is_running(monster) else do,
        "dodge": "close in, off its lines, and strike" if is_seen else "let it come, off its lines",
        "ahead": f"{better} to {'save hearts' if state.hearts > 1 else 'stay alive'}",
        "goal": do if end == state.player else f"go to the {goal}, {price}",
        "explore": f"explore{seek}",
    }[wanted.aim]
    why = coming(state, monster) if monster else "Your bomb will blow up." if state.bombs else ""
    if monster is None and wanted.aim == "goal" and state.things and not state.has_amulet and isinstance(left, str):
        why = left
    return capitalised(f"{why[:-1]}{until * bool(why)}{reason}{risk}.")


def move(state: State, action: Action) -> str:
    """An action as an order: "strike south-west"."""
    if action in model.STEPS:
        monster = state.monster_at(state.player.neighbour(model.STEPS[action]))
        what = "strike" if monster is not None and is_known(state, monster) else "step"
        return f"{what} {model.compass(*model.STEPS[action].value)}"
    if find := FIND_OF_KEY.get(action.value):
        return f"use the {find} (key {action.value})"
    return {Action.STAY: "stay", Action.DESCEND: "take the stairs down", Action.ASCEND: "take the stairs up"}[action]


def _key(action: Action) -> str:
    way = f"move.{model.STEPS[action].words.replace(' ', '-')}" if action in model.STEPS else _KEYS.get(action)
    return f" ({{{way}}})" if way else ""


def goal(state: State) -> str:
    """The goal of this depth in a sentence."""
    if not state.is_fair:
        return "Kill every monster here to win; you need no stairs. One hit kills you."
    if state.has_amulet:
        return 'Carry the amulet " up the stairs <: 1,000 points.'
    if state.depth == state.level.depths:
        return 'The amulet " is on this depth: bring it back to the stairs <.'
    more = " Step onto monsters to strike." * (state.depth == 1)
    return f'Go down > to the amulet " on depth {state.level.depths}.{more}'


def ending(state: State) -> tuple[str, str]:
    """Title and text of the end: what you did, where the points come from, what you carried."""
    is_won, killer = state.status is Status.WON, state.killer
    by = capitalised(_a(killer)) if killer else "Your own bomb"
    if state.is_fair:
        way = f"Up from depth {state.depth} with {counted(state.hearts, 'heart')}" if is_won else "You lived"
        awards = ", ".join(f"{name} {number:,}" for name, number in rules.awards(state).items() if number)
        carried = [f"{name} {state.carried.count(name)}" for name in FINDS if name in state.carried]
        lines = [
            f"{way}: {counted(state.turns, 'turn')}, {counted(state.kills, 'monster')} killed.",
            f"{rules.points(state):,} points{': ' * bool(awards)}{awards}.",
            f"{'In your bag' if is_won else 'Never used'}: {', '.join(carried)}." if carried else "",
        ]
        title = "The amulet is yours" if is_won else f"{by} killed you on depth {state.depth}"
        return title, "\n".join(filter(None, lines))
    fallen = (state.level.monsters - state.kills - len(state.monsters)) * (state.dungeons == 1)
    kills = f"You killed {counted(state.kills, 'monster')}{f', they killed {fallen} of their own' * (fallen > 0)}"
    title = "The dungeon is yours" if is_won else f"{by} killed you"
    return title, f"Depth {state.depth}, {counted(state.turns, 'turn')}.\n{kills}; {len(state.monsters)} left."


def farewell(state: State) -> str:
    """The last line of a transcript."""
    ended = {Status.WON: "You won", Status.DIED: "You died"}.get(state.status, "You left")
    return f"{ended} at depth {state.depth} after {counted(state.turns, 'turn')}."


def score(state: State) -> str:
    """Plain text's line below the board: turn, depth, belongings, monsters, the player's position."""
    owned = [f"{label.lower()} {text}" for label, text in belongings(state)]
    hearts = "".join(f"{each}, " for each in [counted(state.hearts, "heart"), *owned]) if state.is_fair else ""
    monsters = counted(len(state.monsters), "monster")
    return f"Turn {state.turns}, depth {state.depth}, {hearts}{monsters}. You are at {state.player.text}."


def cell_text(state: State, cell: Cell, *, is_foggy: bool = True) -> str:
    """A cell in words: characters, terrain, hardness, distances; in fog only what the player knows."""
    if not cell.is_inside(state.height, state.width):
        return ""
    where = f"{capitalised(cell.text)}: "
    if is_foggy and state.seen[cell] == model.UNSEEN:
        return f"{where}not seen yet"
    terrain = state.seen[cell] if is_foggy else state.terrain[cell]
    parts = [TERRAIN_NAMES[terrain]]
    known = solver.as_known(state) if is_foggy else state
    if 0 < (steps := int(rules.distances(known, WALKING).distance[cell])) < UNREACHED:
        parts.append(f"{counted(steps, 'step')} away")
    if cell == state.amulet:
        parts.insert(0, "the amulet")
    if name := dict(state.things).get(cell):
        parts.insert(0, f"{a_thing(name)}{_guard(state, cell)}: {EFFECTS[name]}")
    parts[:0] = ["a bomb that will blow up" for bomb in state.bombs if bomb.cell == cell]
    if cell == state.player:
        parts.insert(0, "you")
    monster = state.monster_at(cell)
    if monster is not None and (not is_foggy or is_known(state, monster)):
        speed = f"speed {monster.speed} to your {rules.PLAYER_SPEED}"
        parts.insert(0, f"{_a(monster)} ({monster.kind.letter}), {speed}; it {_habit(monster.kind, monster.mood)}")
    return where + "; ".join(parts)


def is_known(state: State, monster: Monster) -> bool:
    """True if the player sees a monster, or has seen where it sleeps."""
    is_remembered = monster.mood is Mood.ASLEEP and state.seen[monster.cell] != model.UNSEEN
    return bool(is_remembered or rules.visible(state)[monster.cell])


def _a(monster: Monster) -> str:
    name = named(monster)
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
