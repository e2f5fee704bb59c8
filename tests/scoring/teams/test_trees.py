"""The tree of a knock-out: seeds, byes, winners that go on, and draws that a director decides."""

from fractions import Fraction

import pytest

from scoring.matches import TeamMatch, TreeNode, build_tree, seed_places


def met(home, away, home_points=10, away_points=5):
    return TeamMatch(home, away, Fraction(home_points), Fraction(away_points), 16)


def pairs(nodes):
    return [(node.home, node.away) for node in nodes]


def test_seeds_meet_as_late_as_they_can():
    assert seed_places(4) == [1, 4, 2, 3]
    assert seed_places(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    for places in (2, 4, 8, 16, 32):
        order = seed_places(places)
        assert sorted(order) == [*range(1, places + 1)]
        assert {one + other for one, other in zip(order[::2], order[1::2], strict=True)} == {places + 1}


@pytest.mark.parametrize("count", range(2, 34))
def test_every_team_but_one_loses_once_and_the_first_seed_wins_if_it_always_does(count):
    teams = [*range(1, count + 1)]
    matches = []
    while True:
        tree = build_tree(teams, matches, {})
        open_nodes = [node for nodes in tree for node in nodes if node.is_open]
        if not open_nodes:
            break
        matches += [met(*sorted((node.home, node.away))) for node in open_nodes]
    assert len(matches) == count - 1
    assert tree[-1][0].winner == 1
    assert pairs(tree[-1]) == [(1, 2)]
    assert len({max(match.home, match.away) for match in matches}) == count - 1


def test_first_seeds_go_on_without_a_match():
    first, second, last = build_tree([*"ABCDE"], [met("D", "E")], {})
    assert pairs(first) == [("A", None), ("D", "E"), ("B", None), ("C", None)]
    assert [node.bye for node in first] == [True, False, True, True]
    assert pairs(second) == [("A", "D"), ("B", "C")]
    assert pairs(last) == [(None, None)]


def test_team_that_waits_for_its_opponent_has_no_bye():
    first, second, last = build_tree([*"ABCDE"], [met("B", "C")], {})
    assert [(node.winner, node.bye) for node in first] == [("A", True), (None, False), ("B", True), ("C", True)]
    assert second[0] == TreeNode("A")
    assert last[0] == TreeNode(None, "B")


def test_draw_waits_for_the_director_and_a_later_match_counts_instead():
    draw = met("A", "B", 7, 7)
    ((node,),) = build_tree("AB", [draw], {})
    assert (node.is_open, node.winner, node.match) == (True, None, draw)
    ((node,),) = build_tree("AB", [draw], {("B", "A"): "B"})
    assert (node.winner, node.decided) == ("B", True)
    ((node,),) = build_tree("AB", [draw, met("B", "A", 8, 9)], {("B", "A"): "B"})
    assert (node.winner, node.decided) == ("A", False)


def test_match_that_is_not_played_can_be_decided_too():
    ((node,),) = build_tree("AB", [], {("A", "B"): "A"})
    assert (node.winner, node.decided, node.match) == ("A", True, None)


@pytest.mark.parametrize("teams", ["", "A"])
def test_one_team_makes_no_tree(teams):
    assert build_tree(teams, [], {}) == ()
