"""The rows of careers for evenings of donnes libres: the rank and the marks, which no percentage includes.

`figures` of such a row is `{"marks": "47/2"}`, exact, or `{"marks": None}` if nothing may be told. It has no other key:
nothing of the row enters a mean, a table, a curve, a rating or a comparison of two players.
"""

from collections import Counter, defaultdict
from fractions import Fraction

from rankings.careers.rows import AppearanceRow, who_sits
from tournaments.reports.session import PublishedReport, RankedPlayer

MARKS = "marks"


def make_rows_in_marks(report: PublishedReport, *, in_detail: bool) -> list[AppearanceRow]:
    """Return a row for each player who played an evening of donnes libres.

    Deals that a stand-in played belong to the stand-in, whose marks are told only with `in_detail`.
    """
    entrants = {player.id: player for player in report.players}
    ranked = sum(player.rank_general is not None for player in report.players)
    seats: dict[int, RankedPlayer] = {player.player: player for player in report.players if player.overall is not None}
    deals: Counter[int] = Counter()
    marks: defaultdict[int, Fraction] = defaultdict(Fraction)
    for etui in report.etuis:
        for play in etui.plays:
            for seat, note in (play.notes or {}).items():
                if note is not None:
                    entrant = entrants[play.seats[seat]]
                    who = who_sits(entrant, play.position)
                    seats.setdefault(who, entrant)
                    deals[who] += play.covers or 1
                    marks[who] += note
    return [
        make_row_in_marks(who, entrant, deals[who], marks[who] if in_detail else None, ranked)
        for who, entrant in seats.items()
    ]


def make_row_in_marks(who: int, entrant: RankedPlayer, deals: int, own: Fraction | None, ranked: int) -> AppearanceRow:
    """Return the row of the player `who`. `own` are the marks of the deals that a stand-in played."""
    is_stand_in = who != entrant.player
    marks = own if is_stand_in else entrant.overall
    rank = None if is_stand_in else entrant.rank_general
    return AppearanceRow(
        player=who,
        entrant=entrant.id,
        is_stand_in=is_stand_in,
        rank=rank,
        rank_general=rank,
        ranked=ranked,
        overall="",
        deals=deals,
        figures={MARKS: None if marks is None else str(marks)},
        plays=[],
    )
