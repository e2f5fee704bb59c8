"""The players' figures in the previous session of the same tournament, shown beside those of this session."""

import datetime as dt
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from clubs.models import Player
from tournaments.models import Publication
from tournaments.reports.session import decode_players


class Former(NamedTuple):
    """The previous session.

    `overall` has the percentages, marks or match points, by the players' present ids, or by a team's number below 0.
    """

    session: int
    date: dt.date
    overall: Mapping[int, Fraction]


def read_former(publication: int | None) -> Former | None:
    """Return the previous session, read from its publication with this id. This takes two queries.

    Return None if the id is None. The caller finds the id in `Stamp.former`. If the sections of that session were
    ranked together, the players of all sections are included.
    """
    if publication is None:
        return None
    told = Publication.objects.filter(pk=publication)
    session, date, players, together = told.values_list(
        "data__session", "data__date", "data__players", "data__together"
    ).get()
    ranked = [*decode_players(players), *decode_players(together)]
    figures = {player.competitor: player.overall for player in ranked if player.overall is not None}
    merged = Player.objects.filter(pk__in=figures).exclude(merged_into=None)
    now = dict(merged.values_list("pk", "merged_into"))
    overall: dict[int, Fraction] = {now.get(player) or player: figure for player, figure in figures.items()}
    return Former(session, dt.date.fromisoformat(date), overall)
