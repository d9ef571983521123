"""Maps, plans and whole expeditions as plain text: docs/games/expedition.md says what is printed when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TextIO

from dungeon_tui.core.plain import ask, in_columns, read_line
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.spoken import Words
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.expedition.ai.solver import Comparison, Plan
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.dungeon import lessons
from dungeon_tui.games.expedition.model.level import Level, rooms_called
from dungeon_tui.games.expedition.model.maps import known_rooms, neighbours, step_cost
from dungeon_tui.games.expedition.model.state import Action, State, Walk
from dungeon_tui.games.expedition.view.spoken import spoken

ASK_MAP = "Please enter the name of a map:\n"
HELP = "Commands: a room next to you, by its id or its label (*: not seen yet); q ends.\n"
QUIT = "q"

BAR = 40  # characters

Game = TurnController[Level, State, Action]
Compare = Callable[[State], Comparison]
"""Compares a walk with the best one: `solver.compare`, watched."""


def ask_map(source: TextIO, out: TextIO) -> str:
    """The name of a map, which a person gives; empty if they leave."""
    return ask(f"Maps: {', '.join(lessons())}\n{ASK_MAP}", source, out, read_line)


def task_text(level: Level) -> str:
    """Line with the map's name, its size, and the task."""
    rooms = len(level.rooms)
    way = f"from {level.rooms[level.start].label}"
    if level.is_round_trip:
        way += " and back"
    elif level.end is not None:
        way += f" to {level.rooms[level.end].label}"
    wanted = "all" if level.needed == rooms else f"{level.needed} of {rooms}"
    return (
        f"{level.name}: {counted(rooms, 'room')}, {counted(len(level.corridors), 'corridor')}. See {wanted}, {way}.\n"
    )


def rooms_text(level: Level, shown: int) -> str:
    """A line for each room shown, one bit each: id, label, cost of entering, what is there, where corridors lead."""
    rows = [("room", "", "cost", "", "corridors to")]
    for number, room in enumerate(level.rooms):
        there = [(other, level.corridors[corridor]) for other, corridor in neighbours(level)[number].items()]
        leads_to = [
            level.rooms[other].label + _in_brackets(corridor.cost or "", *corridor.events)
            for other, corridor in there
            if shown >> other & 1
        ]
        label = room.label if room.label != str(room.id) else ""
        what = ["start", *room.events] if number == level.start else room.events
        if shown >> number & 1:
            rows.append((printable(str(room.id)), label, str(room.cost), ", ".join(what), ", ".join(leads_to)))
    return in_columns(rows, "<<><<")


def walk_text(level: Level, walk: Iterable[int]) -> str:
    """The rooms of a walk, by their labels."""
    return ", ".join(level.rooms[room].label for room in walk)


def plan_text(level: Level, plan: Plan) -> str:
    """Lines with a plan's walk and cost, and whether it is proven; or the reason why it can't be done."""
    if plan.cost is None:
        rooms = counted(len(level.rooms), "room")
        if plan.seen >= level.needed and level.goal is not None:
            return f"It can't be done: no way leads to {level.rooms[level.goal].label}.\n"
        return f"It can't be done: {plan.seen} of {rooms} can be seen, {level.needed} are asked for.\n"
    proof = "Nothing is cheaper" if plan.is_proven else f"Not proven: nothing costs less than {plan.lower_bound}"
    return f"Best walk: {walk_text(level, plan.walk)}.\nCost: {plan.cost}. {proof}.\n"


def sure_text(sure: int | None) -> str:
    """Sentence with the cost that an explorer can be sure of; None: too many maps are possible."""
    if sure is None:
        return "What an explorer without the map can be sure of isn't known: too many maps are possible."
    return f"An explorer without the map can be sure of {sure}, and not of less: proven."


def curve_text(level: Level, points: Sequence[tuple[int, int]]) -> str:
    """A line for each number of rooms, given their costs and bounds: number, percentage, cost, and a bar."""
    rooms, most = len(level.rooms), max((cost for cost, _ in points), default=0)
    rows = [("rooms", "percent", "cost", "")]
    for number, (cost, bound) in enumerate(points, 1):
        sure = "" if cost == bound else f" (at least {bound})"
        rows.append(
            (str(number), f"{100 * number / rooms:.1f}", str(cost), "#" * round(BAR * cost / max(1, most)) + sure)
        )
    text = in_columns(rows, ">>><")
    return text if len(points) == rooms else f"{text}No more is known: {len(points)} of {counted(rooms, 'room')}.\n"


def opening_text(level: Level, plan: Plan) -> str:
    """First lines of an expedition: the task, the rooms, the best walk; in fog the rooms known, and no walk."""
    lesson = f"{level.lesson}\n" if level.lesson else ""
    start = 1 << level.start
    shown = known_rooms(level, start) if level.is_fogged else (1 << len(level.rooms)) - 1
    best = "" if level.is_fogged and plan.cost is not None else f"{plan_text(level, plan)}\n"
    return f"{task_text(level)}{lesson}\n{rooms_text(level, shown)}\n{best}"


