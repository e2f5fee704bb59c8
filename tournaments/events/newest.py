"""Published rankings, of sessions and of tournaments, by when their figures were published last."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.utils import timezone

from clubs.models import Club
from tournaments.models import Publication, Session, TournamentPublication
from tournaments.publication.versions import OFFICIAL, PROVISIONAL, WITHDRAWN
from tournaments.sessions.lists import standing_now

SESSION, TOURNAMENT = KINDS = ("session", "tournament")
MODELS: dict[str, Any] = {SESSION: Publication, TOURNAMENT: TournamentPublication}
PLACES = {SESSION: "session__tournament", TOURNAMENT: "tournament"}


class Ranking(NamedTuple):
    """The newest version of a ranking that readers are shown, without its figures; these are published since
    `figures_at`, and may be official since."""

    kind: str
    version: Any
    figures_at: dt.datetime

    @property
    def session(self) -> Session | None:
        return self.version.session if self.kind == SESSION else None

    @property
    def tournament(self) -> Any:
        return (self.session or self.version).tournament

    @property
    def status(self) -> str:
        version = self.version
        is_over = version.status == PROVISIONAL and version.official_from and version.official_from <= timezone.now()
        return str(OFFICIAL if is_over else version.status)


def find_rankings(clubs: QuerySet[Club], kinds: Sequence[str] = KINDS, **at: dt.datetime) -> Any:
    """Rows for `read_rankings`, the newest first: of these clubs, of sessions or of tournaments or of both, as
    `figures_at` is asked for (`figures_at__gte=…`)."""
    one, *others = (newest_versions(kind, clubs).filter(**at).values_list("kind", "pk", "figures_at") for kind in kinds)
    return one.union(*others, all=True).order_by("-figures_at", "kind", "-pk")


def newest_versions(kind: str, clubs: QuerySet[Club]) -> Any:
    model, place = MODELS[kind], PLACES[kind]
    versions = model.objects.filter(**{kind: OuterRef(kind)})
    with_figures = versions.exclude(status=OFFICIAL).order_by("-version").values("published_at")[:1]
    return (
        model.objects.filter(~Exists(versions.filter(version__gt=OuterRef("version"))), shown_of(kind))
        .filter(**{f"{place}__put_away_at": None, f"{place}__club__in": clubs})
        .exclude(status=WITHDRAWN)
        .annotate(kind=Value(kind), figures_at=Subquery(with_figures))
        .order_by()
    )


def shown_of(kind: str) -> Q:
    """Of a session, its ranking is shown; of a tournament, those of all the sessions that it counts."""
    if kind == SESSION:
        return Q(session__put_away_at=None, session__shows_ranking=True)
    by_now = Session.objects.filter(tournament__publications__isnull=False).annotate(standing=standing_now())
    hidden = by_now.filter(Q(shows_ranking=False) | Q(standing=WITHDRAWN)).values_list("pk", flat=True).distinct()
    keys = [str(pk) for pk in hidden]
    return ~Q(sessions__has_any_keys=keys) if keys else Q()


def read_rankings(rows: Sequence[tuple[str, int, dt.datetime]]) -> list[Ranking]:
    """Of `find_rankings`, by a query of each kind; the figures, which are large, are not read."""
    read = {}
    for kind in KINDS:
        versions = MODELS[kind].objects.defer("data", "changes").select_related(f"{PLACES[kind]}__club")
        read[kind] = versions.in_bulk([pk for each, pk, _ in rows if each == kind])
    return [Ranking(kind, read[kind][pk], figures_at) for kind, pk, figures_at in rows]
