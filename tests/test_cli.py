"""The command line: help, usage, terminals that are none, pipes that close, and one real terminal."""

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any, NoReturn

import pytest

from dungeon_tui import __version__
from dungeon_tui.cli import main, play
from dungeon_tui.core.catalogue import find_games
from tests.games.chase.conftest import OWN
from tests.games.delve.crooked import build
from tests.processes import PATIENCE, call, command, environment
from tests.terminal import Terminal
from tests.ui.driving import write_dungeon

GAMES = [game.name for game in find_games()]


def test_the_version() -> None:
    done = call("--version")
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, f"dungeon-tui {__version__}\n", b"")


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("crawler play tutorial", "The first lesson"),
        ("crawler play tutorial --ascii", "The first lesson"),
        ("--ascii crawler play tutorial", "The first lesson"),
        ("chase play open-room --rogue perfect", "Open room"),
        ("rescue play classic", "Classic"),
        ("expedition play ruins --start chapel", "Ruins"),
        ("delve play --seed 285 --monsters 1 --rows 17 --cols 40 --depths 2", "A short dungeon"),
        ("crawler play {0}/made", "made"),
        ("chase play {0}/board.txt", "board"),
        ("expedition play {0}/rooms.txt", "rooms"),
        ("delve play {0}/cave.rlg327", "cave"),
    ],
)
def test_what_is_opened_from_the_shell_has_the_title_of_its_level_and_its_glyphs(
    line: str, title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Any] = []

    def note(_game: Any, opening: Any, *rest: Any, **_options: Any) -> NoReturn:
        opened.append((opening.title, rest[-1]))
        raise SystemExit

    monkeypatch.setattr(play, "open_app", note)
    monkeypatch.setattr(play, "has_screen", lambda: True)
    write_dungeon(tmp_path, ("-o-",))
    call(*(word.format(tmp_path) for word in line.split()))
    assert opened == [(title, "--ascii" in line)]


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_the_help_names_every_command(option: str) -> None:
    done = call(option)
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert text.startswith("Usage: dungeon-tui ")
    for name in (*GAMES, "recording", "GAME judge", "GAME break", "kit"):
        assert f"\n  {name} " in text
    sections = ("Play", "Share", "Judge", "Settings")
    assert re.findall(r"^(\w+):$", text, re.MULTILINE) == ["Options", *sections]  # none is left over


@pytest.mark.parametrize("group", ["", *GAMES, *(f"{game} play" for game in GAMES), "recording", "library"])
def test_help_is_whole(group: str) -> None:
    done = call(*group.split(), "--help")
    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert not any(line.endswith("...") or len(line) > 80 for line in text.splitlines()[1:])
    wanted = ("--plain", "--record FILE", "--ascii") if group.endswith("play") else ("\n  play ",) * (group in GAMES)
    assert all(each in text for each in wanted)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("chase judge", "--moves N Monster moves of a chase: 1 to 10,000; default: 300."),
        ("crawler judge", "--random N Random inputs to add: 0 or more; default: 20 without --inputs."),
        ("delve show", "--weights [ranges|div85|div60] What rock costs a tunneller; default: ranges."),
        ("crawler play", "--difficulty [easy|normal|hard] Difficulty of a new level; default: normal."),
        ("rescue break", "Usage: dungeon-tui rescue break [OPTIONS] PROGRAM "),
    ],
)
def test_bounds_and_defaults_are_in_one_style(line: str, said: str) -> None:
    assert said in " ".join(call(*line.split(), "--help").stdout.decode().split())


@pytest.mark.parametrize("options", [("--library", "{}"), ("--library={}",), ("--library", "{}", "--ascii")])
def test_options_before_a_games_name_hide_no_command(options: tuple[str, ...], tmp_path: Path) -> None:
    done = call(*(option.format(tmp_path / "chase") for option in options), "delve", "inspect", "--help")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Usage: dungeon-tui delve inspect ")


@pytest.mark.parametrize(
    ("option", "arguments"),
    [
        ("--output", ("crawler", "generate")),
        ("--output", ("chase", "generate")),
        ("--output", ("rescue", "generate")),
        ("--output", ("expedition", "generate")),
        ("--output", ("delve", "generate")),
        ("--output", ("delve", "rooms")),
        ("--csv", ("rescue", "compare")),
        ("--record", ("chase", "run")),
        ("--record", ("crawler", "play")),
    ],
)
def test_only_files_of_their_kind_are_replaced(option: str, arguments: tuple[str, ...], tmp_path: Path) -> None:
    help_text = " ".join(call(*arguments, "--help").stdout.decode().split())
    assert "replaces a file of its kind" in help_text
    assert " --force " in help_text
    diary = tmp_path / "diary.md"
    diary.write_text("Dear diary,")
    done = call(*arguments, option, str(diary), *(["x"] if arguments[0] in ("recording", "chase") else []))
    assert (done.returncode, done.stdout) in ((1, b""), (2, b""))
    assert diary.read_text() == "Dear diary,"


