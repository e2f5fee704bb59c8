"""The podiums of published tournament rankings, as everybody may see them. This module only reads."""

from collections.abc import Iterable
from operator import itemgetter

from clubs.shown import call_in_public
from rankings.publication.order import choose_podium
from rankings.publication.podiums import PodiumStep
from rankings.publication.teams.names import name_number, name_teams_in_tournaments
from scoring.formats import INDIVIDUAL, find_format
from tournaments.models import TournamentPublication
from tournaments.reports.codec import decode
from tournaments.reports.tournament import TournamentPlayer


def read_tournament_podiums(publications: Iterable[int]) -> dict[int, list[PodiumStep]]:
    """Return the podium of each publication, by the publication's id. `publications` are ids.

    This takes two queries, or three if teams play. They read only the players' figures.

    In each step, `overall` is the player's total in the tournament.
    """
    rows = TournamentPublication.objects.filter(pk__in=list(publications)).order_by()
    firsts, places, formats = {}, {}, {}
    for pk, place, players, form in rows.values_list("pk", "tournament_id", "data__players", "data__form"):
        firsts[pk] = [decode(TournamentPlayer, row) for row in choose_podium(players, itemgetter("rank"))]
        places[pk], formats[pk] = place, find_format(form or INDIVIDUAL.name)
    called = call_in_public(player.player for first in firsts.values() for player in first if player.player)
    teams = name_teams_in_tournaments(
        {(places[pk], player.team) for pk, first in firsts.items() for player in first if player.team}
    )
    return {
        pk: [
            PodiumStep(
                player.rank or 0,
                called[player.player].name
                if player.player
                else teams.get((places[pk], player.team)) or name_number(player.team),
                called[player.player].known_as or 0 if player.player else 0,
                formats[pk].measure(player.total),
            )
            for player in first
        ]
        for pk, first in firsts.items()
    }
