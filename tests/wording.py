"""The numbers in a text, for tests that ask for facts."""

import re


def numbers(text: str) -> list[int]:
    """The numbers that a text names, in their order: rows, columns, counts; not its words."""
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?<!,)", text)]
