"""Submissions as the systems of courses export them, and zips that want to harm."""

import csv
import io
import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from dungeon_tui.judge import roster
from dungeon_tui.judge.roster import RosterError, gathered, is_export, students, unpack
from tests.judge.test_students import STUDENTS
from tests.processes import GONE, call

NOON = datetime(2026, 3, 1, 12)
GOOD = (STUDENTS / "rescue.py").read_text("utf-8")


def zipped(path: Path, files: dict[str, str], mode: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, text in files.items():
            info = ZipInfo(name, NOON.timetuple()[:6])
            info.external_attr = mode << 16
            archive.writestr(info, text)
    return path


def file_at(path: Path, text: str = GOOD, time: datetime = NOON) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (time.timestamp(),) * 2)


MOODLE = {"Anna Adams_101_assignsubmission_file/mine.py": "anna", "Ben_102_assignsubmission_file_theirs.py": "ben"}
CANVAS = {"adamsanna_11_900_main.py": "anna", "adamsanna_11_901_more.py": "more", "ben_LATE_12_902_a-1.py": "ben"}
CANVAS |= {"cleo_13_text.html": "<p>typed</p>"}
BLACKBOARD = {
    "Rescue_1_adams_attempt_2026-03-01-12-00-00.txt": "receipt",
    "Rescue_1_adams_attempt_2026-03-01-12-00-00_mine.py": "anna",
    "Rescue_1_ben_attempt_2026-02-01-12-00-00_old.py": "old",
    "Rescue_1_ben_attempt_2026-03-02-12-00-00_new.py": "ben",
}
METADATA = """---
submission_7:
  :submitters:
  - :name: Anna
    :sid: '101'
  - :name: Ben
    :sid: 102
  :created_at: 2026-03-02 13:00:00.861687000 Z
  :score: 0.0
  :results:
    output: |-
        :sid: 103
"""
GRADESCOPE = {
    "assignment_1_export/submission_metadata.yml": METADATA,
    "assignment_1_export/submission_7/mine.py": "both",
}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (MOODLE, {"Anna Adams_101": ["mine.py"], "Ben_102": ["theirs.py"]}),
        (CANVAS, {"adamsanna_11": ["main.py", "more.py"], "ben_12": ["a-1.py"], "cleo_13": ["cleo_13_text.html"]}),
        (BLACKBOARD, {"adams": ["mine.py"], "ben": ["new.py"]}),
        (GRADESCOPE, {"101": ["mine.py"], "102": ["mine.py"]}),
        ({"s101/mine.py": "anna", "ben.py": "ben"}, {"ben.py": ["ben.py"], "s101": ["mine.py"]}),
    ],
    ids=["Moodle", "Canvas", "Blackboard", "Gradescope", "by id"],
)
def test_exports_of_each_system_are_sorted_by_student(
    files: dict[str, str], expected: dict[str, list[str]], tmp_path: Path
) -> None:
    for name, text in files.items():
        file_at(tmp_path / name, text)
    found = {}
    for handed in students(tmp_path):
        with gathered(handed) as folder:
            found[handed.student] = sorted(path.name for path in folder.iterdir())
        assert not folder.exists()
        assert (handed.time == datetime(2026, 3, 2, 12)) is (files is BLACKBOARD and handed.student == "ben")
        local = datetime(2026, 3, 2, 13, tzinfo=UTC).astimezone().replace(tzinfo=None)
        assert (handed.time == local) is (files is GRADESCOPE)
        assert handed.is_late is (files is CANVAS and handed.student == "ben_12")
    assert found == expected
    zipped(tmp_path / "all.zip", files)
    assert is_export(tmp_path / "all.zip") is ("s101/mine.py" not in files)


@pytest.mark.parametrize(
    ("files", "mode", "fault"),
    [
        ({"a/../../evil": "x"}, 0, "outside of its folder: a/../../evil"),
        ({"..\\evil": "x"}, 0, "outside of its folder"),
        ({"C:/evil": "x"}, 0, "outside of its folder"),
        ({"/evil": "x"}, 0, None),  # as other programs do: below the folder
        ({"link": "/etc", "link/evil": "x"}, stat.S_IFLNK | 0o777, None),  # links are left out
        ({"file": "x", "file/evil": "x"}, 0, "can't be unpacked"),
        ({"big": "0" * 2**20}, 0, "more than 0 MB"),
        ({f"{number}": "" for number in range(30)}, 0, "more than 20 files"),
        (None, 0, "can't be unpacked: File is not a zip file"),
    ],
)
def test_a_zip_writes_only_into_its_folder_and_only_so_much(
    files: dict[str, str] | None, mode: int, fault: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "_MAX_ENTRIES", 20)
    (tmp_path / "in").mkdir()
    path = tmp_path / "a.zip"
    if files is None:
        path.write_text("no zip")
    else:
        zipped(path, files, mode)
    if fault is None:
        unpack(path, tmp_path / "in", 2**16)
    else:
        with pytest.raises(RosterError, match=fault):
            unpack(path, tmp_path / "in", 2**16)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.zip", "in"]
    assert not any(entry.is_symlink() for entry in tmp_path.rglob("*"))


@pytest.mark.parametrize(("name", "code"), [("Mö.py", "utf-8"), ("Möö.py", "cp437")])
def test_a_zip_without_the_flag_for_utf_8_keeps_its_names(name: str, code: str, tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"M__.py": GOOD})
    path.write_bytes(path.read_bytes().replace(b"M__.py", name.encode(code)))
    unpack(path, tmp_path / "in")
    assert [each.name for each in (tmp_path / "in").iterdir()] == [name]


def test_a_roster_is_a_row_a_student_with_late_ones_marked(tmp_path: Path) -> None:
    folder = tmp_path / "roster"
    zipped(folder / "s1.zip", {"project/main.py": GOOD, "project/helper.py": "", "__MACOSX/._x": ""})
    zipped(folder / "s2.zip", {"run": "#!/bin/sh\necho 1\n"})
    zipped(folder / "s3.zip", {"notes.txt": "sorry"})
    file_at(folder / "s4" / "deep" / "mine.py", time=datetime(2026, 3, 2))
    file_at(folder / "s5.py", time=datetime(2026, 2, 2))
    with ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.write(folder / "s1.zip", "Anna_7_assignsubmission_file/s1.zip")
    arguments = "--inputs", "one-power-up", "one-trap", "--random", "1", "--deadline", "2026-03-01T18:00", "--csv", "-"
    done = call("rescue", "judge", str(folder), str(tmp_path / "export.zip"), *arguments)
    rows = [*csv.DictReader(io.StringIO(done.stdout.decode()))]
    assert [(row["id"], row["late"]) for row in rows] == [
        ("s1", ""), ("s2", ""), ("s3", ""), ("s4", "yes"), ("s5", ""), ("Anna_7", "")
    ]  # fmt: skip
    assert [(row["inputs"], row["random"]) for row in rows][::5] == [("2", "1")] * 2
    assert rows[0]["submitted"] == "2026-03-01 12:00:00"
    assert [row["failed"] for row in rows] == ["0", "0", "3", "0", "0", "0"]


def test_folders_of_a_judge_that_was_killed_are_deleted_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    old, ours = (tmp_path / f"dungeon-tui-student-{process}-abc" for process in (GONE, os.getpid()))
    for folder in (old, ours):
        (folder / "deep").mkdir(parents=True)
    new = roster.work_folder("student")
    assert {*tmp_path.iterdir()} == {ours, new}
