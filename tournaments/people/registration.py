"""The writes of registration: people sign up for a session and withdraw; people who wait move up.

Every write locks the session's row first. So of two people who want the last place one waits, and nobody is signed up
while the session starts.
"""

import base64
import datetime as dt
import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.contrib.auth.hashers import check_password
from django.db import transaction
from django.db.models import Q
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.models import Player, User, Visibility
from clubs.names import words_of
from clubs.shown import public_name
from tournaments.codes import draw_random_code, read_code
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft, lock_session
from tournaments.log import log_action
from tournaments.models import Applicant, Registration, Session

MOST = 500  # people signed up for a session at a time
MOST_KEY = 190  # letters of the key made from name and licence; a number may follow
PASSWORD_SIGNS = 6


class NewApplicant(NamedTuple):
    """The name of a person who signs up, as typed. Only directors see licence and contact."""

    last_name: str
    first_name: str = ""
    licence: str = ""
    contact: str = ""

    @property
    def words(self) -> str:
        return " ".join(sorted(words_of(f"{self.first_name} {self.last_name}")))

    @property
    def key(self) -> str:
        """The key that distinguishes applicants. It is cut, because a letter may unfold to eighteen in `words`."""
        return f"{self.words} {self.licence}".strip()[:MOST_KEY]

    def is_same(self, other: "NewApplicant") -> bool:
        """Return whether both name one person: the same words, and not two different licences."""
        return self.words == other.words and (self.licence == other.licence or "" in (self.licence, other.licence))


class ListedApplicant(NamedTuple):
    """An applicant with their number among those who wait, 0 for an applicant with a place.

    `twice` is true if the same name signed up before, and no director has accepted this one.
    """

    applicant: Applicant
    waits: int
    twice: bool = False


