"""The podiums of published tournament rankings, as everybody may see them. This module only reads."""

from collections.abc import Iterable
from operator import itemgetter

from clubs.shown import call_in_public
from tournaments.models import TournamentPublication
from tournaments.publication.order import choose_podium
from tournaments.publication.podiums import PodiumStep
from tournaments.publication.report import fraction


def read_tournament_podiums(publications: Iterable[int]) -> dict[int, list[PodiumStep]]:
    """Return the podium of each publication (given by id), by that id.

    Two queries, which read only the players' figures.

    In each step, `overall` is the player's total in the tournament.
    """
    rows = TournamentPublication.objects.filter(pk__in=list(publications)).order_by()
    firsts = {pk: choose_podium(players, itemgetter("rank")) for pk, players in rows.values_list("pk", "data__players")}
    called = call_in_public(row["player"] for first in firsts.values() for row in first)
    return {
        pk: [
            PodiumStep(
                row["rank"],
                called[row["player"]].name,
                called[row["player"]].known_as or 0,
                fraction(row["total"]),
            )
            for row in first
        ]
        for pk, first in firsts.items()
    }
