"""A new club's first steps with their addresses, as its own page lists them and the pages on the way offer the next."""

from typing import NamedTuple

from django.urls import reverse
from django.utils.functional import Promise

from clubs.models import Club
from tournaments.sessions.first_steps import first_steps
from tournaments.web.doors import session_url

CLUB_PAGES = {"players", "tournament_new"}
AT_ANY_TIME = CLUB_PAGES | {"entrants", "etuis"}  # steps that need not wait for those before them


class LinkedStep(NamedTuple):
    """`url` is "" where the step cannot be done yet, or is done; `next` is the first that is not done."""

    text: str | Promise
    action: str | Promise
    done: bool
    next: bool
    url: str


def linked_steps(club: Club) -> list[LinkedStep]:
    """None once an evening is published."""
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
    """None once an evening is published."""
    return next((step for step in linked_steps(club) if step.next), None)
