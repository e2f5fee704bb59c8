"""The lists of sessions and tournaments for pages, the session of tonight, and the progress of one under way.

This module checks no permissions: the callers have done so.
"""

import datetime as dt
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from clubs.models import Club, Season, User
from clubs.roles import clubs_of, directed_by
from evenings.plays.free import count_unseated
from evenings.plays.session_plays import count_session_states
from evenings.plays.state import WAITED_FOR, PlayState
from evenings.standings.computing import is_session_fresh
from tournaments.models import Cut, Publication, Session, Tournament
from tournaments.published import standing_now

A_PAGE = 20  # tournaments on one page of a club's list
NEWEST = 4  # the newest sessions of each tournament among which its next evening and last ranking are sought
NEWEST_FIRST = ("-created_at", "-id")  # the order of tournaments
SESSIONS_A_PAGE = 50  # sessions on one page of a tournament's own list
MOST_AHEAD = 100  # the most coming evenings that the tournament's own list shows


def sessions_with_states(*, away: bool = False) -> Any:
    """Return the queryset of sessions, newest first, with more columns for lists.

    `tables_count` is the number of tables, `standing` the present status of the ranking, and `published_at` the time of
    the last publication (None before the first). With `away`, these are the sessions that were put away, else all
    others.
    """
    of_figures = ~Q(publications__status=Publication.PublicationStatus.OFFICIAL)
    return (
        Session.objects.filter(put_away_at__isnull=not away)
        .annotate(
            tables_count=Count("tables", distinct=True),
            standing=standing_now(),
            published_at=Max("publications__published_at", filter=of_figures),
        )
        .order_by("-number")
    )


def far_ahead(today: dt.date) -> Q:
    """Return the query condition for future sessions in preparation that are not the next one of their tournament.

    A weekly evening has many such sessions. Lists leave them out, because they would show nothing else.
    """
    drafts = Session.objects.filter(tournament=OuterRef("tournament"), status=Session.Status.DRAFT, put_away_at=None)
    sooner = drafts.filter(date__gte=today, date__lt=OuterRef("date"))
    return Q(Exists(sooner), status=Session.Status.DRAFT, date__gt=today)


def sessions_to_come(now: dt.datetime) -> QuerySet[Session]:
    """Return the sessions under way that are neither closed nor published, and those in preparation from today on."""
    drafts = Q(status=Session.Status.DRAFT, date__gte=timezone.localdate(now))
    running = Q(status=Session.Status.RUNNING, closed_at=None) & ~Exists(
        Publication.objects.filter(session=OuterRef("pk"))
    )
    return Session.objects.filter(drafts | running, put_away_at=None)


def session_of_the_night(user: User, *, date: dt.date) -> Session | None:
    """Return the session of this date to show to the account on its first page, or None.

    Only sessions of the account's clubs are considered; sessions in preparation only for directors. An unpublished
    session comes before a published one, then a session under way before one in preparation, then the newest.
    """
    return (
        Session.objects.filter(
            Q(status=Session.Status.RUNNING) | Q(tournament__club__in=directed_by(user)),
            tournament__club__in=clubs_of(user),
            tournament__put_away_at=None,
            put_away_at=None,
            date=date,
        )
        .select_related("tournament__club")
        .annotate(published=Exists(Publication.objects.filter(session=OuterRef("pk"))))
        .order_by("published", "-status", "-started_at", "-pk")
        .first()
    )


class TournamentsPage(NamedTuple):
    """One page of a club's tournaments. `number` is its number from 1, `pages` the number of all pages.

    Each tournament has one more attribute: `total`, the number of its sessions.
    """

    tournaments: list[Tournament]
    number: int
    pages: int


def seasons_of(club: Club) -> list[Season]:
    """Return the club's seasons, the newest first. `is_used` tells whether a season has a listed tournament."""
    used = Tournament.objects.filter(season=OuterRef("pk"), put_away_at=None)
    return list(club.seasons.annotate(is_used=Exists(used)))


def find_present_season(seasons: list[Season], today: dt.date) -> Season | None:
    """Return the newest season that has begun and has a tournament, or None if no season has a tournament.

    If no such season has begun, return the oldest season with a tournament. `seasons` are as `seasons_of` returns them.
    """
    used = [season for season in seasons if season.is_used]  # type: ignore[attr-defined]
    return next((season for season in used if season.starts_on <= today), used[-1] if used else None)


