"""The delve on screen: its keys, its fog, its layers, its ends."""

from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import sentence
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.model import rules, series
from dungeon_tui.games.delve.model.dungeon import read_level
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import HEARTS
from dungeon_tui.games.delve.model.maps import WALKING, apart
from dungeon_tui.games.delve.model.state import ARCHER, JACKAL, LOOKOUT, SLEEPER, Action, Kind, Mood, State, Status
from dungeon_tui.games.delve.view import words
from dungeon_tui.games.delve.view.analysis import DelveAnalysis
from dungeon_tui.games.delve.view.screen import DelveView, explore, peril_of_staying
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play import features
from dungeon_tui.ui.play.screen import PlayScreen
from tests.games.delve.crooked import build
from tests.games.delve.drawn import state_of
from tests.games.delve.test_finds import equipped
from tests.ui import driving as ui
from tests.ui.driving import words as spaced

FIELD = ("...", ".@.", "...", "XXX", "0XX")  # nobody sees the player here
HOUSE = ("@..X....", "XX.X.XX.", "<X...X>.", "XXXXXXXX", "3..XXXXX")


@pytest.fixture
def view() -> DelveView:
    game = find_game("delve")
    assert game is not None
    return DelveView(game)


def delving(*rows: str, speeds: tuple[int, ...] = (), **options: Any) -> ui.Opened:
    """The app in a dungeon drawn by hand."""
    state = state_of(*rows, speeds=speeds)
    return ui.opened("delve", state.level, state=state, **options)


def lines(screen: PlayScreen) -> list[str]:
    """Their glyphs, without the border."""
    return ["".join(row.glyphs[1:-1]) for row in ui.paint(screen)[1:-1]]


def shows(screen: PlayScreen) -> set[str]:
    """The glyphs of the map."""
    return set("".join(lines(screen)))


def meaning(screen: PlayScreen, row: int, col: int) -> Meaning:
    return Meaning(ui.paint(screen)[row].meanings[col])


def state_on(screen: PlayScreen) -> State:
    state: State = screen.controller.state
    return state


def panel(screen: PlayScreen) -> str:
    return spaced(str(screen.panel.render()))


async def at_rest(pilot: Pilot[Any]) -> None:
    """All journeys are over, and all distances computed."""
    await ui.wait_until(
        pilot, lambda: all(worker.is_finished for worker in pilot.app.workers if worker.group != "default")
    )


# -- keys

STEPS = {
    (-1, 0): ("up", "k"),
    (1, 0): ("s", "2"),
    (0, -1): ("a", "4"),
    (0, 1): ("right", "l"),
    (-1, -1): ("y", "home"),
    (-1, 1): ("u", "9"),
    (1, -1): ("b", "1"),
    (1, 1): ("n", "pagedown"),
}


async def test_eight_ways_by_letters_arrows_and_the_number_pad() -> None:
    async with delving(*FIELD) as (pilot, screen):
        for (rows, cols), keys in STEPS.items():
            for key in keys:
                await pilot.press(key)
                assert state_on(screen).player == (2 + rows, 2 + cols), key
                assert state_on(screen).turns == 1
                await pilot.press("backspace")
                assert state_on(screen).player == (2, 2)
        for key in ("e", "full_stop", "5"):
            await pilot.press(key)
            assert (state_on(screen).player, state_on(screen).turns) == ((2, 2), 1)
            assert not any("Undone" in text for text in screen.messages.texts)  # that was before this turn
            await pilot.press("backspace")


async def test_the_keys_of_finds_use_them() -> None:
    hearts = equipped("..$", ".@.", "...")
    hearts = replace(hearts, things=((Cell(1, 2), "gold"),))
    async with ui.opened("delve", hearts.level, state=hearts, size=(120, 30)) as (pilot, screen):
        assert {"$", "@"} < shows(screen)
        assert "Haste 1 (key S)" in panel(screen)
        for key, lost in ("S", "haste"), ("B", "bomb"), ("F", "frost"):
            await pilot.press(key)
            assert state_on(screen).player == (2, 2)
            assert lost not in state_on(screen).carried
        assert {"Hasted", "Frozen", "Bomb"} < {*panel(screen).split()}
        await pilot.press("F")
        assert ui.last_message(screen) == sentence(rules.objection(state_on(screen), Action.FROST) or "")
        await pilot.press("k", "e", "e")
        assert "Gold 20" in panel(screen)
        assert words.BLAST in " ".join(screen.messages.texts)


