"""The list of every kind of published ranking, and the newest figures of all of them in pages.

Feeds and webhooks go through this list. A new kind of version gets a `RankingKind` in `RANKING_KINDS`: then feeds list
its rankings, and webhooks tell of them.

A version may have no new figures, for example if it only makes a ranking official.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Aggregate, Exists, JSONField, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import JSONObject
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Club, real_clubs
from clubs.names import simplify_name
from clubs.shown import call_in_public
from evenings.reference import find_field_reference
from rankings.events.news import (
    Whose,
    drop_held,
    hidden_sessions,
    is_there,
    news_of_sessions,
    news_of_tournaments,
    read_tournament_podiums,
    sort_by_news,
)
from rankings.publication.newest import key_event, latest_publications, mark_events
from rankings.publication.order import PodiumStep, choose_podium, read_podiums
from rankings.series.publishing import find_held_back
from tournaments.models import (
    FieldPublication,
    Publication,
    Series,
    SeriesClub,
    SeriesPublication,
    Session,
    Simultaneous,
    SimultaneousClub,
    TournamentPublication,
    Version,
)
from tournaments.versions.steps import OFFICIAL, PROVISIONAL, WITHDRAWN

Podiums = Mapping[int, Sequence[PodiumStep]]


class RankingAddresses(NamedTuple):
    """The names of the addresses of a kind of ranking, in the order in which `RankingPlace` tells them.

    Without `numbered`, the addresses of pictures and papers have no number of a version.
    """

    page: str
    version: str
    versions: str
    picture: str
    paper: str
    api: str
    feed: str
    numbered: bool = True


@dataclass(frozen=True, slots=True)
class RankingPlace:
    """The paths of a version of a ranking. `place` has the arguments of its page, and `number` that of the version.

    `key` has the arguments of the address for programs, `listed` those of the feed that lists its news.
    """

    names: RankingAddresses
    place: Sequence[str | int]
    number: int
    key: Sequence[str | int]
    listed: Sequence[str | int]

    @property
    def page(self) -> str:
        return reverse(self.names.page, args=self.place)

    @property
    def version(self) -> str:
        """The page of this version."""
        return reverse(self.names.version, args=[*self.place, self.number])

    @property
    def versions(self) -> str:
        """The list of all versions."""
        return reverse(self.names.versions, args=self.place)

    @property
    def picture(self) -> str:
        """The picture of this version's podium."""
        return reverse(self.names.picture, args=self.numbered)

    @property
    def paper(self) -> str:
        """The PDF of this version, to pin up."""
        return reverse(self.names.paper, args=self.numbered)

    @property
    def api(self) -> str:
        """The newest version for programs."""
        return reverse(self.names.api, args=self.key)

    @property
    def feed(self) -> str:
        return reverse(self.names.feed, args=self.listed)

    @property
    def numbered(self) -> list[str | int]:
        return [*self.place, *([self.number] if self.names.numbered else [])]


@dataclass(frozen=True, slots=True)
class RankingKind:
    """A kind of published ranking.

    `model` is the model of its versions, `owner` the field for the owner, and `club` the path to the owner's club.
    `find_news` returns the newest version of each ranking that readers see. It may still contain versions that are held
    back, because they count a hidden session. `drop_held` removes these. `podiums` returns the podiums of versions by
    their ids. `club_of`, `place`, `title` and `beside` are about one version. `beside` is the data of a feed's entry
    that can change without a new version.
    """

    name: str
    model: type[Version]
    owner: str
    club: str
    find_news: Callable[[Whose], QuerySet[Any]]
    drop_held: Callable[[Sequence[Any]], list[Any]]
    podiums: Callable[[Sequence[Any]], Podiums]
    club_of: Callable[[Any], Club]
    place: Callable[[Any], RankingPlace]
    title: Callable[[Any], str]
    beside: Callable[[Any], tuple[object, ...]]

    def find_latest(self, whose: Whose, limit: int) -> list[Any]:
        """Return the newest versions that readers see, the last published first, at most `limit`.

        Versions that are held back are read too, and then left out. So there may be fewer.
        """
        return self.drop_held(list(self.find_news(whose)[: 2 * limit]))[:limit]

    def find_shown(self, club_id: int, owners: Iterable[int]) -> dict[int, Any]:
        """Return the newest version of these owners' rankings by owner, without the rankings that readers do not see.

        A withdrawn version is among them: readers see that it is withdrawn.
        """
        listed = list(owners)
        if not listed:
            return {}
        news = self.find_news(Whose(club=club_id)).filter(**{f"{self.owner}__in": listed})
        return {getattr(each, f"{self.owner}_id"): each for each in self.drop_held(list(news))}


