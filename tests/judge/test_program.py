"""Whatever a program does, it ends in an answer or a clause, and nothing of it is left running."""

import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from dungeon_tui.judge import cage
from dungeon_tui.judge import program as programs
from dungeon_tui.judge.cage import CageError, has_bubblewrap
from dungeon_tui.judge.program import MARK, Limits, Program, ProgramError, command_words, run_program
from tests.processes import PATIENCE, assert_ended, call, environment, marked, read_until, refused

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no limits to hold a program in")
PATIENT = Limits(seconds=PATIENCE)


@pytest.fixture(params=["bare", pytest.param("bubblewrap", marks=pytest.mark.slow)])
def caged(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Runs a test in each cage, and looks for what is left of the programs afterwards."""
    if request.param == "bare":
        monkeypatch.setattr(cage, "has_bubblewrap", lambda: False)
    elif not has_bubblewrap():
        pytest.skip("bubblewrap is not installed, or may not make namespaces")
    mark = f"{os.getpid()}-{request.node.name}"
    monkeypatch.setenv("LC_TEST", mark)
    yield request.param
    for process in marked(mark):
        assert_ended(process)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", f"import os, signal, subprocess, sys, time\n{dedent(code)}"]


def test_a_program_is_run_from_input_to_output(caged: str) -> None:
    code = "text = sys.stdin.read(); print(text.upper() + 'é'); print('noted', file=sys.stderr)"
    answer = run_program(python(code), "über\n" * 50_000, PATIENT)
    assert (answer.output, answer.error, answer.fault) == ("ÜBER\n" * 50_000 + "é\n", "noted\n", None)
    assert answer.status == 0 < answer.seconds < PATIENCE


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("sys.exit(3)", "ended with status 3"),
        ("print(1); os._exit(256 + 7)", "ended with status 7"),
        ("sys.exit('bwrap: Creating new namespace failed')", "ended with status 1"),  # which is no fault of its cage
        ("sys.exit('bwrap: execvp x: No such file')", "ended with status 1"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "was ended by a signal: Segmentation fault"),
        ("time.sleep(1000)", "took longer than 0.3 s"),
        ("os.close(1); time.sleep(1000)", "took longer than 0.3 s"),
        ("while True: os.write(1, b'x' * 65536)", "printed more than 1 MB"),
        ("while True: os.write(2, b'x' * 65536)", "printed more than 1 MB"),
        ("while True: pass", "took more than 1 s of processor time"),
        ("kept = [b'x' * 2**28 for _ in range(9)]; time.sleep(1000)", "took more than 256 MB of memory"),
        ("signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\nopen('big', 'wb').truncate(2**31)",
         "wrote a file of more than 1 MB"),
        ("while True: open('big', 'ab').write(b'x' * 2**16)", "ended with status 1"),
        ("while True: os.fork()", "started more than 40 processes and threads"),
        ("import threading\nwhile True: threading.Thread(target=time.sleep, args=[9]).start()",
         "started more than 40 processes and threads"),
        ("open('/dev/tty').read()", "ended with status 1"),
        ("assert sys.stdin.read() == 'text' and not sys.stdin.read()", None),
        ("sys.stdout.buffer.write(bytes(range(256)))", None),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: os.kill(os.getpid(), signal.SIGSTOP)",
         "took longer than 0.3 s"),
    ],
)  # fmt: skip
def test_what_takes_too_much_ends_in_a_clause(caged: str, code: str, fault: str | None) -> None:
    seconds = 0.3 if fault and "longer" in fault else PATIENCE
    memory = 2**28 if fault and "memory" in fault else 2**32  # forty processes may take a lot
    limits = Limits(seconds=seconds, cpu=1, memory=memory, files=2**20, processes=40, output=2**20)
    assert run_program(python(code), "text", limits).fault == fault


LOAD = "while time.process_time() < 60: pass"
STARTS_SLOWLY = """
text = sys.stdin.read()
while time.process_time() < (0.9 if text == "late" else 0.35):
    pass
print(text.upper())
"""
IN_JAVA = """
import java.lang.management.ManagementFactory;
class Slow {
    public static void main(String[] words) throws Exception {
        String text = new String(System.in.readAllBytes());
        var thread = ManagementFactory.getThreadMXBean();
        while (thread.getCurrentThreadCpuTime() < (text.equals("late") ? 2_500_000_000L : 200_000_000L));
        System.out.println(text.toUpperCase());
    }
}
"""


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("language", "seconds"), [("python", 0.7), ("java", 2.0)])
def test_a_busy_machine_changes_no_verdict(language: str, seconds: float, tmp_path: Path) -> None:
    """A usual answer takes about half of the processor time allowed. Of 44, every eleventh costs too much."""
    command = python(STARTS_SLOWLY)
    if language == "java":
        if shutil.which("javac") is None or shutil.which("java") is None:
            pytest.skip("javac is not installed")
        (tmp_path / "Slow.java").write_text(IN_JAVA)
        subprocess.run(["javac", "-d", tmp_path, tmp_path / "Slow.java"], check=True)
        command = ["java", "-cp", str(tmp_path), "Slow"]
    texts = ["late" if number % 11 == 10 else f"{number}" for number in range(44)]
    with ExitStack() as stack:
        for _ in range(8):
            stack.callback(stack.enter_context(subprocess.Popen(python(LOAD))).kill)
        busy = [run_program(command, text, Limits(seconds=seconds)) for text in texts]
    assert [answer.is_late for answer in busy] == [text == "late" for text in texts]
    assert [answer.output.strip() for answer in busy if not answer.is_late] == [
        text for text in texts if text != "late"
    ]


def test_processor_time_of_several_processes_counts_together(caged: str) -> None:
    code = "os.fork(); os.fork()\nwhile time.process_time() < 0.2: pass\nfor _ in range(2): os.wait()"
    assert run_program(python(code), "", Limits(seconds=0.5)).is_late
    assert not run_program(python("time.sleep(0.5)"), "", Limits(seconds=0.3)).is_late
    assert run_program(python("while time.process_time() < 0.2: pass"), "", PATIENT).seconds >= 0.2


def test_who_kills_the_group_of_its_parent_ends_itself_alone(caged: str) -> None:
    code = "os.killpg(os.getpgid(os.getppid()), signal.SIGKILL); time.sleep(1000)"
    fault = run_program(python(code), "", replace(PATIENT, seconds=20)).fault
    assert fault in (
        {"ended the process that supervises it"}
        if caged == "bare"
        else {"ended with status 1", "was ended by a signal: Killed"}
    )


HIDING = """
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
for _ in range(3):
    if not os.fork():
        os.setsid()
        if not os.fork():
            time.sleep(1000)
        os._exit(0)
    clear = {"LC_TEST": os.environ["LC_TEST"]}
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True, env=clear)
"""


@pytest.mark.parametrize(
    ("last", "fault"),
    [("", None), ("os._exit(3)", "ended with status 3"), ("time.sleep(1000)", "took longer than 0.3 s")],
)
def test_children_in_sessions_of_their_own_and_without_a_mark_end_too(caged: str, last: str, fault: str | None) -> None:
    assert MARK not in HIDING
    limits = Limits(seconds=0.3 if fault and "longer" in fault else PATIENCE)
    assert run_program(python(HIDING + last), "", limits).fault == fault


def test_a_programs_folder_is_fresh_and_vanishes(caged: str) -> None:
    code = "print(os.getcwd(), os.listdir(), os.environ['TMPDIR'], sep='\\n'); open('left', 'w').write('x')"
    answer = run_program(python(code), "", PATIENT)
    folder, *rest = answer.output.splitlines()
    assert rest == ["[]", folder]
    assert not Path(folder).exists()


# Prints the error of a system call.
_CALL = """import ctypes
libc = ctypes.CDLL(None, use_errno=True)
(lambda _: sys.exit(os.strerror(ctypes.get_errno())))"""


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("import socket; socket.socket(socket.AF_UNIX).connect(sys.argv[1])", "Permission denied"),
        ("os.memfd_create('more')", "Function not implemented"),
        (_CALL + "(libc.shmget(0, 4096, 0o1600))", "Function not implemented"),
        (_CALL + "(libc.mount(b't', b'.', b'tmpfs', 0, 0))", "Function not implemented"),
        ("print(open('/dev/shm/x', 'w')); print(os.listdir())", None),  # counts as its own files
    ],
)
def test_bubblewrap_shuts_the_ways_round_its_limits(
    code: str, error: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_bubblewrap():
        pytest.skip("bubblewrap is not installed, or may not make namespaces")
    if platform.machine() not in ("x86_64", "aarch64") and error in ("Permission denied", "Function not implemented"):
        pytest.skip("the numbers of this machine's system calls are not known")
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(tmp_path)  # a socket's path may be too long
        server.bind("s")
        server.listen()
        answer = run_program([*python(code), str(tmp_path / "s")], "", PATIENT)
    if error is None:
        assert "['x']" in answer.output
    else:
        assert error in answer.error


@pytest.mark.parametrize(
    "code",
    [
        "for _ in range(1100): os.mkdir('deep'); os.chdir('deep')",
        "os.mkdir('shut'); os.mkdir('shut/in'); os.chmod('shut', 0)",
        "os.mkfifo('fifo'); os.symlink(sys.argv[1], 'link'); os.mkdir('d')",
        "here = os.getcwd(); os.rename(here, here + '-moved'); os.symlink(sys.argv[1], here); "
        "import shutil; shutil.rmtree(here + '-moved')",
    ],
)
def test_what_a_program_leaves_is_deleted_and_no_link_is_followed(
    caged: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("mine", "temporary"):
        (tmp_path / name).mkdir()
    (tmp_path / "mine" / "file").write_text("x")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    answer = run_program([*python(code), str(tmp_path / "mine")], "", PATIENT)
    assert answer.fault is None or ("moved" in code and caged == "bubblewrap"), answer
    assert (tmp_path / "mine" / "file").exists()
    assert os.listdir(tmp_path / "temporary") == []


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of lines; bubblewrap fails once for each."""
    real = shutil.which("bwrap")
    if real is None or not has_bubblewrap():
        pytest.skip("bubblewrap is not installed, or may not make namespaces")
    left = tmp_path / "left"
    (tmp_path / "bwrap").write_text(
        f"#!/bin/sh\nif [ -s '{left}' ]; then\n  sed -i 1d '{left}'\n"
        "  echo 'bwrap: Creating new namespace failed: Resource temporarily unavailable' >&2\n  exit 1\n"
        f"fi\nexec '{real}' \"$@\"\n"
    )
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(cage, "_RETRY_DELAY_S", 0.01)
    return left


