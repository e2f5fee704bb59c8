"""The heading of the printed sheets of a session, read from the database."""

from evenings.plans.evening_plan import SessionHeading
from scoring.formats import find_format
from tournaments.models import Session


def make_heading(session: Session) -> SessionHeading:
    """Return the heading: the club, the tournament, and the session's number, date and kind of contract."""
    tournament = session.tournament
    return SessionHeading(
        club=tournament.club.name,
        tournament=tournament.name,
        session=session.number,
        date=session.date,
        imposed=find_format(tournament.format).is_imposed,
    )
