"""The first players of a published ranking as a picture, for people who get its address: values in, a PNG out.

It shows what the public page shows. The caller gives the names as they are shown in public.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils import translation

from deals.exports.typesetting import draw_layout
from deals.exports.words import list_document_words as etui_words
from tournaments.paper.pdf import LAYOUTS, PROJECT


class DrawnStep(NamedTuple):
    """A rank, a name and a figure, as they are written."""

    rank: str
    name: str
    figure: str


class Heading(NamedTuple):
    """The words about the ranking and its state. `nobody` is the text if there is no step."""

    club: str
    tournament: str
    occasion: str
    state: str
    official: bool
    nobody: str


def draw_podium(heading: Heading, steps: Sequence[DrawnStep], *, language: str) -> bytes:
    """Return a picture of 1200 × 630 pixels, as networks and messengers show them."""
    with translation.override(language):
        words = etui_words(4)
    data = {
        **heading._asdict(),
        "places": [step._asdict() for step in steps],
        "language": language,
        "heading": {"ink": "", "name": "", "tournament": ""},
        "words": words,
    }
    return draw_layout(LAYOUTS / "podium.typ", data, root=PROJECT)