async def test_rock_is_no_step_and_stairs_are_taken_where_they_are() -> None:
    async with delving("@.>", "XXX", "0XX") as (pilot, screen):
        begun = state_on(screen)
        for key, text in (
            ("up", sentence(rules.objection(begun, Action.UP) or "")),
            ("less_than_sign", words.NO_STAIRS.format("up")),
        ):
            await pilot.press(key)
            assert ui.last_message(screen) == text
        assert (state_on(screen), screen.controller.turn.ply) == (begun, 0)
        await pilot.press("o")  # distances of this small dungeon
        await pilot.press("right", "right")
        told = words.on_stairs(state_on(screen))
        await ui.wait_until(pilot, lambda: told in " ".join(screen.messages.texts))  # numbers may come later
        await pilot.press("greater_than_sign")
        state = state_on(screen)
        assert (state.depth, state.turns, state.height, state.width) == (2, 3, 21, 80)
        assert words.arrival(state) in screen.messages.texts
        assert screen.map.source.width == 80
        await ui.sees(pilot, "Depth 2")
        await pilot.press("e", "r")
        assert state_on(screen) is state  # the start of this depth, not of the game
        await pilot.press("r", "backspace")  # undo takes the restart back, and then turn by turn
        assert (state_on(screen).depth, state_on(screen).turns) == (2, 4)
        await pilot.press("backspace", "backspace")
        assert (state_on(screen).depth, state_on(screen).player) == (1, (1, 3))


# -- the fog


async def test_the_fog_hides_what_was_never_seen() -> None:
    async with delving(*HOUSE, size=(120, 30)) as (pilot, screen):
        seen = state_on(screen).seen.copy() != 0
        seen[[0, -1]] = seen[:, [0, -1]] = True  # the edge is always drawn
        for row, cells in enumerate(ui.paint(screen)):
            for col, glyph in enumerate(cells.glyphs):
                if not seen[row, col]:
                    assert (glyph, cells.meanings[col]) == (" ", Meaning.UNSEEN)
        assert not {"<", ">", "o"} & shows(screen)
        assert "Monsters 1 left" in panel(screen)
        assert "oracle" not in panel(screen)
        assert not screen.journal.used(screen.controller.turn)
        await pilot.press("f")
        assert "o, speed 10 oracle" in panel(screen)
        assert screen.journal.used(screen.controller.turn).names == ("Fog",), "that is help"
        assert {"<", ">", "o", "@"} < shows(screen)
        assert Meaning.UNSEEN not in {each for row in ui.paint(screen) for each in row.meanings}
        await pilot.press("f")
        assert not {"<", ">", "o"} & shows(screen)
        assert state_on(screen).turns == 0


@pytest.mark.parametrize(
    ("size", "cell"), [((80, 24), (1, 1)), ((150, 45), (1, 1)), ((200, 60), (2, 1)), ((280, 80), (3, 1))]
)
async def test_the_whole_map_is_in_view_as_large_as_it_fits(size: tuple[int, int], cell: tuple[int, int]) -> None:
    async with ui.opened("delve", generate(1), size=size) as (_, screen):
        assert (screen.map.cell_size, screen.map.shows_all) == (cell, True)


async def test_cells_in_view_are_lit() -> None:
    async with delving(*HOUSE) as (pilot, screen):
        visible = rules.visible(state_on(screen))
        for row, cells in enumerate(ui.paint(screen)):
            for col, meaning in enumerate(cells.meanings):
                is_lit = visible[row, col] and meaning != Meaning.WALL
                assert (cells.tints[col] == Tint.LIT) == is_lit
        await pilot.press("f")
        assert not any(any(row.tints) for row in ui.paint(screen))


async def test_what_was_seen_is_remembered_dimmed_and_its_monsters_are_not() -> None:
    async with delving("@......", "X.XXXXX", "X.XXXXX", "X....3X", speeds=(5,)) as (pilot, screen):
        await pilot.press("n", "j", "j")
        assert "o" in shows(screen)
        assert meaning(screen, 1, 5) == Meaning.REMEMBERED
        assert meaning(screen, 1, 0) == Meaning.REMEMBERED_WALL
        assert meaning(screen, 4, 3) == Meaning.FLOOR
        assert meaning(screen, 5, 3) == Meaning.WALL
        await pilot.press("k", "k", "u")
        monster = state_on(screen).monsters[0]
        if not rules.visible(state_on(screen))[monster.cell]:
            assert "o" not in shows(screen)
        assert meaning(screen, 1, 5) == Meaning.FLOOR
        assert meaning(screen, 4, 4) == Meaning.REMEMBERED


