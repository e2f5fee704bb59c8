"""The club of the demonstration: its accounts, its season, its players and its étuis."""

import datetime as dt
from collections.abc import Sequence

from django.utils import timezone

from clubs.models import Club, Membership, Player, Season, User
from clubs.players import add_players
from clubs.roster import read_roster
from deals.sets import create_deal_set
from evenings.plans.by_format import GARDE_PROFILE
from evenings.sessions.setup import use_deal_set
from tournaments.models import Session

FRIDAY = 4  # the number of the weekday; Monday is 0
SLUG = "tarot-club-des-halles"
DIRECTOR = "directeur"
PASSWORD = "demo-topage"


def make_demo_club(*, now: dt.datetime) -> tuple[Club, Season]:
    """Create the club and its season, from September to August."""
    club = Club.objects.create(name="Tarot-club des Halles", slug=SLUG, created_at=now)
    date = now.date()
    start = dt.date(date.year if date.month >= 9 else date.year - 1, 9, 1)
    season = Season.objects.create(
        club=club, name=f"{start.year}-{start.year + 1}", starts_on=start, ends_on=dt.date(start.year + 1, 8, 31)
    )
    return club, season


def account(name: str, club: Club, role: Membership.Role) -> User:
    """Return the account with this name, created if needed, with a role in the club."""
    user = User.objects.filter(username=name).first() or User.objects.create_user(name, password=PASSWORD)
    Membership.objects.create(user=user, club=club, role=role)
    return user


def make_other_club(slug: str, name: str, *, by: User, now: dt.datetime) -> Club:
    """Return a new club that the demonstration's director directs too."""
    club = Club.objects.create(name=name, slug=slug, created_at=now)
    account(by.username, club, Membership.Role.DIRECTOR)
    return club


def add_listed(club: Club, names: str) -> list[Player]:
    """Add the players in `names`, one on each line, to the club's list. Return them."""
    return add_players(club=club, lines=read_roster(names))


def last_friday(now: dt.datetime) -> dt.date:
    """Return the date of the latest Friday: today, or before."""
    today = timezone.localdate(now)
    return today - dt.timedelta(days=(today.weekday() - FRIDAY) % 7)


def keep_groups(players: Sequence[Player]) -> None:
    """Save the series and the ladies' category of these players, which are set already."""
    Player.objects.bulk_update(players, ["series", "ladies"])


def make_known_etuis(session: Session, *, count: int, seed: bytes, now: dt.datetime) -> None:
    """Make the session's étuis from a fixed seed, so that the demonstration is always the same.

    All other deal sets have a secret random seed.
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
