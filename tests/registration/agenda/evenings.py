"""An evening on a given date, without players: the tests of calendars need nothing else."""

import datetime as dt

from evenings.sessions.setup import create_session
from tests.factories import make_club, make_tournament


def make_evening(date, *, club=None, tournament=None, **given):
    tournament = tournament or make_tournament(club or make_club())
    return create_session(tournament=tournament, date=dt.date.fromisoformat(date), **given)