@pytest.mark.parametrize(("mood", "is_drawn"), [(Mood.ASLEEP, True), (Mood.AWAKE, False)])
def test_a_sleeper_is_remembered_where_it_was_seen(mood: Mood, is_drawn: bool, view: DelveView) -> None:
    state = equipped("@.X0", kind=SLEEPER, mood=mood)
    assert not rules.visible(state)[1, 4]
    seen = replace(state, seen=state.terrain)
    assert "z" not in view.picture(state).row(1, 0, 6).glyphs
    assert ("z" in view.picture(seen).row(1, 0, 6).glyphs) == is_drawn
    assert ("guard" in view.cell_text(seen, Cell(1, 4))) == is_drawn
    assert (("z", Cell(1, 4)) in view.guide.landmarks(seen)) == is_drawn


def test_a_narrow_status_line_has_room_for_your_bag_and_what_is_at_work(view: DelveView) -> None:
    state = replace(equipped("@.0.", "...."), depth=10, gold=999, carried=("haste", "frost", "bomb") * 2)
    state, _ = rules.step(state, Action.BOMB)
    parts = ("♥♥♥", "depth 10, 1,899 points", "pursuer in 249", "bomb 2", "bag S×2 F×2 B")
    assert view.facts(Turn(state)).short == parts
    assert len("  ·  ".join(parts)) <= 78


# -- exploring and travelling


async def explored(pilot: Pilot[Any], screen: PlayScreen) -> int:
    """Explores as far as it goes; the turns now."""
    await pilot.press("z")
    await at_rest(pilot)
    return state_on(screen).turns


def test_exploring_leaves_what_comes_to_you_an_unseen_archer_too() -> None:
    calm = equipped("@.X0", "....", kind=ARCHER)
    hunter = replace(calm.monsters[0], last_seen=calm.player)
    hunted = replace(calm, monsters=(hunter,))
    assert explore(hunted) == f"{words.coming(hunted, hunter)} {words.WAITS}" != explore(calm)
    assert explore(hunted, is_bold=True) == (Action.STAY,) * 20
    aiming = replace(hunter, cell=Cell(2, 2), aim=Direction.UP_LEFT, next_turn=9999)
    assert "archer to the south-east aims: strike it." in explore(replace(hunted, monsters=(hunter, aiming)))


async def test_exploring_stops_where_a_monster_comes_into_sight() -> None:
    async with delving("@..X....", "XX.X.XX.", "<X...X..", "XXXXXXX.", "XXXXXXX.", "XXXXXXX0") as (pilot, screen):
        done = await explored(pilot, screen)
        assert done
        said = words.sighting(state_on(screen).monsters)
        assert ui.last_message(screen).startswith(f"{said} ")
        assert said not in screen.messages.texts  # once is enough
        assert "w" in shows(screen)
        while await explored(pilot, screen) > done:  # until it can hit you
            done = state_on(screen).turns
        assert ui.last_message(screen) == "You stop here. The walker can hit you here: strike it."


@pytest.mark.parametrize(
    ("row", "turns", "told"),
    [
        ("@..>..0", 1, "The walker can hit you in 4 turns. Press z to wait."),
        ("@0.>", 0, "The walker is in the way: strike it."),
    ],
)
async def test_a_walk_watched_from_its_start_ends_after_one_step_and_never_strikes(
    row: str, turns: int, told: str
) -> None:
    state = equipped(row)
    async with ui.opened("delve", state.level, state=state, size=(80, 24)) as (pilot, screen):
        await pilot.press("greater_than_sign", "greater_than_sign")
        await at_rest(pilot)
        assert (state_on(screen).turns, ui.last_message(screen)) == (turns, told)


def test_the_monster_said_to_hit_is_the_one_that_can() -> None:
    state = state_of("1@.0", speeds=(5, 20))
    beside, fast = state.monsters
    state = replace(state, monsters=(replace(beside, next_turn=200), fast))
    assert peril_of_staying(state) == "The walker can hit you here: leave this cell."


@pytest.mark.parametrize("speed", [5, 7, 10, 15, 20])
@pytest.mark.parametrize(("row", "wall"), [("@.0", "..."), ("@....0", "......"), ("@..X", "XX0X")])
def test_the_turn_said_of_a_hit_is_the_first_in_which_one_who_stays_is_hit(row: str, wall: str, speed: int) -> None:
    state = equipped(row, wall, speed=speed, kind=SLEEPER)  # which knows where you are
    for begun in range(3):
        state, turns = rules.step(state, Action.STAY)[0] if begun else state, 0
        if apart(state.monsters[0].cell, state.player) == 1:
            return
        told, after = solver.turns_to_hit(state, state.monsters[0]), state
        while after.hearts == state.hearts:
            after, turns = rules.step(after, Action.STAY)[0], turns + 1
        assert turns == told


