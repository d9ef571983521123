"""Maps, plans and whole expeditions as plain text: docs/games/expedition.md specifies the output."""

from collections.abc import Callable, Iterable, Sequence

from dungeon_tui.core import plain_play
from dungeon_tui.core.catalogue import PlainEnd
from dungeon_tui.core.plain import Console, in_columns
from dungeon_tui.core.plain_play import Script
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import counted
from dungeon_tui.games.expedition.ai.solver import Comparison, Plan
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Level, rooms_called
from dungeon_tui.games.expedition.model.maps import neighbours
from dungeon_tui.games.expedition.model.state import Action, State, Walk
from dungeon_tui.games.expedition.view.guide import ExpeditionGuide, here_text, is_scouting, known_bits, out_of_sight

HELP = "Commands: id or label of a neighbouring room; q: quit.\n"

BAR = 40  # characters

Game = TurnController[Level, State, Action]
Compare = Callable[[State], Comparison]
"""Compares a walk with the best one: `solver.compare` with a time limit."""


def task_text(level: Level) -> str:
    """A line with the map's name, its size and the task."""
    rooms = len(level.rooms)
    way = f"from {level.rooms[level.start].label}"
    if level.is_round_trip:
        way += " and back"
    elif level.end is not None:
        way += f" to {level.rooms[level.end].label}"
    wanted = "all" if level.needed == rooms else f"{level.needed} of {rooms}"
    torch = "" if level.torch is None else f" The torch lasts {level.torch}."
    size = f"{counted(rooms, 'room')}, {counted(len(level.corridors), 'corridor')}"
    return f"{level.name}: {size}. Visit {wanted}, {way}.{torch}\n"


def rooms_text(state: State) -> str:
    """A line for each known room: id, label, cost, its corridors that are known."""
    level, shown, rows = state.level, known_bits(state), [("room", "", "cost", "", "corridors to")]
    for number, room in enumerate(level.rooms):
        there = {other: level.corridors[corridor] for other, corridor in neighbours(level)[number].items()}
        leads_to = [
            level.rooms[other].label + (f" ({corridor.cost})" if corridor.cost else "")
            for other, corridor in there.items()
            if not is_scouting(state) or state.has_seen(number) or state.has_seen(other)
        ]
        label = room.label if room.label != str(room.id) else ""
        what = "start" * (number == level.start)
        if shown >> number & 1:
            rows.append((printable(str(room.id)), label, str(room.cost), what, ", ".join(leads_to)))
    return in_columns(rows, "<<><<")


def walk_text(level: Level, walk: Iterable[int]) -> str:
    """The labels of a walk's rooms."""
    return ", ".join(level.rooms[room].label for room in walk)


def plan_text(level: Level, plan: Plan) -> str:
    """A plan's walk and cost, and whether it is proven; or why there is none."""
    if plan.cost is None:
        rooms = counted(len(level.rooms), "room")
        if plan.seen >= level.needed and level.goal is not None:
            return f"It can't be done: {level.rooms[level.goal].label} can't be reached.\n"
        return f"It can't be done: you can reach {plan.seen} of {rooms}, and the task needs {level.needed}.\n"
    proof = "No walk is cheaper" if plan.is_proven else f"Not proven: no walk costs less than {plan.lower_bound}"
    return f"Best walk: {walk_text(level, plan.walk)}.\nCost: {plan.cost}. {proof}.\n"


def sure_text(sure: int | None) -> str:
    """A sentence with the cost that you can guarantee without the map; None: too many maps are possible."""
    if sure is None:
        return "The cost that you can guarantee without the map is unknown: too many maps are possible."
    return f"Without the map, {sure} is the least cost that you can guarantee: proven."


def curve_text(level: Level, points: Sequence[tuple[int, int]]) -> str:
    """A line for each number of rooms: number, percentage, cost and a bar."""
    rooms, most = len(level.rooms), max((cost for cost, _ in points), default=0)
    rows = [("rooms", "percent", "cost", "")]
    for number, (cost, bound) in enumerate(points, 1):
        bar = "#" * round(BAR * cost / max(1, most)) + (f" (at least {bound})" if bound < cost else "")
        rows.append((str(number), f"{100 * number / rooms:.1f}", str(cost), bar))
    text = in_columns(rows, ">>><")
    return text if len(points) == rooms else f"{text}Computed for {len(points)} of {counted(rooms, 'room')}.\n"


