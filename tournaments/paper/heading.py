"""The heading of every sheet that is printed of a session, from its rows."""

from scoring.formats import find_format
from tournaments.models import Session
from tournaments.plans.evening_plan import SessionHeading


def make_heading(session: Session) -> SessionHeading:
    """Return what every sheet says of the session, with its tournament and club."""
    tournament = session.tournament
    return SessionHeading(
        club=tournament.club.name,
        tournament=tournament.name,
        session=session.number,
        date=session.date,
        imposed=find_format(tournament.format).is_imposed,
    )
