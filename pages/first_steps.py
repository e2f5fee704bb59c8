"""The five steps of a new club up to the papers of its first evening.

The club's own page lists them. The pages on the way name their step, and lead to the next one.
"""

from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise

from clubs.models import Club
from evenings.sessions.checklist import first_steps
from pages.doors import session_url

CLUB_PAGES = {"players", "tournament_new"}  # these steps are possible before the earlier steps are done
# The step of each page on the way, by the name of its address. The page of the session has two.
STEP_OF = {
    **dict.fromkeys(("club_settings", "first_run"), 1),
    "players": 2,
    "tournament_new": 3,
    **dict.fromkeys(("entrants", "prepare_teams", "line_ups", "plan_choose", "games", "etuis"), 4),
    "prints": 5,
}
ON_THE_WAY = "first_evening"  # in the session of a director's browser: the club that has not published yet


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
        if step is first or (not step.done and step.page in CLUB_PAGES):
            in_club = reverse(step.page, args=[club.slug]) if step.page in CLUB_PAGES else ""
            url = session_url(step.page, step.session) if step.session is not None else in_club
        linked.append(LinkedStep(step.text, step.action, step.done, step is first, url))
    return linked


def next_step(club: Club) -> LinkedStep | None:
    """Return the next step of a club, or None once an evening is published."""
    return next((step for step in linked_steps(club) if step.next), None)


def mark_way(request: HttpRequest, club: Club, *, on: bool) -> None:
    """Remember in the browser's session whether its director is on the way to the club's first evening."""
    if on:
        if not is_on_way(request, club):
            request.session[ON_THE_WAY] = club.pk
    elif is_on_way(request, club):
        del request.session[ON_THE_WAY]


def is_on_way(request: HttpRequest, club: Club) -> bool:
    return request.session.get(ON_THE_WAY) == club.pk
