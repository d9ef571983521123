"""A teacher's evening: a folder of submissions, judged to its end, told in pages, tables and Gradescope's results."""

import csv
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from dungeon_tui.judge import reports
from dungeon_tui.judge.reports import points, read_rubric
from dungeon_tui.judge.verdicts import Test as Line
from dungeon_tui.judge.verdicts import Verdict
from tests.judge.test_students import STUDENTS
from tests.processes import PATIENCE, call, environment, refused

FEW = "--inputs", "one-trap", "--random", "3", "--limit", "90"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Submissions of the rescue: a right one, wrong ones, a crashing one, and what is none."""
    submissions = tmp_path / "submissions"
    submissions.mkdir()
    source = (STUDENTS / "rescue.py").read_text("utf-8")
    for name, mistake in (("anna", ""), ("ben", "last-cell"), ("<b>cy", "crash-at-the-end")):
        (submissions / f"{name}.py").write_text(
            source.replace('sys.argv[1] if len(sys.argv) > 1 else ""', f"{mistake!r}")
        )
    (submissions / "dora").mkdir()
    shutil.copy(submissions / "ben.py", submissions / "dora" / "theirs.py")
    (submissions / "dora" / "run").write_text('#!/bin/sh\ncd "$(dirname "$0")" && exec python3 theirs.py\n')
    (submissions / "dora" / "run").chmod(0o755)
    (submissions / "notes.txt").write_text("no program")
    return submissions


class Page(HTMLParser):
    """The elements and texts of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags, self.texts = list[str](), list[str]()
        self.links = list[str]()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name == "href"]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_folder_is_judged_to_its_end(folder: Path, tmp_path: Path) -> None:
    pages, results = tmp_path / "pages", tmp_path / "results.json"
    arguments = "rescue", "judge", str(folder), *FEW, "--html", str(pages), "--gradescope", str(results)
    done = call(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    verdicts = {Path(each["program"]).name: each for each in json.loads(done.stdout)["programs"]}
    assert list(verdicts) == ["<b>cy.py", "anna.py", "ben.py", "dora", "notes.txt"]
    counts = {name: (each["loads"], each["wrong"], each["failed"]) for name, each in verdicts.items()}
    assert counts["anna.py"] == (True, 0, 0)
    assert counts["ben.py"] == counts["dora"]
    assert counts["ben.py"][1] > 0
    assert counts["<b>cy.py"] == (True, 0, 4)
    assert counts["notes.txt"] == (False, 0, 4)
    assert done.stderr.decode().count(" of 5: ") == 5

    index = Page(pages / "index.html")
    assert {"table", "svg"} <= {*index.tags}
    assert "b" not in index.tags  # names are no markup
    assert str(folder / "<b>cy.py") in index.texts
    for link in index.links:
        assert (pages / link).is_file()
    (page,) = (pages / link for link in {*index.links} if "ben" in link)
    assert any("expected: " in text for text in Page(page).texts)

    whole = Page(pages / "verdicts.html")
    assert all(link.startswith("#") for link in whole.links)
    assert {*index.texts} <= {*whole.texts}
    assert {"inputs/one-trap", "random/3"} <= {*index.texts}  # the plot's columns

    told = json.loads((tmp_path / "results-ben.json").read_text())
    assert_is_gradescopes(told)
    for test in told["tests"] + json.loads((tmp_path / "results-anna.json").read_text())["tests"]:
        assert all(words in test["output"] for words in ("input:\n", "expected", "got"))
    assert sorted(path.name for path in tmp_path.glob("results*.json")) == [
        f"results-{name}.json" for name in ("anna", "b-cy", "ben", "dora", "notes")
    ]
    assert told["score"] == sum(test["score"] for test in told["tests"])
    assert {test["status"] for test in told["tests"] if test["score"] == 0} == {"failed"}

    again = call(*arguments, "--json")
    assert again.stdout == done.stdout


def test_each_judged_chase_is_a_page_to_send(tmp_path: Path) -> None:
    (tmp_path / "rogue.py").write_text("def quits(state):\n    raise ValueError\n")
    pages, program = tmp_path / "pages", f"{tmp_path / 'rogue.py'}:quits"
    for _ in range(2):  # the second time from the stored verdicts
        done = call("chase", "judge", program, "--side", "rogue", "--inputs", "braid", "keyhole", "--html", str(pages))
        assert done.returncode == 0, done.stderr
        links = [link for link in Page(pages / "rogue-quits.html").links if link.startswith("games/")]
        assert sorted(f"games/{page.name}" for page in (pages / "games").iterdir()) == sorted(links)
        for link, board in zip(links, ("braid", "keyhole"), strict=True):
            page = Page(pages / link)
            assert any(text.endswith(f"rogue/perfect/{board}") for text in page.texts)
            assert any(text.startswith("dungeon-tui open ") for text in page.texts)
            (pages / link).unlink()
        assert all(link.startswith("#") for link in Page(pages / "verdicts.html").links)  # it is sent alone


def test_it_goes_on_where_it_was_stopped_and_judges_again_what_has_changed(folder: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    arguments = "rescue", "judge", str(folder / "ben.py"), *FEW, "--html", str(pages), "--json"
    first = json.loads(call(*arguments).stdout)["programs"][0]
    kept = pages / "verdicts.jsonl"
    kept.write_text(kept.read_text().replace(f'"wrong": {first["wrong"]}', '"wrong": 99') + '{"half a li')
    assert json.loads(call(*arguments).stdout)["programs"][0]["wrong"] == 99
    shutil.copy(folder / "anna.py", folder / "ben.py")
    assert json.loads(call(*arguments).stdout)["programs"][0]["wrong"] == 0


def test_names_are_shown_in_one_line_and_entries_that_are_no_programs_are_told(folder: Path, tmp_path: Path) -> None:
    for entry in folder.iterdir():
        if entry.name not in ("anna.py", "notes.txt"):
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    for name in (b"-two\nlines.py", b"caf\xe9 'x'.py"):
        try:
            shutil.copy(folder / "anna.py", folder / os.fsdecode(name))
        except OSError:
            pytest.skip("files here can't have such names")
    (folder / "loop").symlink_to("loop")
    (folder / "empty").mkdir()
    arguments = (
        "rescue", "judge", str(folder), "--inputs", "one-trap", "--limit", "90", "--html", str(tmp_path / "pages"),
    )  # fmt: skip
    done = call(*arguments)
    assert done.returncode == 0, done.stderr
    told = [line.rpartition("/")[2] for line in done.stderr.decode().splitlines()]
    assert [line for line in told if " right" in line] == [
        "-two\\nlines.py: all 1 right", "anna.py: all 1 right", "caf\\udce9 'x'.py: all 1 right",
        "empty: 1 of 1 not right", "loop: 1 of 1 not right", "notes.txt: 1 of 1 not right",
    ]  # fmt: skip
    assert call(*arguments).stdout == done.stdout


@pytest.mark.slow
def test_several_at_once_give_the_same_in_the_same_order(folder: Path) -> None:
    arguments = "rescue", "judge", *(str(folder / name) for name in ("ben.py", "anna.py")), *FEW, "--json"
    one, two = call(*arguments), call(*arguments, "--jobs", "2")
    assert one.stdout == two.stdout


@pytest.mark.parametrize(
    ("name", "runner", "source"),
    [
        ("one.js", "node", "console.log(1)"),
        pytest.param(
            "One.java",
            "java",
            "class One { public static void main(String[] words) { System.out.println(1); } }",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_files_are_run_by_their_ending(name: str, runner: str, source: str, tmp_path: Path) -> None:
    if shutil.which(runner) is None:
        pytest.skip(f"{runner} is not installed")
    (tmp_path / name).write_text(source)
    inputs = "--inputs", "one-power-up", "one-nothing", "--limit", "90"
    done = call("rescue", "judge", str(tmp_path / name), *inputs, "--csv", "-")
    assert done.stdout.decode().splitlines()[1].split(",")[1:4] == ["2", "0", "0"]


def test_a_program_may_have_a_name_in_the_settings(folder: Path, home: Path) -> None:
    home.mkdir()
    command = f"python3 {shlex.quote(str(folder / 'anna.py'))}"
    (home / "settings.toml").write_text(f'[programs]\nmine = "{command}"\n')
    (verdict,) = json.loads(call("rescue", "judge", "@mine", *FEW, "--json").stdout)["programs"]
    assert (verdict["program"], verdict["loads"], verdict["wrong"]) == ("@mine", True, 0)


def test_points_are_shared_among_the_tests_of_a_line(tmp_path: Path) -> None:
    rubric = tmp_path / "points.toml"
    rubric.write_text('[points]\n"shipped/classic" = 10\n"shipped/*" = 30\n')
    tests = [Line(name, True, 0.0) for name in ("shipped/a", "shipped/b", "shipped/classic", "random/1")]
    assert points(tests, read_rubric(str(rubric))) == [15, 15, 10, 0]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[points]\n"a" = "many"\n', "2:"),
        (f'[points]\n"a" = 1{400 * "0"}\n', "2:"),
        ("[points]\n", "1:1:"),
        ("points = 3\n", "1:1:"),
        ("[points\n", "1:"),
    ],
)
def test_a_wrong_rubric_is_told_in_a_line(text: str, place: str, tmp_path: Path, folder: Path) -> None:
    rubric = tmp_path / "points.toml"
    rubric.write_text(text)
    done = call("rescue", "judge", str(folder / "anna.py"), "--rubric", str(rubric))
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"{rubric}:{place}")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("arguments", [["--gradescope", "mine.txt"], ["--html", "pages"], ["--csv", "roster.csv"]])
def test_only_reports_are_replaced(arguments: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    Path("pages").mkdir()
    for mine in (Path("mine.txt"), Path("pages/index.html"), Path("roster.csv")):
        mine.write_text("name,id\n")
    done = call("rescue", "judge", "anna.py", *FEW, *arguments)
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert b"--force" not in done.stderr  # there is none
    assert {path.read_text() for path in (Path("mine.txt"), Path("pages/index.html"), Path("roster.csv"))} == {
        "name,id\n"
    }


def test_names_are_no_formulas_and_no_control_characters(tmp_path: Path) -> None:
    verdicts = [Verdict(program, {}, (), "\x1b[2Jno\nanswer") for program in ("=1+1.py", "@a", "-b", "c\x1b")]
    rows = [*csv.reader(io.StringIO(reports.csv_text(verdicts)))]
    assert [row[0] for row in rows[1:]] == ["'=1+1.py", "'@a", "'-b", r"c\x1b"]
    assert {*map(len, rows)} == {10}  # a heading for each column
    for page in (reports.write_html(tmp_path, "\x1b", verdicts), tmp_path / "c.html"):
        assert "\x1b" not in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--inputs", "nowhere.txt"], 1),
        (["--inputs", "beyond.txt"], 1),
        (["--hidden", "nowhere"], 2),
        (["--json", "--csv", "-"], 2),
        (["--low", "1"], 1),
        (["--rubric", "points.toml", "--inputs", "one-trap"], 1),
    ],
)
def test_the_judges_own_faults_are_told_in_a_line(
    arguments: list[str], status: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    Path("points.toml").write_text('[points]\n"elsewhere/*" = 3\n')
    Path("beyond.txt").write_text(f"{-(2**63)} {-(2**63)}\n")  # the least health is beyond 64 bits
    done = call("rescue", "judge", str(folder / "anna.py"), *arguments)
    assert done.returncode == status
    assert done.stdout == b"" or "--rubric" in arguments
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("program", ["nowhere", "python3 nowhere.py", "nowhere.py:solve", "empty"])
@pytest.mark.parametrize("command", ["rescue judge", "rescue break", "chase judge", "chase break"])
def test_a_program_that_is_not_there_is_an_error(
    command: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    refused(*command.split(), program, status=1 + (program == "empty"))


def test_hidden_inputs_count_and_stay_secret(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "secret.txt").write_text("-8191\n")
    arguments = "--inputs", "one-nothing", "--hidden", str(tmp_path / "hidden"), "--low", "-9000"
    reports_to = "--gradescope", str(tmp_path / "results.json"), "--html", str(tmp_path / "pages")
    done = call("rescue", "judge", str(folder / "ben.py"), *arguments, *reports_to, "--json")
    (verdict,) = json.loads(done.stdout)["programs"]
    assert verdict["cases"] == 2
    results = json.loads((tmp_path / "results.json").read_text())
    assert [test["visibility"] for test in results["tests"]] == ["visible", "after_published"]
    public = results["output"] + "".join(page.read_text("utf-8") for page in (tmp_path / "pages").glob("*.html"))
    assert "8191" not in public
    assert "8192" not in public


def test_bounds_may_stand_beside_the_inputs(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "one.txt").write_text("-3\n")
    bounds = tmp_path / "inputs" / "bounds.toml"
    bounds.write_text("low = 0\nhigh = 0\nrows = 1\ncols = 1\n")
    arguments = "rescue", "judge", str(folder / "ben.py"), "--random", "3", "--json", "--inputs"
    inputs = [str(path) for path in sorted((tmp_path / "inputs").iterdir())]
    (verdict,) = json.loads(call(*arguments, *inputs).stdout)["programs"]
    assert (verdict["cases"], verdict["wrong"]) == (4, 1)  # he is right on each 0
    breaking = "rescue", "break", str(folder / "ben.py"), "--json"
    assert json.loads(call(*breaking, "--inputs", *inputs).stdout)["input"] == "-1\n"  # from one.txt, named by the user
    assert not json.loads(call(*breaking, "--inputs", str(bounds)).stdout)["found"]
    monkeypatch.chdir(bounds.parent)
    assert not json.loads(call(*breaking).stdout)["found"]
    done = call(*arguments, *inputs, "--high", "-1")
    assert b"0 must be among them" in done.stderr
    bounds.write_text("most = 3\n")
    assert call(*arguments, *inputs).stderr.decode().startswith(f"{bounds}:1:1: bounds are whole numbers")


SOURCES = {
    "c.c": '#include <stdio.h>\nint main(void) { puts("1"); }\n',
    "cpp.cpp": "#include <iostream>\nint main() { std::cout << 1 << std::endl; }\n",
    "broken.c": "int main( {\n",
}


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_folders_of_sources_are_built_and_errors_are_shown(jobs: str, tmp_path: Path) -> None:
    if shutil.which("cc") is None or shutil.which("c++") is None:
        pytest.skip("a C++ compiler is not installed")
    for name in ("c.c", "cpp.cpp", "broken.c"):
        (tmp_path / name.partition(".")[0]).mkdir()
        (tmp_path / name.partition(".")[0] / name).write_text(SOURCES[name])
    shutil.copy(STUDENTS / "rescue.py", tmp_path / "anna.py")
    before = sorted(path for path in tmp_path.rglob("*"))
    done = call("rescue", "judge", str(tmp_path), "--build", "--jobs", jobs, "--inputs", "one-power-up", "--json")
    verdicts = {Path(each["program"]).name: each for each in json.loads(done.stdout)["programs"]}
    counts = {name: (each["loads"], each["wrong"], each["failed"]) for name, each in verdicts.items()}
    right = (True, 0, 0)
    assert counts == {"anna.py": right, "broken": (False, 0, 1), "c": right, "cpp": right}
    assert sorted(path for path in tmp_path.rglob("*")) == before


def test_rules_of_the_teacher_replace_ours(tmp_path: Path) -> None:
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "answer").write_text("echo 1")
    (tmp_path / "judge.toml").write_text('build = "cp answer program"\nrun = "sh program"\n')
    arguments = "rescue", "judge", str(tmp_path), "--build", "--inputs", "one-power-up", "--json"
    (verdict,) = json.loads(call(*arguments).stdout)["programs"]
    assert (verdict["loads"], verdict["wrong"], verdict["failed"]) == (True, 0, 0)
    (tmp_path / "judge.toml").write_text("build = 3\n")
    done = call(*arguments)
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"{tmp_path / 'judge.toml'}:")


# https://gradescope-autograders.readthedocs.io/en/latest/specs/
RESULT_KEYS = {"score", "execution_time", "output", "output_format", "test_output_format", "test_name_format"} | {
    "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard"
}  # fmt: skip
TEST_KEYS = {"score", "max_score", "status", "name", "name_format", "number", "output", "output_format"} | {
    "tags", "visibility", "extra_data"
}  # fmt: skip
VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}