OF_SESSION = RankingAddresses(
    "ranking", "ranking_version", "versions", "podium", "ranking_pdf", "api_latest", "tournament_feed"
)
OF_TOURNAMENT = RankingAddresses(
    *("tournament_ranking", "tournament_version", "tournament_versions", "tournament_podium", "tournament_pdf"),
    *("api_event_newest", "tournament_feed"),
)
OF_SERIES = RankingAddresses(
    *("series", "series_version", "series_versions", "series_podium", "series_pdf", "api_series", "series_feed"),
    numbered=False,
)
OF_FIELD = RankingAddresses(
    "field", "field_version", "field_versions", "field_podium", "field_pdf", "api_field", "club_feed"
)


def find_session_place(version: Publication) -> RankingPlace:
    session = version.session
    place = (session.tournament.club.slug, session.tournament.slug, session.number)
    return RankingPlace(OF_SESSION, place, version.version, [session.pk], place[:2])


def name_session(version: Publication) -> str:
    session = version.session
    values = {
        "name": session.tournament.name,
        "number": session.number,
        "date": date_format(session.date, "DATE_FORMAT"),
    }
    return _("%(name)s, session %(number)s, %(date)s") % values


def tell_beside_session(version: Publication) -> tuple[object, ...]:
    session = version.session
    return *tell_beside_club(session.tournament.name, session.tournament.club), session.number, session.date


def find_tournament_place(version: TournamentPublication) -> RankingPlace:
    tournament = version.tournament
    place = (tournament.club.slug, tournament.slug)
    return RankingPlace(OF_TOURNAMENT, place, version.version, [tournament.pk], place)


def name_tournament(version: TournamentPublication) -> str:
    return _("%(name)s, tournament ranking") % {"name": version.tournament.name}


def find_news_of_series(whose: Whose) -> QuerySet[SeriesPublication]:
    """Return the newest version of each series, the last published first, with `first` as for sessions."""
    listed = Series.objects.filter(real_clubs("club"), put_away_at=None).order_by()
    if whose.tournament is not None:
        listed = listed.none()
    if whose.series is not None:
        listed = listed.filter(pk=whose.series)
    if whose.club is not None:
        listed = listed.filter(club=whose.club)
    if whose.clubs is not None:
        listed = listed.filter(club__in=whose.clubs.order_by())
    versions = SeriesPublication.objects.filter(series=OuterRef("series"))
    newer = versions.filter(version__gt=OuterRef("version"))
    newest = SeriesPublication.objects.filter(~Exists(newer), series__in=listed)
    others = SeriesClub.objects.filter(series=OuterRef("series")).order_by().values("series")
    names = Subquery(others.annotate(total=Sum("club__names_version")).values("total"))
    news: QuerySet[SeriesPublication] = sort_by_news(newest, versions).annotate(other_names=names)
    return news.select_related("series__club")


def drop_held_series(versions: Sequence[SeriesPublication]) -> list[SeriesPublication]:
    """Return the versions without those that count a ranking which readers no longer see.

    This takes at most five queries. They read only which events the versions count.
    """
    readable = SeriesPublication.objects.filter(pk__in=[each.pk for each in versions if is_there(each)]).order_by()
    held = find_held_back(dict(readable.values_list("pk", "data__events"))) if versions else set()
    return [each for each in versions if each.pk not in held]


def find_news_of_fields(whose: Whose) -> QuerySet[FieldPublication]:
    """Return the newest version of each simultaneous, the last published first, with `first` as for sessions."""
    listed = Simultaneous.objects.filter(real_clubs("club"), put_away_at=None).order_by()
    if whose.tournament is not None or whose.series is not None:
        listed = listed.none()
    if whose.club is not None:
        listed = listed.filter(club=whose.club)
    if whose.clubs is not None:
        listed = listed.filter(club__in=whose.clubs.order_by())
    versions = FieldPublication.objects.filter(simultaneous=OuterRef("simultaneous"))
    newest = FieldPublication.objects.filter(
        ~Exists(versions.filter(version__gt=OuterRef("version"))), simultaneous__in=listed
    )
    clubs = SimultaneousClub.objects.filter(simultaneous=OuterRef("simultaneous")).order_by().values("simultaneous")
    names = Subquery(clubs.annotate(total=Sum("club__names_version")).values("total"))
    news: QuerySet[FieldPublication] = sort_by_news(newest, versions).annotate(other_names=names)
    return news.select_related("simultaneous__club")


