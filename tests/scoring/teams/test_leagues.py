"""The matches of teams and the table of a league."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.matches import LeagueRules, TeamMatch, order_equals, rank_league
from scoring.ties import TieBreak, TieRules


def lines(table):
    return [(each.team, each.points, each.match_points, each.rank) for each in table]


def test_league_ranks_by_points_then_by_match_points():
    matches = [
        TeamMatch("A", "B", Fraction(10), Fraction(4)),
        TeamMatch("C", "D", Fraction(5), Fraction(5)),
        TeamMatch("B", "C", Fraction(3), Fraction(8)),
        TeamMatch("D", "A", Fraction(9), Fraction(1)),
    ]
    table = rank_league("ABCDE", matches)
    assert lines(table) == [("D", 3, 14, 1), ("C", 3, 13, 2), ("A", 2, 11, 3), ("B", 0, 7, 4), ("E", 0, 0, 5)]
    assert [(each.won, each.drawn, each.lost, each.played) for each in table] == [
        (1, 1, 0, 2),
        (1, 1, 0, 2),
        (1, 0, 1, 2),
        (0, 0, 2, 2),
        (0, 0, 0, 0),
    ]


def test_points_for_a_win_a_draw_and_a_loss_are_a_setting():
    matches = [TeamMatch("A", "B", Fraction(1), Fraction(0)), TeamMatch("C", "B", Fraction(2), Fraction(2))]
    rules = LeagueRules(win=Fraction(3), draw=Fraction(1), loss=Fraction(1, 2))
    assert [(each.team, each.points) for each in rank_league("ABC", matches, rules)] == [
        ("A", 3),
        ("B", Fraction(3, 2)),
        ("C", 1),
    ]


@pytest.mark.parametrize(("win", "draw", "loss"), [(2, 0, 0), (2, 2, 0), (3, 1, 0)])
def test_draw_may_be_worth_as_much_as_a_win_or_a_loss(win, draw, loss):
    rules = LeagueRules(win=Fraction(win), draw=Fraction(draw), loss=Fraction(loss))
    tied = TeamMatch("A", "B", Fraction(1), Fraction(1))
    assert tied.etuis == 0
    assert [each.points for each in rank_league("AB", [tied], rules)] == [draw, draw]


@pytest.mark.parametrize(("win", "draw", "loss"), [(1, 2, 0), (0, 0, 0), (2, 0, 1)])
def test_league_in_which_winning_is_not_worth_more_is_refused(win, draw, loss):
    with pytest.raises(ValueError, match="a win is worth more"):
        LeagueRules(win=Fraction(win), draw=Fraction(draw), loss=Fraction(loss))


def test_teams_equal_in_everything_share_a_rank_unless_lots_were_drawn():
    matches = [TeamMatch("A", "B", Fraction(2), Fraction(2))]
    assert [each.rank for each in rank_league("AB", matches)] == [1, 1]
    rules = LeagueRules(ties=TieRules(criteria=[TieBreak.ATTACK, TieBreak.DRAW], draw=["B", "A"]))
    table = rank_league("AB", matches, rules)
    assert [(each.team, each.rank, each.told) for each in table] == [("B", 1, "draw"), ("A", 2, "draw")]


@pytest.mark.parametrize(
    ("teams", "decided", "order"),
    [
        ("AB", {("A", "B"): "B"}, "BA"),
        ("AB", {("B", "A"): "A"}, "AB"),  # the pair in the other order
        ("CBA", {("A", "B"): "A", ("C", "B"): "B"}, "ABC"),  # so A stands before C
        ("CADB", {("A", "B"): "A", ("B", "C"): "B", ("C", "D"): "C"}, "ABCD"),
        ("ABC", {("A", "B"): "A", ("A", "C"): "A"}, ""),  # B and C are still equal
        ("ABC", {("A", "B"): "A", ("B", "C"): "B", ("A", "C"): "C"}, ""),  # a circle
        ("AB", {("A", "C"): "A"}, ""),
        ("AB", {}, ""),
    ],
)
def test_decisions_order_equal_teams_if_they_order_all_of_them(teams, decided, order):
    assert order_equals(teams, decided) == {team: place for place, team in enumerate(order)}


def test_decisions_of_a_director_go_before_lots_in_a_league():
    matches = [TeamMatch("A", "B", Fraction(2), Fraction(2)), TeamMatch("C", "D", Fraction(2), Fraction(2))]
    rules = LeagueRules(ties=TieRules(criteria=[TieBreak.DRAW], draw=["A", "B", "C", "D"]))
    decided = {("A", "B"): "B", ("B", "C"): "C", ("C", "D"): "D"}
    table = rank_league("ABCD", matches, rules, decided=decided)
    assert [(each.team, each.rank, each.told) for each in table] == [
        (team, rank, TieBreak.DRAW) for rank, team in enumerate("DCBA", 1)
    ]


@pytest.mark.parametrize(
    "match", [TeamMatch("A", "X", Fraction(), Fraction()), TeamMatch("A", "A", Fraction(), Fraction())]
)
def test_match_of_no_two_teams_of_the_league_is_refused(match):
    with pytest.raises(ValueError, match="not two teams of the league"):
        rank_league("AB", [match])


RESULTS = st.lists(st.tuples(st.permutations("ABCD"), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12)


@given(RESULTS)
def test_league_gives_two_points_a_match_and_ranks_as_counting_does(results):
    matches = [TeamMatch(teams[0], teams[1], Fraction(one), Fraction(other)) for teams, one, other in results]
    table = rank_league("ABCD", matches)
    assert sum(each.points for each in table) == 2 * len(matches)
    keys = {each.team: (each.points, each.match_points) for each in table}
    for each in table:
        assert each.rank == 1 + sum(key > keys[each.team] for key in keys.values())
        mine = [m for m in matches if each.team in m[:2]]
        won = sum(m.winner == each.team for m in mine)
        tied = sum(m.winner is None for m in mine)
        assert (each.points, each.played) == (2 * won + tied, len(mine))
