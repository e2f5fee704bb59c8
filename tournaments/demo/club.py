"""The club of the demonstration: its accounts and its season."""

import datetime as dt
from collections.abc import Sequence

from django.utils import timezone

from clubs.models import Club, Membership, Player, Season, User
from clubs.players import add_players
from clubs.roster import read_roster
from deals.sets import create_deal_set
from tournaments.models import Session
from tournaments.plans.by_format import GARDE_PROFILE
from tournaments.sessions.setup import use_deal_set

FRIDAY = 4  # in a week that begins on Monday
SLUG = "tarot-club-des-halles"
DIRECTOR = "directeur"
PASSWORD = "demo-topage"


def make_demo_club(*, now: dt.datetime) -> tuple[Club, Season]:
    club = Club.objects.create(name="Tarot-club des Halles", slug=SLUG, created_at=now)
    date = now.date()
    start = dt.date(date.year if date.month >= 9 else date.year - 1, 9, 1)
    season = Season.objects.create(
        club=club, name=f"{start.year}-{start.year + 1}", starts_on=start, ends_on=dt.date(start.year + 1, 8, 31)
    )
    return club, season


def account(name: str, club: Club, role: Membership.Role) -> User:
    user = User.objects.filter(username=name).first() or User.objects.create_user(name, password=PASSWORD)
    Membership.objects.create(user=user, club=club, role=role)
    return user


def add_listed(club: Club, names: str) -> list[Player]:
    """Add the players of these lines to the club's list and return them."""
    return add_players(club=club, lines=read_roster(names))


def last_friday(now: dt.datetime) -> dt.date:
    """Return the day of the last evening: today, or the Friday before."""
    today = timezone.localdate(now)
    return today - dt.timedelta(days=(today.weekday() - FRIDAY) % 7)


def keep_groups(players: Sequence[Player]) -> None:
    """Save the series and the ladies' ranking of these players."""
    Player.objects.bulk_update(players, ["series", "ladies"])


def make_known_etuis(session: Session, *, count: int, seed: bytes, now: dt.datetime) -> None:
    """Make the étuis from a fixed seed, so that the demonstration is always the same.

    No other set is made like this.
    """
    deal_set = create_deal_set(
        club=session.tournament.club,
        name=f"{session.tournament.name} · {session.number}",
        count=count,
        now=now,
        by=None,
        seed=seed,
        profile=GARDE_PROFILE,
    )
    use_deal_set(session_id=session.pk, deal_set=deal_set)
