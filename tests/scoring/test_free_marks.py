"""The marks of tables of three to five: they sum to zero, and weights multiply them exactly."""

from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from scoring.formats import FREE_DEALS
from scoring.plays import SEATS, ScoringPlay
from scoring.ranking import note_plays, standings

WEIGHTS = {3: Fraction("1.22"), 5: Fraction("1.37")}


@st.composite
def draw_table(draw, people):
    """Return the plays of one table in one game. With a mort, somebody of five rests in each deal."""
    size, mort = len(people), len(people) == 5 and draw(st.booleans())
    if draw(st.booleans()):
        marks = draw(st.lists(st.integers(-900, 900), min_size=size - 1, max_size=size - 1))
        sheet = (*marks, -sum(marks))
        return [ScoringPlay("sheet", people, None, None, marks=sheet, deals=4, resting="N" if mort else "")]
    plays = []
    for deal in range(draw(st.integers(1, 4))):
        seats = tuple(None if mort and place == deal else who for place, who in enumerate(people))
        there = [seat for seat, who in zip(SEATS, seats, strict=False) if who is not None]
        partner = draw(st.sampled_from(there)) if len(there) == 5 else None
        score = 2 * draw(st.integers(-500, 500))
        plays.append(ScoringPlay(deal, seats, draw(st.sampled_from(there)), score, partner=partner))
    return plays


@st.composite
def draw_evening(draw):
    sizes = draw(st.lists(st.integers(3, 5), min_size=1, max_size=4))
    plays, first = [], 0
    for size in sizes:
        plays += draw(draw_table(tuple(range(first, first + size))))
        first += size
    return plays


@given(draw_evening())
def test_marks_of_each_deal_and_of_an_evening_sum_to_zero(plays):
    assert {sum(filter(None, notes)) for notes in note_plays(plays, FREE_DEALS)} == {0}
    assert sum(player.overall or 0 for player in standings(plays, FREE_DEALS).players) == 0


@given(draw_evening())
def test_weights_multiply_the_marks_of_odd_tables_exactly(plays):
    plain, weighed = note_plays(plays, FREE_DEALS), note_plays(plays, FREE_DEALS, WEIGHTS)
    for play, before, after in zip(plays, plain, weighed, strict=True):
        weight = WEIGHTS.get(len(play.by_seat) - bool(play.resting), 1)
        assert after == tuple(None if mark is None else mark * weight for mark in before)
    sums = Counter()
    for play, notes in zip(plays, weighed, strict=True):
        sums.update({who: mark for who, mark in zip(play.seats, notes, strict=True) if mark is not None})
    ranked = standings(plays, FREE_DEALS, notes=weighed).players
    assert {player.player: player.overall for player in ranked if player.overall is not None} == sums


def test_somebody_who_rests_has_played_the_other_deals_of_a_sheet():
    """Check the turn of the rests: North, the fifth player, West, South, East."""
    people, marks = tuple("ABCDE"), (40, -10, -10, -10, -10)
    for deals, played in ((5, [4, 4, 4, 4, 4]), (3, [2, 3, 3, 2, 2]), (1, [0, 1, 1, 1, 1])):
        sheet = ScoringPlay("sheet", people, None, None, marks=marks, deals=deals, resting="N")
        found = {player.player: player.deals for player in standings([sheet], FREE_DEALS).players}
        assert [found[who] for who in people] == played
