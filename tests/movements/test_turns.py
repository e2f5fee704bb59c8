"""The positions of a searched plan are ordered so that players rest in turn."""

from collections import Counter

import pytest

from movements import plan_tables, propose_changes, propose_plans
from movements.search.anneal import with_rests_in_turn
from tests.movements.judge import judge, rests
from tests.movements.recount import check_plan


def gaps(plan):
    """Return by how much the rests of two players differ after each position."""
    counts, found = Counter(dict.fromkeys(plan.everybody(), 0)), []
    for resting in plan.list_resting():
        counts.update(resting)
        found.append(max(counts.values()) - min(counts.values()))
    return found


def moved(plan, order):
    """Return the plan with its positions in this order, and the étuis of each position where they were."""
    laid = {play.position: play.etuis for play in plan.stops}
    plays = [
        play._replace(position=place, etuis=laid[place])
        for place, position in enumerate(order, start=1)
        for play in plan.at(position)
    ]
    return plan.__class__(**{name: getattr(plan, name) for name in plan.__slots__} | {"stops": tuple(plays)})


@pytest.mark.parametrize(("players", "positions"), [(5, 7), (7, 4), (11, 8), (14, 10)])
def test_rests_of_a_small_field_are_even_after_each_position(players, positions):
    """Without that order, somebody rests twice before others rest at all."""
    first = propose_plans(players, positions)[0]
    assert first.code == "any_line"
    assert max(gaps(first.plan)) == 1
    assert check_plan(first.plan, first.figures) == []


def test_positions_change_places_and_nothing_else():
    plan = propose_plans(7, 4)[0].plan
    twice_first = moved(plan, [1, 4, 2, 3])
    ordered = with_rests_in_turn(twice_first, 1)
    assert max(gaps(ordered)) < max(gaps(twice_first))
    assert Counter(play.seats for play in ordered.stops) == Counter(play.seats for play in plan.stops)
    assert [play.etuis for play in ordered.stops] == [play.etuis for play in plan.stops]
    assert judge(ordered) == judge(twice_first) == judge(plan)
    assert rests(ordered) == rests(plan)


def test_positions_that_were_played_stay():
    plan = propose_plans(7, 4)[0].plan
    twice_first = moved(plan, [1, 4, 2, 3])
    assert with_rests_in_turn(twice_first, 4) is twice_first
    kept = with_rests_in_turn(twice_first, 2)
    assert list(kept.at(2)) == list(twice_first.at(2))


def test_a_plan_without_rests_stays_as_it_is():
    plan = plan_tables(7, 5)
    assert with_rests_in_turn(plan, 0) is plan


def test_rests_are_even_too_if_somebody_who_has_rested_leaves_early():
    """15 players are there, and one leaves after three of six positions. By then nobody may have rested twice."""
    plan = propose_plans(15, 6)[0].plan
    rested = sorted({member for resting in plan.list_resting()[:3] for member in resting})
    assert len(rested) == 9
    for leaver in rested[:2]:
        assert propose_changes(plan, 3, leaving=[leaver])[0].figures.exemption_gap == 0
