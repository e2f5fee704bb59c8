"""The lists of sessions and tournaments, and the one session of the night. The callers have checked `permissions`."""

import datetime as dt
from typing import Any, NamedTuple

from django.db.models import Case, Count, Exists, Max, OuterRef, Prefetch, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Now
from django.utils import timezone

from clubs.accounts.roles import clubs_of, directed_by
from clubs.models import Club, Season, User
from tournaments.models import Publication, Session, Tournament

A_PAGE = 20  # tournaments of a club that are listed at once
NEWEST = 4  # sessions of each
NEWEST_FIRST = ("-created_at", "-id")  # tournaments
SESSIONS_A_PAGE = 50  # of a tournament
MOST_AHEAD = 100  # evenings to come of a tournament that are listed


def sessions_with_states(*, away: bool = False) -> Any:
    """Return sessions, newest first, with their number of tables and, once published, their present ranking status.

    `standing` is that status, `published_at` the time of the last publication. Sessions put away are in no list but
    their own (`away`).
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
    """Return the condition of sessions in preparation that come after another one of their tournament.

    A weekly evening has many of them, and lists would contain nothing else.
    """
    drafts = Session.objects.filter(tournament=OuterRef("tournament"), status=Session.Status.DRAFT, put_away_at=None)
    sooner = drafts.filter(date__gte=today, date__lt=OuterRef("date"))
    return Q(Exists(sooner), status=Session.Status.DRAFT, date__gt=today)


def standing_now() -> Subquery:
    """Return a subquery for the present status of a session's ranking.

    It is the status of the newest version, official once its window has ended.
    """
    newest = Publication.objects.filter(session=OuterRef("pk")).order_by("-version")
    over = When(
        status=Publication.PublicationStatus.PROVISIONAL,
        official_from__lte=Now(),
        then=Value(Publication.PublicationStatus.OFFICIAL),
    )
    return Subquery(newest.annotate(by_now=Case(over, default="status")).values("by_now")[:1])


def select_newest_version() -> Subquery:
    """Return a subquery for the number of a session's newest publication, None before the first."""
    return Subquery(Publication.objects.filter(session=OuterRef("pk")).order_by("-version").values("version")[:1])


def sessions_to_come(now: dt.datetime) -> QuerySet[Session]:
    """Return the sessions under way, and those that begin today or later."""
    drafts = Q(status=Session.Status.DRAFT, date__gte=timezone.localdate(now))
    running = Q(status=Session.Status.RUNNING, closed_at=None) & ~Exists(
        Publication.objects.filter(session=OuterRef("pk"))
    )
    return Session.objects.filter(drafts | running, put_away_at=None)


def session_of_the_night(user: User, *, date: dt.date) -> Session | None:
    """Return the session of this date that concerns the account, or None.

    Unpublished sessions come before published ones, sessions under way before sessions in preparation (for directors
    only), and then the newest first.
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
    """One page of a club's tournaments. Pages count from 1.

    Each tournament has `listed`, its newest sessions with their status, and `total`, the number of its sessions.
    """

    tournaments: list[Tournament]
    number: int
    pages: int


def tournaments_page(club: Club, *, season: Season | None = None, page: int = 1) -> TournamentsPage:
    """Return a page of a club's tournaments that are not put away, newest first, of one season or of all.

    Three queries.

    Of the evenings to come, each tournament lists only the next one.
    """
    found = club.tournaments.filter(put_away_at=None)
    if season is not None:
        found = found.filter(season=season)
    pages = max(1, -(-found.count() // A_PAGE))
    number = min(max(page, 1), pages)
    listed = sessions_with_states().exclude(far_ahead(timezone.localdate(None, club.zone)))
    newest = Prefetch("sessions", listed[:NEWEST], to_attr="listed")
    # The order is repeated: Django drops a model's own order if rows are counted in groups.
    counted = found.annotate(total=Count("sessions", filter=Q(sessions__put_away_at=None))).order_by(*NEWEST_FIRST)
    shown = counted.select_related("season").prefetch_related(newest)[(number - 1) * A_PAGE : number * A_PAGE]
    return TournamentsPage(list(shown), number, pages)


class SessionsPage(NamedTuple):
    """One page of a tournament's sessions, the newest first. Pages count from 1. `total` counts all pages.

    On the first page, `ahead` has the evenings after the next one, in their order.
    """

    sessions: list[Session]
    total: int
    number: int
    pages: int
    ahead: list[Session]


def sessions_page(tournament: Tournament, page: int) -> SessionsPage:
    """Return a page of the sessions that are not put away. Three queries."""
    later = far_ahead(timezone.localdate(None, tournament.club.zone))
    total = tournament.sessions.filter(put_away_at=None).exclude(later).count()
    pages = max(1, -(-total // SESSIONS_A_PAGE))
    number = min(max(page, 1), pages)
    found = sessions_with_states().filter(tournament=tournament)
    shown = list(found.exclude(later)[(number - 1) * SESSIONS_A_PAGE : number * SESSIONS_A_PAGE])
    ahead = list(found.filter(later).order_by("date", "number")[:MOST_AHEAD]) if number == 1 else []
    return SessionsPage(shown, total, number, pages, ahead)


def drafts_of(club: Club) -> QuerySet[Session]:
    """Return a club's sessions in preparation, the next first."""
    drafts = Session.objects.filter(tournament__club=club, status=Session.Status.DRAFT)
    return drafts.select_related("tournament").order_by("date", "tournament", "number")
