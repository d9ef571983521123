"""Every game keeps the promises of core.rules, in random legal play from its menu. New games join by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import FrozenInstanceError, fields, is_dataclass
from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from dungeon_tui.core.catalogue import Game, find_games
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.recording import read_recording, record, recording_text, reexecute
from dungeon_tui.core.rules import Event, IllegalActionError, Outcome
from dungeon_tui.core.turns import Change, TurnController

GAMES = {game.name: game for game in find_games()}
games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())

CHOICES = st.one_of(
    st.lists(st.integers(0, 1000), max_size=12), st.lists(st.integers(0, 1000), min_size=80, max_size=160)
)  # which of the legal actions
PLACES = st.integers(0, 1000)  # picks one of the openings
play_randomly = settings(max_examples=max(10, settings().max_examples // 2))


class Start(NamedTuple):
    level: Any
    seed: int


@cache
def starts(game: Game) -> tuple[Start, ...]:
    return tuple(Start(opening.load(), opening.seed) for opening in game.levels().openings())


def start_of(game: Game, place: int) -> Start:
    return starts(game)[place % len(starts(game))]


def controller_of(game: Game, place: int) -> TurnController[Any, Any, Any]:
    start = start_of(game, place)
    return TurnController(game.rules(), start.level, start.seed)


def actions_for(controller: TurnController[Any, Any, Any], choices: list[int]) -> Iterator[Any]:
    """Legal actions for the present state, as long as there are any; the caller applies each."""
    for choice in choices:
        legal = controller.rules.legal_actions(controller.state)
        if not legal:
            return
        yield legal[choice % len(legal)]


def played(game: Game, place: int, choices: list[int]) -> TurnController[Any, Any, Any]:
    controller = controller_of(game, place)
    for action in actions_for(controller, choices):
        controller.apply(action)
    return controller


@games
def test_the_goal_of_each_level_is_one_short_sentence(game: Game) -> None:
    view = game.view()(game)
    for place in range(len(starts(game))):
        goal = view.facts(controller_of(game, place).turn).goal
        assert goal.endswith(".")
        assert 10 < len(goal) <= 72


@games
def test_the_menu_offers_something_that_opens(game: Game) -> None:
    assert len(starts(game)) >= 1
    for opening in game.levels().openings():
        assert opening.title.strip()
        assert opening.title.isprintable()


@games
@play_randomly
@given(place=PLACES, choices=CHOICES)
def test_every_legal_action_can_be_taken_and_takes_none_of_the_others_away(
    game: Game, place: int, choices: list[int]
) -> None:
    rules = game.rules()
    state = played(game, place, choices[:12]).state
    before = rules.fingerprint(state)
    after = [rules.fingerprint(rules.step(state, action)[0]) for action in rules.legal_actions(state)]
    again = [rules.fingerprint(rules.step(state, action)[0]) for action in rules.legal_actions(state)]
    assert after == again
    assert rules.fingerprint(state) == before


def takes(rules: Any, state: Any, action: Any) -> bool:
    with suppress(IllegalActionError):
        rules.step(state, action)
        return True
    return False


@games
@play_randomly
@given(place=PLACES, elsewhere=PLACES, choices=CHOICES, other_choices=CHOICES, data=st.data())
def test_a_step_is_taken_exactly_if_there_is_no_objection(
    game: Game, place: int, elsewhere: int, choices: list[int], other_choices: list[int], data: st.DataObject
) -> None:
    """Actions of this moment, of others, and of any content; unlisted ones are of the kinds that the rules name."""
    rules = game.rules()
    state = played(game, place, choices).state
    listed = rules.legal_actions(state)
    others = rules.legal_actions(played(game, elsewhere, other_choices[:12]).state)
    kinds = sorted({type(action) for action in (*listed, *others)} | rules.UNLISTED, key=lambda kind: kind.__name__)
    made = [data.draw(st.from_type(kind)) for kind in kinds]
    assert all(takes(rules, state, action) for action in listed)
    for action in (*others, *made):
        is_legal = rules.objection(state, action) is None
        assert takes(rules, state, action) == is_legal
        assert not is_legal or action in listed or type(action) in rules.UNLISTED


@games
def test_more_actions_of_the_unlisted_kinds_are_legal_than_are_listed(game: Game) -> None:
    rules = game.rules()
    states = [controller_of(game, place).state for place in range(len(game.levels().openings()))]
    for kind in rules.UNLISTED:
        find(
            st.from_type(kind),
            lambda action: any(
                action not in rules.legal_actions(state) and rules.objection(state, action) is None for state in states
            ),
        )


@games
@play_randomly
@given(place=PLACES, choices=CHOICES)
def test_states_and_events_are_frozen(game: Game, place: int, choices: list[int]) -> None:
    turn = played(game, place, choices[:12]).turn
    for value in (turn.state, *turn.events):
        assert is_dataclass(value)
        for field in fields(value):
            with pytest.raises(FrozenInstanceError):
                setattr(value, field.name, None)


@games
@play_randomly
@given(place=PLACES, choices=CHOICES)
def test_legal_play_goes_on_to_an_end_and_leaves_what_was(game: Game, place: int, choices: list[int]) -> None:
    """Legal steps never raise, tell events, change no state that is made; nothing is legal exactly when it is over."""
    rules, controller = game.rules(), controller_of(game, place)
    start = start_of(game, place)
    prints = [rules.fingerprint(rules.start(start.level, start.seed))]
    for action in actions_for(controller, choices):
        assert controller.outcome is None
        events = controller.apply(action).events
        assert isinstance(events, tuple)
        assert all(isinstance(event, Event) for event in events)
        prints.append(rules.fingerprint(controller.state))
        assert bool(rules.legal_actions(controller.state)) == (controller.outcome is None)
    assert [rules.fingerprint(turn.state) for turn in controller.turn.line()] == prints
    outcome = controller.outcome
    if outcome is not None:
        assert isinstance(outcome, Outcome)
        assert outcome.name == outcome.name.lower()
        assert outcome.reason.strip()
        assert controller.turn.action is not None
        with pytest.raises(IllegalActionError):
            rules.step(controller.state, controller.turn.action)


@games
@play_randomly
@given(place=PLACES, choices=CHOICES)
def test_actions_are_written_in_a_line_and_read_again(game: Game, place: int, choices: list[int]) -> None:
    rules = game.rules()
    for action in rules.legal_actions(played(game, place, choices[:12]).state):
        text = rules.action_text(action)
        assert text.isprintable()
        assert rules.read_action(text) == action


@games
@given(text=st.text())
def test_a_text_is_an_action_or_a_value_error(game: Game, text: str) -> None:
    rules = game.rules()
    try:
        action = rules.read_action(text)
    except ValueError:
        return
    assert rules.read_action(rules.action_text(action)) == action


@games
@play_randomly
@given(place=PLACES, choices=CHOICES)
def test_undo_undoes_and_redo_redoes(game: Game, place: int, choices: list[int]) -> None:
    rules, controller = game.rules(), played(game, place, choices)
    prints = [rules.fingerprint(turn.state) for turn in controller.turn.line()]
    heard: list[Change[Any, Any]] = []
    controller.observe(heard.append)
    for expected in reversed(prints[:-1]):
        assert controller.undo()
        assert rules.fingerprint(controller.state) == expected
    assert not controller.undo()
    for expected in prints[1:]:
        assert controller.redo()
        assert rules.fingerprint(controller.state) == expected
    assert not controller.redo()
    assert len(heard) == 2 * (len(prints) - 1)


@games
@play_randomly
@given(place=PLACES, choices=CHOICES)
def test_restarting_a_level_and_playing_it_again_comes_to_the_same_state(
    game: Game, place: int, choices: list[int]
) -> None:
    rules, controller = game.rules(), played(game, place, choices)
    end, actions = rules.fingerprint(controller.state), [turn.action for turn in controller.turn.line()[1:]]
    controller.restart()
    for action in actions[controller.turn.ply :]:
        controller.apply(action)
    assert rules.fingerprint(controller.state) == end


@games
@play_randomly
@given(place=PLACES, choices=CHOICES)
def test_a_recording_is_re_executed_to_the_same_end(game: Game, place: int, choices: list[int]) -> None:
    controller = played(game, place, choices)
    recording = record(controller, game.name)
    again = read_recording(LevelFile("any", recording_text(recording).encode()))
    assert again == recording
    verdict = reexecute(again)[1]
    assert (verdict.is_ok, verdict.diverged_at) == (True, None)
    assert verdict.turns == controller.turn.ply
    assert verdict.outcome == (controller.outcome.name if controller.outcome else "unfinished")


NO_ACTIONS = {
    "chase": ["", "3", "3 ", "3  4", "-1 0", "3 4 5", "a b", "100000 1", "\u0663 1", "forfeited", "3 4\n"],
    "rescue": ["", "north", "guess", "guess ", "guess -1", "guess  1", "health 1 2", "health x", "Right",
               "right\n", "guess \u0663", "health 99999999999999999999"],
    "expedition": ["", "a", "[1]", "true", "null", "NaN", "{}", "[" * 10_000],
    "crawler": ["", "W", "q", "ww", " w", "up", "é"],
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in NO_ACTIONS.items() for text in texts])
def test_other_texts_are_no_actions(name: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        GAMES[name].rules().read_action(text)
