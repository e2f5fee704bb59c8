"""The wishes of accounts: to get feuilles de route by e-mail, and to get no e-mails about evenings.

An account gets only feuilles of its own players. Every mail goes only to an address that the account has confirmed.
"""

import datetime as dt
import re
import secrets
from collections.abc import Collection

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from clubs.models import User
from tournaments.models import EveningMailWish, FeuilleMail

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def confirmed_address(user: User) -> str:
    """Return the account's confirmed address. Return "" if there is none, or if the site sends no mail."""
    if not settings.MAIL or not user.is_active:
        return ""
    return find_confirmed_addresses([user.pk]).get(user.pk, "")


def find_confirmed_addresses(users: Collection[int]) -> dict[int, str]:
    """Return the confirmed address of each of these accounts (ids) that has one, with one query."""
    addresses = EmailAddress.objects.filter(user__in=users, verified=True).order_by("primary", "-pk")
    return dict(addresses.values_list("user", "email"))


def want_feuilles(user: User, *, now: dt.datetime) -> bool:
    """Store the account's wish to get feuilles. If it is stored already, keep it.

    Return False, and store nothing, if the account has no confirmed address.
    """
    if not confirmed_address(user):
        return False
    made = {"token": secrets.token_urlsafe(32), "asked_at": now}
    FeuilleMail.objects.get_or_create(user=user, defaults=made)
    return True


def end_feuilles(user: User) -> None:
    """Delete the account's wish."""
    FeuilleMail.objects.filter(user=user).delete()


def find_wish(token: str) -> FeuilleMail | None:
    """Return the wish that belongs to the link in a letter, or None if the wish was ended."""
    return FeuilleMail.objects.filter(token=token).first() if TOKEN.fullmatch(token) else None


def wishes_in_force() -> QuerySet[FeuilleMail]:
    """Return the wishes of active accounts with a confirmed address."""
    confirmed = EmailAddress.objects.filter(user=OuterRef("user"), verified=True)
    return FeuilleMail.objects.filter(Exists(confirmed), user__is_active=True).select_related("user")


def find_stop_link(user_id: int) -> EveningMailWish:
    """Return the row with the link by which the account stops mails about evenings. Make it if there is none."""
    made = {"token": secrets.token_urlsafe(32)}
    return EveningMailWish.objects.get_or_create(user_id=user_id, defaults=made)[0]


def find_stop_link_by_token(token: str) -> EveningMailWish | None:
    """Return the row that belongs to the link in a mail about an evening, or None."""
    return EveningMailWish.objects.filter(token=token).first() if TOKEN.fullmatch(token) else None


def stop_evening_mails(user_id: int, *, now: dt.datetime) -> None:
    """Store that the account wants no more mails about evenings. If it is stored already, keep the moment."""
    find_stop_link(user_id)
    EveningMailWish.objects.filter(user=user_id, stopped_at=None).update(stopped_at=now)


def allow_evening_mails(user_id: int) -> None:
    """Take back that the account wants no mails about evenings."""
    EveningMailWish.objects.filter(user=user_id).update(stopped_at=None)


def wants_evening_mails(user_id: int) -> bool:
    """Return whether the account has not stopped the mails about evenings."""
    return not EveningMailWish.objects.filter(user=user_id).exclude(stopped_at=None).exists()


def write_stop_headers(end: str) -> dict[str, str]:
    """Return the headers by which any mail program can end these mails with one click (RFC 8058).

    `end` is the whole address of the page that ends them.
    """
    headers = {"List-Unsubscribe": f"<{end}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return headers | {"Auto-Submitted": "auto-generated", "Precedence": "bulk"}
