"""The services of registration: people sign up for a session and withdraw, and waiting people move up.

Each service locks the session's row first. Therefore two people never get the same last place, and nobody signs up
while the session is being started.
"""

import datetime as dt
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.contrib.auth.hashers import check_password
from django.db import transaction
from django.db.models import Q
from django.utils.crypto import constant_time_compare

from clubs.models import Player, User
from registration.people.applicants import NewApplicant, find_seated, said_by, signs_up_teams
from registration.people.links import is_known_to_captain, make_token, replace_token
from tournaments.codes import draw_random_code, read_code
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft, lock_session
from tournaments.log import log_action
from tournaments.models import Applicant, Registration, Session

MOST = 500  # the most people who may be signed up for a session
MOST_IN_TEAMS = 1200  # the same where teams play: 300 teams of four
PASSWORD_SIGNS = 6


class Admission(NamedTuple):
    """The terms for a new applicant: the locked session, when the name is shown, and whether a director must accept.

    `accepted_at` is None if the name is not shown yet.
    """

    session: Session
    accepted_at: dt.datetime | None
    needs_acceptance: bool

    @property
    def fields(self) -> dict[str, Any]:
        """The columns of the applicant."""
        return {"accepted_at": self.accepted_at, "needs_acceptance": self.needs_acceptance}


@transaction.atomic
def set_registration(
    *, session_id: int, by: User, now: dt.datetime, draws: bool = False, **fields: Any
) -> Registration:
    """Store the session's registration settings and return them. If there are more places now, waiting people move up.

    If a password is required and there is none yet, one is drawn. With `draws`, a new one is drawn in any case.
    """
    session = lock_draft(session_id)
    before = find_seated(session)
    registration = find_registration(session) or Registration(session=session)
    for name, value in fields.items():
        setattr(registration, name, value)
    lacks = not registration.code and not registration.password
    if registration.way == Registration.RegistrationWay.PASSWORD and (draws or lacks):
        registration.code, registration.password = draw_random_code(length=PASSWORD_SIGNS), ""
    registration.save()
    log_action(session, "registration_set", now=now, by=by)
    move_up(session, before, now=now)
    return registration


def register(
    *,
    session_id: int,
    asked: NewApplicant,
    now: dt.datetime,
    password: str | None = "",
    user: User | None = None,
    once: str = "",
    language: str = "",
    address_digest: str = "",
) -> Applicant:
    """Sign up a person who uses the public page, and return the applicant.

    Raise `ActionRefused` if they may not sign up.

    A name that is already signed up is accepted once more. Otherwise a stranger could find out who is signed up. The
    director sees such cases by `list_down`.

    `once` is a random text drawn for each form. If a browser sends the same form again, the first applicant is
    returned. `password` is None if too many wrong passwords were tried, so that none is required at present; a director
    must then accept the applicant. `language` is that of the pages, for later mails. `address_digest` says which rows
    came from one address.
    """
    password_rules = read_password_rules(session_id, password)
    with transaction.atomic():
        admission = admit(session_id, asked, password_rules, password=password, user=user, now=now)
        session = admission.session
        if signs_up_teams(session):
            raise ActionRefused("players_not_played")
        more = {"language": language, "address_digest": address_digest, **admission.fields}
        return put_down_once(session, asked, user=user, once=once, now=now, **more)


def read_password_rules(session_id: int, password: str | None) -> Registration | None:
    """Return the session's registration. Raise `ActionRefused` if the password is wrong.

    Call it before the session is locked: people who guess passwords must not block the others.
    """
    rules = Registration.objects.filter(session=session_id).first()
    if rules is not None and password is not None:
        require_password(rules, password)
    return rules


def admit(
    session_id: int,
    asked: NewApplicant,
    known: Registration | None,
    *,
    password: str | None,
    user: User | None,
    now: dt.datetime,
) -> Admission:
    """Lock the session for a person who signs up, and return the admission.

    A director must accept the applicant unless the name is shown at once, or the registration accepts people at once.
    While no password is required because too many wrong ones were tried, nobody else is accepted at once.

    `known` is the registration by which the password was checked. Raise `ActionRefused` if they may not sign up.
    """
    session = lock_session(session_id, "tournament__club")
    registration = find_registration(session)
    if registration is None or not is_registration_open(session, registration, now):
        raise ActionRefused("registration_closed")
    if password is not None and (known is None or known.asks != registration.asks):
        raise ActionRefused("registration_password", "password")
    if registration.way == Registration.RegistrationWay.ACCOUNT and user is None:
        raise ActionRefused("registration_log_in")
    is_shown = password is not None and shows_at_once(session, registration, asked, user)
    at_once = is_shown or (password is not None and registration.accepts_at_once)
    return Admission(session, now if is_shown else None, not at_once)


