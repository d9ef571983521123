"""Makes the examples in docstrings code blocks of the site's reference; Markdown takes `>>>` for quotes."""

import re
from typing import Any

from griffe import Extension, Object

EXAMPLE = re.compile(r"(?:^>>> .+\n?(?:^(?!>>> ).+\n?)*)+", re.MULTILINE)


class Examples(Extension):
    """Called by griffe with each object that has a docstring."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Puts a fence around each example."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(
                lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", obj.docstring.value
            )