def test_a_cage_that_fails_is_made_again(failing: Path) -> None:
    failing.write_text("\n" * 2)
    answer = run_program(python("print(input())"), "text", PATIENT)
    assert (answer.output, answer.fault) == ("text\n", None)
    failing.write_text("\n" * 3)
    with pytest.raises(CageError, match=r"^bubblewrap failed: Creating new namespace failed"):
        run_program(python("print(input())"), "text", PATIENT)


@pytest.mark.parametrize("words", ["rescue judge", "chase break"])
def test_a_cage_that_fails_is_no_fault_of_the_program(failing: Path, words: str) -> None:
    failing.write_text("\n" * 99)
    assert "bubblewrap failed: Creating new namespace failed" in refused(*words.split(), "true x")


@pytest.mark.slow
def test_a_cage_that_fails_elsewhere_is_no_fault_of_the_program(failing: Path) -> None:
    failing.write_text("\n" * 99)
    done = call("rescue", "judge", "true", "true", "--jobs", "2")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"namespace failed" in done.stderr


# Programs that stay


ECHO = "for line in sys.stdin: print(line.strip()[::-1], flush=True)"


def test_a_program_is_asked_line_by_line(caged: str) -> None:
    with Program(python(ECHO)) as program:
        for text in ("abc", "", "x" * 100_000):
            program.send(text)
            assert program.receive(PATIENCE) == text[::-1]
    with Program(python("os.write(1, b'a\\r\\nb\\nlast')"), PATIENT) as program:
        assert [program.receive(PATIENCE), program.receive(PATIENCE)] == ["a", "b"]
        with pytest.raises(ProgramError, match="has ended"):
            program.receive(PATIENCE)


