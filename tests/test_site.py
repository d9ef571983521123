"""The docs site: its navigation is whole, its reference names what there is, and it builds without a warning."""

import importlib.util
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from dungeon_tui import engine

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
REFERENCES = re.findall(r"^::: (\S+)$", (DOCS / "engine.md").read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("reference", REFERENCES)
def test_the_reference_names_functions_of_the_engine(reference: str) -> None:
    module, _, name = reference.rpartition(".")
    assert getattr(engine, name) is getattr(import_module(module), name)


def test_editors_and_import_of_everything_see_what_the_engine_exports() -> None:
    stub = Path(engine.__file__).with_suffix(".pyi").read_text("utf-8")
    assert sorted(re.findall(r"\b(\w+) as \1\b", stub)) == engine.__all__ == dir(engine)


def test_every_page_is_in_the_navigation() -> None:
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    named = set(re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE))
    assert named == pages


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    if not all(importlib.util.find_spec(needed) for needed in ("material", "mkdocstrings")):
        pytest.skip("mkdocs is not installed: pip install '.[docs]'")
    arguments = ["-m", "mkdocs", "build", "--strict", "--config-file", str(ROOT / "mkdocs.yml"), "-d", str(tmp_path)]
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "distance_map" in (tmp_path / "engine" / "index.html").read_text("utf-8")


def test_the_moving_picture_is_small_and_loads_nothing_from_elsewhere() -> None:
    picture = (DOCS / "pictures" / "moving.svg").read_text("utf-8")
    assert len(picture.encode()) < 300_000
    assert re.findall(r"https?://[^\"]+|<script|url\(", picture) == ["http://www.w3.org/2000/svg"]