def shows_at_once(session: Session, registration: Registration, asked: NewApplicant, user: User | None) -> bool:
    """Return whether the name is shown before a director has accepted it.

    It is shown if it is the name of the account, and if the registration requires only an account.
    """
    return registration.way != Registration.RegistrationWay.WORD and is_own_name(session, asked, user)


def require_password(registration: Registration, typed: str) -> None:
    """Raise `ActionRefused` if the registration requires a password and the typed one is wrong."""
    if registration.way != Registration.RegistrationWay.PASSWORD:
        return
    if registration.code:
        is_right = constant_time_compare(registration.code, read_code(typed))
    else:
        is_right = check_password(typed, registration.password)
    if not is_right:
        raise ActionRefused("registration_password", "password")


def put_down_once(
    session: Session,
    asked: NewApplicant,
    *,
    user: User | None,
    once: str,
    now: dt.datetime,
    **more: Any,
) -> Applicant:
    """Return a new applicant for the locked session.

    If the same form, or the same account, has already signed up this name, return that applicant.
    """
    applicant = find_put_down(session, asked, user=user, once=once)
    if applicant is not None:
        return applicant
    return put_down(session, asked, now=now, token=draw_token(session, once), user=user, **more)


def find_put_down(session: Session, asked: NewApplicant, *, user: User | None, once: str) -> Applicant | None:
    """Return the applicant whom the same form, or the same account, has signed up under this name, or None."""
    token = make_token(session, once)
    for each in Applicant.objects.filter(session=session, withdrawn_at=None):
        mine = each.token == token or (user is not None and each.user_id == user.pk)
        if mine and said_by(each).words == asked.words:
            return each
    return None


def find_own_registration(session: Session, *, user: object, once: str) -> Applicant | None:
    """Return the applicant whom this account, or the form with this `once`, signed up.

    Return None if there is none or if that applicant has withdrawn.

    This takes one query, or none for a visitor who has sent no form.
    """
    own = Q(user=user) if isinstance(user, User) else Q()
    own |= Q(token=make_token(session, once)) if once else Q()
    return Applicant.objects.filter(own, session=session, withdrawn_at=None).first() if own else None


def draw_token(session: Session, once: str) -> str:
    """Return the token for a new applicant: that of the form, or a random one if it is taken."""
    token = make_token(session, once)
    return make_token(session) if Applicant.objects.filter(token=token).exists() else token


def is_own_name(session: Session, asked: NewApplicant, user: User | None) -> bool:
    """Return whether the account is tied to a player of the club who has this name.

    Then the name may be shown at once.
    """
    if user is None:
        return False
    mine = Player.objects.real().filter(club=session.tournament.club_id, account=user)
    return any(asked.is_same(NewApplicant(player.last_name, player.first_name, player.licence)) for player in mine)


@transaction.atomic
def walk_in(
    *, session_id: int, asked: NewApplicant, by: User, now: dt.datetime, player: Player | None = None
) -> Applicant:
    """Sign up a person who is in the hall, for a director. Neither the number of places nor the closing time matters.

    `player` is that person's player on the club's list, if the director has chosen one there.
    """
    session = lock_draft(session_id)
    for each in Applicant.objects.filter(session=session, withdrawn_at=None):
        if said_by(each).is_same(asked):
            raise ActionRefused("registered_already", "last_name", name=each.name)
    fields: dict[str, Any] = {"accepted_at": now, "present_at": now, "player": player}
    return put_down(session, asked, now=now, token=make_token(session), by=by, **fields)


def put_down(
    session: Session,
    asked: NewApplicant,
    *,
    now: dt.datetime,
    user: User | None = None,
    by: User | None = None,
    **more: Any,
) -> Applicant:
    applicant = Applicant(session=session, user=user, registered_at=now, **asked._asdict(), **more)
    applicant.key = find_free_key(session, asked, held=(applicant.captain or applicant).waits_for_director)
    applicant.save()
    action = "registered" if applicant.captain_id is None else "registration_named"
    log_action(session, action, now=now, by=by or user, words=applicant.name, name=applicant.name)
    return applicant


