"""The percentages of players in the previous session of the same tournament, to show beside those of this one."""

import datetime as dt
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from clubs.models import Player
from tournaments.models import Publication


class Former(NamedTuple):
    """The previous session. `overall`: its percentages, by the present ids of the players."""

    session: int
    date: dt.date
    overall: Mapping[int, Fraction]


def read_former(publication: int | None) -> Former | None:
    """Return the previous session from the publication that readers see of it (`Stamp.former`), by two queries.

    Return None without a publication. If its sections were ranked together, all of them are included.
    """
    if publication is None:
        return None
    told = Publication.objects.filter(pk=publication)
    session, date, players, together = told.values_list(
        "data__session", "data__date", "data__players", "data__together"
    ).get()
    figures = {row["player"]: row["overall"] for row in [*players, *(together or [])] if row["overall"] is not None}
    merged = Player.objects.filter(pk__in=figures).exclude(merged_into=None)
    now = dict(merged.values_list("pk", "merged_into"))
    overall = {now.get(player, player): Fraction(figure) for player, figure in figures.items()}
    return Former(session, dt.date.fromisoformat(date), overall)