def test_a_pursuer_announced_or_come_stops_a_walk_once(view: DelveView) -> None:
    state = replace(equipped("@" + 20 * ".", 20 * "X" + ".", "<" + 20 * "."), time=23000)
    told = list[str]()
    while state.time < 25500:
        before, state = state, rules.step(state, Action.STAY)[0]
        told.append(view.reason_to_stop(before, state))
    assert [*filter(None, told)] == [words.PURSUER_SOON, words.PURSUER_HERE]


def test_a_warning_says_who_answers_a_strike(view: DelveView) -> None:
    state = equipped(".@00", "....")
    assert peril_of_staying(state) == "The walker can hit you here; if you strike it, another walker can hit you."


def test_of_many_kinds_all_are_named_and_the_nearest_described(view: DelveView) -> None:
    state = state_of("@...3", "...18")
    told = [line.text for line in view.story(Turn(state)) if line.text.startswith("You see")]
    assert len(told) == 2
    assert all(f"({each.kind.letter})" in " ".join(told) for each in state.monsters)


async def test_esc_withdraws_a_question_and_does_not_pause() -> None:
    async with delving(*FIELD) as (pilot, screen):
        for _ in range(2):
            await pilot.press("A")
            assert "again shows it" in ui.last_message(screen)
            await pilot.press("escape")
            assert pilot.app.screen is screen


def test_one_explores_beside_what_is_merely_heard_but_not_where_it_could_hit() -> None:
    heard = state_of("@..X....", "XX.X.XX.", "<X...2..", speeds=(10,))
    hearts = replace(heard, level=replace(heard.level, rules=HEARTS), hearts=3)
    assert explore(hearts) == solver.explore_route(hearts)
    assert isinstance(explore(heard), str)


@pytest.mark.parametrize(
    ("row", "kind", "speed", "sighting"),
    [
        ("0.0", JACKAL, 15, "2 jackals (j), faster than you: each hunts in a pack, but comes alone in a corridor."),
        ("2", None, 10, "a seer (s), as fast as you: it always knows where you are."),
        ("8", None, 5, "an erratic walker (W), slower than you: it comes while it sees you, half its moves random."),
    ],
)
def test_a_sighting_says_what_a_monster_does_once(
    view: DelveView, row: str, kind: Kind | None, speed: int, sighting: str
) -> None:
    hidden, seen = (equipped(f"@{gap}{row}", kind=kind, speed=speed) for gap in ("X..", "..."))
    for _ in range(2):  # the log and what stops you read alike
        assert view.reason_to_stop(hidden, seen) == f"You see {sighting}"
    soon = view.reason_to_stop(hidden, replace(seen, turns=seen.turns + 1))
    assert "You see" not in soon, "it only wandered out of sight and back"
    later = replace(seen, turns=seen.turns + 20)
    who, _, _ = sighting.partition(":")
    told = view.reason_to_stop(hidden, later).removesuffix(f" {words.when(later, later.monsters[0])}.")
    assert told == f"You see {who}: {'the nearest' if kind is JACKAL else 'it'}"


@pytest.mark.parametrize(
    ("kind", "mood", "habit"),
    [
        (SLEEPER, Mood.ASLEEP, "wakes within 3 steps of you"),
        (SLEEPER, Mood.AWAKE, "always knows where you are"),
        (LOOKOUT, Mood.AWAKE, "runs when it sees you, over you if you block its way, and comes back with others"),
        (LOOKOUT, Mood.BOLD, "hunts you once it sees you"),
    ],
)
def test_a_sighting_tells_what_a_monster_does_in_its_mood(kind: Kind, mood: Mood, habit: str) -> None:
    assert words.sighting(equipped("@..0", kind=kind, mood=mood).monsters).endswith(f": it {habit}.")


def test_stairs_are_named_when_you_step_onto_them_not_while_you_wait_there(view: DelveView) -> None:
    turn = Turn(state_of("@>.", "XXX", "0XX"))
    for action, is_named in (Action.RIGHT, True), (Action.STAY, False):
        after, events = rules.step(turn.state, action)
        turn = Turn(after, action, events, turn)
        assert (words.on_stairs(after) in [line.text for line in view.story(turn)]) == is_named


def test_of_sounds_from_one_direction_the_nearest_is_told() -> None:
    state = state_of("@X2.2", "....X")
    assert words.heard(state, state.monsters) == [words.sound(state, state.monsters[0])]


