"""The services of teams that sign up: a captain names the players, and each player agrees. Also the teams at the door.

Each service locks the session's row first, as those of `registration` do.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q

from clubs.models import Player, User
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft, lock_session
from tournaments.log import log_action
from tournaments.models import Applicant, Registration, Session
from tournaments.people.applicants import NewApplicant, find_seated, players_of_team, said_by, signs_up_teams
from tournaments.people.registration import (
    admit,
    find_applicant,
    find_free_key,
    find_registration,
    make_token,
    mark_present,
    move_up,
    put_down,
    put_down_once,
    read_password_rules,
    shows_at_once,
    strike_off,
)
from tournaments.queue import queue_invitations

MOST_NAMED = 12  # the most players that the captain of a team may name, also in place of others


class PresentPlayer(NamedTuple):
    """A person at the door: the name, and the player on the club's list if the director has chosen one."""

    asked: NewApplicant
    player: Player | None = None


def register_team(
    *,
    session_id: int,
    captain: NewApplicant,
    named: Sequence[NewApplicant] = (),
    name: str = "",
    now: dt.datetime,
    password: str | None = "",
    user: User | None = None,
    once: str = "",
) -> Applicant:
    """Sign up a team by its captain on the public page, and return the captain's row.

    The named players get links of their own, by which they agree. Raise `ActionRefused` as `register` does, or if the
    captain names too many players, or one twice. `password`, `user` and `once` are as in `register`.
    """
    known = read_password_rules(session_id, password)
    with transaction.atomic():
        session, accepted_at = admit(session_id, captain, known, password=password, user=user, now=now)
        require_different([captain, *named], players_of_team(session))
        applicant = put_down_once(session, captain, user=user, once=once, now=now, accepted_at=accepted_at)
        if applicant.agreed_at is None:
            applicant.agreed_at, applicant.team_name = now, " ".join(name.split())
            applicant.save(update_fields=["agreed_at", "team_name"])
            for asked in named:
                put_down(session, asked, now=now, token=make_token(session), captain=applicant)
            queue_invitations(session.pk)
        return applicant


def require_different(people: Sequence[NewApplicant], most: int) -> None:
    """Raise `ActionRefused` if there are more people than `most`, or if somebody is named twice."""
    if len(people) > most:
        raise ActionRefused("team_too_large", "players", most=most, count=len(people))
    for place, asked in enumerate(people):
        if any(map(asked.is_same, people[:place])):
            raise ActionRefused("player_in_team_twice", "players", name=f"{asked.first_name} {asked.last_name}".strip())


@transaction.atomic
def name_player(*, token: str, asked: NewApplicant, now: dt.datetime) -> Applicant | None:
    """Name another player, for the captain with this personal link. Return the player's row.

    Return None for an unknown link.

    It is possible until the session starts. If the team has this player already, return that row.
    """
    found = lock_by_link(token)
    if found is None:
        return None
    session, captain = found
    members = find_members(captain)
    for each in members:
        if said_by(each).is_same(asked):
            return each
    require_room(session, members)
    if Applicant.objects.filter(session=session, captain=captain).count() >= MOST_NAMED:
        raise ActionRefused("team_named_too_many", "players", most=MOST_NAMED)
    applicant = put_down(session, asked, now=now, token=make_token(session), captain=captain)
    queue_invitations(session.pk)
    return applicant


@transaction.atomic
def take_out(*, token: str, applicant_id: int, now: dt.datetime) -> None:
    """Take a named player out of the team, for the captain with this personal link. The call is idempotent."""
    found = lock_by_link(token)
    if found is not None:
        session, captain = found
        for member in find_members(captain):
            if member.pk == applicant_id and member.captain_id == captain.pk:
                strike_off(session, member, "registration_withdrawn", now=now)


@transaction.atomic
def agree(*, token: str, now: dt.datetime, user: User | None = None) -> Applicant | None:
    """Let the player with this personal link agree to play in the team. Return the player's row.

    Return None for an unknown link.

    A player who had withdrawn comes back, if the team still lacks a player. Raise `ActionRefused` if the team has
    withdrawn or is complete, or if the session has started. Raise it too without an account, if the club asks for one.
    """
    session_id = Applicant.objects.filter(token=token).values_list("session_id", flat=True).first()
    if session_id is None:
        return None
    session = lock_draft_of_applicants(session_id)
    applicant = Applicant.objects.select_related("captain").get(token=token)
    if applicant.withdrawn_at is None and applicant.agreed_at is not None:
        return applicant
    captain, registration = applicant.captain, find_registration(session)
    if captain is None or captain.withdrawn_at is not None or applicant.declined:
        raise ActionRefused("registered_team_gone")
    if registration is not None and registration.way == Registration.RegistrationWay.ACCOUNT and user is None:
        raise ActionRefused("registration_log_in")
    if applicant.withdrawn_at is not None:
        require_room(session, find_members(captain))
        applicant.key = find_free_key(session, said_by(applicant))
    applicant.withdrawn_at, applicant.agreed_at = None, now
    applicant.user = user or applicant.user
    if registration is not None and shows_at_once(session, registration, said_by(applicant), user):
        applicant.accepted_at = applicant.accepted_at or now
    applicant.save(update_fields=["key", "withdrawn_at", "agreed_at", "user", "accepted_at"])
    log_action(session, "registration_agreed", now=now, words=applicant.name, name=applicant.name)
    return applicant


