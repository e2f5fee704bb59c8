"""The first three of published rankings, as everybody may read them. Reads only."""

from collections.abc import Iterable
from fractions import Fraction
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Count, OuterRef, Subquery

from clubs.shown import Called, call_in_public
from tournaments.models import Publication, Session
from tournaments.publication.order import choose_podium
from tournaments.publication.report import fraction, ids_of


class Step(NamedTuple):
    """Who stands there, himself or with who stood in for him; equals share a rank. `player`: the number by which
    he is known, where he is shown by name, else 0."""

    rank: int
    name: str
    player: int
    overall: Fraction | None


def read_podiums(publications: Iterable[Publication]) -> dict[int, list[Step]]:
    """By publication, the first ranks of its reference ranking: the alterné of a session that is alone in its
    tournament, else the général; over all sections where they are ranked together. Two queries; of the figures only
    those of the players are read."""
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
            Step(rank, write_names(player, called), only(player, called), fraction(player["overall"]))
            for rank, player in first
        ]
        for pk, first in firsts.items()
    }


def write_names(player: dict[str, Any], called: dict[int, Called]) -> str:
    return " / ".join(called[who].name for who in ids_of(player))


def only(player: dict[str, Any], called: dict[int, Called]) -> int:
    """To whose page a name leads; where two share a line, to nobody's."""
    who = ids_of(player)
    return called[who[0]].known_as or 0 if len(who) == 1 else 0
