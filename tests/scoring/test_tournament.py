"""The ranking of several sessions: examples computed by hand, and properties of any tournament."""

from dataclasses import replace
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ties import TieBreak
from scoring.tournament import Result, ResultCounting, Round, RoundStage, TournamentRules, rank_tournament


def held(coefficient: int | F = 1, stage: RoundStage = RoundStage.ALIKE, **percentages: int | F) -> Round:
    results = {player: Result(F(value)) for player, value in percentages.items()}
    return Round(results, F(coefficient), stage)


def table(rounds: list[Round], rules: TournamentRules | None = None) -> list[object]:
    return [(each.player, each.total, each.rank) for each in rank_tournament(rounds, rules)]


def test_the_sum_of_the_percentages_each_times_its_coefficient():
    # FFT 2012 pp. 13-26: three sessions, the last one with coefficient 2. A player who missed one gets nothing for it.
    rounds = [held(ada=60, bob=50, cyr=F(175, 3)), held(ada=40, bob=55), held(2, ada=52, bob=50, cyr=70)]
    assert table(rounds) == [("bob", F(205), 1), ("ada", F(204), 2), ("cyr", F(595, 3), 3)]


def test_the_mean_leaves_a_missed_session_out():
    rounds = [held(ada=60, bob=50), held(3, ada=40), held(F(3, 2), ada=50, bob=60)]
    mean = TournamentRules(ResultCounting.MEAN)
    assert table(rounds, mean) == [("bob", F(56), 1), ("ada", F(60 + 120 + 75) / F(11, 2), 2)]


def test_below_the_least_number_of_sessions_nobody_is_ranked():
    rounds = [held(cyr=80, ada=60, bob=50), held(ada=40, bob=55)]
    assert table(rounds, TournamentRules(ResultCounting.MEAN, least=2)) == [
        ("bob", F(105, 2), 1),
        ("ada", F(50), 2),
        ("cyr", F(80), None),
    ]


def test_the_least_number_is_not_more_than_there_have_been():
    assert table([held(ada=60, bob=50)], TournamentRules(least=3)) == [("ada", F(60), 1), ("bob", F(50), 2)]


def test_only_the_best_count_to_a_sum_by_what_they_bring():
    rounds = [held(ada=60), held(3, ada=25), held(ada=70), held(ada=10)]
    (ada,) = rank_tournament(rounds, TournamentRules(best_of=2))
    assert (ada.total, ada.counted, ada.played) == (F(145), (1, 2), 4)


def test_only_the_best_count_to_a_mean_by_the_percentage():
    rounds = [held(ada=60), held(3, ada=25), held(ada=70), held(ada=10)]
    (ada,) = rank_tournament(rounds, TournamentRules(ResultCounting.MEAN, best_of=2))
    assert (ada.total, ada.counted) == (F(65), (0, 2))


def test_of_equal_sessions_the_earlier_one_counts():
    rounds = [held(ada=50), held(ada=50), held(ada=50)]
    (ada,) = rank_tournament(rounds, TournamentRules(best_of=1))
    assert ada.counted == (0,)


def test_missed_session_is_a_result_of_zero_only_where_the_rules_say_so():
    rounds = [held(ada=-10, bob=5), held(bob=5)]
    assert table(rounds, TournamentRules(best_of=1)) == [("bob", F(5), 1), ("ada", F(-10), 2)]
    assert table(rounds, TournamentRules(best_of=1, missed_is_zero=True)) == [("bob", F(5), 1), ("ada", F(0), 2)]


def test_the_final_comes_first_with_what_is_carried_over():
    qualifying = [
        held(stage=RoundStage.QUALIFYING, ada=60, bob=50, cyr=90),
        held(stage=RoundStage.QUALIFYING, ada=50, bob=60),
    ]
    final = held(2, RoundStage.FINAL, ada=40, bob=45)
    half = TournamentRules(carry_over=F(1, 2))
    standings = rank_tournament([*qualifying, final], half)
    assert [(each.player, each.total, each.in_final, each.rank) for each in standings] == [
        ("bob", F(145), True, 1),
        ("ada", F(135), True, 2),
        ("cyr", F(90), False, 3),
    ]


