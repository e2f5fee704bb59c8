"""The seat that leads a deal, and the number of a deal that people read: with dealt étuis, and where tables deal."""

import pytest

from evenings.plays.free import find_leading_seat, find_shown_number, number_in_game
from tests.factories import started_session
from tests.free_evenings import lay_out_games, plays_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    """Return two games of six deals at a table of four and one of five, where North rests in the second deal."""
    return lay_out_games([[[0, 1, 2, 3], [4, 5, 6, 7, 8]]] * 2, deals=6, rests={(2, 2, 2): "N", (2, 2, 5): "E"})


@pytest.mark.parametrize(
    ("game", "table", "leaders"),
    # North deals first, and play goes to the right: over the fifth player, where there is one, to West.
    [(1, 1, "WSENWS"), (2, 1, "WSENWS"), (1, 2, "FWSENF"), (2, 2, "FWSENF")],
)
def test_next_player_after_the_dealer_leads(session, game, table, leaders):
    assert "".join(map(find_leading_seat, plays_at(session, game, table))) == leaders


def test_player_who_rests_does_not_lead():
    session = lay_out_games([[[0, 1, 2, 3, 4]]], deals=5, rests={(1, 1, 1): "F", (1, 1, 4): "E", (1, 1, 5): "N"})
    assert "".join(map(find_leading_seat, plays_at(session))) == "WWSNF"


def test_deals_are_numbered_within_their_game(session):
    for game in (1, 2):
        plays = plays_at(session, game, 2)
        assert [number_in_game(play) for play in plays] == [1, 2, 3, 4, 5, 6]
        assert [find_shown_number(play) for play in plays] == [1, 2, 3, 4, 5, 6]


def test_number_takes_no_query_if_the_stride_is_known(session, django_assert_num_queries):
    with django_assert_num_queries(1):
        plays = plays_at(session, 2)
    with django_assert_num_queries(0):
        assert [find_shown_number(play, 6) for play in plays] == [1, 2, 3, 4, 5, 6]


def test_deal_that_is_not_stored_yet_is_the_first_of_its_game(session):
    (play, *_rest) = plays_at(session)
    play.position = 9
    assert number_in_game(play) == 1


def test_etui_names_its_dealer_and_its_number():
    plays = list(started_session().plays.filter(table__number=1).select_related("etui").order_by("etui__number"))
    after = dict(zip("NWSE", "WSEN", strict=True))
    assert [find_leading_seat(play) for play in plays] == [after[play.etui.dealer] for play in plays]
    assert [find_shown_number(play, 3) for play in plays] == [play.etui.number for play in plays]
