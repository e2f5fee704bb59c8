"""The published rankings of all kinds, in pages, those with the newest figures first; and the latest events.

The module `events.news` has another order: by the newest version. A version may have no new figures, for example if it
only makes a ranking official.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import OuterRef, Q, QuerySet, Subquery, Value
from django.urls import reverse

from clubs.models import Club, real_clubs
from rankings.events.news import Whose, hidden_sessions
from rankings.listing.kinds import (
    FIELDS,
    KINDS_BY_NAME,
    SERIES_OF_CLUBS,
    SESSIONS,
    TOURNAMENTS,
    RankingKind,
    RankingPlace,
    kind_of,
)
from rankings.publication.newest import latest_publications
from tournaments.models import (
    FieldPublication,
    Publication,
    Session,
    Simultaneous,
    SimultaneousClub,
    TournamentPublication,
)
from tournaments.versions.steps import OFFICIAL, PROVISIONAL, WITHDRAWN

KINDS = tuple(KINDS_BY_NAME)
LARGE = ("data", "frozen", "changes")  # the figures of a version, which the list does not read


class NewestRanking(NamedTuple):
    """The newest version of a ranking that readers see, without its figures.

    `kind` is "session", "tournament", "series" or "field". `figures_at` is the time when these figures were first
    published; the version may be newer, because they have become official since. `now` is the time when the list was
    read.
    """

    kind: str
    version: Any
    figures_at: dt.datetime
    now: dt.datetime

    @property
    def session(self) -> Session | None:
        """The session, or None for the ranking of something else."""
        return self.version.session if self.kind == SESSIONS.name else None

    @property
    def tournament(self) -> Any:
        """The tournament, or None for the ranking of a series or of a simultaneous."""
        return (self.session or self.version).tournament if self.kind in (SESSIONS.name, TOURNAMENTS.name) else None

    @property
    def club(self) -> Club:
        return KINDS_BY_NAME[self.kind].club_of(self.version)

    @property
    def title(self) -> str:
        return KINDS_BY_NAME[self.kind].title(self.version)

    @property
    def place(self) -> RankingPlace:
        return KINDS_BY_NAME[self.kind].place(self.version)

    @property
    def status(self) -> str:
        """The status of the version.

        If its time for corrections is over, "official", even if no job has stored this yet. A field waits for the job,
        which looks first whether results still count.
        """
        version = self.version
        is_over = version.status == PROVISIONAL and version.official_from and version.official_from <= self.now
        return str(OFFICIAL if is_over and self.kind != FIELDS.name else version.status)


def find_rankings(clubs: QuerySet[Club], kinds: Sequence[str] = KINDS, **at: dt.datetime) -> Any:
    """Return a query of the rankings of these clubs, the newest figures first, as rows for `read_newest_rankings`.

    `kinds` are names of kinds. `at` filters by the time of the figures, for example `figures_at__gte=…`.
    """
    columns = ("kind", "pk", "figures_at")
    one, *others = (newest_versions(KINDS_BY_NAME[kind], clubs).filter(**at).values_list(*columns) for kind in kinds)
    return one.union(*others, all=True).order_by("-figures_at", "kind", "-pk")


def newest_versions(kind: RankingKind, clubs: QuerySet[Club]) -> Any:
    """Return a query of the newest versions of one kind, with `kind` and `figures_at` added."""
    versions = kind.model._default_manager.filter(**{kind.owner: OuterRef(kind.owner)})
    with_figures = versions.exclude(status=OFFICIAL).order_by("-version").values("published_at")[:1]
    shown = kind.find_news(Whose(clubs=clubs)).exclude(status=WITHDRAWN).order_by()
    if kind == TOURNAMENTS and (held := list(hidden_sessions(published_tournaments()))):
        shown = shown.exclude(sessions__has_any_keys=held)
    if kind == SERIES_OF_CLUBS:
        listed = list(shown.defer(*LARGE))
        held_back = {each.pk for each in listed} - {each.pk for each in kind.drop_held(listed)}
        shown = shown.exclude(pk__in=held_back)
    return shown.annotate(kind=Value(kind.name), figures_at=Subquery(with_figures))


def published_tournaments() -> QuerySet[Any, int]:
    """Return the ids of the tournaments that have a published ranking."""
    return TournamentPublication.objects.order_by().values_list("tournament", flat=True).distinct()


def read_newest_rankings(rows: Sequence[tuple[str, int, dt.datetime]], now: dt.datetime) -> list[NewestRanking]:
    """Return the rankings of these rows from `find_rankings`. This takes one query for each kind that occurs.

    The figures are not read, because they are large.
    """
    read: dict[tuple[str, int], Any] = {}
    for name, kind in KINDS_BY_NAME.items():
        versions = kind.model._default_manager.defer(*LARGE).select_related(kind.club)
        by_id = versions.in_bulk([pk for each, pk, _ in rows if each == name])
        read |= {(name, pk): version for pk, version in by_id.items()}
    return [NewestRanking(kind, read[kind, pk], figures_at, now) for kind, pk, figures_at in rows]


class RankingEvent(NamedTuple):
    """An event as the lists of readers show it: a session, or a simultaneous with its ranking over all clubs.

    `clubs` are those of a simultaneous whose session has begun, each with the path of its session.
    """

    version: Publication | FieldPublication
    clubs: tuple[tuple[str, str], ...] = ()

    @property
    def simultaneous(self) -> Simultaneous | None:
        return self.version.simultaneous if isinstance(self.version, FieldPublication) else None

    @property
    def session(self) -> Session | None:
        return None if isinstance(self.version, FieldPublication) else self.version.session

    @property
    def has_all_sections(self) -> bool:
        """True if the ranking is that of several sections."""
        return self.session is not None and self.session.group is not None and self.session.group.one_ranking

    @property
    def told(self) -> tuple[object, ...]:
        """The values that a page shows of the event and that can change. The figures of a version never change."""
        kind, version = kind_of(self.version), self.version
        return kind.name, version.pk, version.status, self.has_all_sections, self.clubs, *kind.beside(version)


def find_latest_events(limit: int, *, club: Club | None = None) -> list[RankingEvent]:
    """Return the latest events with a ranking that readers see, the newest figures first, without the figures.

    The clubs of a simultaneous are one event, with the ranking over all clubs as soon as readers see it. It takes one
    or two queries, and two more if a simultaneous is among them.
    """
    listed = latest_publications(limit, club=club)
    wanted = {each.simultaneous for each in listed} - {None}  # type: ignore[attr-defined]
    if not wanted:
        return [RankingEvent(each) for each in listed]
    versions = FIELDS.find_news(Whose()).filter(simultaneous__in=wanted).exclude(status=WITHDRAWN)
    fields = {each.simultaneous_id: each for each in versions}
    clubs = list_clubs_of_fields(fields)
    return [
        RankingEvent(fields[of], clubs[of]) if (of := each.simultaneous) in fields else RankingEvent(each)  # type: ignore[attr-defined]
        for each in listed
    ]


def list_clubs_of_fields(simultaneous: Iterable[int]) -> dict[int, tuple[tuple[str, str], ...]]:
    """Return the clubs of these simultaneous whose session has begun, as (name, path of the session)."""
    begun = Q(left_at=None, session__put_away_at=None) & ~Q(session__status=Session.Status.DRAFT)
    public = real_clubs("club") & ~Q(club__house__listed=False)
    rows = SimultaneousClub.objects.filter(begun, public, simultaneous__in=simultaneous, session__isnull=False)
    columns = ("simultaneous", "club__name", "club__slug", "session__tournament__slug", "session__number")
    clubs_of_field: dict[int, list[tuple[str, str]]] = {each: [] for each in simultaneous}
    for field, name, *place in rows.order_by("club__name", "pk").values_list(*columns):
        clubs_of_field[field].append((name, reverse("session", args=place)))
    return {field: tuple(clubs) for field, clubs in clubs_of_field.items()}
