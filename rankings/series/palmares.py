"""The palmarès of a club: the champions of its series, from official versions. This module only reads.

A champion who was erased is a number, and one who is hidden has no name.
"""

import datetime as dt
from collections import Counter
from typing import NamedTuple

from clubs.models import Club
from clubs.shown import PublicPlayer, call_in_public
from rankings.series.publishing import find_held_versions
from rankings.series.report import is_frozen
from rankings.series.results import newest_of
from tournaments.models import Series, SeriesPublication


class PalmaresRow(NamedTuple):
    """A series with its first three ranks, as (rank, player)."""

    series: Series
    firsts: list[tuple[int, PublicPlayer]]

    @property
    def champions(self) -> list[PublicPlayer]:
        return [player for rank, player in self.firsts if rank == 1]


class HallRow(NamedTuple):
    """A player of the hall of fame, and how many titles the player has."""

    player: PublicPlayer
    titles: int


class Palmares(NamedTuple):
    """The champions of a club, the newest first, and the players with most titles."""

    rows: list[PalmaresRow]
    hall: list[HallRow]


def read_palmares(club: Club, now: dt.datetime) -> Palmares:
    """Return the palmarès of a club. It takes at most seven queries."""
    newest = newest_of(SeriesPublication, "series").filter(series__club=club).defer("frozen")
    frozen = {each.series_id: each for each in newest if is_frozen(each, now)}
    held = find_held_versions(frozen.values())
    shown = {pk: each.data["players"] for pk, each in frozen.items() if each.pk not in held}
    firsts = {pk: [row for row in rows if row["rank"] is not None and row["rank"] <= 3] for pk, rows in shown.items()}
    called = call_in_public(row["player"] for rows in firsts.values() for row in rows)
    titles = Counter(row["player"] for rows in firsts.values() for row in rows if row["rank"] == 1)
    # two rows of one player, merged since, count together
    joined: Counter[tuple[str, int]] = Counter()
    for player, many in titles.items():
        who = called[player]
        joined[(who.name, who.known_as or -player)] += many
    hall = [HallRow(next(called[p] for p in titles if key_of(called[p], p) == key), n) for key, n in joined.items()]
    hall.sort(key=lambda row: (-row.titles, row.player.name))
    listed = Series.objects.filter(pk__in=firsts).order_by("-ends_on", "-pk")
    rows = [
        PalmaresRow(series, [(row["rank"], called[row["player"]]) for row in firsts[series.pk]]) for series in listed
    ]
    return Palmares(rows, hall)


def key_of(called: PublicPlayer, player: int) -> tuple[str, int]:
    """Return the key by which titles of one player are added up. A player without a public name is alone."""
    return called.name, called.known_as or -player