def test_without_a_carry_over_the_final_alone_ranks_those_in_it():
    rounds = [held(stage=RoundStage.QUALIFYING, ada=99, bob=1), held(stage=RoundStage.FINAL, ada=40, bob=45)]
    assert table(rounds, TournamentRules(carry_over=F(0))) == [("bob", F(45), 1), ("ada", F(40), 2)]
    mean = TournamentRules(ResultCounting.MEAN, carry_over=F(0))
    assert table(rounds, mean) == [("bob", F(45), 1), ("ada", F(40), 2)]


def test_the_mean_weighs_the_qualifying_sessions_by_what_is_carried_over():
    rounds = [held(stage=RoundStage.QUALIFYING, ada=60), held(stage=RoundStage.FINAL, ada=30)]
    assert table(rounds, TournamentRules(ResultCounting.MEAN, carry_over=F(1, 2))) == [("ada", F(40), 1)]


def test_the_best_of_spares_the_final():
    rounds = [
        held(stage=RoundStage.QUALIFYING, ada=60),
        held(stage=RoundStage.QUALIFYING, ada=70),
        held(stage=RoundStage.FINAL, ada=1),
    ]
    (ada,) = rank_tournament(rounds, TournamentRules(best_of=1))
    assert (ada.total, ada.counted) == (F(71), (1, 2))


def test_before_its_final_is_played_all_stand_by_the_qualifying_sessions_in_full():
    rounds = [held(stage=RoundStage.QUALIFYING, ada=60, bob=50)]
    assert table(rounds, TournamentRules(carry_over=F(1, 2))) == [("ada", F(60), 1), ("bob", F(50), 2)]


def test_equals_share_a_rank():
    rounds = [held(ada=60, bob=50, cyr=40), held(ada=40, bob=50, cyr=45)]
    assert table(rounds) == [("ada", F(100), 1), ("bob", F(100), 1), ("cyr", F(85), 3)]


def full(overall: int, attack: int | None, defence: int) -> Result:
    return Result(F(overall), None if attack is None else F(attack), F(defence))


@pytest.mark.parametrize(
    ("ties", "order"),
    [
        # Cyr has never attacked, so this criterion separates nobody.
        (("attack",), [("ada", 1), ("bob", 1), ("cyr", 1)]),
        (("defence",), [("ada", 1), ("bob", 2), ("cyr", 2)]),
        (("best_etui", "tops"), [("ada", 1), ("bob", 1), ("cyr", 1)]),
        (("defence", "draw"), [("ada", 1), ("cyr", 2), ("bob", 3)]),
    ],
)
def test_equals_are_told_apart_by_criteria(ties, order):
    rounds = [
        Round({"ada": full(50, 40, 60), "bob": full(50, 70, 40), "cyr": full(50, None, 40)}),
        Round({"ada": full(50, 40, 60), "bob": full(50, 20, 40), "cyr": full(50, None, 40)}),
    ]
    rules = TournamentRules(ties=tuple(map(TieBreak, ties)), draw=("cyr", "bob", "ada"))
    assert [(each.player, each.rank) for each in rank_tournament(rounds, rules)] == order


def test_attack_over_sessions_weighs_as_they_do():
    rounds = [
        Round({"ada": full(50, 40, 1), "bob": full(50, 60, 1)}),
        Round({"ada": full(50, 51, 1), "bob": full(50, 40, 1)}, F(2)),
    ]
    rules = TournamentRules(ties=(TieBreak.ATTACK,))
    assert [(each.player, each.rank) for each in rank_tournament(rounds, rules)] == [("ada", 1), ("bob", 2)]