def step_text(state: State) -> str:
    """The room that the last step led to, what it cost, how many are seen; then where one can go, or the end."""
    level, trail = state.level, state.trail
    assert trail.before is not None
    seen = f"{state.seen_count} of {len(level.rooms)} seen"
    text = f"{level.rooms[trail.room].label}: {trail.cost - trail.before.cost}, {trail.cost} in all; {seen}.\n"
    outcome = rules.outcome(state)
    return text + (_here_text(state) if outcome is None else f"{outcome.reason}\n")


def comparison_text(state: State, comparison: Comparison) -> str:
    """Text that compares the walk with the cheapest one: both costs, and the wasted legs."""
    level, best = state.level, comparison.best
    if best.cost is None:
        return plan_text(level, best)
    text = f"Best walk: {walk_text(level, best.walk)}.\n"
    if rules.outcome(state) is None:
        text += f"You saw {counted(state.seen_count, 'room')} at a cost of {state.cost}.\n"
        text += "From there the cheapest way on is taken as yours.\n"
    if comparison.wasted <= 0:
        text += f"Your walk costs {comparison.cost}, "
        text += "and nothing is cheaper.\n" if best.is_proven else "the best that is known.\n"
        return text
    text += f"Your walk costs {comparison.cost}, the best {best.cost}: +{comparison.wasted}.\n"
    for leg in comparison.legs:
        text += f"+{leg.wasted}: {walk_text(level, comparison.walk[leg.first : leg.last + 1])}.\n"
    if not comparison.is_proven:
        text += "The time was too short to prove it.\n"
    return text


def play(
    level: Level, plan: Plan, compare: Compare, source: TextIO, out: TextIO, actions: Iterable[str] = ()
) -> tuple[int, Game]:
    """Plays an expedition by words from a source, a line a command: the end of the input counts as `q`.

    Args:
        level: the map, and what is asked.
        plan: the best walk from its start.
        compare: compares the walk with the best one at the end.
        source: gives the commands.
        out: takes all that is printed.
        actions: played already, as recordings write them.

    Returns:
        The exit status (130 after Ctrl-C, else 0), and what was played.
    """
    game: Game = TurnController(rules, level)
    here = _here_text(game.state)
    game.apply_texts(actions)
    words = Words(spoken(HELP, _known_text), game, source, out)
    played = "".join(step_text(turn.state) for turn in game.turn.line()[1:])
    out.write(f"{opening_text(level, plan)}{HELP}{here}{played}")
    try:
        for word in _commands(game, words):
            if word == QUIT and not _rooms_called(game.state, word):
                break
            before, text = game.turn, answered(game, word)
            is_told = words.is_quiet and game.turn is not before and game.outcome is None
            out.write(words.look() if is_told else text)
        out.write(f"\n{comparison_text(game.state, compare(game.state))}")
    except KeyboardInterrupt:  # what was played is kept all the same
        return 130, game
    return 0, game


def replay_text(game: Game, plan: Plan, compare: Compare) -> str:
    """The text that `play` printed of an expedition, up to its present turn, without what was refused."""
    text = f"{opening_text(game.state.level, plan)}{HELP}{_here_text(game.turn.line()[0].state)}"
    for turn in game.turn.line()[1:]:
        text += step_text(turn.state)
    return f"{text}\n{comparison_text(game.state, compare(game.state))}"


def _known_text(state: State) -> str:
    level = state.level
    return rooms_text(level, known_rooms(level, state.seen) if level.is_fogged else (1 << len(level.rooms)) - 1)


def _commands(game: Game, words: Words[State]) -> Iterator[str]:
    """Yields commands until the end: a line is one if a room is called so, else each of its words is."""
    while game.outcome is None:
        words.prompt("")
        if words.answered():
            continue
        if not (line := words.source.readline()):
            return
        text = line.strip()
        for word in [text] if _rooms_called(game.state, text) else text.split():
            if game.outcome is None:
                yield word


def answered(game: Game, word: str) -> str:
    """Walks to the room that a command names, and gives the text that answers it, a refusal too."""
    state = game.state
    rooms = _rooms_called(state, word)
    near = [room for room in rooms if room in neighbours(state.level)[state.room]]
    if not rooms:
        return f"There is no room {printable(word)[:40]!r} here.\n{HELP}"
    if len(near or rooms) > 1:
        return f"Several rooms are called {printable(word)[:40]!r}: take the id.\n"
    try:
        turn = game.apply(Walk(state.level.rooms[(near or rooms)[0]].id))
    except IllegalActionError as error:
        return sentence(str(error)) + "\n"
    return step_text(turn.state)


def _rooms_called(state: State, text: str) -> list[int]:
    """Places of the rooms with that id, else with that label in any case; in fog only of known ones."""
    level = state.level
    known = known_rooms(level, state.seen) if level.is_fogged else -1
    return rooms_called(level.rooms, text, known)


def _here_text(state: State) -> str:
    """Line with the party's room and its neighbours, each with the cost of the step; empty after the end."""
    if rules.outcome(state) is not None:
        return ""
    level = state.level
    there = [
        f"{level.rooms[other].label} {step_cost(level, state.room, other)}{'' if state.has_seen(other) else ' *'}"
        for other in neighbours(level)[state.room]
    ]
    return f"In {level.rooms[state.room].label}; next to it: {', '.join(there) or 'nothing'}.\n"


def _in_brackets(*words: object) -> str:
    told = ", ".join(str(word) for word in words if word)
    return f" ({told})" if told else ""
