"""Submissions that try to get at the answers, or out of their cage."""

import csv
import io
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from dungeon_tui.judge import cage
from dungeon_tui.judge.cage import has_bubblewrap
from dungeon_tui.judge.executor import prepared, submissions
from dungeon_tui.judge.program import Limits, run_program
from tests.judge.test_roster import GOOD, file_at
from tests.processes import PATIENCE, ROOT, call, environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no limits to hold a program in")
needs_bubblewrap = pytest.mark.skipif(
    sys.platform != "linux" or not has_bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)
SEARCHES = """
import os, sys
seen = [open(f"/proc/{process}/cmdline").read() for process in os.listdir("/proc") if process.isdigit()]
seen += map(str, os.environ.items())
for top in ("/tmp", sys.argv[1]):
    for folder, _, files in os.walk(top):
        seen.append(folder)
        for name in files:
            seen.append(name)
            try:
                seen.append(open(os.path.join(folder, name), errors="replace").read(10**6))
            except OSError:
                pass
words = "k" + "eyword", "v" + "erdicts.jsonl"
found = [word for word in words if any(word in text for text in seen)]
print("found", found, file=sys.stderr)
print(1)
sys.exit(bool(found))
"""


@needs_bubblewrap
@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_a_program_that_looks_for_hidden_inputs_verdicts_and_others_work_finds_none(jobs: str, tmp_path: Path) -> None:
    folder = tmp_path / "roster"
    file_at(folder / "anna.py", f"# keyword\n{GOOD}")
    file_at(folder / "spy.py", SEARCHES.replace("sys.argv[1]", repr(str(tmp_path))))
    (tmp_path / "secretive").mkdir()
    (tmp_path / "secretive" / "keyword.txt").write_text("7")
    lone = tmp_path / "alone.py"
    file_at(lone, SEARCHES)
    arguments = "--inputs", "one-power-up", "--random", "0", "--hidden", str(tmp_path / "secretive"), "--jobs", jobs
    pages = "--html", str(tmp_path / "pages"), "--csv", "-"
    command = shlex.join(["python3", str(lone), str(tmp_path)])
    done = call("rescue", "judge", str(folder), command, *arguments, *pages)
    assert done.returncode == 0, done.stderr
    assert [row["right"] for row in csv.DictReader(io.StringIO(done.stdout.decode()))] == ["2", "2", "2"]


def test_without_bubblewrap_a_report_says_what_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cage, "has_bubblewrap", lambda: False)
    file_at(tmp_path / "anna.py")
    done = call("rescue", "judge", str(tmp_path / "anna.py"), "--inputs", "one-power-up", "--html", str(tmp_path / "p"))
    assert cage.UNPROTECTED in done.stderr.decode()
    assert cage.UNPROTECTED in (tmp_path / "p" / "index.html").read_text("utf-8")


CHEATS = {
    "import.py": "from dungeon_tui.engine import minimum_health\nprint(1)",
    "run": "#!/bin/sh\nexec dungeon-tui rescue solve - --json\n",
    "module.py": "import os\nos.execvp('python3', ['python3', '-m', 'dungeon_tui', 'rescue', 'solve', '-', '--json'])",
    "path.py": "import sys\nsys.path += [{root!r}]\nfrom dungeon_tui.engine import minimum_health\nprint(1)",
}


