"""`deep check`: all faults of campaign files, as JSON and as lines."""

import json
from pathlib import Path

from typer.testing import CliRunner

from dungeon_tui.games.deep.commands import app
from dungeon_tui.games.deep.model.options import OPTIONS
from tests.games.deep.campaigns import campaign_text


def test_check_lists_all_faults_of_all_files(tmp_path: Path) -> None:
    good, bad, missing = tmp_path / "good.toml", tmp_path / "bad.toml", tmp_path / "none.toml"
    good.write_text(campaign_text({"one": ("o$!", "")}), "utf-8")
    bad.write_text(campaign_text({"one": ("oQ!", ""), "two": ("--$", "")}), "utf-8")
    done = CliRunner().invoke(app, [str(good), str(bad), str(missing), "--json"])  # the only command needs no name here
    files = json.loads(done.stdout)["files"]
    assert done.exit_code == 1
    assert [(each["file"], each["ok"], each["warnings"]) for each in files] == [
        (str(good), True, []),
        (str(bad), False, []),
        (str(missing), False, []),
    ]
    assert [(fault["line"], fault["column"]) for fault in files[1]["errors"]] == [(18, 2), (22, 7)]
    done = CliRunner().invoke(app, [str(bad)])
    assert [line.startswith(str(bad)) for line in done.stdout.splitlines()] == [True, True]
    assert CliRunner().invoke(app, [str(good)]).exit_code == 0


def test_a_descent_needs_no_seed_and_is_named_by_the_seed_it_got() -> None:
    random, fixed = OPTIONS.read("--descent"), OPTIONS.read("--descent --seed 7")
    assert random.lacks_seed
    assert (fixed.lacks_seed, fixed.arguments) == (False, "--seed 7")