def assert_is_gradescopes(results: dict[str, Any]) -> None:
    assert {*results} <= RESULT_KEYS
    assert "score" in results or results["tests"]
    assert isinstance(results["execution_time"], int)
    for test in results["tests"]:
        assert {*test} <= TEST_KEYS
        assert 0 <= test["score"] <= test["max_score"]
        assert test["status"] in ("passed", "failed")
        assert test["visibility"] in VISIBILITIES
        assert isinstance(test["name"], str)
        assert isinstance(test["output"], str)


RESCUE = (STUDENTS / "rescue.py").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "score", "output"),
    [
        ({"rescue.py": RESCUE}, 100, ""),
        ({"work/main.py": RESCUE, "work/more.py": "", "README.md": ""}, 100, ""),
        ({"bridge.py": RESCUE, "strategy.py": ""}, 100, ""),
        ({"readme.txt": "sorry"}, 0, "has no program"),
    ],
    ids=["one file", "several in a folder", "as our kits", "no program"],
)
def test_an_autograder_for_gradescope_writes_its_results(
    files: dict[str, str], score: int, output: str, tmp_path: Path
) -> None:
    assert call("kit", "gradescope", "rescue", str(tmp_path / "source")).returncode == 0
    for name in ("submission", "results", "judge/bin", "source/hidden"):
        (tmp_path / name).mkdir(parents=True)
    for name, text in files.items():
        (tmp_path / "submission" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "submission" / name).write_text(text, "utf-8")
    (tmp_path / "source" / "hidden" / "one.txt").write_text("-3\n")
    command = tmp_path / "judge" / "bin" / "dungeon-tui"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m dungeon_tui "$@"\n')
    command.chmod(0o755)
    done = subprocess.run(
        [str(tmp_path / "source" / "run_autograder")],
        env=environment(DUNGEON_TUI_SOURCE=str(tmp_path / "source")),
        capture_output=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "results" / "results.json").read_text())
    assert_is_gradescopes(results)
    assert (round(results["score"]), output in results["output"]) == (score, True)
    assert results["tests"][-1]["visibility"] == "after_published"
