"""The services of teams that sign up, and of those that a director checks in at the door.

Each service locks the session's row first, as those of `registration` do.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q

from clubs.models import Player, User
from registration.errors import RegistrationRefused
from registration.people.applicants import NewApplicant, find_seated, players_of_team, said_by, signs_up_teams
from registration.people.links import is_known_to_captain, make_token, replace_token
from registration.people.registration import (
    admit,
    draw_token,
    end_registration,
    find_free_key,
    find_put_down,
    find_registration,
    is_cancelled,
    is_own_name,
    mark_present,
    move_up,
    moving_up,
    put_down,
    read_password_rules,
    shows_at_once,
    strike_off,
)
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft, lock_session
from tournaments.log import log_action
from tournaments.models import Applicant, Registration, Session
from tournaments.queue import queue_invitations

MOST_NAMED = 12  # the most players that the captain of a team may name, also in place of others


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
    language: str = "",
    address_digest: str = "",
) -> Applicant:
    """Sign up a team by its captain on the public page, and return the captain's row.

    The named players get links of their own, by which they agree. Raise `ActionRefused` as `register` does, or if the
    captain names too many players, or one twice. Raise it too if the captain is on the list already and this team is
    another one: its data would be lost. The other arguments are as in `register`.
    """
    password_rules = read_password_rules(session_id, password)
    with transaction.atomic():
        admission = admit(session_id, captain, password_rules, password=password, user=user, now=now)
        session = admission.session
        if not signs_up_teams(session):
            raise ActionRefused("teams_not_played")
        require_different([captain, *named], players_of_team(session))
        earlier = find_put_down(session, captain, user=user, once=once)
        if earlier is not None:
            require_same_team(earlier, named, name)
            return earlier
        fields: dict[str, Any] = {**admission.fields, "agreed_at": now, "team_name": " ".join(name.split())}
        fields |= {"language": language, "address_digest": address_digest}
        applicant = put_down(session, captain, now=now, token=draw_token(session, once), user=user, **fields)
        for mate in named:
            put_down(session, mate, now=now, token=make_token(session), captain=applicant)
        queue_invitations(session.pk)
        return applicant


def require_same_team(there: Applicant, named: Sequence[NewApplicant], name: str) -> None:
    """Raise `RegistrationRefused` if the typed team is not the one that this captain has signed up."""
    names = {said_by(each).words for each in there.named.all()}
    same_name = " ".join(name.split()) in ("", there.team_name)
    if there.captain_id is not None or not same_name or not names.issuperset(mate.words for mate in named):
        raise RegistrationRefused("team_signed_up_already", "last_name", name=there.name)


def require_different(people: Sequence[NewApplicant], most: int) -> None:
    """Raise `ActionRefused` if there are more people than `most`, or if somebody is named twice."""
    if len(people) > most:
        raise ActionRefused("team_too_large", "players", most=most, count=len(people))
    for place, person in enumerate(people):
        if any(map(person.is_same, people[:place])):
            raise ActionRefused(
                "player_in_team_twice", "players", name=f"{person.first_name} {person.last_name}".strip()
            )


@transaction.atomic
def name_player(*, token: str, asked: NewApplicant, now: dt.datetime) -> Applicant | None:
    """Name another player, for the captain with this personal link. Return the player's row.

    Return None for an unknown link.

    It is possible until the session starts. If the team has this player already, return that row.
    """
    link = lock_by_link(token)
    if link is None:
        return None
    session, captain = link
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
    applicant = lock_by_link(token)
    if applicant is not None:
        session, captain = applicant
        for member in find_members(captain):
            if member.pk == applicant_id and member.captain_id == captain.pk:
                strike_off(session, member, "registration_withdrawn", now=now)


@transaction.atomic
def agree(
    *, token: str, now: dt.datetime, user: User | None = None, once: str = "", language: str = ""
) -> Applicant | None:
    """Let the player with this personal link agree to play in the team. Return the player's row.

    Return None for an unknown link.

    A player who had withdrawn comes back, if the team still lacks a player. The player gets a new personal link, which
    the captain does not know. `once` and `language` are as in `register`. The account `user` is stored only if it
    belongs to a player of the club with this name.

    Raise `ActionRefused` if the team has withdrawn or is complete, if a director has removed the player, or if the
    session has started. If the club asks for an account, raise it too unless `user` is the player's own.
    """
    session_id = Applicant.objects.filter(token=token).values_list("session_id", flat=True).first()
    if session_id is None:
        return None
    session = lock_draft_of_applicants(session_id)
    applicant = Applicant.objects.select_related("captain").filter(token=token).first()
    if applicant is None:  # the same form was sent twice at the same time
        return None
    if applicant.withdrawn_at is None and applicant.agreed_at is not None:
        return applicant
    if applicant.declined:
        raise RegistrationRefused("registration_removed")
    captain = applicant.captain
    if captain is None or captain.withdrawn_at is not None:
        raise ActionRefused("registered_team_gone")
    own = require_account(session, applicant, user)
    if applicant.withdrawn_at is not None:
        require_room(session, find_members(captain))
        applicant.key = find_free_key(session, said_by(applicant))
    with moving_up(session, now=now, but=captain.pk):
        if is_known_to_captain(applicant):
            applicant.token = replace_token(applicant.token, once)
        applicant.withdrawn_at, applicant.agreed_at = None, now
        applicant.user, applicant.language = own or applicant.user, language or applicant.language
        registration = find_registration(session)
        if registration is not None and shows_at_once(session, registration, said_by(applicant), own):
            applicant.accepted_at = applicant.accepted_at or now
        applicant.save(update_fields=["token", "key", "withdrawn_at", "agreed_at", "user", "accepted_at", "language"])
    log_action(session, "registration_agreed", now=now, words=applicant.name, name=applicant.name)
    return applicant


def require_account(session: Session, applicant: Applicant, user: User | None) -> User | None:
    """Return the account if it is the applicant's own, else None.

    If the club asks for an account, raise `ActionRefused` in place of None: otherwise one person could answer for a
    whole team.
    """
    own = user if is_own_name(session, said_by(applicant), user) else None
    registration = find_registration(session)
    if own is None and registration is not None and registration.way == Registration.RegistrationWay.ACCOUNT:
        if user is None:
            raise ActionRefused("registration_log_in")
        raise RegistrationRefused("registration_own_account", name=applicant.name)
    return own


@transaction.atomic
def withdraw_team(*, token: str, now: dt.datetime) -> Applicant | None:
    """Withdraw the whole team of the captain with this personal link. Return the captain's row.

    Return None for an unknown link.
    """
    applicant = lock_by_link(token)
    if applicant is None:
        return None
    session, captain = applicant
    end_team(session, captain, "registration_withdrawn", now=now)
    captain.refresh_from_db()
    return captain


@transaction.atomic
def return_team(*, token: str, now: dt.datetime) -> Applicant | None:
    """Undo the withdrawal of a whole team, for the captain with this personal link. Return the captain's row.

    The players who withdrew with the captain are back. The team takes the first place that is free now, after the teams
    that were complete before. Return None for an unknown link. Raise `ActionRefused` if a director has removed the
    captain, or if another player has become captain.
    """
    session_id = Applicant.objects.filter(token=token).values_list("session_id", flat=True).first()
    if session_id is None:
        return None
    session = lock_draft_of_applicants(session_id)
    captain = Applicant.objects.get(token=token)
    if captain.declined:
        raise RegistrationRefused("registration_removed")
    if captain.captain_id is not None:
        raise ActionRefused("registered_team_gone")
    bring_back(session, captain, now=now)
    return captain


def bring_back(session: Session, captain: Applicant, *, now: dt.datetime, by: User | None = None) -> None:
    """Put the captain on the list again, with the players who withdrew at the same moment. Log each of them.

    Do nothing if the captain has not withdrawn. The team counts as complete from this moment on. So it takes no place
    that another team got in the meantime.
    """
    if captain.withdrawn_at is None:
        return
    gone = Q(captain=captain, withdrawn_at=captain.withdrawn_at, declined=captain.declined)
    with moving_up(session, now=now, but=captain.pk):
        for each in (captain, *Applicant.objects.filter(gone).order_by("id")):
            each.key, each.withdrawn_at, each.declined = find_free_key(session, said_by(each)), None, False
            each.agreed_at, each.moved_up_at = each.agreed_at and now, None
            each.save(update_fields=["key", "withdrawn_at", "declined", "agreed_at", "moved_up_at"])
            log_action(session, "registration_back", now=now, by=by, words=each.name, name=each.name)


def end_team(session: Session, captain: Applicant, action: str, *, now: dt.datetime, by: User | None = None) -> None:
    """Withdraw all members of the team, and log each of them. If others wait, one team moves up."""
    before = find_seated(session)
    for each in find_members(captain):
        end_registration(session, each, action, now=now, by=by)
    move_up(session, before, now=now)


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
    """Lock the session, or raise `ActionRefused` if it has started or will not take place."""
    session = lock_session(session_id, "tournament__club")
    if is_cancelled(session):
        raise RegistrationRefused("registration_cancelled")
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
