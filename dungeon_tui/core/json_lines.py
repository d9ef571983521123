"""Files of one JSON object a line, and errors that name the line."""

from __future__ import annotations

import json
from typing import Any

from dungeon_tui.core.level import LevelError

_KINDS = {int: "a whole number", str: "a text", list: "a list", dict: "an object"}


class RecordingError(LevelError):
    """A recording's text is not what it should be; says in which line."""


class JsonLine:
    """One line: an object, and the errors that name its place.

    Raises:
        RecordingError: it is not a JSON object; an empty line is one without values.
    """

    def __init__(self, file: str, number: int, text: str) -> None:
        self.file, self.number, self.text = file, number, text
        self.values: dict[str, Any] = {}
        if not text.strip():
            return
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:  # a ValueError of its own: a number of thousands of digits
            column = error.colno if isinstance(error, json.JSONDecodeError) else 1
            raise RecordingError("not JSON: each line is one JSON object", file, number, column) from None
        if not isinstance(values, dict):
            raise self.error("not a JSON object")
        self.values = values

    def error(self, message: str) -> RecordingError:
        """The error of this line."""
        return RecordingError(message, self.file, self.number)

    def get(self, key: str, kind: type) -> Any:
        """A value of a kind.

        Raises:
            RecordingError: it is missing, or of another kind.
        """
        value = self.values.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.error(f'"{key}" is missing or not {_KINDS[kind]}')
        return value

    def get_if_there(self, key: str, kind: type) -> Any:
        """A value of a kind, or the empty one."""
        return self.get(key, kind) if key in self.values else kind()
