"""A comparison of every way in which the site asks for a role, for every kind of account that may have one."""

import datetime as dt
import json
import sys
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import Http404
from django.utils import timezone

from clubs.models import Club, Membership, User, day_of_roles
from clubs.roles import ROLE, find_account_with_roles, role_of, role_params
from evenings.glance import glance_at_session
from pages.doors import address_of
from tests.factories import make_club, make_tournament, make_user, started_session
from tournaments.models import Session
from tournaments.permissions import get_play_to_enter, power_of

# Account → its role, the days until its last day (None: there is none), its other marks, its role now.
PEOPLE: dict[str, tuple[str, int | None, dict[str, bool], str | None]] = {
    "stranger": ("", None, {}, None),
    "root": ("", None, {"is_superuser": True, "is_staff": True}, None),
    "foreign_director": ("foreign", None, {}, None),
    "foreign_root": ("foreign", None, {"is_superuser": True}, None),
}
for role in ("helper", "director"):
    PEOPLE |= {
        role: (role, None, {}, role),
        f"{role}_until_tomorrow": (role, 1, {}, role),
        f"{role}_until_today": (role, 0, {}, role),
        f"{role}_until_yesterday": (role, -1, {}, None),
        f"{role}_long_ago": (role, -400, {}, None),
        f"{role}_with_closed_account": (role, None, {"is_active": False}, None),
        f"{role}_until_today_with_closed_account": (role, 0, {"is_active": False}, None),
        f"{role}_who_runs_the_site": (role, None, {"is_superuser": True}, role),
        f"{role}_until_yesterday_who_runs_the_site": (role, -1, {"is_superuser": True}, None),
    }
EXPECTED = {name: role for name, (_, _, _, role) in PEOPLE.items()}


def make_people() -> tuple[Session, Session]:
    """Make the accounts, and return a session of the club and a session of its practice club."""
    club, elsewhere = make_club("club"), make_club("ailleurs", "Ailleurs")
    practice = Club.every.create(name="Essai", slug="essai", practice_of=club, created_at=timezone.now())
    for name, (role, days, told, _) in PEOPLE.items():
        user = make_user(name)
        User.objects.filter(pk=user.pk).update(**told)
        if role:
            place, given = (elsewhere, "director") if role == "foreign" else (club, role)
            ends_on = None if days is None else day_of_roles() + dt.timedelta(days=days)
            Membership.objects.create(user=user, club=place, role=given, ends_on=ends_on)
    real, tried = (started_session(make_tournament(place)) for place in (club, practice))
    return real, tried


def ask(name: str, session: Session) -> dict[str, Any]:
    """Return the answers of each way of asking for the account's role in the session's club."""
    user, club = User.objects.get(username=name), session.tournament.club
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {ROLE} FROM clubs_club club WHERE club.id = %s", (*role_params(user, now), club.pk))
        (by_sql,) = cursor.fetchone()
    glance = glance_at_session(user, address_of(session), now=now, soon=now)
    try:
        entering = get_play_to_enter(user, session.plays.first().pk).session_id == session.pk
    except PermissionDenied:
        entering = "refused"
    except Http404:
        entering = "not found"
    loaded = find_account_with_roles(user.pk)
    return {
        "python": role_of(user, club),
        "loaded": loaded and role_of(loaded, club),
        "sql": by_sql,
        "power": power_of(user, club).name,
        "glance": glance and (glance.role, glance.power.name),
        "entering": entering,
    }


def expect(role: str | None, session: Session) -> dict[str, Any]:
    """Return the right answers for this role. Strangers do not learn that a practice session exists."""
    practice = session.tournament.club.practice_of_id is not None
    power = {None: "READ", "helper": "ENTER", "director": "DIRECT"}[role]
    closed = "not found" if practice else "refused"
    return {
        "python": role,
        "loaded": role,
        "sql": role,
        "power": power,
        "glance": None if practice and role is None else (role, power),
        "entering": True if role else closed,
    }


def compare() -> dict[str, Any]:
    """Make all rows in the current database, and return the accounts with a wrong answer."""
    wrong = {}
    for session in make_people():
        for name, role in EXPECTED.items():
            said, expected = ask(name, session), expect(role, session)
            if said != expected:
                wrong[f"{name} in {session.tournament.club.slug}"] = {
                    key: (said[key], expected[key]) for key in said if said[key] != expected[key]
                }
    return wrong


def main() -> None:
    sys.stdout.write(json.dumps([connection.vendor, compare()]))
