"""The services of registration: people sign up for a session and withdraw, and waiting people move up.

Each service locks the session's row first. Therefore two people never get the same last place, and nobody signs up
while the session is being started.
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

MOST = 500  # people who may be signed up for a session
MOST_KEY = 190  # letters of an applicant's key, without the number that may follow
PASSWORD_SIGNS = 6


class NewApplicant(NamedTuple):
    """The data that a person typed to sign up. Only directors see licence and contact."""

    last_name: str
    first_name: str = ""
    licence: str = ""
    contact: str = ""

    @property
    def words(self) -> str:
        return " ".join(sorted(words_of(f"{self.first_name} {self.last_name}")))

    @property
    def key(self) -> str:
        """The key that identifies the applicant: the words of the name, then the licence.

        It is cut after MOST_KEY letters, because one typed letter may become up to eighteen letters in `words`.
        """
        return f"{self.words} {self.licence}".strip()[:MOST_KEY]

    def is_same(self, other: "NewApplicant") -> bool:
        """Return whether both are probably one person: equal words of the name, and not two different licences."""
        return self.words == other.words and (self.licence == other.licence or "" in (self.licence, other.licence))


class ListedApplicant(NamedTuple):
    """An applicant with their number on the waiting list, or 0 for an applicant with a place.

    `twice` is True if the same name has signed up before and no director has accepted this applicant.
    """

    applicant: Applicant
    waits: int
    twice: bool = False


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
) -> Applicant:
    """Sign up a person who uses the public page, and return the applicant.

    Raise `ActionRefused` if they may not sign up.

    A name that is already signed up is accepted once more. Otherwise a stranger could find out who is signed up. The
    director sees such cases by `list_down`.

    `once` is a random text drawn for each form. If a browser sends the same form again, the first applicant is
    returned. `password` is None if too many wrong passwords were tried, so that none is required at present; a director
    must then accept the applicant.
    """
    # Check the password before the session is locked: people who guess passwords must not block the others.
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
    accepted_at: dt.datetime | None,
) -> Applicant:
    """Return a new applicant for the locked session.

    If the same form, or the same account, has already signed up this name, return that applicant.
    """
    token = make_token(session, once)
    for each in Applicant.objects.filter(session=session, withdrawn_at=None):
        mine = each.token == token or (user is not None and each.user_id == user.pk)
        if mine and said_by(each).words == asked.words:
            return each
    if Applicant.objects.filter(token=token).exists():
        token = make_token(session)
    return put_down(session, asked, now=now, token=token, user=user, accepted_at=accepted_at)


def is_own_name(session: Session, asked: NewApplicant, user: User | None) -> bool:
    """Return whether the account is tied to a player of the club who has this name.

    Then the name may be shown at once.
    """
    if user is None:
        return False
    mine = Player.objects.real().filter(club=session.tournament.club_id, account=user)
    return any(asked.is_same(NewApplicant(player.last_name, player.first_name, player.licence)) for player in mine)


def make_token(session: Session, once: str = "") -> str:
    """Return the secret token of a personal link.

    With a form's `once`, it is always the same for that form, else random.
    """
    if len(once) < 32:
        return secrets.token_urlsafe(32)
    digest = salted_hmac("registration", f"{session.pk}:{once}", algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


@transaction.atomic
def walk_in(
    *, session_id: int, asked: NewApplicant, by: User, now: dt.datetime, player: Player | None = None
) -> Applicant:
    """Sign up a person who is in the room, for a director. Neither the number of places nor the closing time matters.

    `player` is that person's player on the club's list, if the director has chosen one there.
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
    """Return what the applicant typed, without the contact."""
    return NewApplicant(applicant.last_name, applicant.first_name, applicant.licence)


@transaction.atomic
def withdraw(*, token: str, now: dt.datetime) -> Applicant | None:
    """Withdraw the applicant who has this personal link, and return the applicant. None if the link is unknown.

    This is possible until the session starts, even after registration is closed.
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
    """Remove an applicant, for a director. The applicant reads this on the page of the personal link."""
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
    """Accept an applicant, for a director. Everybody then sees the name."""
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
    """Return the session's applicant with this id.

    Raise `ActionRefused` if there is none, or if they have withdrawn.
    """
    applicant = Applicant.objects.filter(session=session, pk=applicant_id, withdrawn_at=None).first()
    if applicant is None:
        raise ActionRefused("applicant_unknown")
    return applicant


def move_up(session: Session, before: set[int], *, now: dt.datetime) -> None:
    """Mark and log the applicants who have a place now and had none in `before` (ids of applicants with a place)."""
    for applicant in Applicant.objects.filter(pk__in=find_seated(session) - before, withdrawn_at=None):
        applicant.moved_up_at = now
        applicant.save(update_fields=["moved_up_at"])
        log_action(session, "registration_moved_up", now=now, words=applicant.name, name=applicant.name)


def find_seated(session: Session) -> set[int]:
    """Return the ids of the applicants who have a place."""
    return {each.applicant.pk for each in list_down(session) if not each.waits}


def call_down(session: Session, applicants: Sequence[Applicant]) -> dict[int, str]:
    """Return the names of applicants as the public sees them, by id. One query.

    An applicant may be a player who is not shown by name: the account, the licence or the words of the name are equal.
    Then the applicant is shown in the same way as that player.
    """
    mine = Q(club=session.tournament.club_id) | Q(account__in=[each.user_id for each in applicants])
    private = Player.objects.real().exclude(person__shown=Visibility.NAME).filter(mine).select_related("person")
    known = [(player, NewApplicant(player.last_name, player.first_name).words) for player in private]
    return {each.pk: call_as_listed(each, known) for each in applicants}


def call_as_listed(applicant: Applicant, private: Sequence[tuple[Player, str]]) -> str:
    """Return the name of an applicant as the public sees it.

    `private` has players who are not shown by name, with the words of their names.
    """
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
    """Return the registration of a session, or None if there is none."""
    return Registration.objects.filter(session=session).first()


def find_by_link(token: str) -> Applicant | None:
    """Return the applicant with this personal link, read with session, club and registration, or None."""
    return (
        Applicant.objects.select_related("session__tournament__club", "session__registration")
        .filter(token=token)
        .first()
    )


def list_down(session: Session) -> Sequence[ListedApplicant]:
    """Return all applicants in the order in which they signed up. Two queries.

    An applicant who signed up twice does not take a place from others. But waiting numbers count all applicants: if
    they did not, a stranger could see from the number whether a name is already signed up.
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
    """Return the applicants who withdrew or were removed and have not signed up again, the latest first.

    Two queries.
    """
    down = set(Applicant.objects.filter(session=session, withdrawn_at=None).values_list("key", flat=True))
    gone = Applicant.objects.filter(session=session).exclude(withdrawn_at=None).order_by("-withdrawn_at", "-id")
    return list({each.key: each for each in reversed(gone) if each.key not in down}.values())[::-1]


def find_next(down: Sequence[ListedApplicant]) -> Applicant | None:
    """Return the first applicant on the waiting list who can move up, or None."""
    return next((each.applicant for each in down if each.waits and not each.twice), None)


def find_twice(down: Sequence[Applicant]) -> set[int]:
    """Return the ids of applicants whose name another applicant already has, and whom no director has accepted."""
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
    """Return whether people may sign up now. `session` must be read with its tournament."""
    in_time = registration.closes_at is None or now < registration.closes_at
    return registration.is_open and in_time and session.status == Session.Status.DRAFT and not is_cancelled(session)


def is_cancelled(session: Session) -> bool:
    return bool(session.put_away_at or session.tournament.put_away_at)
