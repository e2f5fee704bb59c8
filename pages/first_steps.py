"""The first steps of a new club with their links, as its own page lists them.

The pages on the way offer the next step.
"""

from typing import NamedTuple

from django.urls import reverse
from django.utils.functional import Promise

from clubs.models import Club
from evenings.sessions.checklist import first_steps
from pages.doors import session_url

CLUB_PAGES = {"players", "tournament_new"}
AT_ANY_TIME = CLUB_PAGES | {"entrants", "etuis"}  # steps that are possible before the earlier steps are done


class LinkedStep(NamedTuple):
    """A step of a new club with its link. `next` is true for the first step that is not done.

    `url` is "" if the step is done, or cannot be done yet.
    """

    text: str | Promise
    action: str | Promise
    done: bool
    next: bool
    url: str


def linked_steps(club: Club) -> list[LinkedStep]:
    """Return the first steps of a club, or an empty list once an evening is published."""
    steps = first_steps(club)
    first = next((step for step in steps if not step.done), None)
    linked = []
    for step in steps:
        url = ""
        if step is first or (not step.done and step.page in AT_ANY_TIME):
            in_club = reverse(step.page, args=[club.slug]) if step.page in CLUB_PAGES else ""
            url = session_url(step.page, step.session) if step.session is not None else in_club
        linked.append(LinkedStep(step.text, step.action, step.done, step is first, url))
    return linked


def next_step(club: Club) -> LinkedStep | None:
    """Return the next step of a club, or None once an evening is published."""
    return next((step for step in linked_steps(club) if step.next), None)