def test_the_amulet_does_not_bring_known_stairs_into_sight(view: DelveView) -> None:
    before = replace(equipped("<@.."), amulet=Cell(1, 3))
    before = replace(before, seen=before.terrain)
    after, events = rules.step(before, Action.RIGHT)
    assert after.has_amulet
    told = [line.text for line in view.story(Turn(after, Action.RIGHT, events, Turn(before)))]
    assert not any("You see stairs" in line for line in told)


def test_a_hit_is_reported_before_the_advice_that_follows_from_it(view: DelveView) -> None:
    before = state_of("@0..2", speeds=(10, 20))
    before = replace(before, level=replace(before.level, rules=HEARTS), hearts=3)
    after, events = rules.step(before, Action.STAY)
    told = [line.text for line in view.story(Turn(after, Action.STAY, events, Turn(before)))]
    assert told[-1].endswith(" can hit you, whatever you do.")
    assert told[0] == "The walker hits you. You have 2 hearts left."
    assert told[0].endswith(view.reason_to_stop(before, after))  # which takes its place, and says it once


def test_the_end_shows_your_killer_or_what_you_bring_up(view: DelveView) -> None:
    dead, _ = rules.step(equipped("@0.", hearts=1), Action.STAY)
    assert (view.figures(dead), "\nNever used: haste 1, " in words.ending(dead)[1]) == (
        [("walker", Meaning.FOE)],
        True,
    )
    won = replace(equipped("@.."), status=Status.WON, carried=("bomb",), gold=60, depth=10)
    assert [name for name, _ in view.figures(won)] == ["hero", "amulet", "treasure", "heart", "bomb"]
    assert "\n1,960 points: amulet 1,000, depths 900, gold 60.\nIn your bag: bomb 1." in words.ending(won)[1]


@pytest.mark.parametrize(("hearts", "is_heard"), [(3, True), (4, False)])
def test_a_hit_drowns_sounds(view: DelveView, hearts: int, is_heard: bool) -> None:
    before = replace(equipped("@0.....", "XXXXXX.", ".2.....", hearts=hearts), turns=1)
    after = replace(rules.step(before, Action.STAY)[0], hearts=3)
    told = [line.text for line in view.story(Turn(after, Action.STAY, (), Turn(before)))]
    assert any(text.startswith("You hear") for text in told) == is_heard


def test_who_has_seen_everything_walks_to_known_stairs_and_is_told_their_key() -> None:
    walk = explore(equipped("@.>"))
    assert walk == 2 * (Action.RIGHT,)
    for row in ("@.>", "@>>"):  # no walk from stairs to stairs
        assert "{stairs.down}" in explore(replace(equipped(row), player=Cell(1, 3)))
    for row in ("@.<", "@..", "@.>"):  # by the course's rules nobody needs stairs
        assert "seen all" in explore(state_of(row))
        assert "{stairs.down}" not in explore(state_of(row))


def test_exploring_takes_what_lies_near_unless_a_sleeper_guards_it() -> None:
    in_rock = Cell(2, 1), "bomb"  # a plan takes unseen cells for rock
    state = replace(state_of(".@....0.", "XXXXXXX."), things=((Cell(1, 1), "gold"), in_rock))
    asleep = replace(state.monsters[0], mood=Mood.ASLEEP)
    for cell, way in ((asleep.cell, (Action.LEFT,)), (Cell(1, 4), (Action.RIGHT,) * 5)):
        guarded = replace(state, monsters=(replace(asleep, cell=cell),))
        assert solver.explore_route(guarded) == way
        assert (explore(guarded) == way) == (cell == asleep.cell), "it doesn't wake what it has named"
    far = replace(state_of("@.....", "X.XXXX", "X....."), things=((Cell(1, 6), "gold"),))
    assert solver.explore_route(far) == (Action.RIGHT,) * 5, "before the unseen parts"
    hidden = replace(state_of(".@X0"), things=((Cell(1, 1), "gold"),))
    hidden = replace(hidden, monsters=(replace(hidden.monsters[0], mood=Mood.ASLEEP),))
    assert explore(hidden) == (Action.LEFT,)
    remembered = replace(hidden, seen=hidden.seen.replace([1 * 6 + 4], [ord(".")]))
    assert explore(remembered) == "Gold lies beside a sleeping walker: {explore} again goes there (1 step)."
    past = equipped("@.0.>", kind=SLEEPER, mood=Mood.ASLEEP)
    assert str(explore(past)).endswith("{explore} again goes to the stairs, past a sleeping monster.")
    assert len(explore(past, is_bold=True)) == 4
    gold = replace(past, things=((Cell(1, 4), "gold"),))
    for player, stairs in ((Cell(1, 1), "to"), (Cell(1, 5), "down")):  # the same offer everywhere
        there = replace(gold, player=player)
        way = solver.route(there, Cell(1, 4))
        assert explore(there) == words.past_sleepers(there, {Cell(1, 4): "gold"}, len(way), stairs)
        assert explore(there, is_bold=True) == way
    beside = equipped("@....0", kind=SLEEPER, mood=Mood.ASLEEP)
    beside = replace(beside, seen=beside.seen.replace([4], [0]))
    assert explore(beside) == words.past_sleepers(beside, {}, 2, "")
    assert explore(beside, is_bold=True) == (Action.RIGHT,) * 2