def test_one_that_does_not_answer_is_closed_and_says_so_again(caged: str) -> None:
    with Program(python("time.sleep(1000)")) as program:
        program.send("x" * 1_000_000)  # more than a pipe holds
        for _ in range(2):
            with pytest.raises(ProgramError, match=r"took longer than 0\.5 s"):
                program.receive(0.5)
    program.close()


def test_what_it_prints_is_counted_for_each_answer(caged: str) -> None:
    code = "for line in sys.stdin: print('x' * 900_000, flush=True)"
    with Program(python(code), Limits(output=2**20)) as program:
        for _ in range(3):
            program.send("")
            assert len(program.receive(PATIENCE)) == 900_000
        program.send("\n")
        program.receive(PATIENCE)
        with pytest.raises(ProgramError, match="printed more than 1 MB"):
            program.receive(PATIENCE)


def test_the_end_of_its_errors_is_kept() -> None:
    with Program(python("sys.stderr.write('x' * 10**6 + 'end')")) as program:
        with pytest.raises(ProgramError):
            program.receive(PATIENCE)
        assert program.log.endswith("xend")
        assert len(program.log) < 100_000


ENDLESS = """
import sys
from dungeon_tui.judge.program import Program
code = "import os\\nprint(os.getcwd(), flush=True)\\nwhile True: pass"
with Program([sys.executable, "-c", code]) as program:
    print(program.receive(60), flush=True)
    input()
"""


