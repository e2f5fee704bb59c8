"""The services with which a director checks in teams: those that signed up, and those that come without signing up."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction

from clubs.models import Player, User
from registration.errors import RegistrationRefused
from registration.people.applicants import NewApplicant, players_of_team, said_by, signs_up_teams
from registration.people.links import make_token
from registration.people.registration import mark_present, moving_up, put_down
from registration.people.teams import bring_back, end_team, find_members, require_different, require_room
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft
from tournaments.models import Applicant, Session


class PresentPlayer(NamedTuple):
    """A person at check-in: the name, and the player on the club's list if the director has chosen one."""

    asked: NewApplicant
    player: Player | None = None


@transaction.atomic
def put_back_team(*, session_id: int, captain_id: int, by: User, now: dt.datetime) -> None:
    """Put a team that withdrew or was removed on the list again, for a director."""
    session = lock_draft(session_id)
    captain = Applicant.objects.filter(session=session, pk=captain_id, captain=None).first()
    if captain is None:
        raise RegistrationRefused("team_at_door_gone")
    bring_back(session, captain, now=now, by=by)


@transaction.atomic
def decline_team(*, session_id: int, captain_id: int, by: User, now: dt.datetime) -> None:
    """Remove a team from the list, for a director. Each of its players reads this on their own page."""
    session = lock_draft(session_id)
    captain = find_captain(session, captain_id)
    Applicant.objects.filter(pk__in=[each.pk for each in find_members(captain)]).update(declined=True)
    end_team(session, captain, "registration_declined", now=now, by=by)


@transaction.atomic
def accept_team(*, session_id: int, captain_id: int, now: dt.datetime) -> None:
    """Accept the name of a team and those of its players, for a director."""
    session = lock_draft(session_id)
    captain = find_captain(session, captain_id)
    with moving_up(session, now=now, but=captain.pk if captain.waits_for_director else None):
        for each in find_members(captain):
            each.accepted_at = each.accepted_at or now
            each.save(update_fields=["accepted_at"])
    show_team_name(captain, now=now)


def show_team_name(captain: Applicant, *, now: dt.datetime) -> None:
    """Store the moment from which everybody sees the name of the team, because a director has accepted it."""
    Applicant.objects.filter(pk=captain.pk, team_name_shown_at=None).update(team_name_shown_at=now)


@transaction.atomic
def check_in_team(*, session_id: int, captain_id: int, now: dt.datetime) -> None:
    """Mark all players of a team as present. A player who is present agrees to play in the team."""
    session = lock_draft(session_id)
    captain = find_captain(session, captain_id)
    with moving_up(session, now=now, but=captain.pk):
        for each in find_members(captain):
            mark_present(each, now)
    show_team_name(captain, now=now)


@transaction.atomic
def walk_in_team(
    *, session_id: int, people: Sequence[PresentPlayer], name: str = "", by: User, now: dt.datetime
) -> Applicant:
    """Sign up a team whose players are in the hall, for a director. The first of them is the captain; return that row.

    Raise `ActionRefused` if one of them has signed up already.
    """
    session = lock_draft(session_id)
    if not signs_up_teams(session):
        raise ActionRefused("teams_not_played")
    if not people:
        raise ActionRefused("team_without_players", "players")
    require_different([each.asked for each in people], players_of_team(session))
    captain: Applicant | None = None
    for each in people:
        row = put_down_present(session, each, captain, by=by, now=now)
        captain = captain or row
    assert captain is not None
    captain.team_name, captain.team_name_shown_at = " ".join(name.split()), now
    captain.save(update_fields=["team_name", "team_name_shown_at"])
    return captain


@transaction.atomic
def walk_in_player(*, session_id: int, captain_id: int, person: PresentPlayer, by: User, now: dt.datetime) -> Applicant:
    """Add a player who is in the hall to a team that lacks one, for a director, and return the new row."""
    session = lock_draft(session_id)
    captain = find_captain(session, captain_id)
    require_room(session, find_members(captain))
    return put_down_present(session, person, captain, by=by, now=now)


def put_down_present(
    session: Session, person: PresentPlayer, captain: Applicant | None, *, by: User, now: dt.datetime
) -> Applicant:
    for each in Applicant.objects.filter(session=session, withdrawn_at=None):
        if said_by(each).is_same(person.asked):
            raise ActionRefused("registered_already", "players", name=each.name)
    fields: dict[str, Any] = {
        "accepted_at": now,
        "present_at": now,
        "agreed_at": now,
        "player": person.player,
        "captain": captain,
    }
    return put_down(session, person.asked, now=now, token=make_token(session), by=by, **fields)


def find_captain(session: Session, captain_id: int) -> Applicant:
    """Return the captain with this id, or raise `RegistrationRefused` if a page is out of date."""
    captains = Applicant.objects.filter(session=session, captain=None, withdrawn_at=None)
    captain = captains.filter(pk=captain_id).first()
    if captain is None:
        raise RegistrationRefused("team_at_door_gone")
    return captain