def test_what_stops_you_says_what_exploring_would_do_and_its_key_then_does_it(view: DelveView) -> None:
    journeys, state = view.feature(features.Journeys), equipped("@.......0", kind=SLEEPER, mood=Mood.ASLEEP)
    assert journeys is not None
    assert journeys.explore is not None
    state = replace(state, things=((Cell(1, 8), "gold"),))
    offer, way = journeys.explore(state), journeys.explore(state)
    hit = replace(rules.step(state, way[0])[0], hearts=2)
    assert offer.replace("7", "6") in journeys.reason_to_stop(state, hit)
    assert journeys.explore(hit) == way[1:]


def test_what_is_heard_ends_a_journey_once_it_is_close(view: DelveView) -> None:
    close, near, far, gone = (state_of("@X" + "." * gap + "8", "." * (gap + 3)) for gap in (2, 6, 14, 30))
    assert view.reason_to_stop(gone, far) == view.reason_to_stop(far, near) == ""
    assert view.reason_to_stop(near, close) == words.hearing(close, close.monsters)
    assert view.reason_to_stop(close, close) == "", "once is enough"


def test_a_lost_heart_ends_journeys_and_one_in_sight_keeps_them_from_beginning(view: DelveView) -> None:
    near, far = (state_of("@" + "." * gap + "0") for gap in (4, 5))
    assert view.reason_to_stop(None, far) == ""
    assert view.reason_to_stop(replace(near, hearts=2), near) == words.hearts_left(near)
    assert view.reason_to_stop(None, near) == words.coming(near, near.monsters[0])
    assert view.reason_to_stop(far, near) == words.coming(near, near.monsters[0])


async def test_g_and_a_glyph_travels_to_stairs_that_were_seen() -> None:
    async with delving("@..>X", "XXX.X", "0X<XX") as (pilot, screen):
        await pilot.press("g", "less_than_sign")
        assert screen.travel.cursor == (1, 1)
        await pilot.press("greater_than_sign")
        await ui.wait_until(pilot, lambda: state_on(screen).player == (1, 4))
        assert state_on(screen).depth == 1


def test_distances_are_told_apart_for_you_and_for_tunnellers(view: DelveView) -> None:
    state = state_of("@.")
    assert view.cell_text(state, Cell(1, 2)) == ("Row 2, column 3: room; 1 step away")


def test_on_the_last_depth_exploring_the_stairs_key_and_the_hint_lead_to_the_amulet(view: DelveView) -> None:
    state = replace(equipped(".@...", "XXXX."), depth=10, things=((Cell(1, 1), "gold"),))
    assert view.feature(features.Leads).way(state, Action.DESCEND) == words.goal(state)
    state = replace(state, amulet=Cell(1, 4))
    way = (Action.RIGHT,) * 2
    lead = view.feature(features.Leads).way(state, Action.DESCEND)
    assert isinstance(lead, features.Lead)
    assert (explore(state), solver.plan(state).actions, lead.cell) == ((Action.LEFT,), (Action.LEFT,), state.amulet)
    state = replace(state, things=((Cell(2, 5), "heart"),))  # not seen
    assert (explore(state), solver.plan(state)[:2]) == (way[:1], ("goal", way))
    beside, _ = rules.step(state, Action.RIGHT)
    assert explore(beside) == "{explore} again takes the amulet: all that sleeps wakes. Left here: 1 heart."
    assert explore(beside, is_bold=True) == way[1:]
    assert view.reason_to_stop(beside, rules.step(beside, Action.RIGHT)[0]) == words.AMULET_TAKEN


