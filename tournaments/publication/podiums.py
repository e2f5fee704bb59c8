"""The first three players of published rankings, as everybody may read them. This module only reads."""

from collections.abc import Iterable
from fractions import Fraction
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Count, OuterRef, Subquery

from clubs.shown import PublicPlayer, call_in_public
from tournaments.models import Publication, Session
from tournaments.publication.order import choose_podium
from tournaments.publication.report import fraction, ids_of


class PodiumStep(NamedTuple):
    """A step of the podium: a player, or a player and the substitutes. Equal players share a rank.

    `player`: the number of the player's own page, or 0 if the player is not shown by name.
    """

    rank: int
    name: str
    player: int
    overall: Fraction | None


def read_podiums(publications: Iterable[Publication]) -> dict[int, list[PodiumStep]]:
    """Return the first ranks of each publication's reference ranking, by the publication's id.

    The reference ranking is the alterné for a session that is alone in its tournament, else the général; over all
    sections if they are ranked together. There are two queries, and of the figures they read only those of the players.
    """
    beside = Session.objects.filter(tournament=OuterRef("session__tournament")).order_by().values("tournament")
    rows = (
        Publication.objects.filter(pk__in=[each.pk for each in publications])
        .order_by()
        .annotate(sessions=Subquery(beside.annotate(count=Count("pk")).values("count")))
        .values_list("pk", "sessions", "data__players", "data__together")
    )
    firsts = {}
    for pk, sessions, players, together in rows:
        rank = "rank_alterne" if sessions == 1 and not together else "rank_general"
        first = choose_podium(together or players, itemgetter(rank))
        firsts[pk] = [(player[rank], player) for player in first]
    called = call_in_public(who for first in firsts.values() for _rank, player in first for who in ids_of(player))
    return {
        pk: [
            PodiumStep(rank, write_names(player, called), only(player, called), fraction(player["overall"]))
            for rank, player in first
        ]
        for pk, first in firsts.items()
    }


def write_names(player: dict[str, Any], called: dict[int, PublicPlayer]) -> str:
    return " / ".join(called[who].name for who in ids_of(player))


def only(player: dict[str, Any], called: dict[int, PublicPlayer]) -> int:
    """Return the number of the player to whose page a name leads, or 0 if two players share the row."""
    who = ids_of(player)
    return called[who[0]].known_as or 0 if len(who) == 1 else 0
