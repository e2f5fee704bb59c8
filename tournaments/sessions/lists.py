"""Sessions and tournaments in lists, and the one session of the night. Whoever calls has asked `permissions` first."""

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
    """Sessions, newest first, with their number of tables and, once published, what the ranking is by now (`standing`)
    and when it was published last.

    Those that are put away are in no list but their own.
    """
    of_figures = ~Q(publications__status=Publication.Status.OFFICIAL)
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
    """Sessions in preparation that come after another one of their tournament: an evening of every week has many, and
    lists would hold nothing else."""
    drafts = Session.objects.filter(tournament=OuterRef("tournament"), status=Session.Status.DRAFT, put_away_at=None)
    sooner = drafts.filter(date__gte=today, date__lt=OuterRef("date"))
    return Q(Exists(sooner), status=Session.Status.DRAFT, date__gt=today)


def standing_now() -> Subquery:
    """What a session's ranking is by now: the status of its newest version, official where its window has ended."""
    newest = Publication.objects.filter(session=OuterRef("pk")).order_by("-version")
    over = When(
        status=Publication.Status.PROVISIONAL, official_from__lte=Now(), then=Value(Publication.Status.OFFICIAL)
    )
    return Subquery(newest.annotate(by_now=Case(over, default="status")).values("by_now")[:1])


def newest_version() -> Subquery:
    """The number of a session's newest publication, None before the first."""
    return Subquery(Publication.objects.filter(session=OuterRef("pk")).order_by("-version").values("version")[:1])


def sessions_to_come(now: dt.datetime) -> QuerySet[Session]:
    """Those under way, and those that are to begin from today on."""
    drafts = Q(status=Session.Status.DRAFT, date__gte=timezone.localdate(now))
    running = Q(status=Session.Status.RUNNING, closed_at=None) & ~Exists(
        Publication.objects.filter(session=OuterRef("pk"))
    )
    return Session.objects.filter(drafts | running, put_away_at=None)


def session_of_the_night(user: User, *, date: dt.date) -> Session | None:
    """The session of this date that the account has to do with: one that is not yet published rather than one that is,
    under way rather than in preparation, which is for directors alone, and the newest of several."""
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
    """One page of a club's tournaments, each with `listed`, its newest sessions and their states, and `total`, how many
    it has; pages count from 1."""

    tournaments: list[Tournament]
    number: int
    pages: int


def tournaments_page(club: Club, *, season: Season | None = None, page: int = 1) -> TournamentsPage:
    """A club's tournaments that are not put away, newest first, of one season or of all. Three queries. Of the evenings
    to come each lists the next one alone."""
    found = club.tournaments.filter(put_away_at=None)
    if season is not None:
        found = found.filter(season=season)
    pages = max(1, -(-found.count() // A_PAGE))
    number = min(max(page, 1), pages)
    listed = sessions_with_states().exclude(far_ahead(timezone.localdate(None, club.zone)))
    newest = Prefetch("sessions", listed[:NEWEST], to_attr="listed")
    # The order is said again: Django forgets a model's own where rows are counted in groups.
    counted = found.annotate(total=Count("sessions", filter=Q(sessions__put_away_at=None))).order_by(*NEWEST_FIRST)
    shown = counted.select_related("season").prefetch_related(newest)[(number - 1) * A_PAGE : number * A_PAGE]
    return TournamentsPage(list(shown), number, pages)


class SessionsPage(NamedTuple):
    """One page of a tournament's sessions, the newest first; pages count from 1. `total`: of all pages. `ahead`: on the
    first one, evenings that come after the next one, in their order."""

    sessions: list[Session]
    total: int
    number: int
    pages: int
    ahead: list[Session]


def sessions_page(tournament: Tournament, page: int) -> SessionsPage:
    """Those that are not put away. Three queries."""
    later = far_ahead(timezone.localdate(None, tournament.club.zone))
    total = tournament.sessions.filter(put_away_at=None).exclude(later).count()
    pages = max(1, -(-total // SESSIONS_A_PAGE))
    number = min(max(page, 1), pages)
    found = sessions_with_states().filter(tournament=tournament)
    shown = list(found.exclude(later)[(number - 1) * SESSIONS_A_PAGE : number * SESSIONS_A_PAGE])
    ahead = list(found.filter(later).order_by("date", "number")[:MOST_AHEAD]) if number == 1 else []
    return SessionsPage(shown, total, number, pages, ahead)


def drafts_of(club: Club) -> QuerySet[Session]:
    """A club's sessions in preparation, the next first."""
    drafts = Session.objects.filter(tournament__club=club, status=Session.Status.DRAFT)
    return drafts.select_related("tournament").order_by("date", "tournament", "number")
