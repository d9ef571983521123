"""Every game keeps the promises of core.rules, in random legal play, and opens in the app, the menu and plain text.

New games join by themselves; the template of docs/add-a-game.md is one of them, and a copy of it is a game.
"""

import io
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import FrozenInstanceError, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from textual.widgets import OptionList

import dungeon_tui.games
from dungeon_tui.cli.main import build
from dungeon_tui.core.catalogue import Game, find_game, find_games
from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.core.guide import MapGuide
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.meaning import Meaning
from dungeon_tui.core.plain import Console
from dungeon_tui.core.plain_play import WORDS
from dungeon_tui.core.recording import read_recording, record, recording_text, reexecute
from dungeon_tui.core.rules import Event, IllegalActionError, Outcome
from dungeon_tui.core.turns import Change, TurnController
from dungeon_tui.ui import app as app_module
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.menu.home import HomeScreen
from dungeon_tui.ui.menu.levels import LevelsScreen
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from tests.ui.driving import begun, dialogue, running, shown, wait_until

GAMES = {game.name: game for game in find_games(with_hidden=True)}
games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())

CHOICES = st.one_of(
    st.lists(st.integers(0, 1000), max_size=12), st.lists(st.integers(0, 1000), min_size=80, max_size=160)
)  # which of the legal actions
PLACES = st.integers(0, 1000)  # picks one of the openings
play_randomly = settings(max_examples=max(10, settings().max_examples // 4))


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
def test_the_menu_offers_levels_with_a_title_and_a_goal_of_one_short_sentence(game: Game) -> None:
    view = game.view()(game)
    assert len(starts(game)) >= 1
    assert all(opening.title.strip() and opening.title.isprintable() for opening in game.levels().openings())
    for place in range(len(starts(game))):
        goal = view.facts(controller_of(game, place).turn).goal
        assert goal.endswith(".")
        assert 10 < len(goal) <= 72


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
def test_legal_play_goes_on_to_an_end_and_is_undone_recorded_and_repeated(
    game: Game, place: int, choices: list[int]
) -> None:
    """Legal steps never raise, tell events, change no state that is made; nothing is legal exactly when it is over."""
    rules, controller = game.rules(), controller_of(game, place)
    start = start_of(game, place)
    prints = [fingerprint(rules.start(start.level, start.seed))]
    for action in actions_for(controller, choices):
        assert controller.outcome is None
        events = controller.apply(action).events
        assert isinstance(events, tuple)
        assert all(isinstance(event, Event) for event in events)
        prints.append(fingerprint(controller.state))
        assert bool(rules.legal_actions(controller.state)) == (controller.outcome is None)
    outcome = controller.outcome
    if outcome is not None:
        assert isinstance(outcome, Outcome)
        assert outcome.name == outcome.name.lower()
        assert outcome.reason.strip()
        assert controller.turn.action is not None
        with pytest.raises(IllegalActionError):
            rules.step(controller.state, controller.turn.action)

    # A recording comes to the same end.
    recording = record(controller, game.name)
    again = read_recording(LevelFile("any", recording_text(recording).encode()))
    assert again == recording
    verdict = reexecute(again)[1]
    assert (verdict.is_ok, verdict.diverged_at, verdict.turns) == (True, None, controller.turn.ply)
    assert verdict.outcome == (outcome.name if outcome else "unfinished")

    # Undo and redo lead through the same states.
    heard: list[Change[Any, Any]] = []
    controller.observe(heard.append)
    for expected in reversed(prints[:-1]):
        assert controller.undo()
        assert fingerprint(controller.state) == expected
    assert not controller.undo()
    for expected in prints[1:]:
        assert controller.redo()
        assert fingerprint(controller.state) == expected
    assert not controller.redo()
    assert len(heard) == 2 * (len(prints) - 1)

    # After a restart of the level the same actions lead there again.
    actions = [turn.action for turn in controller.turn.line()[1:]]
    controller.restart()
    for action in actions[controller.turn.ply :]:
        controller.apply(action)
    assert fingerprint(controller.state) == prints[-1]


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
async def test_a_game_is_opened_from_the_menu_and_played(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its card at home leads to its first level; every move is pressed, all of it is ASCII, and the help opens."""
    monkeypatch.setattr(app_module, "find_games", lambda: (game,))
    async with running(DungeonApp(ascii_only=True), size=(110, 30), paints=True) as pilot:
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, HomeScreen))
        await pilot.press("1")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, LevelsScreen))
        await wait_until(pilot, lambda: pilot.app.screen.query_one(OptionList).option_count)
        await pilot.press("enter")
        screen = await begun(pilot)
        assert screen.view.game is game
        moves = [key for key in screen.keys if key.id.startswith("move.")]
        assert len(moves) >= 4
        for key in moves:
            await pilot.press(key.keys.split(",")[0])
            await wait_until(pilot, lambda playing=screen: not playing.seats.is_busy)  # the other side has answered
            assert shown(pilot.app).isascii()
            if screen.session.outcome is not None:
                await dialogue(pilot)
                await pilot.press("r")
            elif pilot.app.screen is not screen:  # it asks for something first
                await pilot.press("escape")
            screen = await begun(pilot)
        await pilot.press(next(key for key in screen.keys if key.id == "help").keys.split(",")[0])
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))


@games
def test_a_game_is_played_in_plain_text(game: Game) -> None:
    """Every word is answered, and none is taken for a move."""
    opening = game.levels().openings()[0]
    lines = "".join(f"{word}\n" for word in (*WORDS, "near x", "map"))
    out = io.StringIO()
    end, left = (
        game.commands().opened(opening).plain(Console(io.StringIO(f"{typed}q\n"), printed, io.StringIO()))
        for typed, printed in ((lines, out), ("", io.StringIO()))
    )
    assert end.exit_status == 0
    assert end.controller.turn.ply == left.controller.turn.ply  # the other side may have begun
    assert len(out.getvalue().splitlines()) > len(WORDS)
    best = game.commands().best(opening.load())
    assert best is None or best > 0


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """A copy of the template under another name, as docs/add-a-game.md says, among the games."""
    source = Path(dungeon_tui.games.__file__).with_name("_template")
    shutil.copytree(source, tmp_path / "slide", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (tmp_path / "slide").rglob("*.py"):
        text = path.read_text("utf-8").replace("_template", "slide")
        path.write_text(re.sub(r"\bTemplate", "Slide", text), "utf-8")
    monkeypatch.setattr(dungeon_tui.games, "__path__", [*dungeon_tui.games.__path__, str(tmp_path)])
    find_games.cache_clear()
    game = find_game("slide")
    assert game is not None
    yield game
    find_games.cache_clear()
    for name in [name for name in sys.modules if name.startswith("dungeon_tui.games.slide")]:
        del sys.modules[name]


def test_the_page_names_what_a_game_must_have_and_all_meanings() -> None:
    page = Path(__file__).parents[1].joinpath("docs", "add-a-game.md").read_text("utf-8")
    required = GameView.__abstractmethods__ | MapGuide.__abstractmethods__ | set(Meaning.__members__)
    assert required <= set(re.findall(r"`(\w+)`", page))


def test_a_copy_of_the_template_is_a_game(copied: Game, capsys: pytest.CaptureFixture[str]) -> None:
    assert copied in find_games()
    assert type(copied).__name__ == "Slide"
    assert issubclass(copied.view(), GameView)
    for arguments in (["--help"], ["play", "--help"]):
        with pytest.raises(SystemExit) as left:
            build()(["slide", *arguments])
        assert left.value.code == 0
        assert "Usage" in capsys.readouterr().out


NO_ACTIONS = {
    "chase": ["", "3", "3 ", "3  4", "-1 0", "3 4 5", "a b", "100000 1", "\u0663 1", "forfeited", "3 4\n"],
    "rescue": ["", "north", "health", "health ", "health -1", "health  1", "health 1 2", "health x", "Right",
               "right\n", "health \u0663", "health 99999999999999999999"],
    "expedition": ["", "a", "[1]", "true", "null", "NaN", "{}", "[" * 10_000],
    "crawler": ["", "W", "q", "ww", " w", "up", "é"],
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in NO_ACTIONS.items() for text in texts])
def test_other_texts_are_no_actions(name: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        GAMES[name].rules().read_action(text)
