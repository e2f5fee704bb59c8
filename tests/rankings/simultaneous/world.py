"""The simultaneous tournaments of tests: a master in one club, and clubs that take part."""

import datetime as dt

from django.utils import timezone

from deals.copies import make_copy, make_master
from deals.sets import create_deal_set
from evenings.sessions.setup import use_deal_set
from tests.factories import draft_session, make_club, make_director, make_tournament
from tournaments.models import Simultaneous, SimultaneousClub

HOUR = dt.timedelta(hours=1)


def make_simultaneous(*, opens_in: int = -1, etuis: int = 5, slug: str = "federation") -> Simultaneous:
    """Return a simultaneous of a new club. It opens in so many hours, closes 4 hours later, and is public after 5."""
    now = timezone.now()
    club = make_club(slug, f"Club {slug}")
    by = make_director(club, f"director {slug}")
    master = create_deal_set(club=club, name="Simultané", count=etuis, now=now, by=by)
    opens, public = now + opens_in * HOUR, now + (opens_in + 5) * HOUR
    make_master(deal_set=master, opens_at=opens, held_until=public, now=now)
    return Simultaneous.objects.create(
        club=club,
        title="Simultané de décembre",
        slug="decembre",
        deal_set=master,
        opens_at=opens,
        closes_at=public - HOUR,
        public_at=public,
        created_at=now,
    )


def join_club(simultaneous: Simultaneous, slug: str) -> SimultaneousClub:
    """Return the row of a new club that takes part."""
    now = timezone.now()
    club = make_club(slug, f"Club {slug}")
    by = make_director(club, f"director {slug}")
    copy = make_copy(master=simultaneous.deal_set, club=club, name=simultaneous.title, by=by, now=now)
    return SimultaneousClub.objects.create(
        simultaneous=simultaneous,
        club=club,
        deal_set=copy,
        invited_at=now,
        invited_by=by,
        agreed_at=now,
        agreed_by=by,
    )


def director_of(row: SimultaneousClub):
    return row.club.memberships.get().user


def draft_of(row: SimultaneousClub, name: str = "Simultané du club"):
    """Return a new session of the club in preparation, which plays the copy."""
    session = draft_session(make_tournament(row.club, name=name))
    use_deal_set(session_id=session.pk, deal_set=row.deal_set)
    session.refresh_from_db()
    return session
