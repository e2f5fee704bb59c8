"""The free auction with étuis for three and five players: each mark is compared with the same seat elsewhere."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.contract import score_deal
from scoring.errors import ScoringError
from scoring.formats import FREE_AUCTION, FREE_AUCTION_3, FREE_AUCTION_5, OFFERED, find_format
from scoring.free import share_marks
from scoring.notation import read_result
from scoring.plays import SEATS, ScoringPlay
from scoring.ranking import check_plays, note_plays, standings
from tests.scoring.results import golden_rows

SIZES = {3: FREE_AUCTION_3, 5: FREE_AUCTION_5}


@st.composite
def draw_etuis(draw, players):
    """Return the plays of some étuis, each played by all tables, with different people at each table."""
    tables = draw(st.integers(1, 6))
    plays = []
    for etui in range(draw(st.integers(1, 4))):
        for table in range(tables):
            order = draw(st.permutations(range(players)))
            people = tuple(table * players + place for place in order)
            seats = (*people, None) if players == 3 else people
            taker = draw(st.sampled_from([None, *SEATS[:players]]))
            score = 0 if taker is None else 2 * draw(st.integers(-400, 400))
            partner = draw(st.sampled_from(SEATS)) if players == 5 and taker else None
            plays.append(ScoringPlay(etui, seats, taker, score, partner=partner))
    return plays


@pytest.mark.parametrize("players", SIZES)
@given(data=st.data())
def test_notes_of_each_seat_average_fifty_and_marks_of_each_play_sum_to_zero(players, data):
    plays = data.draw(draw_etuis(players))
    check_plays(plays, SIZES[players])
    notes = note_plays(plays, SIZES[players])
    assert {sum(filter(None, share_marks(play))) for play in plays} == {0}
    by_seat, tables = Counter(), Counter()
    for play, given_notes in zip(plays, notes, strict=True):
        tables[play.etui] += 1
        assert [note is None for note in given_notes] == [who is None for who in play.seats]
        for seat, note in zip(SEATS, given_notes, strict=False):
            if note is not None:
                assert 0 <= note <= 100
                by_seat[play.etui, seat] += note
    assert {key: total / tables[key[0]] for key, total in by_seat.items()} == dict.fromkeys(by_seat, 50)


@pytest.mark.parametrize("players", SIZES)
@given(data=st.data())
def test_a_ranking_has_one_rank_for_everybody_and_the_mean_of_all_notes(players, data):
    plays = data.draw(draw_etuis(players))
    ranked = standings(plays, SIZES[players])
    mine = {player.player: [] for player in ranked.players}
    for play, notes in zip(plays, ranked.notes, strict=True):
        for who, note in zip(play.seats, notes, strict=True):
            if who is not None:
                mine[who].append(note)
    for player in ranked.players:
        assert player.overall == Fraction(sum(mine[player.player]), len(mine[player.player]))
        assert (player.line, player.rank_line, player.rank_alterne) == ("", None, None)


def test_a_seat_is_compared_by_its_own_mark_as_four_players_are():
    plays = [
        ScoringPlay(1, ("a", "b", "c", None), "N", 60),
        ScoringPlay(1, ("d", "e", "f", None), "E", 60),
        ScoringPlay(1, ("g", "h", "i", None), "N", -40),
    ]
    notes = note_plays(plays, FREE_AUCTION_3)
    # North has +120, −60, −80; East −60, +120, +40; South −60, −60, +40.
    assert notes == [(100, 0, 25, None), (50, 100, 25, None), (0, 50, 100, None)]
    partner = [
        ScoringPlay(1, tuple("abcde"), "N", 30, partner="F"),
        ScoringPlay(1, tuple("fghij"), "N", 30, partner="N"),
        ScoringPlay(1, tuple("klmno"), None, 0),
    ]
    # North has +60, +120, 0; the fifth +30, −30, 0; the others −30, −30, 0.
    assert note_plays(partner, FREE_AUCTION_5) == [(50, 25, 25, 25, 100), (100, 25, 25, 25, 0), (0, 100, 100, 100, 50)]


@pytest.mark.parametrize("row", [*golden_rows("fft_examples.csv"), *golden_rows("rule_page_examples.csv")], ids=str)
def test_marks_are_those_of_the_regulation(row):
    result = read_result(row, extra="ignore")
    if result.players not in SIZES:
        return
    score = score_deal(result)
    partner = None if result.partner is None else "E" if result.partner else "N"
    play = ScoringPlay(1, tuple(range(result.players)), "N", score.base_score, partner=partner)
    marks = share_marks(play)
    assert (marks[0], marks[-1]) == (score.taker, score.defender)
    assert marks[1] == (score.partner if result.partner else score.defender)


@pytest.mark.parametrize(("size", "seats"), [(3, 4), (3, 2), (5, 4), (5, 3)])
def test_a_table_of_another_number_of_players_is_refused(size, seats):
    play = ScoringPlay(1, tuple(range(seats)) + (None,) * (4 - seats), "N", 40)
    with pytest.raises(ScoringError) as caught:
        check_plays([play], SIZES[size])
    assert caught.value.code == "people_at_table"


def test_both_formats_say_what_differs_from_four():
    for players, format in SIZES.items():
        assert find_format(f"free_auction_{players}") is format
        assert (format.size, format.seats, format.has_games) == (players, SEATS[:players], True)
        assert (format.kind, format.word) == (format.name, format.name)
        assert not format.has_free_deals
        assert len(format.name) <= 20
    assert (FREE_AUCTION.size, FREE_AUCTION.has_games) == (4, False)
    assert {format.name for format in SIZES.values()} < {*OFFERED}
