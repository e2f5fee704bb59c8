"""The colours of the badges of a triplette, in words: the places 1, 2 and 3 in a team."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from scoring.teams import Badge

BADGES: Mapping[int, Badge] = dict(enumerate(Badge, 1))
COLOURS: Mapping[str, str | Promise] = {
    Badge.BLUE.value: pgettext_lazy("badge of a team member", "blue"),
    Badge.WHITE.value: pgettext_lazy("badge of a team member", "white"),
    Badge.RED.value: pgettext_lazy("badge of a team member", "red"),
}


def say_badge(place: int) -> str:
    """Return the colour of the badge of this place as text: "blue". Return "" for a place without a colour."""
    return str(COLOURS[BADGES[place]]) if place in BADGES else ""


def read_badge(colour: object) -> int | None:
    """Return the place whose badge has this colour, such as "blue". Return None for anything else."""
    return next((place for place, badge in BADGES.items() if badge.value == colour), None)