def find_free_key(session: Session, asked: NewApplicant, *, held: bool = False) -> str:
    """Return a key that no applicant has. Raise `ActionRefused` if too many people have signed up.

    People who wait for a director (`held`) are counted apart, so that they shut nobody else out.
    """
    down = list(Applicant.objects.filter(session=session, withdrawn_at=None).select_related("captain"))
    keys = {each.key for each in down}
    most = MOST_IN_TEAMS if signs_up_teams(session) else MOST
    if sum((each.captain or each).waits_for_director == held for each in down) >= most:
        raise ActionRefused("registration_too_many", most=most)
    numbered = (f"{asked.key} #{number}" for number in range(2, len(keys) + 3))
    return next(key for key in (asked.key, *numbered) if key not in keys)


@transaction.atomic
def withdraw(*, token: str, now: dt.datetime) -> Applicant | None:
    """Withdraw the applicant who has this personal link, and return the applicant. Return None for an unknown link.

    This is possible until the session starts, even after registration is closed.
    """
    session_id = Applicant.objects.filter(token=token).values_list("session_id", flat=True).first()
    if session_id is None:
        return None
    session = lock_session(session_id, "tournament")
    if session.status != Session.Status.DRAFT:
        raise ActionRefused("registration_begun")
    applicant = Applicant.objects.get(token=token)
    if applicant.withdrawn_at is None:
        strike_off(session, applicant, "registration_withdrawn", now=now)
    return applicant


@transaction.atomic
def decline(*, session_id: int, applicant_id: int, by: User, now: dt.datetime) -> None:
    """Remove an applicant, for a director. The applicant reads this on the page of the personal link."""
    session = lock_draft(session_id)
    applicant = find_applicant(session, applicant_id)
    applicant.declined = True
    strike_off(session, applicant, "registration_declined", now=now, by=by)


def strike_off(
    session: Session, applicant: Applicant, action: str, *, now: dt.datetime, by: User | None = None
) -> None:
    before = find_seated(session)
    end_registration(session, applicant, action, now=now, by=by)
    hand_over_team(session, applicant, now=now)
    move_up(session, before, now=now)


def end_registration(
    session: Session, applicant: Applicant, action: str, *, now: dt.datetime, by: User | None = None
) -> None:
    """Withdraw an applicant, and log it. An agreement that followed from the check-in ends too."""
    if applicant.captain_id is not None and is_known_to_captain(applicant):
        applicant.agreed_at = None
    applicant.withdrawn_at, applicant.present_at = now, None
    applicant.save(update_fields=["withdrawn_at", "present_at", "agreed_at", "declined"])
    log_action(session, action, now=now, by=by, words=applicant.name, name=applicant.name)


def hand_over_team(session: Session, captain: Applicant, *, now: dt.datetime) -> None:
    """Make the first player who agreed the captain of the team whose captain has left.

    If nobody else has agreed, the players named by the captain withdraw too. Do nothing for an applicant without a
    team. Personal links that the former captain knows are replaced.
    """
    ever = list(Applicant.objects.filter(captain=captain).order_by("agreed_at", "id"))
    named = [each for each in ever if each.withdrawn_at is None]
    heir = next((each for each in named if each.agreed_at is not None), None)
    if heir is None:
        for each in named:
            end_registration(session, each, "registration_withdrawn", now=now)
        return
    for each in ever:
        each.captain = None if each.pk == heir.pk else heir
        each.token = replace_token(each.token) if is_known_to_captain(each) else each.token
        each.save(update_fields=["captain", "token"])
    heir.team_name, heir.team_name_shown_at, captain.captain = captain.team_name, captain.team_name_shown_at, heir
    heir.needs_acceptance, heir.address_digest = captain.waits_for_director, captain.address_digest
    heir.save(update_fields=["team_name", "team_name_shown_at", "needs_acceptance", "address_digest"])
    captain.save(update_fields=["captain"])
    log_action(session, "registration_captain", now=now, words=heir.name, name=heir.name)


@transaction.atomic
def accept_applicant(*, session_id: int, applicant_id: int, now: dt.datetime) -> None:
    """Accept an applicant, for a director. Everybody then sees the name."""
    session = lock_draft(session_id)
    applicant = find_applicant(session, applicant_id)
    with moving_up(session, now=now, but=applicant.pk if applicant.waits_for_director else None):
        applicant.accepted_at = applicant.accepted_at or now
        applicant.save(update_fields=["accepted_at"])


