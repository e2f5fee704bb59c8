"""The layout of a ranking that names only the rows it shows: whose part is shown, and whose never."""

from dataclasses import replace
from fractions import Fraction

import pytest

from clubs.models import Visibility
from evenings.reference import Reference
from pages.ranking_pages import A_PART, RankingQuery, lay_out_ranking
from rankings.columns import RankingShape
from rankings.ranking import RankedRow, Ranking
from scoring.formats import Unit

COUNT = 2 * A_PART
SHOWN, HIDDEN = COUNT - 1, COUNT - 2  # the ids of two players at the end of the ranking


def show(rows):
    """Name all rows but that of the hidden player, as readers see them."""
    hidden = {"name": "Hidden player", "named": False, "shown": Visibility.HIDDEN, "known_as": None}
    return [
        replace(row, **hidden)
        if row.player == HIDDEN
        else replace(row, name=f"Nom{row.player:03}", known_as=row.player)
        for row in rows
    ]


@pytest.fixture
def ranking():
    rows = [
        RankedRow(name="", named=False, id=number, player=number, rank_general=number, overall=Fraction(COUNT - number))
        for number in range(1, COUNT + 1)
    ]
    return Ranking(
        shape=RankingShape(unit=Unit.PER_CENT), rules=None, rows=rows, reference=Reference.GENERAL, show=show
    )


@pytest.mark.parametrize(("me", "first"), [(SHOWN, A_PART + 1), (HIDDEN, 1), ("", 1)])
def test_part_of_a_player_is_found_by_the_id_only_if_the_player_is_named(ranking, me, first):
    laid = lay_out_ranking(ranking, RankingQuery(me=str(me)))
    (table,) = laid["tables"]
    assert (table.rows[0].player.player, laid["part"].first) == (first, first)