@pytest.fixture(params=["venv", "pipx", "user"])
def installed(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """The installed command, as different tools install it, and the environment to run it in."""
    home, base = tmp_path / "home", cage.base_python()
    prefix = {"venv": tmp_path / "env", "pipx": home / ".local/share/pipx/venvs/dungeon-tui"}.get(request.param)
    scripts, python = home / ".local/bin", Path(base)
    scripts.mkdir(parents=True)
    packages = home / ".local/lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    if prefix is not None:
        venv.create(prefix, symlinks=True)
        python, packages = prefix / "bin/python", prefix / packages.relative_to(home / ".local")
    packages.mkdir(parents=True, exist_ok=True)
    paths = [path for path in sys.path if path.endswith("-packages")]
    (packages / "ours.pth").write_text("\n".join([str(ROOT), *paths]))
    command = (scripts if request.param == "user" else python.parent) / "dungeon-tui"
    command.write_text(f"#!{python}\nfrom dungeon_tui.__main__ import main\nmain()\n")
    command.chmod(0o755)
    if request.param == "pipx":
        (scripts / "dungeon-tui").symlink_to(command)
        command = scripts / "dungeon-tui"
    ours = os.path.dirname(sys.executable)
    path = [path for path in os.environ["PATH"].split(os.pathsep) if path != ours]
    search = os.pathsep.join([str(command.parent), str(Path(base).parent), *path])
    return command, {**environment(HOME=str(home), PATH=search), "PYTHONPATH": ""}


@pytest.mark.slow
@pytest.mark.parametrize("is_caged", [False, pytest.param(True, marks=needs_bubblewrap)], ids=["bare", "bubblewrap"])
def test_nobody_hands_in_our_solver(installed: tuple[Path, dict[str, str]], is_caged: bool, tmp_path: Path) -> None:
    command, variables = installed
    for name, code in CHEATS.items():
        if is_caged or name != "path.py":  # without a cage a program finds what it can name
            file_at(tmp_path / "roster" / name / name, code.format(root=str(ROOT)))
            (tmp_path / "roster" / name / name).chmod(0o755)
    if not is_caged:
        (tmp_path / "bwrap").write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / "bwrap").chmod(0o755)
        variables["PATH"] = f"{tmp_path}{os.pathsep}{variables['PATH']}"
    words = [command, "rescue", "judge", tmp_path / "roster", "--inputs", "one-power-up", "--json"]
    done = subprocess.run(words, env=variables, capture_output=True, cwd=tmp_path, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["cage"].startswith("bubblewrap") is is_caged
    assert {Path(each["program"]).name: each["loads"] for each in found["programs"]} == dict.fromkeys(
        sorted(path.name for path in (tmp_path / "roster").iterdir()), False
    )


OWN = """
import numpy
from dungeon_tui.games.chase.model.rules import neighbours
def go(state):
    return state.site
def solve(state):
    from dungeon_tui.games.chase.ai import solver
def compute(state):
    import dungeon_tui.engine
"""


@needs_bubblewrap
def test_a_function_sees_the_rules_but_no_solver(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    functions = [f"{tmp_path / 'own.py'}:{name}" for name in ("go", "solve", "compute")]
    done = call("chase", "judge", *functions, "--inputs", "twigs", "--side", "rogue", "--json")
    honest, *cheats = json.loads(done.stdout)["programs"]
    assert (honest["loads"], [each["loads"] for each in cheats]) == (True, [False, False])
    assert all("Error" in each["reason"] for each in cheats)


@pytest.mark.parametrize("is_caged", [False, pytest.param(True, marks=needs_bubblewrap)], ids=["bare", "bubblewrap"])
def test_links_lead_to_nobody_elses_work(is_caged: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_caged:
        monkeypatch.setattr(cage, "has_bubblewrap", lambda: False)
    for name in ("roster", "mine"):
        file_at(tmp_path / name / "anna" / "run", f"#!/usr/bin/env python3\n{GOOD}")
        (tmp_path / name / "anna" / "run").chmod(0o755)
    for number, target in enumerate((tmp_path / "mine/anna/run", tmp_path / "roster/anna/run", Path("../anna/run"))):
        (tmp_path / "roster" / f"{number}").mkdir()
        (tmp_path / "roster" / f"{number}" / "run").symlink_to(target)
    done = call("rescue", "judge", str(tmp_path / "roster"), "--inputs", "one-power-up", "--csv", "-")
    assert [row["right"] for row in csv.DictReader(io.StringIO(done.stdout.decode()))] == ["0", "0", "0", "1"]


LOOKS = """class Main {
    public static void main(String[] words) {
        System.out.println(new java.io.File("%s").exists());
    }
}"""


@needs_bubblewrap
@pytest.mark.skipif(shutil.which("java") is None, reason="java is not installed")
def test_a_java_submission_does_not_see_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file_at(tmp_path / "solution.txt")
    file_at(tmp_path / "anna" / "Main.java", LOOKS % (tmp_path / "solution.txt"))
    monkeypatch.chdir(tmp_path)
    [submission] = submissions(["anna"])
    with prepared(submission) as (command, _):
        assert run_program(command, "", Limits()).output == "false\n"


WAYS_OUT = """
import ctypes, os, socket, sys
if not os.fork():
    os.setsid()
    while True: pass
print([name for name in os.listdir("/proc/self/fd") if int(name) > 3])
for process in filter(str.isdigit, os.listdir("/proc")):
    if int(process) != 1 and os.getppid() != 1 and ctypes.CDLL(None).ptrace(16, int(process), 0, 0) == 0:
        print("traced", process)
for folder in ("/", "/dev", "/etc", "/proc", "/run", "/tmp", "/usr", "/var/tmp", *sys.argv[1:]):
    try:
        open(os.path.join(folder, "mine"), "w")
        print("written", folder)
    except OSError:
        pass
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1)
    print("connected")
except OSError:
    pass
"""


@needs_bubblewrap
def test_a_caged_program_reaches_nothing_outside(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        answer = run_program(["python3", "-c", WAYS_OUT, port, str(tmp_path), str(ROOT)], "", Limits())
    assert (answer.output, answer.fault) == ("[]\n", None)