def read_stored_podiums(versions: Sequence[Version], rank_of: Callable[[bool], str]) -> dict[int, list[PodiumStep]]:
    """Return the podium of each version, as everybody may see it. This takes two queries.

    The versions are of one kind. `rank_of` returns the key of a player's rank in the data of a version. Its argument is
    whether the version has a classement alterné.
    """
    rows = type(versions[0])._default_manager.filter(pk__in=[each.pk for each in versions]).order_by()
    ranks, firsts = {}, {}
    for pk, players, has_alterne in rows.values_list("pk", "data__players", "data__alterne"):
        ranks[pk] = rank_of(bool(has_alterne))
        firsts[pk] = choose_podium(players, itemgetter(ranks[pk]))
    called = call_in_public(row["player"] for first in firsts.values() for row in first)
    return {
        pk: [
            PodiumStep(row[ranks[pk]], called[row["player"]].name, called[row["player"]].known_as or 0, share_of(row))
            for row in first
        ]
        for pk, first in firsts.items()
    }


def share_of(row: Mapping[str, Any]) -> Fraction | None:
    """Return the percentage of a row of the ranking over all clubs, or None. A series has other figures."""
    return Fraction(row["overall"]) if row.get("overall") else None


def find_series_place(version: SeriesPublication) -> RankingPlace:
    place = (version.series.club.slug, version.series.slug)
    return RankingPlace(OF_SERIES, place, version.version, place, place)


def find_field_place(version: FieldPublication) -> RankingPlace:
    place = (version.simultaneous.club.slug, version.simultaneous.slug)
    return RankingPlace(OF_FIELD, place, version.version, place, place[:1])


def name_field(version: FieldPublication) -> str:
    return _("%(title)s, ranking of all clubs") % {"title": version.simultaneous.title}


def tell_beside_club(name: str, club: Club) -> tuple[object, ...]:
    return name, club.name, club.names_version


SESSIONS = RankingKind(
    name="session",
    model=Publication,
    owner="session",
    club="session__tournament__club",
    find_news=news_of_sessions,
    drop_held=list,
    podiums=read_podiums,
    club_of=lambda version: version.session.tournament.club,
    place=find_session_place,
    title=name_session,
    beside=tell_beside_session,
)
TOURNAMENTS = RankingKind(
    name="tournament",
    model=TournamentPublication,
    owner="tournament",
    club="tournament__club",
    find_news=news_of_tournaments,
    drop_held=drop_held,
    podiums=lambda versions: read_tournament_podiums([each.pk for each in versions]),
    club_of=lambda version: version.tournament.club,
    place=find_tournament_place,
    title=name_tournament,
    beside=lambda version: tell_beside_club(version.tournament.name, version.tournament.club),
)
SERIES_OF_CLUBS = RankingKind(
    name="series",
    model=SeriesPublication,
    owner="series",
    club="series__club",
    find_news=find_news_of_series,
    drop_held=drop_held_series,
    podiums=lambda versions: read_stored_podiums(versions, lambda _has_alterne: "rank"),
    club_of=lambda version: version.series.club,
    place=find_series_place,
    title=lambda version: str(version.series.title),
    beside=lambda version: (*tell_beside_club(version.series.title, version.series.club), version.other_names),
)
FIELDS = RankingKind(
    name="field",
    model=FieldPublication,
    owner="simultaneous",
    club="simultaneous__club",
    find_news=find_news_of_fields,
    drop_held=list,
    podiums=lambda versions: read_stored_podiums(
        versions, lambda has_alterne: find_field_reference(has_alterne=has_alterne).rank
    ),
    club_of=lambda version: version.simultaneous.club,
    place=find_field_place,
    title=name_field,
    beside=lambda version: (
        *tell_beside_club(version.simultaneous.title, version.simultaneous.club),
        version.other_names,
    ),
)
RANKING_KINDS = (SESSIONS, TOURNAMENTS, SERIES_OF_CLUBS, FIELDS)
KINDS_BY_NAME = {kind.name: kind for kind in RANKING_KINDS}
KINDS_BY_MODEL: dict[type[Version], RankingKind] = {kind.model: kind for kind in RANKING_KINDS}


def kind_of(version: Version) -> RankingKind:
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
    for place, kind in enumerate((FIELDS, TOURNAMENTS)):
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
    """An event as the lists of readers show it, with the version of its ranking.

    It is a session, a tournament of one day, or a simultaneous with its ranking over all clubs. `day` is its day.
    `clubs` are those of a simultaneous whose session has begun, each with the path of its session.
    """

    version: Publication | TournamentPublication | FieldPublication
    day: dt.date | dt.datetime
    clubs: tuple[tuple[str, str], ...] = ()

    @property
    def page(self) -> str:
        """The path of the ranking."""
        return kind_of(self.version).place(self.version).page

    @property
    def title(self) -> str:
        """The name of the tournament, or the title of the simultaneous."""
        return str(kind_of(self.version).beside(self.version)[0])

    @property
    def club(self) -> Club:
        return kind_of(self.version).club_of(self.version)

    @property
    def session(self) -> Session | None:
        """The session, or None if the ranking is that of several sessions."""
        return self.version.session if isinstance(self.version, Publication) else None

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
