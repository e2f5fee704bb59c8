"""The points of ranks: examples computed by hand."""

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.series import PointRules, PointScale, find_unscored, give_points, score_typed_ranks

TABLE = PointRules(PointScale.TABLE, (F(10), F(6), F(3)))
PLACES = PointRules(PointScale.PLACES)
HUNDRED = PointRules(PointScale.HUNDRED)


def test_table_gives_its_points_and_nothing_beyond():
    ranks = {"ada": 1, "bob": 2, "cyr": 3, "dan": 4}
    assert give_points(ranks, TABLE) == {"ada": 10, "bob": 6, "cyr": 3, "dan": 0}
    assert list(find_unscored(5, TABLE)) == [4, 5]
    assert list(find_unscored(3, TABLE)) == list(find_unscored(9, PLACES)) == []


def test_equals_share_the_mean_of_the_points_of_their_places():
    assert give_points({"ada": 1, "bob": 1, "cyr": 3}, TABLE) == {"ada": 8, "bob": 8, "cyr": 3}
    # three on rank 2: (6 + 3 + 0) / 3
    assert give_points({"ada": 1, "bob": 2, "cyr": 2, "dan": 2}, TABLE)["dan"] == 3
    assert give_points({"ada": 1, "bob": 2, "cyr": 2}, PLACES) == {"ada": 3, "bob": F(3, 2), "cyr": F(3, 2)}


def test_from_a_hundred_to_nothing():
    assert give_points({"ada": 1, "bob": 2, "cyr": 3, "dan": 4}, HUNDRED) == {
        "ada": 100, "bob": F(200, 3), "cyr": F(100, 3), "dan": 0,
    }  # fmt: skip
    assert give_points({"ada": 1, "bob": 2}, HUNDRED) == {"ada": 100, "bob": 0}
    assert give_points({"ada": 1, "bob": None}, HUNDRED) == {"ada": 50, "bob": 0}


def test_typed_ranks_get_the_points_of_the_table_without_presence():
    rules = PointRules(PointScale.TABLE, (F(10), F(6), F(3)), presence=F(2))
    # cyr and dan share ranks 3 and 4; a typed list may leave ranks out
    ranks = {"ada": 1, "cyr": 3, "dan": 3, "eve": 7}
    assert score_typed_ranks(ranks, rules) == {"ada": 10, "cyr": F(3, 2), "dan": F(3, 2), "eve": 0}


@pytest.mark.parametrize("rules", [PLACES, HUNDRED])
def test_typed_ranks_get_no_points_that_need_the_number_of_players(rules):
    with pytest.raises(ValueError, match="only a table"):
        score_typed_ranks({"ada": 1}, rules)


def test_presence_is_for_everybody_who_played():
    rules = PointRules(PointScale.PLACES, presence=F(2))
    assert give_points({"ada": 1, "bob": 2, "sub": None}, rules) == {"ada": 4, "bob": 3, "sub": 2}


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.sampled_from([TABLE, PLACES, HUNDRED]))
def test_ties_give_out_as_many_points_as_places_without_ties(sizes, rules):
    ranks, place = {}, 1
    for group, size in enumerate(sizes):
        ranks |= {(group, each): place for each in range(size)}
        place += size
    apart = {player: number + 1 for number, player in enumerate(ranks)}
    assert sum(give_points(ranks, rules).values()) == sum(give_points(apart, rules).values())


@pytest.mark.parametrize("ranks", [{"ada": 2}, {"ada": 1, "bob": 1, "cyr": 2}, {"ada": 0}])
def test_ranks_that_cannot_be_are_refused(ranks):
    with pytest.raises(ValueError, match="follows"):
        give_points(ranks, PLACES)


def test_table_may_give_half_a_point_and_nothing():
    rules = PointRules(PointScale.TABLE, (F(1), F(1, 2), F(0)))
    assert give_points({"ada": 1, "bob": 2, "cyr": 3}, rules) == {"ada": 1, "bob": F(1, 2), "cyr": 0}


@pytest.mark.parametrize(
    ("scale", "more"),
    [
        (PointScale.TABLE, {}),
        (PointScale.PLACES, {"table": (F(1),)}),
        (PointScale.TABLE, {"table": (F(3), F(-1))}),
        (PointScale.HUNDRED, {"presence": F(-1)}),
    ],
)
def test_rules_that_cannot_be_are_refused(scale, more):
    with pytest.raises(ValueError, match="points"):
        PointRules(scale, **more)
