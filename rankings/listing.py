"""The list of every kind of published ranking, and the newest figures of all of them in pages.

Feeds, webhooks and the sweep go through this list. A new kind of version gets a `RankingKind` in `RANKING_KINDS`: then
feeds list its rankings, webhooks tell of them, and the sweep makes them official.

A version may have no new figures, for example if it only makes a ranking official.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Aggregate, JSONField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import JSONObject
from django.urls import reverse

from clubs.models import Club, real_clubs
from clubs.names import simplify_name
from rankings.events.publishing import TOURNAMENTS, hidden_sessions
from rankings.kinds import AnyKind, RankingPlace, Whose, is_there
from rankings.publication.newest import key_event, latest_publications, mark_events
from rankings.publication.order import PodiumStep
from rankings.publication.publishing import SESSIONS
from rankings.series.publishing import SERIES_OF_CLUBS
from rankings.simultaneous.field.publishing import FIELDS
from tournaments.models import (
    FieldPublication,
    Session,
    SimultaneousClub,
    Version,
)
from tournaments.versions import OFFICIAL, WITHDRAWN

RANKING_KINDS: tuple[AnyKind, ...] = (SESSIONS, TOURNAMENTS, SERIES_OF_CLUBS, FIELDS)
KINDS_BY_NAME = {kind.name: kind for kind in RANKING_KINDS}
KINDS_BY_MODEL: dict[type[Version], AnyKind] = {kind.model: kind for kind in RANKING_KINDS}


def kind_of(version: Version) -> AnyKind:
    """Return the kind of ranking to which this published version belongs."""
    return KINDS_BY_MODEL[type(version)]


def find_common_rankings(publications: Iterable[Any]) -> dict[tuple[int | None, ...], Any]:
    """Return the rankings that stand for those of several sessions, by event (see `key_event`), without their figures.

    These are the rankings over all clubs of a simultaneous and those of tournaments of one day, if readers see them. A
    simultaneous comes with its clubs (see `list_clubs`).
    The publications have the columns of `mark_events`. It takes at most three queries, and none if there is no event of
    these two sorts.
    """
    events = {key_event(each) for each in publications}
    common: dict[tuple[int | None, ...], Any] = {}
    kinds: tuple[AnyKind, ...] = (FIELDS, TOURNAMENTS)
    for place, kind in enumerate(kinds):
        owners = {event[place]: event for event in events if event[place]}
        if owners:
            news = kind.find_news(Whose()).filter(**{f"{kind.owner}__in": owners}).exclude(status=WITHDRAWN)
            if kind == FIELDS:
                news = news.annotate(clubs=find_clubs_of_fields())
            common |= {owners[getattr(each, f"{kind.owner}_id")]: each for each in kind.drop_held(list(news))}
    return common


def find_latest_rankings(whose: Whose, limit: int) -> list[Version]:
    """Return at most `limit` newest versions of all kinds, the last published first, and one for each event.

    The ranking of a simultaneous or of a tournament of one day stands for those of the sessions, as soon as readers see
    it. Of sections that share one ranking, the newest publication is returned.
    """
    sessions = list(SESSIONS.find_news(whose).annotate(**mark_events())[: 2 * limit])
    common, one_each = find_common_rankings(sessions), dict[object, Version]()
    for each in sorted(sessions, key=is_there, reverse=True):
        event = key_event(each)
        is_apart = each.whole is not None and event not in common
        one_each.setdefault((each.pk if is_apart else event), common.get(event, each))
    others = (each for kind in RANKING_KINDS if kind != SESSIONS for each in kind.find_latest(whose, limit))
    listed = {(type(each), each.pk): each for each in (*one_each.values(), *others)}
    return sorted(listed.values(), key=lambda each: each.published_at, reverse=True)[:limit]


def read_all_podiums(versions: Sequence[Version]) -> dict[Version, Sequence[PodiumStep]]:
    """Return the podium of each version, or nothing for a withdrawn one."""
    steps: dict[Version, Sequence[PodiumStep]] = {}
    for kind in RANKING_KINDS:
        own = [each for each in versions if isinstance(each, kind.model) and is_there(each)]
        podiums = kind.podiums(own) if own else {}
        steps |= {each: podiums.get(each.pk, ()) for each in own}
    return steps


KINDS = tuple(KINDS_BY_NAME)
LARGE = ("data", "frozen", "changes")  # the figures of a version, which the list does not read


@dataclass(frozen=True, slots=True)
class ListedRanking:
    """The newest version of a ranking that readers see, without its figures."""

    version: Any

    @property
    def kind(self) -> AnyKind:
        return kind_of(self.version)

    @property
    def session(self) -> Session | None:
        """The session, or None for the ranking of something else."""
        return self.version.session if self.kind == SESSIONS else None

    @property
    def club(self) -> Club:
        return self.kind.club_of(self.version)

    @property
    def title(self) -> str:
        return self.kind.title(self.version)

    @property
    def place(self) -> RankingPlace:
        return self.kind.place(self.version)


@dataclass(frozen=True, slots=True)
class NewestRanking(ListedRanking):
    """A ranking in the list of the newest ones.

    `figures_at` is the time when these figures were first published; the version may be newer, because they have become
    official since. `now` is the time when the list was read.
    """

    figures_at: dt.datetime
    now: dt.datetime

    @property
    def tournament(self) -> Any:
        """The tournament, or None for the ranking of a series or of a simultaneous."""
        return (self.session or self.version).tournament if self.kind in (SESSIONS, TOURNAMENTS) else None

    @property
    def status(self) -> str:
        """The status of the version.

        If its time for corrections is over, "official", even if no job has stored this yet. A field waits for the job,
        which looks first whether results still count.
        """
        return str(OFFICIAL if self.kind.is_official(self.version, self.now) else self.version.status)


def find_rankings(clubs: QuerySet[Club], kinds: Sequence[str] = KINDS, **at: dt.datetime) -> Any:
    """Return a query of the rankings of these clubs, the newest figures first, as rows for `read_newest_rankings`.

    `kinds` are names of kinds. `at` filters by the time of the figures, for example `figures_at__gte=…`.
    """
    columns = ("kind", "pk", "figures_at")
    one, *others = (newest_versions(KINDS_BY_NAME[kind], clubs).filter(**at).values_list(*columns) for kind in kinds)
    return one.union(*others, all=True).order_by("-figures_at", "kind", "-pk")


def newest_versions(kind: AnyKind, clubs: QuerySet[Club]) -> Any:
    """Return a query of the newest versions of one kind, with `kind` and `figures_at` added."""
    versions = kind.model._default_manager.filter(**{kind.owner: OuterRef(kind.owner)})
    with_figures = versions.exclude(status=OFFICIAL).order_by("-version").values("published_at")[:1]
    shown = kind.find_news(Whose(clubs=clubs)).exclude(status=WITHDRAWN).order_by()
    if kind == TOURNAMENTS and (held := hidden_sessions(tournament__in=shown.values("tournament"))):
        shown = shown.exclude(sessions__has_any_keys=list(held))
    if kind == SERIES_OF_CLUBS:
        listed = list(shown)
        held_back = {each.pk for each in listed} - {each.pk for each in kind.drop_held(listed)}
        shown = shown.exclude(pk__in=held_back)
    return shown.annotate(kind=Value(kind.name), figures_at=Subquery(with_figures))


def read_newest_rankings(rows: Sequence[tuple[str, int, dt.datetime]], now: dt.datetime) -> list[NewestRanking]:
    """Return the rankings of these rows from `find_rankings`. This takes one query for each kind that occurs.

    The figures are not read, because they are large.
    """
    read: dict[tuple[str, int], Any] = {}
    for name, kind in KINDS_BY_NAME.items():
        versions = kind.model._default_manager.defer(*LARGE).select_related(kind.club)
        by_id = versions.in_bulk([pk for each, pk, _ in rows if each == name])
        read |= {(name, pk): version for pk, version in by_id.items()}
    return [NewestRanking(read[kind, pk], figures_at, now) for kind, pk, figures_at in rows]


@dataclass(frozen=True, slots=True)
class RankingEvent(ListedRanking):
    """An event as the lists of readers show it, with the version of its ranking.

    It is a session, a tournament of one day, or a simultaneous with its ranking over all clubs. `day` is its day.
    `clubs` are those of a simultaneous whose session has begun, each with the path of its session.
    """

    day: dt.date | dt.datetime
    clubs: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        """The name of the tournament, or the title of the simultaneous."""
        return self.kind.name_owner(getattr(self.version, self.kind.owner))

    @property
    def has_all_sections(self) -> bool:
        """True if the ranking is that of several sections."""
        return self.session is not None and self.session.group is not None and self.session.group.one_ranking

    @property
    def told(self) -> tuple[object, ...]:
        """The values that a page shows of the event and that can change. The figures of a version never change."""
        kind, version = self.kind, self.version
        return kind.name, version.pk, version.status, self.has_all_sections, self.clubs, *kind.beside(version)


def find_latest_events(limit: int, *, club: Club | None = None) -> list[RankingEvent]:
    """Return the latest events with a ranking that readers see, the newest figures first, without the figures.

    The clubs of a simultaneous are one event, with the ranking over all clubs as soon as readers see it. So are the
    sessions of a tournament of one day, with its ranking. It takes one or two queries, and at most three more if there
    are such events.
    """
    listed = latest_publications(limit, club=club)
    common = find_common_rankings(listed)
    shown = [common.get(key_event(each), each) for each in listed]
    return [
        RankingEvent(each, each.simultaneous.opens_at, list_clubs(each))
        if isinstance(each, FieldPublication)
        else RankingEvent(each, of.session.date)
        for each, of in zip(shown, listed, strict=True)
    ]


class JSONList(Aggregate):
    """The JSON values of all rows as one list."""

    function, output_field = "JSONB_AGG", JSONField()

    def as_sqlite(self, compiler: Any, connection: Any, **options: Any) -> Any:
        return self.as_sql(compiler, connection, function="JSON_GROUP_ARRAY", **options)


def find_clubs_of_fields() -> Subquery:
    """Return a subquery for the clubs of a simultaneous whose session has begun, for a query of its versions.

    The rows have a name, and the words of the path of the session. Without such a club, it is None.
    """
    begun = Q(left_at=None, session__put_away_at=None) & ~Q(session__status=Session.Status.DRAFT)
    public = real_clubs("club") & ~Q(club__house__listed=False)
    rows = SimultaneousClub.objects.filter(begun, public, simultaneous=OuterRef("simultaneous"), session__isnull=False)
    clubs = JSONList(
        JSONObject(
            name="club__name", club="club__slug", tournament="session__tournament__slug", number="session__number"
        )
    )
    return Subquery(rows.order_by().values("simultaneous").annotate(clubs=clubs).values("clubs"))


def list_clubs(version: Any) -> tuple[tuple[str, str], ...]:
    """Return the clubs that `find_clubs_of_fields` has found for a version, as (name, path of the session)."""
    clubs = [(each.pop("name"), reverse("session", kwargs=each)) for each in version.clubs or ()]
    return tuple(sorted(clubs, key=lambda club: (simplify_name(club[0]), club)))
