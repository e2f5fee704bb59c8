"""The newest versions of rankings: of sessions and tournaments, and the podiums of tournaments.

Not listed: practice clubs, sessions and tournaments that are put away (removed from all lists), and rankings that are
switched off. The ranking of a tournament is also left out if it counts a session whose ranking readers may not see.
Queries do not read the figures, because these are large.
"""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from clubs.models import real_clubs
from clubs.shown import call_in_public
from rankings.publication.order import PodiumStep, choose_podium, first_teams
from rankings.publication.teams import name_number, name_teams_in_tournaments
from scoring.formats import INDIVIDUAL, find_format
from tournaments.models import Publication, Session, Tournament, TournamentPublication
from tournaments.models.published import Version
from tournaments.reports.codec import decode
from tournaments.reports.session import ReportedTeam
from tournaments.reports.tournament import TournamentPlayer
from tournaments.versions.steps import WITHDRAWN


def read_tournament_podiums(publications: Iterable[int]) -> dict[int, list[PodiumStep]]:
    """Return the podium of each publication, by the publication's id. `publications` are ids.

    This takes two queries, or three if teams play. They read only the players' figures.

    In each step, `overall` is the total in the tournament. Where the teams are ranked first, the podium has teams.
    """
    rows = TournamentPublication.objects.filter(pk__in=list(publications)).order_by()
    firsts: dict[int, list[TournamentPlayer | ReportedTeam]] = {}
    places, formats = {}, {}
    columns = ("pk", "tournament_id", "data__players", "data__teams", "data__form")
    for pk, place, players, teams, form in rows.values_list(*columns):
        places[pk], formats[pk] = place, find_format(form or INDIVIDUAL.name)
        firsts[pk] = [*first_teams(formats[pk], teams or ())] or [
            decode(TournamentPlayer, row) for row in choose_podium(players, itemgetter("rank"))
        ]
    called = call_in_public(who for first in firsts.values() for row in first if (who := player_of(row)))
    named = name_teams_in_tournaments(
        {(places[pk], row.team) for pk, first in firsts.items() for row in first if row.team}
    )
    return {
        pk: [
            PodiumStep(
                row.rank or 0,
                called[who].name
                if (who := player_of(row))
                else named.get((places[pk], row.team)) or name_number(row.team),
                called[who].known_as or 0 if who else 0,
                formats[pk].measure(row.total),
            )
            for row in first
        ]
        for pk, first in firsts.items()
    }


def player_of(row: TournamentPlayer | ReportedTeam) -> int:
    """Return the id of the player of a row, or 0 for a team."""
    return 0 if isinstance(row, ReportedTeam) else row.player


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
