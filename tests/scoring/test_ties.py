"""The players who are ranked, and the criteria between equals: computed by hand, then for every session."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import ranking
from scoring.formats import Unit
from scoring.ranking import FREE_AUCTION, INDIVIDUAL, Line, ScoringPlay, standings
from scoring.ties import TieBreak, TieRules, UnrankedReason, find_equals, find_unranked, share_ranks, tell_apart


def by_values(values):
    return lambda criterion, _players: values[criterion]


def test_who_has_less_than_the_least_share_of_the_most_played_is_unranked():
    deals = {"all": 20, "half": 10, "less": 9, "none": 0}
    assert find_unranked(deals, least_share=50) == {"less": UnrankedReason.SHARE, "none": UnrankedReason.SHARE}
    assert find_unranked(deals, least_share=51).keys() == {"half", "less", "none"}
    assert find_unranked(deals, least_share=100).keys() == {"half", "less", "none"}
    assert find_unranked(deals) == {}
    assert find_unranked({"all": 199, "nearly half": 99}, least_share=50).keys() == {"nearly half"}


def test_criteria_depend_on_what_is_counted():
    assert {unit: " ".join(ranking.CRITERIA[unit]) for unit in Unit} == {
        Unit.PER_CENT: "attack defence best_etui tops draw",
        Unit.MATCH_POINTS: "draw",
        Unit.MARKS: "best_game contracts draw",
    }


def test_a_filler_is_never_ranked_and_a_substitute_where_the_tournament_says_so():
    deals = {"one": 20, "filler": 20, "substitute": 20, "late": 4}
    told = find_unranked(deals, least_share=50, fillers={"filler"}, substitutes={"substitute"})
    assert told == {
        "filler": UnrankedReason.FILLER,
        "substitute": UnrankedReason.SUBSTITUTE,
        "late": UnrankedReason.SHARE,
    }


def test_nobody_lacks_a_share_while_nobody_has_a_note():
    assert find_unranked({"one": 0, "other": 0}, least_share=50) == {}


def test_a_criterion_tells_apart_only_those_who_are_equal_still():
    ranks = {"a": 1, "b": 1, "c": 1, "d": 4, "e": 5, "f": 5}
    values = {
        TieBreak.ATTACK: {"a": 40, "b": 60, "c": 40, "d": 99, "e": 10, "f": 10},
        TieBreak.DEFENCE: {"a": 1, "b": 0, "c": 2, "d": 0, "e": 5, "f": 5},
    }
    told, by = tell_apart(ranks, [TieBreak.ATTACK, TieBreak.DEFENCE], by_values(values))
    assert told == {"b": 1, "c": 2, "a": 3, "d": 4, "e": 5, "f": 5}
    assert by == {"b": TieBreak.ATTACK, "a": TieBreak.DEFENCE, "c": TieBreak.DEFENCE}


@pytest.mark.parametrize("missing", [{"a": Fraction(50)}, {"a": Fraction(50), "b": None}])
def test_criterion_that_one_of_the_equals_lacks_tells_none_of_them_apart(missing):
    assert tell_apart({"a": 1, "b": 1}, [TieBreak.DRAW], by_values({TieBreak.DRAW: missing})) == ({"a": 1, "b": 1}, {})


def test_a_criterion_is_not_asked_for_where_nobody_is_equal():
    def refuse(criterion, players):
        raise AssertionError

    assert tell_apart({"a": 1, "b": 2}, list(TieBreak), refuse) == ({"a": 1, "b": 2}, {})


def play(etui, seats, taker, score):
    return ScoringPlay(etui, tuple(seats), taker, score)


def equals_by_notes():
    """Return plays in which N1 and N2 have 50 % each: one of them 50 twice, the other 100 and 0."""
    one, two, three = (tuple(f"{line}{number}" for line in "NESW") for number in (1, 2, 3))
    return [
        *(play(1, seats, Line.E, score) for seats, score in ((one, 20), (two, 10), (three, 30))),
        *(play(2, seats, Line.E, score) for seats, score in ((one, 20), (two, 30), (three, 10))),
    ]


@pytest.mark.parametrize("criterion", [TieBreak.BEST_ETUI, TieBreak.TOPS])
def test_the_best_etui_and_the_number_of_tops_tell_equals_apart(criterion):
    plays = equals_by_notes()
    shared = {player.player: player.rank_general for player in standings(plays).players}
    assert shared["N1"] == shared["N2"] == shared["N3"]
    told = {player.player: player for player in standings(plays, ties=TieRules([criterion])).players}
    assert told["N1"].rank_general == told["N2"].rank_general + 8  # both other tables have a note of 100
    assert told["N2"].rank_general == told["N3"].rank_general
    assert (told["N1"].told, told["N2"].told) == (criterion, criterion)


def test_play_without_a_score_breaks_no_tie():
    plays = [*equals_by_notes(), play(3, ["N1", "E1", "S1", "W1"], Line.E, None)]
    ties = TieRules([TieBreak.BEST_ETUI])
    assert standings(plays, ties=ties).players == standings(plays[:-1], ties=ties).players


def test_lots_tell_apart_equals_who_were_all_drawn_and_no_others():
    plays = equals_by_notes()
    everybody = [player.player for player in standings(plays).players]
    lots = standings(plays, ties=TieRules([TieBreak.DRAW], draw=everybody[::-1])).players
    assert [player.player for player in lots] == everybody[::-1]
    assert [player.rank_general for player in lots] == list(range(1, 13))
    assert {player.told for player in lots} == {TieBreak.DRAW}
    fewer = standings(plays, ties=TieRules([TieBreak.DRAW], draw=everybody[1:])).players
    assert {player.rank_general for player in fewer} == {1}


SEATS = [tuple(f"{line}{number}" for line in "NESW") for number in range(1, 5)]
PLAYS = st.lists(
    st.tuples(st.integers(1, 6), st.integers(0, 3), st.sampled_from(Line), st.sampled_from([-40, 20, 30, 40])),
    max_size=24,
    unique_by=lambda one: one[:2],
).map(lambda told: [play(etui, SEATS[table], taker, score) for etui, table, taker, score in told])
CRITERIA = st.lists(st.sampled_from(TieBreak), unique=True, max_size=5)


@given(
    PLAYS, CRITERIA, st.integers(0, 100), st.randoms(use_true_random=False), st.sampled_from([INDIVIDUAL, FREE_AUCTION])
)
def test_ties_never_move_whom_percentages_tell_apart_and_agree_in_every_ranking(plays, criteria, share, chance, rules):
    everybody = sorted({player for one in plays for player in one.seats})
    chance.shuffle(everybody)
    shared = standings(plays, rules, least_share=share)
    told = standings(plays, rules, least_share=share, ties=TieRules(criteria, everybody))
    before, after = ({one.player: one for one in each.players} for each in (shared, told))
    ranked = [player for player in after if after[player].rank_general is not None]
    assert {player for player in before if before[player].unranked} == {p for p in after if after[p].unranked}
    for player in ranked:
        mine = after[player]
        assert mine.rank_general >= before[player].rank_general
        for other in (after[name] for name in ranked):
            if mine.overall > other.overall:
                assert mine.rank_general < other.rank_general
            if mine.line == other.line:  # a line has the same order as the whole field
                assert (mine.rank_line < other.rank_line) == (mine.rank_general < other.rank_general)
            place, others = (mine.rank_line, mine.rank_general), (other.rank_line, other.rank_general)
            assert (mine.rank_alterne < other.rank_alterne) == (place < others)
    if TieBreak.DRAW in criteria:
        assert not find_equals({player: after[player].rank_general for player in ranked})
    chance.shuffle(plays)
    again = standings(plays, rules, least_share=share, ties=TieRules(criteria, everybody))
    assert {one.player: one for one in again.players} == after


def test_shared_ranks_count_all_who_share():
    assert share_ranks({"a": 2, "b": 1, "c": 2, "d": 3}) == {"b": 1, "a": 2, "c": 2, "d": 4}