def opening_text(game: Game, plan: Plan) -> str:
    """Task, rooms, best walk and the steps so far; in fog only the known rooms, and no walk."""
    first, *others = (turn.state for turn in game.turn.line())
    level = first.level
    lesson = f"{level.lesson}\n" if level.lesson else ""
    best = "" if level.is_fogged and plan.cost is not None else f"{plan_text(level, plan)}\n"
    hidden = f"Hidden: {', '.join(map(' '.join, out_of_sight(first)))}.\n\n" if level.is_fogged else ""
    about = f"{task_text(level)}{lesson}\n{rooms_text(first)}\n{hidden}{best}"
    return f"{about}{HELP}{here_text(first)}\n{''.join(map(step_text, others))}"


def step_text(state: State) -> str:
    """The room, its cost, the total and the rooms seen; then the neighbours, or the end."""
    level, trail = state.level, state.trail
    assert trail.before is not None
    seen = f"{state.seen_count} of {len(level.rooms)} visited"
    text = f"{level.rooms[trail.room].label}: {trail.cost - trail.before.cost}, {trail.cost} in all; {seen}.\n"
    outcome = rules.outcome(state)
    return f"{text}{here_text(state) if outcome is None else outcome.reason}\n"


def comparison_text(state: State, comparison: Comparison) -> str:
    """Compares the walk with the cheapest one: both costs, and the wasted legs."""
    level, best = state.level, comparison.best
    if best.cost is None:
        return plan_text(level, best)
    if level.is_fogged and level.torch is not None:
        text = f"You paid {state.cost} of the torch's {level.torch}.\n"
        return f"{text}With the map: {walk_text(level, best.walk)}, for {best.cost}.\n"
    text = f"Best walk: {walk_text(level, best.walk)}.\n"
    if rules.outcome(state) is None:
        text += f"You visited {counted(state.seen_count, 'room')} at a cost of {state.cost}.\n"
        text += "The comparison completes your walk as cheaply as possible.\n"
    if comparison.wasted <= 0:
        text += f"Your walk costs {comparison.cost}, "
        text += "and no walk is cheaper.\n" if best.is_proven else "the best known.\n"
        return text
    text += f"Your walk costs {comparison.cost}, the best {best.cost}: +{comparison.wasted}.\n"
    for leg in comparison.legs:
        text += f"+{leg.wasted}: {walk_text(level, comparison.walk[leg.first : leg.last + 1])}.\n"
    if not comparison.is_proven:
        text += "Time ran out before this was proven.\n"
    return text


def play(level: Level, plan: Plan, compare: Compare, console: Console, actions: Iterable[str] = ()) -> PlainEnd:
    """Plays an expedition on text streams, a command per line; end of input means `q`.

    `plan` is the best walk from the start, `compare` compares the walk with it at the end, and `actions` are applied
    first, as recordings write them.
    """
    game: Game = TurnController(rules, level)
    game.apply_texts(actions)
    guide = ExpeditionGuide(HELP)

    def text_of(turn: Turn[State, Action], board: str | None) -> str:
        is_quiet = board is not None and game.outcome is None
        return f"{guide.look(turn.state)}\n" if is_quiet else step_text(turn.state)

    script = Script(
        guide=guide,
        opening=opening_text(game, plan),
        board=rooms_text,
        turn=text_of,
        read_action=read_action,
        not_understood="",
        closing=lambda state, has_left: f"\n{comparison_text(state, compare(state))}",
        read=lambda source: source.readline(),
        split=lambda state, line: [line.strip()] if _rooms_called(state, line.strip()) else line.split(),
        is_taken=lambda state, line: bool(_rooms_called(state, line)),
    )
    return plain_play.play(script, game, console)


def replay_text(game: Game, plan: Plan, compare: Compare) -> str:
    """The text that `play` printed up to the current turn, without refused commands."""
    return f"{opening_text(game, plan)}\n{comparison_text(game.state, compare(game.state))}"


def read_action(state: State, word: str) -> Walk:
    """The step to the room that a command names. Raises ValueError if no room or several have that name."""
    rooms = _rooms_called(state, word)
    near = [room for room in rooms if room in neighbours(state.level)[state.room]]
    if not rooms:
        raise ValueError(f"There is no room {printable(word)[:40]!r} here.\n{HELP.strip()}")
    if len(near or rooms) > 1:
        raise ValueError(f"Several rooms are called {printable(word)[:40]!r}: type the id.")
    return Walk(state.level.rooms[(near or rooms)[0]].id)


def _rooms_called(state: State, text: str) -> list[int]:
    return rooms_called(state.level.rooms, text, known_bits(state))