@transaction.atomic
def set_registration(
    *, session_id: int, by: User, now: dt.datetime, draws: bool = False, **fields: Any
) -> Registration:
    """Save the session's registration settings and return them. With more places, people who wait move up.

    A password is drawn if one is required and there is none yet; with `draws` always.
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
) -> Applicant:
    """Sign up a person who uses the public page, and return their row. Raise `ActionRefused` if they may not.

    A name that is signed up already is signed up again, so the answer tells a stranger nothing; `list_down` tells the
    director. `once` is drawn for each form: if the same form is sent again with the same name, the first row is
    returned. `password` is None if it was guessed too often and is no longer required: then a director must accept the
    person.
    """
    # Before the session is locked, so that people who guess hold nobody up.
    known = Registration.objects.filter(session=session_id).first()
    if known is not None and password is not None:
        require_password(known, password)
    with transaction.atomic():
        session = lock_session(session_id, "tournament__club")
        registration = find_registration(session)
        if registration is None or not is_registration_open(session, registration, now):
            raise ActionRefused("registration_closed")
        if password is not None and (known is None or known.asks != registration.asks):
            raise ActionRefused("registration_password", "password")
        if registration.way == Registration.RegistrationWay.ACCOUNT and user is None:
            raise ActionRefused("registration_log_in")
        is_shown = is_own_name(session, asked, user) and registration.way != Registration.RegistrationWay.WORD
        is_shown = is_shown and password is not None
        return put_down_once(session, asked, user=user, once=once, now=now, accepted_at=now if is_shown else None)


def require_password(registration: Registration, typed: str) -> None:
    """Raise `ActionRefused` if a password is required and the typed one is wrong."""
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
    accepted_at: dt.datetime | None,
) -> Applicant:
    """Sign up a person in the locked session, or return the row that the same form or account made already."""
    token = make_token(session, once)
    for each in Applicant.objects.filter(session=session, withdrawn_at=None):
        mine = each.token == token or (user is not None and each.user_id == user.pk)
        if mine and said_by(each).words == asked.words:
            return each
    if Applicant.objects.filter(token=token).exists():
        token = make_token(session)
    return put_down(session, asked, now=now, token=token, user=user, accepted_at=accepted_at)


def is_own_name(session: Session, asked: NewApplicant, user: User | None) -> bool:
    """Return whether the account is tied to a player of the club with this name.

    Then showing the name reveals nothing.
    """
    if user is None:
        return False
    mine = Player.objects.real().filter(club=session.tournament.club_id, account=user)
    return any(asked.is_same(NewApplicant(player.last_name, player.first_name, player.licence)) for player in mine)


def make_token(session: Session, once: str = "") -> str:
    """Return the token of a personal link: a random one, or the one that belongs to a form by its `once`."""
    if len(once) < 32:
        return secrets.token_urlsafe(32)
    digest = salted_hmac("registration", f"{session.pk}:{once}", algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


@transaction.atomic
def walk_in(
    *, session_id: int, asked: NewApplicant, by: User, now: dt.datetime, player: Player | None = None
) -> Applicant:
    """Sign up a person whom the director sees: they are present, whatever the limit and the hour.

    `player` is their player on the club's list, if the director chose it there.
    """
    session = lock_draft(session_id)
    for each in Applicant.objects.filter(session=session, withdrawn_at=None):
        if said_by(each).is_same(asked):
            raise ActionRefused("registered_already", "last_name", name=each.name)
    there: dict[str, Any] = {"accepted_at": now, "present_at": now, "player": player}
    return put_down(session, asked, now=now, token=make_token(session), by=by, **there)


def put_down(
    session: Session,
    asked: NewApplicant,
    *,
    now: dt.datetime,
    user: User | None = None,
    by: User | None = None,
    **more: Any,
) -> Applicant:
    keys = set(Applicant.objects.filter(session=session, withdrawn_at=None).values_list("key", flat=True))
    if len(keys) >= MOST:
        raise ActionRefused("registration_too_many", most=MOST)
    numbered = (f"{asked.key} #{number}" for number in range(2, MOST + 2))
    key = next(key for key in (asked.key, *numbered) if key not in keys)
    given = {**asked._asdict(), "key": key, "user": user, "registered_at": now, **more}
    applicant = Applicant.objects.create(session=session, **given)
    log_action(session, "registered", now=now, by=by or user, words=applicant.name, name=applicant.name)
    return applicant


def said_by(applicant: Applicant) -> NewApplicant:
    """Return what an applicant typed, without the contact."""
    return NewApplicant(applicant.last_name, applicant.first_name, applicant.licence)


@transaction.atomic
def withdraw(*, token: str, now: dt.datetime) -> Applicant | None:
    """Withdraw by the personal link, until the start, even after registration is closed.

    None if the link is unknown.
    """
    found = Applicant.objects.filter(token=token).values_list("session_id", flat=True).first()
    if found is None:
        return None
    session = lock_session(found)
    if session.status != Session.Status.DRAFT:
        raise ActionRefused("registration_begun")
    applicant = Applicant.objects.get(token=token)
    if applicant.withdrawn_at is None:
        leave(session, applicant, "registration_withdrawn", now=now)
    return applicant


@transaction.atomic
def decline(*, session_id: int, applicant_id: int, by: User, now: dt.datetime) -> None:
    """Remove an applicant, for a director. The applicant's personal link says so."""
    session = lock_draft(session_id)
    applicant = find_applicant(session, applicant_id)
    applicant.declined = True
    leave(session, applicant, "registration_declined", now=now, by=by)


def leave(session: Session, applicant: Applicant, action: str, *, now: dt.datetime, by: User | None = None) -> None:
    before = find_seated(session)
    applicant.withdrawn_at, applicant.present_at = now, None
    applicant.save(update_fields=["withdrawn_at", "present_at", "declined"])
    log_action(session, action, now=now, by=by, words=applicant.name, name=applicant.name)
    move_up(session, before, now=now)


@transaction.atomic
def accept_applicant(*, session_id: int, applicant_id: int, now: dt.datetime) -> None:
    """Accept an applicant, for a director: the name is shown from now on."""
    applicant = find_applicant(lock_draft(session_id), applicant_id)
    applicant.accepted_at = applicant.accepted_at or now
    applicant.save(update_fields=["accepted_at"])


@transaction.atomic
def check_in(*, session_id: int, applicant_id: int, present: bool, now: dt.datetime) -> None:
    """Mark an applicant as present, or as not present after all."""
    applicant = find_applicant(lock_draft(session_id), applicant_id)
    applicant.present_at = (applicant.present_at or now) if present else None
    applicant.accepted_at = applicant.accepted_at or (now if present else None)
    applicant.save(update_fields=["present_at", "accepted_at"])


def find_applicant(session: Session, applicant_id: int) -> Applicant:
    applicant = Applicant.objects.filter(session=session, pk=applicant_id, withdrawn_at=None).first()
    if applicant is None:
        raise ActionRefused("applicant_unknown")
    return applicant