def since_season(season: Season) -> Q:
    """Return the query condition for the tournaments of the club since this season.

    These are the tournaments of the season and of later ones. Tournaments without a season are among them if they were
    played or made since then.
    """
    played = Session.objects.filter(tournament=OuterRef("pk"), put_away_at=None, date__gte=season.starts_on)
    made = Q(season=None, created_at__date__gte=season.starts_on)
    return Q(season__starts_on__gte=season.starts_on) | made | Q(Exists(played))


def tournaments_page(club: Club, which: Q | None = None, *, page: int = 1) -> TournamentsPage:
    """Return a page of a club's tournaments, newest first, without those put away: all, or those of a condition.

    This takes two queries.
    """
    found = club.tournaments.filter(put_away_at=None)
    if which is not None:
        found = found.filter(which)
    pages = max(1, -(-found.count() // A_PAGE))
    number = min(max(page, 1), pages)
    # The order is given again, because Django drops the model's order when rows are grouped for a count.
    counted = found.annotate(total=Count("sessions", filter=Q(sessions__put_away_at=None))).order_by(*NEWEST_FIRST)
    shown = counted.select_related("season")[(number - 1) * A_PAGE : number * A_PAGE]
    return TournamentsPage(list(shown), number, pages)


def newest_sessions(tournaments: Iterable[Tournament], today: dt.date) -> QuerySet[Session]:
    """Return the newest sessions of each tournament, at most NEWEST; of its coming evenings only the next one."""
    place = Window(RowNumber(), partition_by="tournament", order_by=F("number").desc())
    listed = Session.objects.filter(tournament__in=list(tournaments), put_away_at=None).exclude(far_ahead(today))
    return listed.annotate(place=place).filter(place__lte=NEWEST).order_by("-number")


class SessionsPage(NamedTuple):
    """One page of a tournament's sessions, newest first. `number` is its number from 1, `pages` the number of pages.

    `total` is the number of sessions on all pages. On the first page, `ahead` has the evenings after the next one, in
    the order of their dates; they are on no other page.
    """

    sessions: list[Session]
    total: int
    number: int
    pages: int
    ahead: list[Session]


def sessions_page(tournament: Tournament, page: int) -> SessionsPage:
    """Return a page of a tournament's sessions, without those put away. This takes three queries.

    `by_cut` of a session is True if its players come by a cut.
    """
    later = far_ahead(timezone.localdate(None, tournament.club.zone))
    total = tournament.sessions.filter(put_away_at=None).exclude(later).count()
    pages = max(1, -(-total // SESSIONS_A_PAGE))
    number = min(max(page, 1), pages)
    by_cut = Exists(Cut.objects.filter(session=OuterRef("pk")))
    found = sessions_with_states().filter(tournament=tournament).annotate(by_cut=by_cut)
    shown = list(found.exclude(later)[(number - 1) * SESSIONS_A_PAGE : number * SESSIONS_A_PAGE])
    ahead = list(found.filter(later).order_by("date", "number")[:MOST_AHEAD]) if number == 1 else []
    return SessionsPage(shown, total, number, pages, ahead)


def drafts_of(club: Club) -> QuerySet[Session]:
    """Return a club's sessions in preparation, in the order of their dates."""
    drafts = Session.objects.filter(tournament__club=club, status=Session.Status.DRAFT)
    return drafts.select_related("tournament").order_by("date", "tournament", "number")


def progress_of(session: Session) -> dict[str, Any] | None:
    """Return the progress of a session as data for JSON, or None before its start.

    `missing` is the number of plays that still need a result, also later, and in games that are not seated yet. `fresh`
    is True if the standings contain the newest results.
    """
    if session.status != Session.Status.RUNNING:
        return None
    counts = count_session_states(session)
    computed = session.standings
    return {
        "position": session.position,
        "clock": {"ends_at": session.clock_ends_at, "left": session.clock_left},
        "plays": counts.total(),
        "annulled": counts[PlayState.ANNULLED],
        "adjusted": counts[PlayState.ADJUSTED],
        "not_played": counts[PlayState.NOT_PLAYED],
        "later": counts[PlayState.LATER],
        "missing": sum(counts[state] for state in WAITED_FOR) + count_unseated(session),
        "results_version": session.results_version,
        "computed_at": computed.computed_at,
        "fresh": is_session_fresh(session),
    }
