"""The podiums of published rankings of sessions, as everybody may see them. This module only reads."""

from collections.abc import Iterable
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from django.db.models import Count, OuterRef, Subquery

from clubs.shown import PublicPlayer, call_in_public
from scoring.formats import INDIVIDUAL, find_format
from tournaments.models import Publication, Session
from tournaments.publication.order import choose_podium
from tournaments.publication.report import name_row
from tournaments.publication.teams.names import name_teams_of_entrants
from tournaments.reports.codec import decode
from tournaments.reports.session import RankedPlayer


class PodiumStep(NamedTuple):
    """A row of the podium: the name of a player, of a player with the substitutes, or of a team.

    Equal players share a rank. `player` is the number of the player's own page, or 0 if there is no such page to link
    to. `overall` is a percentage, or match points.
    """

    rank: int
    name: str
    player: int
    overall: Fraction | None


def read_podiums(publications: Iterable[Publication]) -> dict[int, list[PodiumStep]]:
    """Return the podium of each publication, by the publication's id.

    This takes two queries, which read only the players' figures.

    The podium is that of the classement alterné if there is one and the tournament has only this session. Otherwise it
    is that of the classement général. If sections are ranked together, it is that of all sections.
    """
    beside = Session.objects.filter(tournament=OuterRef("session__tournament")).order_by().values("tournament")
    rows = (
        Publication.objects.filter(pk__in=[each.pk for each in publications])
        .order_by()
        .annotate(sessions=Subquery(beside.annotate(count=Count("pk")).values("count")))
        .values_list("pk", "sessions", "data__players", "data__together", "data__form")
    )
    firsts, formats = {}, {}
    for pk, sessions, players, together, form in rows:
        is_alternate = sessions == 1 and not together and any(map(itemgetter("rank_alterne"), players))
        rank = "rank_alterne" if is_alternate else "rank_general"
        first = choose_podium(together or players, itemgetter(rank))
        firsts[pk] = [(player[rank], decode(RankedPlayer, player)) for player in first]
        formats[pk] = find_format(form or INDIVIDUAL.name)
    called = call_in_public(who for first in firsts.values() for _rank, player in first for who in player.people)
    teams = name_teams_of_entrants(
        {player.id for first in firsts.values() for _rank, player in first if player.team}, in_public=True
    )
    return {
        pk: [
            PodiumStep(rank, name_row(player, called, teams), only(player, called), formats[pk].measure(player.overall))
            for rank, player in first
        ]
        for pk, first in firsts.items()
    }


def only(player: RankedPlayer, called: dict[int, PublicPlayer]) -> int:
    """Return the number of the player's own page, or 0 if several people share the row or the player has no page."""
    who = [] if player.team else player.people
    return called[who[0]].known_as or 0 if len(who) == 1 else 0