def test_a_way_keeps_out_of_the_reach_of_sleepers_if_it_can() -> None:
    for row, is_waking in (".........", False), ("....X....", True):
        state = equipped("@...0...>", *3 * [".XXXXXXX."], row, kind=SLEEPER, mood=Mood.ASLEEP)
        state = replace(state, seen=state.terrain)
        assert solver.may_wake(state, solver.route(state, Cell(1, 9))) == is_waking


@pytest.mark.parametrize(
    ("cell", "told"), [(Cell(1, 4), "take the gold, 2 moves away"), (Cell(3, 6), "explore; unseen: 20 gold")]
)
def test_the_hint_names_what_lies_here_before_the_stairs(cell: Cell, told: str) -> None:
    state = replace(equipped(">@....", "XXXXX.", "XXXXX."), things=((cell, "gold"),))
    assert words.hint(state, solver.plan(state), 0) == f"{told.capitalize()}."
    state = replace(equipped("@....00", kind=SLEEPER, mood=Mood.ASLEEP), things=((Cell(1, 5), "gold"),))
    assert words.hint(state, solver.plan(state), 0).endswith("4 moves away; if one wakes, let it come, then strike.")


@pytest.mark.parametrize("mood", [Mood.AWAKE, Mood.FLEEING])
@pytest.mark.parametrize(("row", "deadly"), [("..0.@.........", {Action.LEFT}), ("..0..@........", set())])
def test_a_lookout_runs_which_stops_no_exploring_and_no_hint_steps_to_a_death_that_the_analysis_shows(
    row: str, deadly: set[Action], mood: Mood, view: DelveView
) -> None:
    state = equipped(row, kind=LOOKOUT, mood=mood, speed=12, hearts=1)
    state = replace(state, things=((Cell(1, 1), "gold"),))
    wanted, coming = solver.plan(state), words.coming(state, state.monsters[0])
    assert {move.action for move in view.feature(DelveAnalysis).moves(state) if move.losing} == deadly
    assert wanted.actions[0] not in deadly
    assert words.hint(state, wanted, 0).startswith(f"{coming[:-1]}: ")
    assert isinstance(explore(state), tuple)


def test_a_hint_says_that_there_is_time() -> None:
    state = equipped("@" + 12 * "." + "3")
    assert ": until then " in words.hint(state, solver.Plan("explore", (Action.RIGHT,), state.monsters[0]), 0)


def test_a_plan_has_an_action_beside_unseen_cells() -> None:
    state = replace(equipped("@...", "...."), things=((Cell(1, 4), "heart"),))
    assert solver.plan(replace(state, seen=state.seen.replace([2 * state.width + 1], [0]))).actions == (Action.STAY,)


@pytest.mark.parametrize(("kind", "gap", "is_explored"), [(LOOKOUT, 8, True), (None, 8, False), (None, 12, False)])
def test_one_does_not_explore_while_a_monster_in_sight_comes(kind: Kind | None, gap: int, is_explored: bool) -> None:
    state = equipped("@" + "." * gap + "0", "." * gap, kind=kind)
    state = replace(state, seen=state.seen.replace([2 * state.width + 1], [0]))
    assert isinstance(explore(state), tuple) == is_explored


async def test_stairs_elsewhere_are_shown_first_and_walked_to_by_the_same_key() -> None:
    async with delving("@..>X", "XXX.X", "0X<XX") as (pilot, screen):
        begun = state_on(screen)
        assert [key.help for key in screen.keys if key.id == "move.up-left"] == ["move diagonally up left"]
        for key in "greater_than_sign", "escape", "greater_than_sign":
            assert screen.signpost.is_on == (key == "escape")
            await pilot.press(key)
        way = screen.view.feature(features.Leads).way(begun, Action.DESCEND)
        assert ui.last_message(screen) == way.text
        assert ui.marks_of(way.layer, 5, 7).keys() == {(1, 2), (1, 3), (1, 4)}
        assert state_on(screen) is begun
        await pilot.press("greater_than_sign")
        await ui.wait_until(pilot, lambda: state_on(screen).player == (1, 4))
        await at_rest(pilot)
        await pilot.press("greater_than_sign")
        assert state_on(screen).depth == 2


@pytest.mark.parametrize(("row", "is_taken"), [("@>0", False), ("@>.0", True)])
async def test_a_journey_does_not_take_a_step_that_may_cost_a_heart(row: str, is_taken: bool) -> None:
    state = equipped(row)
    async with ui.opened("delve", state.level, state=state) as (pilot, screen):
        await pilot.press("greater_than_sign", "greater_than_sign")
        await at_rest(pilot)
        assert (state_on(screen).turns > 0) == is_taken
        refusal, _, _ = words.risk(state, Action.RIGHT).partition("\n")
        assert ui.last_message(screen).startswith(refusal)
        assert (refusal == "") == is_taken