@pytest.mark.parametrize(("words", "game"), [((), None), (("crawler",), "crawler")])
def test_the_menu_or_the_levels_of_a_game_need_a_terminal(
    words: tuple[str, ...], game: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = call(*words)
    assert done.returncode == 2
    assert done.stdout.decode().startswith(" ".join(("Usage: dungeon-tui", *words)))
    assert done.stderr == b""
    opened: list[Any] = []
    monkeypatch.setattr(main, "has_screen", lambda: True)
    monkeypatch.setattr(main, "open_app", lambda *game, **_options: opened.extend(game or [None]))
    call(*words)
    assert [each and each.name for each in opened] == [game]


WRONG = """
chess => chess | --chess => --chess | crawler dance => dance | crawler play --chess => --chess
crawler play tutorial 0 => LEVELS | crawler play tutorial two => LEVELS | crawler play tutorial 1 2 => (2)
crawler play --max-cells 0 tutorial => --max-cells | crawler play --record => --record
recording => Usage: | recording verify => FILE
crawler generate --rows 4 => '--rows': 4 | crawler generate --cols 0 => 5 to 60 | crawler generate --rows 61 => 5 to 60
crawler generate --difficulty brutal => brutal | crawler generate --amulet two => two
crawler generate --date 21.11.2026 => YEAR-MONTH-DAY | crawler generate --daily --seed 3 => --seed
crawler generate --daily => --output PREFIX | crawler generate --output '' => empty | crawler solve '' => empty
crawler solve easy --max-doublings 100 => 0<=x<=99 | crawler check easy1.txt '' => empty | crawler check => Usage:
crawler par '' => empty | crawler play '' => empty | crawler play easy --daily => DUNGEON
crawler generate --date 2026-02-30 => YEAR-MONTH-DAY | crawler generate --date 1999-12-31 => 2000-01-01
crawler play --seed 3 --date 2026-11-21 => --seed | crawler play easy --rows 9 => --rows and DUNGEON
chase play open-room --daily => BOARD | chase play --daily --seed 3 => --seed | delve play --daily --seed 3
rescue play classic --daily | expedition play grid --daily => MAP | expedition play --seed 3 --end a1 => MAP
expedition play grid --rooms 5 => --rooms and MAP | expedition play --daily --fog => --fog and --daily
crawler check x --timeout 3 => --solve | crawler check x --max-doublings 3 => --solve
crawler check x --timeout 3 --max-doublings 3 => --max-doublings and --timeout
crawler check x --solve --max-doublings 100 => 0<=x<=99 | crawler check - - => standard input
crawler check x --solve --timeout nan => nan | crawler check x --solve --timeout -1 => -1
chase run open-room --moves 250001 => <=250000
chase run | chase run open-room --plain --json | chase run open-room --moves 0 | chase run open-room --seed x
chase run open-room --time-limit 0 | chase run open-room --time-limit nan | chase tournament open-room --time-limit nan
chase run open-room --record - | chase solve | chase solve open-room extra | chase tournament --monster ,
chase tournament --jobs 0 | chase play open-room extra | chase generate --size many
chase hunt | delve show --at here | delve show --at 1,2,3 | delve show --weights none | delve show --alphabet runes
delve show x --load-home | delve inspect | delve inspect x --load-home | delve convert x | delve convert --output x
delve convert x --output x --save-home | delve generate --seed 1 | delve distances | delve play --monsters 0
delve play --seed x | delve dig | expedition solve | expedition solve grid --coverage 101
expedition solve grid --coverage -1 | expedition solve grid --coverage all | expedition solve grid --coverage nan
expedition solve grid --coverage 1e1 | expedition solve grid --timeout -1 | expedition solve grid --timeout nan
expedition solve grid --return --end a1 | expedition curve grid --return --end a1
expedition play --plain grid --return --end a1 => --return and --end | expedition generate --rooms 257 => 1 to 256
expedition generate --degree 9 => 0 to 4 | chase generate --size 0 => 5 to 4,096 | delve show --rows 501 => 5 to 500
rescue solve | rescue solve classic --grid classic | rescue solve classic --rows 2 --cols 2
rescue solve classic --seed 2 | rescue solve --rows 0 --cols 2
rescue solve --rows 2 --cols 2 --low 5 --high 4 | rescue solve --rows 2 --cols 2 --low 2000
rescue solve classic --algorithm fastest | rescue solve classic --keep-all
rescue solve --rows 2 --cols 2 --generator dice | rescue play classic --puzzle purchase
rescue play --puzzle purchase --generator report | rescue play --puzzle purchase --low 1 | rescue play --puzzle sudoku
rescue play classic extra | rescue generate --low 5 --high 4 | rescue generate --seed x
rescue compare --sizes 4,x | rescue compare --sizes 0 | rescue compare --sizes "" | rescue compare --sizes 100000
rescue compare --algorithms tabulated, | rescue compare --algorithms fastest | rescue compare --limit 0
rescue compare --low 5 --high 4 | rescue compare --json --csv - | rescue save
daily chess | daily --date 1999-12-31 | daily --date 2026-02-30 | open | delve generate --seed 1 --output -
crawler play --recording x tutorial => a level | crawler play --recording x --seed 9 => a level
"""  # some with a name that is told


@pytest.mark.parametrize("line", re.split(r" [|] |\n", WRONG.strip()))
def test_wrong_usage(line: str) -> None:
    typed, _, named = line.partition(" => ")
    done = call(*shlex.split(typed))
    assert (done.returncode, done.stdout) == (2, b"")
    text = done.stderr.decode()
    assert named in " ".join(text.split())
    assert text.startswith(("Usage: dungeon-tui", "Error: "))


FILES = {"board.txt": b"2\n.@\nM\n", "grid.txt": b"1 2\n3 x\n", "huge.txt": 2 * b"-9223372036854775808 ",
         "level.txt": b"1 3\n0 0\n--x\n", "own.py": OWN.encode(), "dungeon": build("S2019")}  # fmt: skip
REFUSED = """
crawler play /no/such/place --plain | crawler play x\x1b[31m --plain | crawler check /no/such/place
crawler play tutorial --plain --record /no/such/place/x | crawler play tutorial --plain --record .
crawler play tutorial --plain --record - => needs a file | crawler play nowhere --plain --record new
recording verify /no/such/place | recording verify . | recording verify board.txt
crawler edit level.txt => level.txt:3:3: | crawler edit - => <stdin>:1:1: | crawler edit no/x.txt => no/x.txt:
crawler generate --output /nowhere/x.txt => /nowhere/x.txt | chase run nowhere => nowhere:1:1:
chase run board.txt => board.txt:2:2: | chase solve board.txt --json => board.txt:2:2: | chase play x --plain => x:1:1:
chase play board.txt --plain => board.txt:2:2: | chase tournament board.txt => board.txt:2:2:
chase run open-room --monster flee => monster 'flee' | chase run open-room --rogue you => rogue 'you'
chase play open-room --rogue bfs => rogue 'bfs' | chase play open-room --monster no.py:such => no.py:
chase tournament --monster bfs,x\x1b => monster 'x\\x1b' | chase tournament --rogue own.py:missing => 'missing'
chase run open-room --record no/such/place => no/such/place:
chase generate --seed 1 --output no/such/place => no/such/place: | rescue solve nowhere => nowhere:1:1:
rescue solve --grid grid.txt --json => grid.txt:2:3: 'x' | rescue play grid.txt --plain => grid.txt:2:3: 'x'
rescue play nowhere --plain => nowhere:1:1: | rescue play --rows 100000 --cols 100000 --plain => 40.0 GB
rescue solve --rows 15 --cols 15 --algorithm recursive => 155,117,519 | rescue compare --seed -1 => -1
rescue compare --csv . => .:
rescue generate --puzzle purchase --seed 1 --rows 1 --cols 5 => 1 x 5 | rescue solve huge.txt => 18446744073709551617
rescue generate --seed 1 --output no/such/place => no/such/place | delve show dungeon --at 21,5 => 21,5
delve show dungeon --at -1,5 => -1,5 | delve distances dungeon --at 0,0 => hardness 255
delve convert dungeon --at 1,1 --output x => hardness 11 | delve show nowhere => nowhere:1:1:
delve inspect nowhere --json => nowhere:1:1: | delve distances no\x0bwhere => :1:1:
delve show --seed 1 --rows 7 --cols 9 => seed 1:1:1: 7 x 9
delve generate --seed 1 --output no-folder/x => no-folder/x: | delve play nowhere --plain => nowhere:1:1:
expedition generate --seed 1 --output no/where => no/where: | expedition solve ring --start z => "z"
expedition solve ring --end z => "z" | expedition solve nowhere => nowhere:1:1:
"""  # most with what is named, a place or a number, before anything is printed


@pytest.mark.parametrize("line", re.split(r" [|] |\n", REFUSED.strip()))
def test_bad_input_is_one_line_on_standard_error(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_bytes(text)
    typed, _, named = line.partition(" => ")
    done = call(*shlex.split(typed))
    assert done.returncode == 1
    (told,) = done.stderr.decode().splitlines()
    assert told.isprintable()
    assert named in told
    assert not named or done.stdout == b""
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == FILES


@pytest.mark.parametrize(
    "line",
    ["crawler generate --rows 5 --cols 5", "chase generate", "rescue generate", "expedition generate"],
)
def test_a_seed_by_chance_is_reported_and_its_level_is_printed_or_written(line: str, tmp_path: Path) -> None:
    done, path = call(*line.split()), tmp_path / "made"
    seed = done.stderr.decode().splitlines()[0].rpartition("--seed ")[2].strip().rstrip(".")
    again = (*line.split(), "--seed", seed)
    assert call(*again).stdout == call(*again, "--output", "-").stdout == done.stdout
    assert call(*again, "--output", str(path)).stdout == b""
    assert path.read_bytes() == done.stdout


def test_without_a_terminal_play_is_plain_and_says_so(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ("o-",))
    by_itself = call("crawler", "play", name, given=b"dq")
    asked = call("crawler", "play", name, "--plain", given=b"dq")
    assert by_itself.stdout == asked.stdout
    assert (by_itself.returncode, asked.returncode) == (0, 0)
    assert (b"(--plain)" in by_itself.stderr, by_itself.stderr.count(b"\n")) == (True, 1)
    assert asked.stderr == b""


@pytest.mark.parametrize(
    ("closed", "line", "status"), [(0, "", 2), *((n, "crawler play tutorial", 0) for n in range(3))]
)
def test_streams_that_are_closed(closed: int, line: str, status: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}>&-', "sh", *command(*line.split())],
        stdin=subprocess.DEVNULL, capture_output=True, env=environment(), timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == status, done
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [("--help",), ("crawler", "play", "tutorial", "--plain")])
def test_whoever_stops_listening_hears_no_complaint(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            command(*arguments), stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE, env=environment()
        )
    finally:
        os.close(writer)
    assert b"Traceback" not in done.stderr
    assert b"BrokenPipe" not in done.stderr
    assert done.stderr.count(b"\n") <= 1


# -- a real terminal


def test_a_game_in_a_real_terminal(tmp_path: Path) -> None:
    path = tmp_path / "played.jsonl"
    terminal = Terminal("crawler", "play", "tutorial", "--record", str(path))
    terminal.wait_for("Reach the door")
    terminal.press("d")
    terminal.wait_for("1 move")
    terminal.press("\x1b[B")  # the arrow that points down
    terminal.wait_for("2 moves")
    terminal.press("[[")
    terminal.wait_for("The start of level 1.")
    terminal.press("q")  # nothing is lost: it is recorded, with what one has looked back over
    assert b"dungeon-tui continue" in terminal.assert_given_back(0)
    done = call("recording", "verify", str(path))
    assert done.stdout.decode() == "ok: 2 turns, unfinished\n"


def test_a_broken_level_in_a_real_terminal(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ("o-",))
    (tmp_path / "made1.txt").write_text("1 1\n0 0\nx\n")
    terminal = Terminal("crawler", "play", name)
    rest = terminal.assert_given_back(1)
    assert f"{name}1.txt:3:1: ".encode() in rest
    assert rest.rindex(b"\x1b[?1049l") < rest.index(b"1.txt:3:1: ")  # said where it stays to be read


def test_a_dumb_terminal_is_played_in_plain_text() -> None:
    terminal = Terminal("crawler", "play", "tutorial", TERM="dumb")
    terminal.wait_for("quit): ")
    terminal.press("q\n")
    rest = terminal.end()
    assert terminal.process.returncode == 0
    assert b"(--plain)" in rest
    assert b"Thank you for playing!" in rest
    assert b"\x1b" not in rest
