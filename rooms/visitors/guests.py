"""The rows of visitors: a guest is made, an account joins, a name changes, a guest's results follow into an account."""

import datetime as dt
import re
import secrets
from hashlib import sha256

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import translation
from django.utils.translation import gettext as _

from clubs.models import Player, User
from rooms.models import Game, RoomSeat, Visitor, VisitorEtui
from rooms.visitors.names import VisitorRefused, clean_guest_name, find_free_name, list_name_columns
from tournaments.locks import lock_apart

NOTED_AFTER = dt.timedelta(minutes=1)  # a visit is stored only if the stored one is older than this
TOKEN_BYTES = 24
TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
MOST_TRIES_AT_ONCE = 5


def digest_token(token: str) -> str:
    """Return what the site stores of the random token in a guest's cookie."""
    return sha256(token.encode(errors="replace")).hexdigest()


def draw_guest_token() -> str:
    """Return a new random token for the cookie of a guest."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def make_guest(*, name: str, now: dt.datetime, token: str = "") -> tuple[Visitor, str]:
    """Store a new guest. Return it, and the token for the cookie, which is not stored.

    A form that is sent twice has the same `token` both times, and makes one guest. A `token` that does not look like
    one is replaced by a new one. If the name is taken, the guest gets a number behind it. Raise `VisitorRefused` if the
    text is no name.
    """
    token, wanted = token if TOKEN.fullmatch(token) else draw_guest_token(), clean_guest_name(name)
    guest_fields = {"cookie_digest": digest_token(token), "created_at": now, "seen_at": now}
    for _time in range(MOST_TRIES_AT_ONCE):
        try:
            with transaction.atomic():
                return Visitor.objects.create(**list_name_columns(find_free_name(wanted)), **guest_fields), token
        except IntegrityError:  # the form was sent twice, or another guest took the same name at the same moment
            if same := Visitor.objects.filter(cookie_digest=guest_fields["cookie_digest"]).first():
                return same, token
    raise VisitorRefused("guest_name_taken", "name")


def has_player(account: User) -> bool:
    """Return whether the account is a player of a club, and so has a name there."""
    return Player.objects.real().filter(account=account).exists()


def find_account_visitor(account: User) -> Visitor | None:
    """Return the visitor of an account, or None if it has never played."""
    return Visitor.objects.filter(account=account).first()


def ensure_visitor(*, account: User, name: str = "", now: dt.datetime) -> Visitor:
    """Return the visitor of an account, and make it if there is none.

    An account that is no player of a club needs a `name` for the rooms; otherwise the name is not used. Raise
    `VisitorRefused` if the text is no name.
    """
    visitor = find_account_visitor(account)
    if visitor is not None and (visitor.name or has_player(account)):
        return visitor
    called = "" if has_player(account) else find_free_name(clean_guest_name(name), visitor)
    if visitor is not None:
        Visitor.objects.filter(pk=visitor.pk).update(**list_name_columns(called))
        visitor.name = called
        return visitor
    try:
        with transaction.atomic():
            return Visitor.objects.create(account=account, **list_name_columns(called), created_at=now, seen_at=now)
    except IntegrityError:  # another device of the account was faster
        return Visitor.objects.get(account=account)


def note_visit(visitor: Visitor, *, now: dt.datetime) -> None:
    """Store that the visitor was here, at most once a minute."""
    if not dt.timedelta() <= now - visitor.seen_at < NOTED_AFTER:
        Visitor.objects.filter(pk=visitor.pk, forgotten_at=None).update(seen_at=now)


def mark_program(visitor: Visitor) -> None:
    """Store that a program plays for this visitor. Rankings say so from then on."""
    if not visitor.is_program:
        Visitor.objects.filter(pk=visitor.pk).update(is_program=True)
        visitor.is_program = True


@transaction.atomic
def rename_visitor(*, visitor: Visitor, name: str, now: dt.datetime) -> str:
    """Give a guest, or an account without a club, another name. Return it, perhaps with a number behind it.

    If the administrator has hidden the old name, the new one stays hidden too, until the administrator shows it.
    """
    called = find_free_name(clean_guest_name(name), visitor)
    try:
        with transaction.atomic():
            renamed = Visitor.objects.filter(pk=visitor.pk, forgotten_at=None).update(
                **list_name_columns(called), seen_at=now
            )
    except IntegrityError as error:  # another guest took the same name at the same moment
        raise VisitorRefused("guest_name_just_taken", "name") from error
    if not renamed:
        raise VisitorRefused("visitor_unknown")
    return called


def set_visitor_country(*, visitor: Visitor, country: str) -> str:
    """Store the country of an account, or none. Return it. Raise `VisitorRefused` if the text cannot be one."""
    cleaned = clean_guest_name(country) if country.strip() else ""
    Visitor.objects.filter(pk=visitor.pk, account__isnull=False).update(country=cleaned)
    return cleaned


@transaction.atomic
def keep_guest(*, visitor: Visitor, account: User, now: dt.datetime) -> Visitor:
    """Let the results of a guest be those of an account, and return the visitor of the account.

    The étuis that the guest has met count as met by the account. Both may play in a room that is not closed. Then the
    guest's seat stays a number and is left out of its ranking: nobody is ranked twice. Closed rankings do not change.
    Pages call `keep_guest_and_seat` of `rooms.classic`, which hands over the seat at a table for four before.
    """
    guest = next(iter(lock_apart(Visitor, [visitor.pk])), None)
    if guest is None or guest.account_id is not None or guest.forgotten_at is not None:
        raise VisitorRefused("not_a_guest")
    own = find_account_visitor(account)
    if own is None:
        name = "" if has_player(account) else guest.name
        account_fields = {"account": account, "cookie_digest": "", "seen_at": now, **list_name_columns(name)}
        try:
            with transaction.atomic():
                Visitor.objects.filter(pk=guest.pk).update(**account_fields)
        except IntegrityError as error:  # the account began to play on another device at the same moment
            raise VisitorRefused("account_plays_now") from error
        return Visitor.objects.get(pk=guest.pk)
    copy_met_etuis(guest=guest, visitor=own)
    VisitorEtui.objects.filter(visitor=guest).delete()
    RoomSeat.objects.filter(visitor=guest, is_solo=False, left_at=None).update(left_at=now)  # one table for four each
    mine = RoomSeat.objects.filter(visitor=own)
    RoomSeat.objects.filter(visitor=guest).exclude(room__in=mine.values("room")).update(visitor=own)
    with translation.override(settings.LANGUAGE_CODE):
        reason = _("This player plays in this room with an account, too.")
    twice = RoomSeat.objects.filter(visitor=guest, left_out_at=None, room__closed_at=None)
    twice.update(left_out_at=now, left_out_reason=reason)
    name = own.name or ("" if has_player(account) else guest.name)
    forget_guests([guest], now=now)
    Visitor.objects.filter(pk=own.pk).update(seen_at=now, **list_name_columns(name))
    own.name = name
    return own


@transaction.atomic
def part_from_guest(*, guest: Visitor, account: User, now: dt.datetime) -> None:
    """Store that an account has met what a guest of its device has met, before the device forgets the guest."""
    times = {"created_at": now, "seen_at": now}
    own, _made = Visitor.objects.get_or_create(account=account, defaults=times)
    copy_met_etuis(guest=guest, visitor=own)


def check_guest_first(*, guest: Visitor | None, visitor: Visitor, room_id: int) -> None:
    """Raise `VisitorRefused` if the guest of an account's device plays in a room, and the account does not.

    The results of both would be lost: those of the guest are not the account's, and the account cannot meet the étuis.
    """
    if guest is None or visitor.account_id is None:
        return
    seats = set(RoomSeat.objects.filter(room=room_id, visitor__in=[guest, visitor]).values_list("visitor", flat=True))
    if guest.pk in seats and visitor.pk not in seats:
        raise VisitorRefused("guest_plays_here")


def copy_met_etuis(*, guest: Visitor, visitor: Visitor) -> int:
    """Store that a visitor has met what a guest of the same device has met. Return how many étuis were new."""
    met = VisitorEtui.objects.filter(visitor=guest).exclude(etui__in=visitor.etuis_met.values("etui"))
    new = [VisitorEtui(visitor=visitor, etui_id=etui, shown_at=at) for etui, at in met.values_list("etui", "shown_at")]
    VisitorEtui.objects.bulk_create(new, ignore_conflicts=True)
    return len(new)


@transaction.atomic
def forget_guest_now(*, visitor: Visitor, now: dt.datetime) -> None:
    """Remove name and cookie of a guest who wishes so. The results stay as those of a number.

    Raise `VisitorRefused` if the visitor is no guest.
    """
    guest = next(iter(lock_apart(Visitor, [visitor.pk])), None)
    if guest is None or guest.account_id is not None:
        raise VisitorRefused("not_a_guest")
    if guest.forgotten_at is None:
        forget_guests([guest], now=now)


def forget_guests(guests: list[Visitor], *, now: dt.datetime) -> None:
    """Remove name and cookie of these guests. Their rows stay as numbers, because closed rooms need them."""
    forgotten = {"forgotten_at": now, "reported_at": None, "hidden_at": None, "hidden_by": None}
    gone = {**list_name_columns(""), "cookie_digest": "", "country": "", **forgotten}
    Visitor.objects.filter(pk__in=[guest.pk for guest in guests], account=None).update(**gone)
    Game.objects.filter(table__seats__visitor__in=guests).exclude(review={}).update(review={})
