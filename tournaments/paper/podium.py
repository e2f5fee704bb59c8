"""The first of a published ranking as a picture, for whoever is sent its address: values in, a PNG out.

It says what the page says to everybody; whoever draws it gives the names as they are shown in public.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils import translation

from deals.exports.typesetting import draw
from deals.exports.words import words as etui_words
from tournaments.paper.pdf import LAYOUTS, PROJECT


class DrawnStep(NamedTuple):
    """A rank, a name and a figure, as they are written."""

    rank: str
    name: str
    figure: str


class Heading(NamedTuple):
    """What a ranking is of, and what it is by now, in words. `nobody`: what stands there without a step."""

    club: str
    tournament: str
    occasion: str
    state: str
    official: bool
    nobody: str


def draw_podium(heading: Heading, steps: Sequence[DrawnStep], *, language: str) -> bytes:
    """1200 × 630 pixels, as networks and messengers show them."""
    with translation.override(language):
        words = etui_words(4)
    data = {
        **heading._asdict(),
        "places": [step._asdict() for step in steps],
        "language": language,
        "heading": {"ink": "", "name": "", "tournament": ""},
        "words": words,
    }
    return draw(LAYOUTS / "podium.typ", data, root=PROJECT)
