"""The order of the two teams of a table: by line, or by attack and defence if a team sits at several tables."""

import pytest

from scoring.teams import TeamTable, find_parted, order_teams


def test_position_is_parted_if_a_team_sits_at_two_tables_of_it():
    tables = [
        *(TeamTable(1, table, teams) for table, teams in enumerate((frozenset({10, 20}), frozenset({30, 40})), 1)),
        *(TeamTable(2, table, frozenset({10, 20})) for table in (1, 2)),
        *(TeamTable(3, table, frozenset({10, other})) for table, other in enumerate((20, 30, 40), 1)),
        *(TeamTable(4, 1, frozenset({10, 30})) for _twice in range(3)),
    ]
    assert find_parted(tables) == {2, 3}


@pytest.mark.parametrize("taker", "NSEW")
@pytest.mark.parametrize("parted", [False, True])
def test_north_south_is_named_first_and_in_parted_positions_the_attack(parted, taker):
    first = parted or taker in "NS"
    assert order_teams(10, 20, taker, parted=parted) == ((10, 20) if first else (20, 10))
