"""Colours as colour-blind eyes see them: what must be told apart is, in the themes made for those eyes."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from textual.color import Color
from textual.theme import Theme

from dungeon_tui.ui.palette import HEATS, LEGIBLE, LETTER_GROUNDS, LIGHT, Meaning, Tint, cell_style, contrast, themes

# Machado, Oliveira and Fernandes 2009, table of severity 1.0; for linear RGB.
EYES = {
    "all colours": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "no blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}
MADE_FOR = {"dungeon-red-green-blind": ("no red", "no green"), "dungeon-blue-yellow-blind": ("no blue",)}
APART = [
    *combinations(("you", "foe", "prize", "way-out"), 2),
    ("tint-safe", "tint-danger"),
    ("path", "foe"),  # the curve, and where it falls
    ("map-back", "tint-danger"),
    ("map-back", "tint-sight"),
]
SEEN = 0.08  # distance in OKLab that is seen at a glance; what is just noticed is 0.02
SHAPE = 3.0  # WCAG 2.1's least contrast of shapes


def seen(colour: str, eye: str) -> NDArray[np.float64]:
    """A colour in OKLab (Ottosson 2020) as an eye sees it."""
    parts = np.array(Color.parse(colour).normalized)
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    linear = np.clip(EYES[eye] @ linear, 0, 1)
    cones = np.array([
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]) @ linear  # fmt: skip
    lab: NDArray[np.float64] = np.array([
        [0.2104542553, 0.793617785, -0.0040720468],
        [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766],
    ]) @ np.cbrt(cones)  # fmt: skip
    return lab


@pytest.mark.parametrize("theme", themes(), ids=lambda theme: theme.name)
def test_what_must_be_distinguished_is(theme: Theme) -> None:
    for eye in ("all colours", *MADE_FOR.get(theme.name, ())):
        for one, other in APART:
            distance = np.linalg.norm(seen(theme.variables[one], eye) - seen(theme.variables[other], eye))
            assert distance >= SEEN, (eye, one, other, distance)


@pytest.mark.parametrize("theme", themes(), ids=lambda theme: theme.name)
def test_shapes_stand_out_from_the_ground(theme: Theme) -> None:
    for meaning in (Meaning.YOU, Meaning.FOE, Meaning.PRIZE, Meaning.MAGIC, Meaning.DOOR, Meaning.WAY_OUT, None):
        ink = theme.variables["frame" if meaning is None else meaning.css]
        for ground in ("map-back", "map-odd"):
            assert contrast(ink, theme.variables[ground]) >= SHAPE, (meaning, ground)


def test_rock_has_the_colour_of_its_heat() -> None:
    colours = themes()[0].variables
    inks = [cell_style(colours, Meaning.WALL, Tint.HEAT_0 + heat).color for heat in range(HEATS)]
    assert len(set(inks)) == HEATS


def test_on_light_ground_heat_is_no_wall_the_unseen_no_floor_and_gold_can_be_read() -> None:
    pairs = [(f"heat-{step}", wall) for step in range(HEATS) for wall in ("wall", "wall-back")]
    for one, other in [*pairs, ("unseen-back", "map-back"), ("unseen-back", "tint-lit"), ("unseen-back", "wall")]:
        distance = np.linalg.norm(seen(LIGHT[one], "all colours") - seen(LIGHT[other], "all colours"))
        assert distance >= SEEN, (one, other, distance)
    for ink, ground in LETTER_GROUNDS.items():
        assert contrast(ink, ground) >= LEGIBLE
