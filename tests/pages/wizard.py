"""An evening in preparation, for the tests of the pages that prepare it."""

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.setup import create_session, seats_in_order, set_entrants
from pages.doors import session_url
from tests.factories import DATE
from tests.pages.reading import words


def evening(tournament, players, **settings):
    """Create a session in preparation with so many players on the first seats."""
    session = create_session(tournament=tournament, date=DATE, **settings)
    people = add_players(club=tournament.club, lines=[RosterLine(f"J{n:03}", "Zoé") for n in range(players)])
    set_entrants(session_id=session.pk, seats=seats_in_order([player.pk for player in people]))
    return session


def choose(client, session, **data):
    return client.post(session_url("plan_choose", session), data)


def told(client, session, **data):
    return words(client.post(session_url("plan_choose", session), data, follow=True))


# Hours and settings