def test_it_ends_and_its_folder_vanishes_when_we_are_killed() -> None:
    mark = f"{os.getpid()}-killed"
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS], env=environment(LC_TEST=mark), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        folder = Path(read_until(process.stdout.fileno(), b"\n").decode().strip())
        assert folder.is_dir()
        started = marked(mark)
        assert len(started) > 1
        process.kill()
        process.wait()
    for each in started:
        assert_ended(each)
    assert not folder.exists()


# Commands


def test_paths_in_a_command_lie_in_the_present_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("build", "lib"):
        (tmp_path / name).mkdir()
    (tmp_path / "a.out").write_text("#!/bin/sh\necho $1\n")
    (tmp_path / "a.out").chmod(0o755)
    (tmp_path / "Bridge").touch()
    here = str(tmp_path)
    assert command_words("./a.out build --path=lib -v") == [
        f"{here}/a.out",
        f"{here}/build",
        f"--path={here}/lib",
        "-v",
    ]
    assert command_words("a.out 'two words'")[1:] == ["two words"]
    assert run_program("./a.out ' a  b'", "", PATIENT).output == "a b\n"
    monkeypatch.setattr(programs.shutil, "which", lambda name: f"/bin/{name}")
    assert command_words("java -cp build:lib/* Bridge")[-3:] == ["-cp", f"{here}/build:{here}/lib/*", "Bridge"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("", "no command"),
        ("'open", "no closing quotation"),
        ("none-of-that-name x", "none-of-that-name: there is no such program"),
        ("./notes.txt", "./notes.txt: it is not executable"),
        ("./strange", "No such file or directory"),
    ],
)
def test_what_can_not_be_started_is_told(
    caged: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").touch()
    (tmp_path / "strange").write_text("#!/no/such/interpreter\n")
    (tmp_path / "strange").chmod(0o755)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    answer = run_program(given, "", PATIENT)
    assert answer.fault == f"can't be started: {told}"
    assert answer.output == ""
    assert {path.name for path in tmp_path.iterdir()} == {"notes.txt", "strange"}