def move_up(session: Session, before: set[int], *, now: dt.datetime) -> None:
    """Mark and log the applicants who have a place now and had none before."""
    for applicant in Applicant.objects.filter(pk__in=find_seated(session) - before, withdrawn_at=None):
        applicant.moved_up_at = now
        applicant.save(update_fields=["moved_up_at"])
        log_action(session, "registration_moved_up", now=now, words=applicant.name, name=applicant.name)


def find_seated(session: Session) -> set[int]:
    """Return the ids of the applicants who have a place."""
    return {each.applicant.pk for each in list_down(session) if not each.waits}


def call_down(session: Session, applicants: Sequence[Applicant]) -> dict[int, str]:
    """Return the public names of applicants by their ids. One query.

    An applicant who may be a player not shown by name (by account, licence, or the words of the name) is shown as that
    player is.
    """
    mine = Q(club=session.tournament.club_id) | Q(account__in=[each.user_id for each in applicants])
    private = Player.objects.real().exclude(person__shown=Visibility.NAME).filter(mine).select_related("person")
    known = [(player, NewApplicant(player.last_name, player.first_name).words) for player in private]
    return {each.pk: call_as_listed(each, known) for each in applicants}


def call_as_listed(applicant: Applicant, private: Sequence[tuple[Player, str]]) -> str:
    """Return the public name of an applicant. `private` has players with the words of their names."""
    asked = NewApplicant(applicant.last_name, applicant.first_name)
    who, user = applicant.player_id, applicant.user_id
    may_be = [
        player
        for player, words in private
        if player.pk == who
        or (user and player.account_id == user)
        or (player.licence and player.licence == applicant.licence)
        or words == asked.words
    ]
    most = max(may_be, key=lambda player: Visibility(player.person.shown).privacy, default=None)
    return public_name(most) if most else applicant.name


def find_registration(session: Session) -> Registration | None:
    """Return the registration of a session, or None if nobody has opened it."""
    return Registration.objects.filter(session=session).first()


def find_by_link(token: str) -> Applicant | None:
    """Return the applicant of a personal link, with session, club and registration, or None."""
    return (
        Applicant.objects.select_related("session__tournament__club", "session__registration")
        .filter(token=token)
        .first()
    )


def list_down(session: Session) -> Sequence[ListedApplicant]:
    """Return all applicants, in the order of signing up. Two queries.

    A person who signed up twice takes no place from anybody. The number shown to those who wait still counts all:
    otherwise one number more or less would tell a stranger that a name is signed up already.
    """
    places = Registration.objects.filter(session=session).values_list("places", flat=True).first()
    down = list(Applicant.objects.filter(session=session, withdrawn_at=None).order_by("id"))
    twice = find_twice(down)
    first_once = sorted(down, key=lambda each: each.pk in twice)
    waiting = set() if places is None else {each.pk for each in first_once[places:]}
    return [
        ListedApplicant(each, max(1, number - (places or 0)) if each.pk in waiting else 0, each.pk in twice)
        for number, each in enumerate(down, 1)
    ]


def list_withdrawn(session: Session) -> list[Applicant]:
    """Return those who withdrew or were removed and have not signed up again, the latest first. Two queries."""
    down = set(Applicant.objects.filter(session=session, withdrawn_at=None).values_list("key", flat=True))
    gone = Applicant.objects.filter(session=session).exclude(withdrawn_at=None).order_by("-withdrawn_at", "-id")
    return list({each.key: each for each in reversed(gone) if each.key not in down}.values())[::-1]


def find_next(down: Sequence[ListedApplicant]) -> Applicant | None:
    """Return the applicant who moves up if somebody with a place withdraws, or None if nobody waits."""
    return next((each.applicant for each in down if each.waits and not each.twice), None)


def find_twice(down: Sequence[Applicant]) -> set[int]:
    """Return the ids of those whose name signed up before, or was accepted, if no director has accepted them."""
    named: dict[str, list[NewApplicant]] = {}
    twice = set()
    for each in sorted(down, key=lambda each: each.accepted_at is None):
        asked = said_by(each)
        known = named.setdefault(asked.words, [])
        if each.accepted_at is None and any(map(asked.is_same, known)):
            twice.add(each.pk)
        else:
            known.append(asked)
    return twice


def is_registration_open(session: Session, registration: Registration, now: dt.datetime) -> bool:
    """Return whether people may sign up. `session` comes with its tournament."""
    in_time = registration.closes_at is None or now < registration.closes_at
    return registration.is_open and in_time and session.status == Session.Status.DRAFT and not is_cancelled(session)


def is_cancelled(session: Session) -> bool:
    return bool(session.put_away_at or session.tournament.put_away_at)
