"""The places that a player's own page names, from the present game on."""

import pytest

from evenings.plays.free import OwnSeat, find_own_seats
from tests.free_evenings import lay_out_tables, plays_at

pytestmark = pytest.mark.django_db


def test_own_places_are_from_the_present_game_on_and_the_last_of_each(django_assert_num_queries):
    session = lay_out_tables([4, 3], games=4, deals=2, seated=3)
    first = plays_at(session)[0].north
    last, elsewhere = (plays_at(session, table=number)[1] for number in (1, 2))
    everywhere = [
        OwnSeat(play.position, table, seat)
        for game in (1, 2, 3)
        for table in (1, 2)
        for play in plays_at(session, game, table)[:1]
        for seat, pk in play.seat_ids.items()
        if pk == first.pk
    ]
    for position, places in ((0, everywhere), (1, everywhere), (2, everywhere[1:]), (4, [])):
        session.position = position
        with django_assert_num_queries(1):
            assert find_own_seats(first, session) == places
    assert [place.position for place in everywhere] == [1, 2, 3]
    session.plays.filter(position=2).update(is_replay=True)
    other = elsewhere.east
    session.plays.filter(pk=last.pk).update(north=other)  # the two change their seats in the last deal of the game
    session.plays.filter(pk=elsewhere.pk).update(east=first)
    session.position = 1
    assert find_own_seats(first, session) == [OwnSeat(1, 2, "E"), everywhere[2]]
    assert find_own_seats(other, session)[0] == OwnSeat(1, 1, "N")
