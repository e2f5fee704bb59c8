"""The podium of a published ranking as a picture (PNG), which social networks show beside a link to the ranking.

The module only draws the values that it is given. The caller must give only public values, also public names.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils import translation

from deals.exports.documents import list_document_words as etui_words
from deals.exports.typesetting import draw_layout
from outgoing.paper.pdf import LAYOUTS, PROJECT


class DrawnStep(NamedTuple):
    """A row of the podium as text: rank, name and figure."""

    rank: str
    name: str
    figure: str


class Heading(NamedTuple):
    """The texts about the ranking and its state. `nobody` is shown if there are no rows."""

    club: str
    tournament: str
    occasion: str
    state: str
    official: bool
    nobody: str


def draw_podium(heading: Heading, steps: Sequence[DrawnStep], *, language: str) -> bytes:
    """Return the picture as PNG bytes, 1200 × 630 pixels, the size that social networks and messengers expect."""
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