@transaction.atomic
def withdraw_team(*, token: str, now: dt.datetime) -> Applicant | None:
    """Withdraw the whole team of the captain with this personal link. Return the captain's row.

    Return None for an unknown link.
    """
    found = lock_by_link(token)
    if found is None:
        return None
    session, captain = found
    end_team(session, captain, "registration_withdrawn", now=now)
    captain.refresh_from_db()
    return captain


@transaction.atomic
def decline_team(*, session_id: int, captain_id: int, by: User, now: dt.datetime) -> None:
    """Remove a team from the list, for a director. Each of its players reads this on their own page."""
    session = lock_draft(session_id)
    captain = find_applicant(session, captain_id)
    Applicant.objects.filter(pk__in=[each.pk for each in find_members(captain)]).update(declined=True)
    end_team(session, captain, "registration_declined", now=now, by=by)


def end_team(session: Session, captain: Applicant, action: str, *, now: dt.datetime, by: User | None = None) -> None:
    """Withdraw all members of the team, and log each of them. If others wait, one team moves up."""
    before = find_seated(session)
    for each in find_members(captain):
        each.withdrawn_at, each.present_at = now, None
        each.save(update_fields=["withdrawn_at", "present_at"])
        log_action(session, action, now=now, by=by, words=each.name, name=each.name)
    move_up(session, before, now=now)


@transaction.atomic
def accept_team(*, session_id: int, captain_id: int, now: dt.datetime) -> None:
    """Accept the name of a team and those of its players, for a director."""
    session = lock_draft(session_id)
    for each in find_members(find_applicant(session, captain_id)):
        each.accepted_at = each.accepted_at or now
        each.save(update_fields=["accepted_at"])


@transaction.atomic
def check_in_team(*, session_id: int, captain_id: int, now: dt.datetime) -> None:
    """Mark all players of a team as present. A player who is present agrees to play in the team."""
    session = lock_draft(session_id)
    for each in find_members(find_applicant(session, captain_id)):
        mark_present(each, now)


@transaction.atomic
def walk_in_team(
    *, session_id: int, people: Sequence[PresentPlayer], name: str = "", by: User, now: dt.datetime
) -> Applicant:
    """Sign up a team whose players are in the room, for a director. The first of them is the captain; return that row.

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
    captain.team_name = " ".join(name.split())
    captain.save(update_fields=["team_name"])
    return captain


@transaction.atomic
def walk_in_player(*, session_id: int, captain_id: int, person: PresentPlayer, by: User, now: dt.datetime) -> Applicant:
    """Add a player who is in the room to a team that lacks one, for a director, and return the new row."""
    session = lock_draft(session_id)
    captain = find_applicant(session, captain_id)
    require_room(session, find_members(captain))
    return put_down_present(session, person, captain, by=by, now=now)


def put_down_present(
    session: Session, person: PresentPlayer, captain: Applicant | None, *, by: User, now: dt.datetime
) -> Applicant:
    for each in Applicant.objects.filter(session=session, withdrawn_at=None):
        if said_by(each).is_same(person.asked):
            raise ActionRefused("registered_already", "players", name=each.name)
    there: dict[str, Any] = {
        "accepted_at": now,
        "present_at": now,
        "agreed_at": now,
        "player": person.player,
        "captain": captain,
    }
    return put_down(session, person.asked, now=now, token=make_token(session), by=by, **there)


def find_members(captain: Applicant) -> list[Applicant]:
    """Return the players of a team who have not withdrawn, the captain first."""
    members = Applicant.objects.filter(Q(pk=captain.pk) | Q(captain=captain), withdrawn_at=None)
    return sorted(members, key=lambda each: (each.pk != captain.pk, each.pk))


def require_room(session: Session, members: Sequence[Applicant]) -> None:
    """Raise `ActionRefused` if the team has as many players as it needs."""
    most = players_of_team(session)
    if len(members) >= most:
        raise ActionRefused("registered_team_full", "players", most=most)


def lock_draft_of_applicants(session_id: int) -> Session:
    """Lock the session, or raise `ActionRefused` if it has started."""
    session = lock_session(session_id, "tournament__club")
    if session.status != Session.Status.DRAFT:
        raise ActionRefused("registration_begun")
    return session


def lock_by_link(token: str) -> tuple[Session, Applicant] | None:
    """Lock the session of the captain with this personal link, and return both. Return None for any other link.

    A captain who has withdrawn is captain no more.
    """
    session_id = Applicant.objects.filter(token=token).values_list("session_id", flat=True).first()
    if session_id is None:
        return None
    session = lock_draft_of_applicants(session_id)
    captain = Applicant.objects.filter(token=token, captain=None, withdrawn_at=None).first()
    return None if captain is None else (session, captain)
