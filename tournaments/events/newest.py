"""The published rankings of sessions and tournaments, in pages, those with the newest figures first.

The module `news` has another order: by the newest version. A version may have no new figures, for example if it only
makes a ranking official.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery, Value

from clubs.models import Club
from tournaments.events.news import Whose, hidden_sessions, news_of_sessions, news_of_tournaments
from tournaments.models import Publication, Session, TournamentPublication
from tournaments.versions.steps import OFFICIAL, PROVISIONAL, WITHDRAWN

SESSION, TOURNAMENT = KINDS = ("session", "tournament")
MODELS: dict[str, Any] = {SESSION: Publication, TOURNAMENT: TournamentPublication}
NEWS: dict[str, Any] = {SESSION: news_of_sessions, TOURNAMENT: news_of_tournaments}
PLACES = {SESSION: "session__tournament", TOURNAMENT: "tournament"}


class NewestRanking(NamedTuple):
    """The newest version of a ranking that readers see, without its figures.

    `kind` is "session" or "tournament". `figures_at` is the time when these figures were first published; the version
    may be newer, because they have become official since. `now` is the time when the list was read.
    """

    kind: str
    version: Any
    figures_at: dt.datetime
    now: dt.datetime

    @property
    def session(self) -> Session | None:
        """The session, or None for the ranking of a tournament."""
        return self.version.session if self.kind == SESSION else None

    @property
    def tournament(self) -> Any:
        return (self.session or self.version).tournament

    @property
    def status(self) -> str:
        """The status of the version.

        If its time for corrections is over, "official", even if no job has stored this yet.
        """
        version = self.version
        is_over = version.status == PROVISIONAL and version.official_from and version.official_from <= self.now
        return str(OFFICIAL if is_over else version.status)


def find_rankings(clubs: QuerySet[Club], kinds: Sequence[str] = KINDS, **at: dt.datetime) -> Any:
    """Return a query of the rankings of these clubs, the newest figures first, as rows for `read_newest_rankings`.

    `kinds` are sessions, tournaments, or both. `at` filters by the time of the figures, for example
    `figures_at__gte=…`.
    """
    one, *others = (newest_versions(kind, clubs).filter(**at).values_list("kind", "pk", "figures_at") for kind in kinds)
    return one.union(*others, all=True).order_by("-figures_at", "kind", "-pk")


def newest_versions(kind: str, clubs: QuerySet[Club]) -> Any:
    """Return a query of the newest versions of one kind, with `kind` and `figures_at` added."""
    versions = MODELS[kind].objects.filter(**{kind: OuterRef(kind)})
    with_figures = versions.exclude(status=OFFICIAL).order_by("-version").values("published_at")[:1]
    shown = NEWS[kind](Whose(clubs=clubs)).exclude(status=WITHDRAWN).order_by()
    if kind == TOURNAMENT and (held := list(hidden_sessions(published_tournaments()))):
        shown = shown.exclude(sessions__has_any_keys=held)
    return shown.annotate(kind=Value(kind), figures_at=Subquery(with_figures))


def published_tournaments() -> QuerySet[Any, int]:
    """Return the ids of the tournaments that have a published ranking."""
    return TournamentPublication.objects.order_by().values_list("tournament", flat=True).distinct()


def read_newest_rankings(rows: Sequence[tuple[str, int, dt.datetime]], now: dt.datetime) -> list[NewestRanking]:
    """Return the rankings of these rows from `find_rankings`. This takes one query for each kind.

    The figures are not read, because they are large.
    """
    read = {}
    for kind in KINDS:
        versions = MODELS[kind].objects.defer("data", "frozen", "changes").select_related(f"{PLACES[kind]}__club")
        read[kind] = versions.in_bulk([pk for each, pk, _ in rows if each == kind])
    return [NewestRanking(kind, read[kind][pk], figures_at, now) for kind, pk, figures_at in rows]
