"""The newest version of each ranking, of sessions and tournaments, published or withdrawn.

Not listed: practice clubs, sessions and tournaments that are put away (removed from all lists), and rankings that are
switched off. The ranking of a tournament is also left out if it counts a session whose ranking readers may not see.
Queries do not read the figures, because these are large.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from clubs.models import real_clubs
from tournaments.models import Publication, Session, Tournament, TournamentPublication
from tournaments.models.published import Version
from tournaments.versions.steps import WITHDRAWN


class Whose(NamedTuple):
    """A choice of rankings: of one tournament or series, or of those of one club or of several clubs.

    The default is all rankings.
    """

    tournament: int | None = None
    series: int | None = None
    club: int | None = None
    clubs: QuerySet[Any] | None = None

    @property
    def of_tournaments(self) -> Q:
        """The choice as a condition on tournaments."""
        wanted = Q(real_clubs("club"), put_away_at=None)
        if self.tournament is not None:
            wanted &= Q(pk=self.tournament)
        if self.series is not None:
            wanted &= Q(pk__in=[])
        if self.club is not None:
            wanted &= Q(club=self.club)
        return wanted if self.clubs is None else wanted & Q(club__in=self.clubs.order_by())


def news_of_sessions(whose: Whose) -> QuerySet[Publication]:
    """Return the newest version of each session's ranking, the last published first.

    Session, tournament and club are read with it. `first` is the time when the ranking was first published.
    """
    versions = Publication.objects.filter(session=OuterRef("session"))
    shown = Session.objects.filter(put_away_at=None, shows_ranking=True, tournament__in=filter_tournaments(whose))
    newest = Publication.objects.filter(~Exists(versions.filter(version__gt=OuterRef("version"))), session__in=shown)
    return sort_by_news(newest, versions).select_related("session__tournament__club")


def news_of_tournaments(whose: Whose) -> QuerySet[TournamentPublication]:
    """Return the newest version of each tournament's ranking, the last published first, with `first` as for sessions.

    The result still contains rankings that count a hidden session. Remove them with `drop_held`.
    """
    versions = TournamentPublication.objects.filter(tournament=OuterRef("tournament"))
    newer = versions.filter(version__gt=OuterRef("version"))
    newest = TournamentPublication.objects.filter(~Exists(newer), tournament__in=filter_tournaments(whose))
    return sort_by_news(newest, versions).select_related("tournament__club")


def filter_tournaments(whose: Whose) -> QuerySet[Tournament]:
    return Tournament.objects.filter(whose.of_tournaments).order_by()


def sort_by_news(newest: QuerySet[Any], versions: QuerySet[Any]) -> QuerySet[Any]:
    """Return the versions with `first` added and without their figures, the last published first."""
    first = versions.order_by("version").values("published_at")[:1]
    listed: QuerySet[Any] = newest.defer("data", "frozen", "changes").annotate(first=Subquery(first))
    return listed.order_by("-published_at", "-pk")


def drop_held(publications: Sequence[TournamentPublication]) -> list[TournamentPublication]:
    """Return the publications without those that count a session whose ranking readers do not see.

    This takes one query.
    """
    hidden = set(hidden_sessions(each.tournament_id for each in publications))
    return [each for each in publications if hidden.isdisjoint(each.sessions)]


def hidden_sessions(tournaments: Iterable[int]) -> Iterable[str]:
    """Return the ids, as text, of the sessions whose ranking is switched off or withdrawn.

    They are text because a tournament's publication stores session ids as JSON keys.
    """
    versions = Publication.objects.filter(session=OuterRef("session"), version__gt=OuterRef("version"))
    taken_back = Publication.objects.filter(~Exists(versions), status=WITHDRAWN).values("session")
    there = Session.objects.filter(tournament__in=list(tournaments)).order_by()
    hidden = there.filter(Q(shows_ranking=False) | Q(pk__in=taken_back))
    return map(str, hidden.values_list("pk", flat=True))


def is_there(version: Version) -> bool:
    """Return whether the version shows a ranking, so is not withdrawn."""
    return version.status != WITHDRAWN
