"""What a build adds to the package's description: the project's address, and links and pictures that work elsewhere.

The address is PROJECT_ADDRESS of the environment, or the git remote `origin`; a wheel made from an sdist has the
sdist's. Without an address, the description is README as it is.
"""

import os
import re
import subprocess
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


class CustomMetadataHook(MetadataHookInterface):
    """Sets `readme` and `urls`."""

    def update(self, metadata: dict) -> None:
        """Called by hatchling while it makes a package's metadata."""
        root = Path(self.root)
        text, address = (root / "README.md").read_text("utf-8"), project_address(root)

        def of_file(path: str) -> str:
            return f"{address}/{'raw' if path.endswith(('.svg', '.png')) else 'blob'}/HEAD/{path}"

        if address:
            text = re.sub(r"(?<=\]\()docs/[^)]+", lambda link: of_file(link[0]), text)
            pages = {"Documentation": of_file("docs/index.md"), "Changelog": of_file("docs/CHANGELOG.md")}
            metadata["urls"] = {"Source": address, **pages}
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def project_address(root: Path) -> str:
    """The address of the project's page; empty if there is none."""
    found = os.environ.get("PROJECT_ADDRESS", "")
    if not found and (root / "PKG-INFO").exists():
        told = re.search(r"^Project-URL: Source, (\S+)$", (root / "PKG-INFO").read_text("utf-8"), re.MULTILINE)
        found = told[1] if told else ""
    elif not found and (root / ".git").exists():
        try:
            command = ["git", "-C", str(root), "remote", "get-url", "origin"]
            found = subprocess.run(command, capture_output=True, text=True).stdout.strip()
        except OSError:  # git is not installed
            return ""
    found = re.sub(r"^git@([^:]+):", r"https://\1/", found).removesuffix(".git")
    return found if re.fullmatch(r"https://[^/@]+/[^@]+", found) else ""
