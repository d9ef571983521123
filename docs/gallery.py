"""What mkdocs does besides: a page for each recording that docs/gallery.md links to; commands stay whole."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from dungeon_tui.cli.recordings import page_of
from dungeon_tui.storage.recordings import load

WITHOUT_EXACT_PLAY = ("deep", "expedition-undercity")
LINK = re.compile(r"\(gallery/([\w-]+)\.html\)")


def on_files(files: Files, config: Any) -> Files:
    """Called by mkdocs with the files of the site."""
    config_folder = Path(config["config_file_path"]).parent
    for name in LINK.findall((config_folder / "docs" / "gallery.md").read_text("utf-8")):
        recording = config_folder / "tests" / "recordings" / f"{name}.jsonl"
        text = page_of(load(recording), is_judged=not name.startswith(WITHOUT_EXACT_PLAY))
        files.append(File.generated(config, f"gallery/{name}.html", content=text))
    return files


def on_page_content(html: str, **_: Any) -> str:
    """Called by mkdocs with a page: short commands stay on one line, and tables show `|` without its backslash."""
    return re.sub(r"<code>(?=[^<\n]{1,22}</code>)", '<code class="short">', html).replace("\\|", "|")
