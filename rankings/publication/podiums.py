"""The podiums of published rankings of sessions, as everybody may see them. This module only reads."""

from collections.abc import Iterable
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from clubs.shown import PublicPlayer, call_in_public
from evenings.reference import find_reference, is_beside
from rankings.publication.order import choose_podium
from rankings.publication.report import name_row
from rankings.publication.teams.names import name_teams_in_tournaments
from scoring.formats import INDIVIDUAL, find_format
from tournaments.models import Publication
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

    The podium is that of the session's reference. If sections are ranked together, it is that of all sections.
    """
    rows = (
        Publication.objects.filter(pk__in=[each.pk for each in publications])
        .order_by()
        .annotate(beside=is_beside("session", "session__tournament"))
        .values_list("pk", "session__tournament", "beside", "data__players", "data__together", "data__form")
    )
    firsts, formats, places = {}, {}, {}
    for pk, tournament, beside, players, together, form in rows:
        has_alterne = any(map(itemgetter("rank_alterne"), players))
        rank = find_reference(alone=not beside, has_alterne=has_alterne, together=bool(together)).rank
        places[pk] = tournament
        first = choose_podium(together or players, itemgetter(rank))
        firsts[pk] = [(player[rank], decode(RankedPlayer, player)) for player in first]
        formats[pk] = find_format(form or INDIVIDUAL.name)
    called = call_in_public(who for first in firsts.values() for _rank, player in first for who in player.people)
    teams = name_teams_in_tournaments(
        {(places[pk], player.team) for pk, first in firsts.items() for _rank, player in first if player.team}
    )
    return {
        pk: [
            PodiumStep(
                rank,
                teams.get((places[pk], player.team)) or name_row(player, called, {}),
                only(player, called),
                formats[pk].measure(player.overall),
            )
            for rank, player in first
        ]
        for pk, first in firsts.items()
    }


def only(player: RankedPlayer, called: dict[int, PublicPlayer]) -> int:
    """Return the number of the player's own page, or 0 if several people share the row or the player has no page."""
    who = [] if player.team else player.people
    return called[who[0]].known_as or 0 if len(who) == 1 else 0
