"""The kits as a student meets them: written out, compiled, played; and the adapter beside classes of an assignment."""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dungeon_tui.games.chase.ai.dialogue import Dialogue
from dungeon_tui.games.chase.ai.solver import path_lengths
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Side, State
from dungeon_tui.judge.program import ProgramError
from tests.games.chase.boards import after, board
from tests.processes import PATIENCE, json_of, printed, refused

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no limits to hold a program in")
SUBMISSIONS = Path(__file__).parent / "princeton"
SMALL = rules.start(board("M... ", ".....", "+   .", "+   +", "...@."))


def needs(*programs: str) -> None:
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


def compiled(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr.replace("\n", "")) == (0, ""), done.stderr


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """Writes a kit out into the present folder, compiles it, and returns its command."""
    monkeypatch.chdir(tmp_path)
    match request.param:
        case "python":
            command = shlex.join([sys.executable, "kit/bridge.py"])
        case "javascript":
            needs("node")
            command = "node kit/bridge.js"
        case "java":
            needs("java", "javac")
            command = "java -cp build Bridge"
        case _:
            needs("g++")
            command = "./player"
    printed("kit", request.param, "kit")
    if request.param == "java":
        compiled("javac", "-d", "build", "kit/Bridge.java", "kit/Strategy.java")
    if request.param == "c++":
        compiled("g++", "-std=c++17", "-Wall", "kit/strategy.cpp", "-o", "player")
    return command


@pytest.mark.parametrize(
    "kit", ["python", pytest.param("java", marks=pytest.mark.slow), "c++", "javascript"], indirect=True
)
def test_a_kit_plays_both_sides_and_tells_what_it_believes(kit: str) -> None:
    for sides in (("--rogue", kit), ("--monster", kit, "--rogue", "flee")):
        values = json_of("chase", "run", "figure-eight", *sides, "--moves", "100")
        assert values["outcome"] in ("captured", "evaded")  # every move was legal
    with Dialogue(kit) as dialogue:
        site, plan = dialogue.ask(after(SMALL, SMALL.site), PATIENCE)
        assert rules.is_legal_move(SMALL.level, SMALL.rogue, site)
        assert SMALL.rogue in plan.sites


def test_no_file_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed("kit", "Python")
    written = tmp_path / "chase-python" / "strategy.py"
    written.write_text("mine")
    (tmp_path / "chase-python" / "README.md").unlink()
    assert refused("kit", "python").endswith(" exists and is not overwritten; name another folder\n")
    assert written.read_text() == "mine"
    assert not (tmp_path / "chase-python" / "README.md").exists()
    assert "python, java, c++, javascript" in refused("kit", "cobol", status=2)


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("java", "javac")
    folder = tmp_path_factory.mktemp("kit")
    shutil.copytree(Path(__file__).parents[2] / "dungeon_tui" / "kits" / "java", folder / "kit")
    return folder / "kit"


def played(adapter: Path, *sources: Path) -> str:
    """The command of a submission, compiled beside the adapter, with the kit's own classes for those that it lacks."""
    build = adapter.parent / sources[0].stem
    compiled("javac", "-d", build, "-sourcepath", adapter / "princeton", adapter / "PrincetonAdapter.java", *sources)
    return shlex.join(["java", "-cp", str(build), "PrincetonAdapter"])


@pytest.mark.slow
def test_a_submission_plays_unchanged(adapter: Path) -> None:
    own = played(adapter, SUBMISSIONS / "original.java")
    for sides in (("--rogue", own), ("--monster", own)):
        theirs = json_of("chase", "run", "three-short-ways", *sides, "--moves", "200")
        assert theirs["outcome"] in ("captured", "evaded")
    with Dialogue(own) as dialogue:  # positions in any order, each by what Game's fields hold now
        for state in (SMALL, after(SMALL, (1, 1)), after(SMALL, (1, 1), (4, 2)), SMALL):
            site, _ = dialogue.ask(state, PATIENCE)
            is_hunt = state.side is Side.MONSTER
            steps = path_lengths(state.level, state.rogue if is_hunt else state.monster)
            choices = [steps(to) for to in rules.neighbours(state.level, state.site)]
            assert steps(site) == (min if is_hunt else max)(choices)


@pytest.mark.slow
def test_a_game_that_ends_the_program_is_replaced_by_the_courses_and_the_report_says_so(adapter: Path) -> None:
    own = played(adapter, SUBMISSIONS / "leaves.java")
    with Dialogue(own) as dialogue:
        assert dialogue.ask(SMALL, PATIENCE)[0] == (1, 0)
        assert dialogue.ask(after(SMALL, (1, 0)), PATIENCE)[0] == SMALL.rogue
        with pytest.raises(ProgramError, match=r"said: it calls System\.exit"):
            dialogue.ask(after(SMALL, (1, 0), (4, 2), (2, 0), (4, 2), (3, 0)), PATIENCE)
        assert dialogue.ask(SMALL, PATIENCE)[0] == (1, 0)
    (verdict,) = json_of("chase", "judge", own, "--inputs", "single-loop", "twigs", "--moves", "30")["programs"]
    assert verdict["loads"]
    assert all("the course's Game is used" in chase["note"] for chase in verdict["chases"])


@pytest.mark.slow
def test_two_players_alone_get_the_rest_from_the_kit(adapter: Path) -> None:
    body = (
        "class {0} {{ Game game; {0}(Game game) {{ this.game = game; }} Site move() {{ return game.get{0}Site(); }} }}"
    )
    source = adapter.parent / "pair.java"
    source.write_text("\n".join(body.format(name) for name in ("Monster", "Rogue")))
    with Dialogue(played(adapter, source)) as dialogue:
        for state in (SMALL, after(SMALL, (1, 1))):
            assert dialogue.ask(state, PATIENCE)[0] == state.site


OTHER = rules.start(board("M.", ".@"))
ADAPTED: dict[str, list[tuple[State, tuple[int, int] | str]]] = {  # positions, and a move or what is said instead
    "renamed": [  # names, constructors and packages may differ, and exceptions are told
        (SMALL, (1, 0)), (after(SMALL, (1, 0)), r"java\.lang\.\w*IndexOutOfBounds"),
        (after(SMALL, (1, 0), (4, 3)), (2, 0)),
    ],
    "window": [  # a game that wants a screen is filled in, and each board begins anew
        (SMALL, (1, 0)), (after(SMALL, (1, 0)), SMALL.rogue), (after(OTHER, (1, 0)), OTHER.rogue),
    ],
    "relatives": [  # classes may have the names of Java's own; players are those that Game holds
        (SMALL, (1, 0)), (after(SMALL, (0, 1)), SMALL.rogue),
        (after(SMALL, (1, 0)), r".*NullPointerException: nowhere to go at Reader\.read"),
    ],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", ADAPTED)
def test_submissions_of_many_kinds_play(name: str, adapter: Path) -> None:
    with Dialogue(played(adapter, SUBMISSIONS / f"{name}.java")) as dialogue:
        for state, answer in ADAPTED[name]:
            if isinstance(answer, str):
                with pytest.raises(ProgramError, match=f"said: {answer}"):
                    dialogue.ask(state, PATIENCE)
            else:
                assert dialogue.ask(state, PATIENCE)[0] == answer
