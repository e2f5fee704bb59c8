"""A few rows of a table, for tests of its state without a database."""

import datetime as dt

import pytest

from clubs.models import Club, Player
from deals.models import Etui
from evenings.plays.common import Common
from evenings.plays.table_plays import table_play
from evenings.tables import state
from scoring.formats import INDIVIDUAL
from tournaments.models import Entrant, Play, Session, Table, Tournament

NOW = dt.datetime(2026, 11, 20, 23, 30, tzinfo=dt.UTC)
NAMES = ["Ada Roux", "Léo Petit", "Zoé Blanc", "Max Brun"]


def make_entrant(pk, **how):
    first, last = NAMES[pk - 1].split()
    return Entrant(pk=pk, player=Player(first_name=first, last_name=last), line="NESW"[pk - 1], **how)


def make_session(format=INDIVIDUAL, *, federation=False, **how):
    club = Club(name="Club des Étuis", slug="club")
    tournament = Tournament(club=club, name="Été", slug="ete", format=format.name, federation=federation)
    fields = {"number": 1, "date": NOW.date(), "positions": 3, "shows_after": Session.ShownAfter.TOPAGE}
    return Session(tournament=tournament, **(fields | how))


def make_play(session, *rows, people=(), position=1, etui=None, started_at=None):
    """Return a play of table 1 with these entries. Four entrants sit there, or `people`."""
    people = people or [make_entrant(pk) for pk in range(1, 5)]
    seats = dict(zip(("north", "east", "south", "west"), people, strict=False))
    etui = etui or Etui(pk=7, number=7, taker="N", dealer="W")
    play = Play(
        pk=5, session=session, table=Table(number=1), etui=etui, position=position, started_at=started_at, **seats
    )
    play._prefetched_objects_cache = {"entries": list(rows), "rulings": [], "records": []}
    return table_play(play, None)


@pytest.fixture
def share_with_tables(monkeypatch):
    """Return a function that lets all tables share this data."""

    def share(seats=(), outcome=None, people=()):
        laid = max((position for position, _entrant in dict(seats)), default=0)
        common = Common(dict(people), {}, {}, dict(seats), outcome, laid=laid)
        monkeypatch.setattr(state, "common_of", lambda session: common)

    share()
    return share
