"""Forms: what their fields stand for, and that every game makes a level of whatever they can hold."""

import re
from collections.abc import Iterator

import pytest

from dungeon_tui.core.catalogue import Game, find_games
from dungeon_tui.core.options import SEED, Choice, Form, NumberField

SIZE = NumberField("Size", "size", 5, 30, "12")
SIDE = NumberField("Rows", "rows", 5, 30, if_empty="by chance")
FORM = Form("New", (Choice("Kind", (("usual", ""), ("odd", "--kind odd"))), SIZE, SIDE, SEED.ask()), str)
FORMS = [(game, form) for game in find_games() for form in game.levels().forms()]


@pytest.mark.parametrize(
    ("values", "arguments"),
    [
        (["usual", "12", "", "7"], "--size 12 --seed 7"),
        (["odd", "5", "30", "0"], "--kind odd --size 5 --rows 30 --seed 0"),
        (["odd", "007", "", "12345"], "--kind odd --size 7 --seed 12345"),
    ],
)
def test_values_are_spelled_as_arguments(values: list[str], arguments: str) -> None:
    assert FORM.filled(values) == arguments


def test_a_seed_left_empty_is_another_one_each_time() -> None:
    seeds = {FORM.filled(["usual", "12", "", ""]) for _ in range(20)}
    assert len(seeds) > 10
    assert all(re.fullmatch(r"--size 12 --seed [0-9]+", each) for each in seeds)


@pytest.mark.parametrize("values", [["usual", ""], ["usual", "4"], ["usual", "31"], ["usual", "-"], ["usual", "5 "]])
def test_a_number_that_cant_be_is_refused_with_its_fields_name(values: list[str]) -> None:
    with pytest.raises(ValueError, match="size: a number from 5 to 30"):
        FORM.filled([*values, "", "1"])


def variants(form: Form) -> Iterator[list[str]]:
    """The usual values with one of them changed: to each choice, to both ends of a number's range, to nothing."""
    for place, field in enumerate(form.fields):
        if isinstance(field, Choice):
            others = [words for words, _ in field.values]
        else:
            others = [str(field.least), str(field.most), *([""] if field.if_empty else [])]
        for other in others:
            values = [*form.usual]
            values[place] = other
            yield values


@pytest.mark.parametrize(("game", "form"), FORMS, ids=lambda each: getattr(each, "name", None) or each.title)
def test_whatever_a_form_holds_names_a_level(game: Game, form: Form) -> None:
    for values in variants(form):
        arguments = form.filled(values)
        assert game.levels().named(arguments).arguments == arguments
    usual = ["2" if field.label == "Seed" else value for field, value in zip(form.fields, form.usual, strict=True)]
    assert game.levels().named(form.filled(usual)).load() is not None  # others may take long
