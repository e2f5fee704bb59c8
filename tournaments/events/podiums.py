"""The podiums of published tournament rankings, as everybody may see them. This module only reads."""

from collections.abc import Iterable
from operator import itemgetter

from clubs.shown import call_in_public
from tournaments.models import TournamentPublication
from tournaments.publication.order import choose_podium
from tournaments.publication.podiums import PodiumStep
from tournaments.reports.codec import decode
from tournaments.reports.tournament import TournamentPlayer


def read_tournament_podiums(publications: Iterable[int]) -> dict[int, list[PodiumStep]]:
    """Return the podium of each publication (given by id), by that id.

    Two queries, which read only the players' figures.

    In each step, `overall` is the player's total in the tournament.
    """
    rows = TournamentPublication.objects.filter(pk__in=list(publications)).order_by()
    firsts = {
        pk: [decode(TournamentPlayer, row) for row in choose_podium(players, itemgetter("rank"))]
        for pk, players in rows.values_list("pk", "data__players")
    }
    called = call_in_public(player.player for first in firsts.values() for player in first)
    return {
        pk: [
            PodiumStep(
                player.rank or 0,
                called[player.player].name,
                called[player.player].known_as or 0,
                player.total,
            )
            for player in first
        ]
        for pk, first in firsts.items()
    }
