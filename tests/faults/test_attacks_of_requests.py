"""The first proposals for 8 to 60 players: if attacks are uneven, an exhaustive search shows that they must be."""

import pytest

from movements import propose_plans
from tests.movements.forced_attacks import everybody_can_attack, least_gap

pytestmark = pytest.mark.nightly("process")

REQUESTS = [(players, positions) for positions in (3, 4, 5, 6, 8) for players in range(8, 61)]
EVEN = 2  # attacks may differ by this much without a proof
# Attacks differ by three there. The search is too long for a test. An integer program solver (CP-SAT) finished it. The
# étuis of any three lines can lie so that attacks differ by two, but the étuis of all four lines cannot. Other rovers
# could.
TOO_MUCH_TO_TRY = {6: {(58, 8)}}


@pytest.mark.parametrize("etuis", [1, 2, 3, 5, 6])
def test_attacks_differ_by_more_than_two_only_where_it_is_forced(etuis):
    left = {}
    for players, positions in REQUESTS:
        first = propose_plans(players, positions, etuis)[0]
        least, most = first.figures.least_attacks, first.figures.most_attacks
        if not least and everybody_can_attack(first.plan):
            left[players, positions] = "somebody never attacks"
        elif (players, positions) in TOO_MUCH_TO_TRY.get(etuis, ()):
            assert most - least == EVEN + 1
        elif least and most - least > EVEN and least_gap(first.plan, most - least) < most - least:
            left[players, positions] = f"attacks differ by {most - least}"
    assert left == {}