def test_places_of_note_are_known_and_the_nearest_come_first(view: DelveView) -> None:
    state = state_of("@..>", "XXX.", ">XX.", "0XX.")
    assert view.guide.landmarks(state) == [(">", Cell(1, 4))]
    view.is_foggy = False
    assert view.guide.landmarks(state) == [(">", Cell(1, 4)), (">", Cell(3, 1)), ("w", Cell(4, 1))]


@pytest.mark.parametrize(("row", "move"), [("@0", "Strike east"), ("@", "Stay")])
async def test_a_hint_of_one_move_is_shown_and_then_hidden(row: str, move: str) -> None:
    async with delving(row) as (pilot, screen):
        for text in "This counts as help", "", move, "Hint hidden.":
            await pilot.press("slash")
            await at_rest(pilot)
            assert ui.last_message(screen).startswith(text)


# -- what cells, monsters and layers are


def test_danger_is_where_the_next_turn_is_the_last(view: DelveView, monkeypatch: pytest.MonkeyPatch) -> None:
    state = state_of("....", "@.>0", "....", speeds=(20,))
    afters = [rules.step(state, action)[0] for action in rules.legal_actions(state)]
    deadly = {tuple(after.player) for after in afters if after.status is Status.DIED}
    marks = ui.marks_of(view.danger_layer(state), state.height, state.width)
    assert marks.keys() == deadly == {(1, 2), (2, 2), (3, 2)}
    assert {glyph for glyph, _ in marks.values()} == {"×"}
    on_stairs, _ = rules.step(state_of("@>.", "XXX", "0XX"), Action.RIGHT)
    assert Action.DESCEND in rules.legal_actions(on_stairs)
    monkeypatch.setattr(series, "generate", pytest.fail)  # no dungeon is built behind the stairs
    assert not ui.marks_of(view.danger_layer(on_stairs), on_stairs.height, on_stairs.width)


# -- sizes and looks


@pytest.mark.parametrize(("row", "speed", "is_solid"), [("@0.", 10, True), ("@.0", 10, False), ("@.0", 20, True)])
def test_a_monster_that_can_hit_you_is_solid(row: str, speed: int, is_solid: bool, view: DelveView) -> None:
    state = equipped(row, speed=speed)
    assert (view.picture(state).row(1, 0, 4).tints[state.monsters[0].cell.col] == Tint.FOE) == is_solid


def test_a_crooked_files_warnings_are_notes(view: DelveView) -> None:
    level = read_level(LevelFile("crooked", build("S2019", rooms=[(2, 3, 4, 6), (10, 40, 5, 200), (14, 12, 3, 4)])))
    assert level.warnings
    told = [line.text for line in view.greeting(level)]
    assert told == [f"Note: {warning}" for warning in level.warnings]


async def test_hearts_stand_in_the_status_line_from_the_first_turn_and_fog_hides_how_far_it_goes() -> None:
    level = replace(generate(5), rules=HEARTS)
    async with ui.opened("delve", level, size=(80, 24)) as (pilot, screen):
        assert "♥♥♥" in "\n".join(ui.shown_lines(pilot.app))
        state, view = screen.session.state, screen.view
        assert isinstance(view, DelveView)
        in_fog = view.distances(state, WALKING, False).farthest
        view.is_foggy = False
        assert in_fog < view.distances(state, WALKING, False).farthest


async def test_the_analysis_of_a_first_turn_says_that_it_counts_the_worst_case() -> None:
    async with ui.opened("delve", replace(generate(5), rules=HEARTS), size=(80, 24)) as (pilot, screen):
        await pilot.press("A", "A")
        await ui.wait_until(pilot, lambda: len(screen.session.line.judgements) == 1)
        await ui.wait_until(pilot, lambda: "3 hearts left" in "\n".join(ui.shown_lines(pilot.app)))
        assert screen.board.analysis.name.endswith("at worst")


@pytest.mark.parametrize(("size", "legend"), [((80, 24), "★: best, 1: 1 heart"), ((200, 60), "★: best, +1: 1 heart")])
async def test_the_legend_of_the_analysis_shows_the_marks_as_they_are_drawn(size: tuple[int, int], legend: str) -> None:
    state = equipped("@0" + 60 * ".")
    async with ui.opened("delve", state.level, state=state, size=size) as (pilot, screen):
        await pilot.press("A", "A")
        await ui.wait_until(pilot, lambda: screen.board.legend.startswith(legend))
