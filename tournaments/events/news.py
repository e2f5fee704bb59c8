"""The newest word on every ranking that readers may have: of sessions and of tournaments, given or taken back. Without
figures, which are large. Nothing of practice, of what is put away, of a ranking that is switched off, nor of a
tournament's ranking that counts one which readers do not see.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from tournaments.models import Publication, Session, Tournament, TournamentPublication
from tournaments.models.published import Version
from tournaments.publication.versions import WITHDRAWN


class Whose(NamedTuple):
    """Of one tournament, of one club, or of the clubs of a query (None: of all)."""

    tournament: int | None = None
    club: int | None = None
    clubs: QuerySet[Any] | None = None

    @property
    def of_tournaments(self) -> Q:
        """Asked of tournaments."""
        wanted = Q(put_away_at=None, club__practice_of=None)
        if self.tournament is not None:
            wanted &= Q(pk=self.tournament)
        if self.club is not None:
            wanted &= Q(club=self.club)
        return wanted if self.clubs is None else wanted & Q(club__in=self.clubs.order_by())


def news_of_sessions(whose: Whose) -> QuerySet[Publication]:
    """What was said last first; each with its session, tournament and club, and when there was a ranking at `first`."""
    versions = Publication.objects.filter(session=OuterRef("session"))
    shown = Session.objects.filter(put_away_at=None, shows_ranking=True, tournament__in=wanted(whose))
    newest = Publication.objects.filter(~Exists(versions.filter(version__gt=OuterRef("version"))), session__in=shown)
    return told(newest, versions).select_related("session__tournament__club")


def news_of_tournaments(whose: Whose) -> QuerySet[TournamentPublication]:
    """As of sessions; those that are held back are among them, for `drop_held`."""
    versions = TournamentPublication.objects.filter(tournament=OuterRef("tournament"))
    newer = versions.filter(version__gt=OuterRef("version"))
    newest = TournamentPublication.objects.filter(~Exists(newer), tournament__in=wanted(whose))
    return told(newest, versions).select_related("tournament__club")


def wanted(whose: Whose) -> QuerySet[Tournament]:
    return Tournament.objects.filter(whose.of_tournaments).order_by()


def told(newest: QuerySet[Any], versions: QuerySet[Any]) -> QuerySet[Any]:
    first = versions.order_by("version").values("published_at")[:1]
    listed: QuerySet[Any] = newest.defer("data", "changes").annotate(first=Subquery(first))
    return listed.order_by("-published_at", "-pk")


def drop_held(publications: Sequence[TournamentPublication]) -> list[TournamentPublication]:
    """Without those that count a session whose ranking readers are not shown, or not any more: one query."""
    hidden = set(hidden_sessions(each.tournament_id for each in publications))
    return [each for each in publications if hidden.isdisjoint(each.sessions)]


def hidden_sessions(tournaments: Iterable[int]) -> Iterable[str]:
    """By their ids as text, as a tournament's publication has them."""
    versions = Publication.objects.filter(session=OuterRef("session"), version__gt=OuterRef("version"))
    taken_back = Publication.objects.filter(~Exists(versions), status=WITHDRAWN).values("session")
    there = Session.objects.filter(tournament__in=list(tournaments)).order_by()
    hidden = there.filter(Q(shows_ranking=False) | Q(pk__in=taken_back))
    return map(str, hidden.values_list("pk", flat=True))


def latest_news(whose: Whose, limit: int) -> list[Publication | TournamentPublication]:
    """Of both, what was said last first: three queries."""
    tournaments = list(news_of_tournaments(whose)[: 2 * limit])
    news: list[Publication | TournamentPublication] = [*news_of_sessions(whose)[:limit], *drop_held(tournaments)]
    return sorted(news, key=lambda each: each.published_at, reverse=True)[:limit]


def is_there(version: Version) -> bool:
    return version.status != WITHDRAWN
