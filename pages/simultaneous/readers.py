"""The public pages of simultaneous tournaments: the list of a club, and the page with the hours and the clubs."""

import datetime as dt
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import cache_control

from clubs.models import Club
from pages.doors import READING, club_page
from rankings.simultaneous.hours import find_looks
from tournaments.models import Session, Simultaneous, SimultaneousClub
from tournaments.permissions import Can, find_of_club, power_of

COMING, OPEN, CLOSED, PUBLIC = "coming", "open", "closed", "public"
INVITED, WAITS, PREPARES, PLAYS, PLAYED = "invited", "waits", "prepares", "plays", "played"


class ClubLine(NamedTuple):
    """A club of a simultaneous as pages list it. `state` is one of the five above, `session` its session or None."""

    row: SimultaneousClub
    state: str
    session: Session | None
    looks: int = 0


def find_phase(simultaneous: Simultaneous, now: dt.datetime) -> str:
    """Return where a simultaneous is: COMING, OPEN, CLOSED or PUBLIC."""
    if simultaneous.public_at <= now:
        return PUBLIC
    if simultaneous.closed_at is not None or simultaneous.closes_at <= now:
        return CLOSED
    return OPEN if simultaneous.opens_at <= now else COMING


def read_club_lines(simultaneous: Simultaneous, *, with_looks: bool = False) -> list[ClubLine]:
    """Return the clubs that are invited or take part, by name, with one or two queries."""
    rows = SimultaneousClub.objects.filter(simultaneous=simultaneous, left_at=None)
    looks: dict[int, int] = {}
    if with_looks:
        for deal_set in find_looks(simultaneous).order_by().values_list("deal_set", flat=True):
            looks[deal_set] = looks.get(deal_set, 0) + 1
    return [
        ClubLine(row, find_club_state(row), row.session, looks.get(row.deal_set_id or 0, 0))
        for row in rows.select_related("club", "session__tournament__club").order_by("club__name", "pk")
    ]


def find_club_state(row: SimultaneousClub) -> str:
    """Return how far a club is: INVITED, WAITS, PREPARES, PLAYS or PLAYED."""
    if row.agreed_at is None:
        return INVITED
    if row.session is None or row.session.put_away_at is not None:
        return WAITS
    if row.session.status == Session.Status.DRAFT:
        return PREPARES
    return PLAYS if row.session.closed_at is None else PLAYED


@club_page(Can.READ, READING, real=True)
@cache_control(no_cache=True)
def simultaneous_list(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the simultaneous that a club organises or plays. Directors also see invitations."""
    directs = power_of(request.user, club) >= Can.DIRECT
    rows = SimultaneousClub.objects.filter(club=club, left_at=None, simultaneous__put_away_at=None)
    told = list(rows.select_related("simultaneous__club", "session__tournament").order_by("-pk"))
    own = [(each, None) for each in club.simultaneous.filter(put_away_at=None)]
    elsewhere = [row for row in told if row.agreed_at is not None and row.simultaneous.club_id != club.pk]
    context: dict[str, Any] = {
        "club": club,
        "directs": directs,
        "page": "simultaneous",
        "answer": "simultaneous_answer",
        "asked": [(row.simultaneous, row) for row in told if row.agreed_at is None] if directs else [],
        "listed": [*own, *((row.simultaneous, row) for row in elsewhere)],
        "away": list(club.simultaneous.exclude(put_away_at=None)) if directs else [],
    }
    return render(request, "simultaneous/list.html", context)


@club_page(Can.READ, READING)
@cache_control(no_cache=True)
def simultaneous_page(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Show a simultaneous: its hours and the clubs that take part. Directors also see what their club does next."""
    found = find_of_club(Simultaneous, club.slug, simultaneous, "deal_set")
    lines = read_club_lines(found)
    taking_part = [line for line in lines if line.state != INVITED]
    mine = [line for line in lines if power_of(request.user, line.row.club) >= Can.DIRECT]
    context = {
        "club": club,
        "simultaneous": found,
        "phase": find_phase(found, timezone.now()),
        "lines": taking_part,
        "begun": sum(line.state in (PLAYS, PLAYED) for line in taking_part),
        "played": sum(line.state == PLAYED for line in taking_part),
        "directs": power_of(request.user, club) >= Can.DIRECT,
        "mine": mine,
    }
    return render(request, "simultaneous/page.html", context)
