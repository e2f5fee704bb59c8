"""The evenings of free deals that tests use."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from movements import ALIKE, OddTables, Plan, PlanStop
from movements.games import NextGame, seat_next_game, start_games
from movements.plan.bounds import PlanError

VARIED = [odd for odd in OddTables if odd not in ALIKE]  # the kinds for any number of people


def seat_all_by_ranking(
    people: int, games: int, odd: OddTables = OddTables.THREES, way: NextGame = NextGame.RANKING
) -> Plan[int]:
    """Return an evening in which the ranking before each game is a fixed shuffle."""
    evening = start_games(people, games, 4, odd)
    for game in range(1, games + 1):
        order = sorted(evening.present(game), key=lambda number: number * 7919 * game % 1009)
        evening = seat_next_game(evening, order, way)
    return evening


def list_dealers(part: PlanStop[int]) -> list[int]:
    """Return the starting numbers of the dealers of a table's deals, in the order of the deals."""
    seats = {3: "NSE", 4: "NWSE", 5: "NFWSE"}[len(part.people)]
    by_seat = dict(zip("NESWF", part.people, strict=False))
    return [by_seat[seats[(deal - 1) % len(seats)]] for deal in range(part.start, part.end + 1)]


@contextmanager
def refused_as(code: str) -> Iterator[None]:
    """Expect a PlanError with this code."""
    with pytest.raises(PlanError) as caught:
        yield
    assert caught.value.code == code