def test_the_rank_before_the_last_session_is_told():
    rounds = [held(ada=60, bob=50), held(ada=40, bob=55, cyr=99)]
    assert [(each.player, each.rank, each.before) for each in rank_tournament(rounds)] == [
        ("bob", 1, 2),
        ("ada", 2, 1),
        ("cyr", 3, None),
    ]
    rules = TournamentRules(least=2)
    assert [each.before for each in rank_tournament(rounds, rules)] == [2, 1, None]
    assert [each.before for each in rank_tournament([*rounds, held(ada=1, bob=2)], rules)] == [1, 2, None]


def test_nothing_played_ranks_nobody():
    assert rank_tournament([]) == ()


@pytest.mark.parametrize("wrong", [F(0), F(-1)])
def test_a_coefficient_is_above_0(wrong):
    with pytest.raises(ValueError, match="coefficient"):
        rank_tournament([held(wrong, ada=1)])


@pytest.mark.parametrize("wrong", [F(-1, 9), F(10, 9)])
def test_what_is_carried_over_is_a_part(wrong):
    with pytest.raises(ValueError, match="carried over"):
        rank_tournament([held(ada=1)], TournamentRules(carry_over=wrong))


PERCENT = st.fractions(0, 100, max_denominator=60)


def rounds_of(figures):
    results = st.dictionaries(st.integers(1, 6), st.builds(Result, figures), max_size=6)
    coefficients = st.fractions(F(1, 10), 10, max_denominator=10)
    return st.lists(st.builds(Round, results, coefficients, st.sampled_from(RoundStage)), max_size=6)


ROUNDS = rounds_of(PERCENT)
RULES = st.builds(
    TournamentRules,
    st.sampled_from(ResultCounting),
    st.none() | st.integers(1, 4),
    st.integers(1, 4),
    st.fractions(0, 1, max_denominator=4),
)


@given(ROUNDS, RULES)
def test_the_order_in_which_players_come_changes_nothing(rounds, rules):
    turned = [Round(dict(reversed(played.results.items())), played.coefficient, played.stage) for played in rounds]
    one, other = ({each.player: each for each in rank_tournament(each, rules)} for each in (rounds, turned))
    assert one == other


@pytest.mark.nightly("statistics")
@given(ROUNDS, RULES)
def test_one_more_player_of_nothing_better_moves_nobody(rounds, rules):
    last = {player: Result(F(-1)) for player in (99,)}
    added = [
        Round(dict(played.results) | last, played.coefficient, played.stage) if played.results else played
        for played in rounds
    ]
    before = {each.player: each.total for each in rank_tournament(rounds, rules)}
    after = {each.player: each.total for each in rank_tournament(added, rules) if each.player != 99}
    assert after == before


@given(ROUNDS, RULES)
def test_a_mean_lies_between_the_percentages(rounds, rules):
    for each in rank_tournament(rounds, TournamentRules(ResultCounting.MEAN)):
        percentages = [played.results[each.player].overall for played in rounds if each.player in played.results]
        assert min(percentages) <= each.total <= max(percentages)


@pytest.mark.guard("a rule of the game")
@given(ROUNDS)
def test_one_session_alone_ranks_as_it_does(rounds):
    for played in rounds:
        standings = rank_tournament([Round(played.results)])
        totals = [each.total for each in standings]
        assert totals == sorted((result.overall for result in played.results.values()), reverse=True)
        assert all(each.rank == 1 + sum(other > each.total for other in totals) for each in standings)


@pytest.mark.guard("each rule of the game is tested on each change")
@given(rounds_of(st.fractions(-100, 100, max_denominator=50)), RULES)
def test_a_missed_round_of_marks_is_worth_as_much_as_a_result_of_0(rounds, rules):
    rules = replace(rules, counting=ResultCounting.SUM, least=1, missed_is_zero=True)
    players = {player for played in rounds for player in played.results}
    filled = [
        replace(played, results=dict.fromkeys(players, Result(F())) | dict(played.results))
        if played.stage is not RoundStage.FINAL and not played.level
        else played
        for played in rounds
    ]
    one, other = ({each.player: each.total for each in rank_tournament(some, rules)} for some in (rounds, filled))
    assert one == other
