"""Finds answers in a program's output, however it words them."""

import re
from contextlib import suppress
from typing import Any

from dungeon_tui.core.json_positions import parsed

_NUMBER = re.compile(r"(?<![\w.])[+-]?\d{1,18}(?!\w|\.\d)", re.ASCII)


def number(output: str, names: str) -> int | None:
    r"""The number in the first line that matches `names`, a pattern, and has a number; else in the first that has one.

    Within the line: the first number after the last colon, or the last number.

    >>> number("On a 3 x 3 grid.\nThe least health: 7.", "health"), number("7", "health"), number("seven", "health")
    (7, 7, None)
    """
    lines = [line for line in output.splitlines() if _NUMBER.search(line)]
    if not lines:
        return None
    line = next((line for line in lines if re.search(names, line, re.IGNORECASE)), lines[0])
    *_, after = line.split(":")
    numbers = _NUMBER.findall(after) if ":" in line else []
    return int(numbers[0] if numbers else _NUMBER.findall(line)[-1])


def json_object(output: str) -> dict[str, Any]:
    """The JSON object in an output; empty if the output is something else."""
    with suppress(ValueError):
        values = parsed(output)
        return values if isinstance(values, dict) else {}
    return {}


def nothing_in(output: str) -> str:
    """The complaint about an output without an answer."""
    return "no number in its output" if output.strip() else "no output"