@transaction.atomic
def answer_together(
    *, session_id: int, applicant_ids: Collection[int], accepts: bool, by: User, now: dt.datetime
) -> int:
    """Accept or remove, for a director, several applicants with their teams. Return how many applicants.

    Those who have withdrawn, were accepted or are present are left as they are: the director's page was out of date.
    """
    session = lock_draft(session_id)
    before = find_seated(session)
    unanswered = Applicant.objects.filter(session=session, withdrawn_at=None, accepted_at=None, present_at=None)
    rows = list(unanswered.filter(pk__in=applicant_ids))
    teams = [each.pk for each in rows if each.captain_id is None]
    members = [*rows, *Applicant.objects.filter(captain__in=teams, withdrawn_at=None).exclude(pk__in=applicant_ids)]
    for each in members:
        if accepts:
            each.accepted_at = each.accepted_at or now
            each.save(update_fields=["accepted_at"])
        else:
            each.declined = True
            end_registration(session, each, "registration_declined", now=now, by=by)
    if accepts:
        Applicant.objects.filter(pk__in=teams, team_name_shown_at=None).exclude(team_name="").update(
            team_name_shown_at=now
        )
    move_up(session, before, now=now, but={each.pk for each in members})
    return len(rows)


@transaction.atomic
def check_in(*, session_id: int, applicant_id: int, present: bool, now: dt.datetime) -> None:
    """Mark an applicant as present, or as not present after all."""
    session = lock_draft(session_id)
    applicant = find_applicant(session, applicant_id)
    with moving_up(session, now=now, but=applicant.captain_id or applicant.pk):
        mark_present(applicant, now if present else None)


def mark_present(applicant: Applicant, now: dt.datetime | None) -> None:
    """Store the moment at which an applicant is present, or None for an absent one.

    An applicant who is present agrees to play in the team. If the director marks the applicant as absent again, the
    agreement that followed from the check-in ends.
    """
    signed_up_before = applicant.registered_at != applicant.present_at
    if now is None and applicant.captain_id is not None and signed_up_before and is_known_to_captain(applicant):
        applicant.agreed_at = None
    applicant.present_at = now and (applicant.present_at or now)
    applicant.accepted_at = applicant.accepted_at or now
    if now is not None and applicant.captain_id is not None:
        applicant.agreed_at = applicant.agreed_at or now
    applicant.save(update_fields=["present_at", "accepted_at", "agreed_at"])


def find_applicant(session: Session, applicant_id: int) -> Applicant:
    """Return the session's applicant with this id.

    Raise `ActionRefused` if there is none, or if they have withdrawn.
    """
    applicant = Applicant.objects.filter(session=session, pk=applicant_id, withdrawn_at=None).first()
    if applicant is None:
        raise ActionRefused("applicant_unknown")
    return applicant


@contextmanager
def moving_up(session: Session, *, now: dt.datetime, but: int | None = None) -> Iterator[None]:
    """Mark and log the teams that get a place by the changes in the block, without the team of the captain `but` (id).

    An answer, or a name that a director accepts, decides which of two teams has a player whom both name. So it may give
    a place to a third team. If single players sign up, nobody gets a place in this way.
    """
    if not signs_up_teams(session):
        yield
        return
    before = find_seated(session)
    yield
    own = Applicant.objects.filter(Q(pk=but) | Q(captain=but)) if but else Applicant.objects.none()
    move_up(session, before, now=now, but=set(own.values_list("pk", flat=True)))


def move_up(session: Session, before: Collection[int], *, now: dt.datetime, but: Collection[int] = ()) -> None:
    """Mark and log the applicants who have a place now and had none in `before` (ids of applicants with a place).

    The applicants `but` (ids) are left out.
    """
    risen = find_seated(session).difference(before, but)
    for applicant in Applicant.objects.filter(pk__in=risen, withdrawn_at=None):
        applicant.moved_up_at = now
        applicant.save(update_fields=["moved_up_at"])
        log_action(session, "registration_moved_up", now=now, words=applicant.name, name=applicant.name)


def find_registration(session: Session) -> Registration | None:
    """Return the registration of a session, or None if there is none."""
    return Registration.objects.filter(session=session).first()


def is_registration_open(session: Session, registration: Registration, now: dt.datetime) -> bool:
    """Return whether people may sign up now. `session` must be read with its tournament."""
    in_time = registration.closes_at is None or now < registration.closes_at
    return registration.is_open and in_time and session.status == Session.Status.DRAFT and not is_cancelled(session)


def is_cancelled(session: Session) -> bool:
    return bool(session.put_away_at or session.tournament.put_away_at)
