"""Two directors who seat the same list at once, on two connections to PostgreSQL: no player is added twice."""

import pytest

from clubs.matching import MatchedLine
from clubs.players import add_players, take_list
from clubs.roster import RosterLine
from evenings.sessions.seating import seat_players
from evenings.sessions.setup import create_session
from tests.factories import DATE, make_tournament
from tests.services.test_plan_at_once import take_in_turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]

NEW = [MatchedLine(RosterLine("Blanc", "Zoé")), MatchedLine(RosterLine("Noir", "Alex", "123456"))]


def test_two_directors_who_seat_the_same_names_at_once_make_no_doubles():
    session = create_session(tournament=make_tournament(), date=DATE)

    def seat():
        return seat_players(session_id=session.pk, player_ids=[], taken=NEW)

    take_in_turn(seat, lambda: add_players(club=session.tournament.club, lines=[]), seat)
    assert session.tournament.club.players.count() == 2
    assert sorted(entrant.player.name for entrant in session.entrants.all()) == ["Alex Noir", "Zoé Blanc"]


def test_session_and_list_of_the_club_taken_at_once_make_no_doubles():
    session = create_session(tournament=make_tournament(), date=DATE)
    club = session.tournament.club
    take_in_turn(
        lambda: take_list(club=club, taken=NEW),
        lambda: add_players(club=club, lines=[]),
        lambda: seat_players(session_id=session.pk, player_ids=[], taken=NEW),
    )
    assert club.players.count() == 2
    assert session.entrants.count() == 2
