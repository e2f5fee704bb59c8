"""The wishes of accounts to get feuilles de route by e-mail.

An account gets only those of its own players, and only at an address that it has confirmed.
"""

import datetime as dt
import re
import secrets

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from clubs.models import User
from tournaments.models import FeuilleMail

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def confirmed_address(user: User) -> str:
    """Return the account's confirmed address. Return "" if there is none, or if the site sends no mail."""
    if not settings.MAIL or not user.is_active:
        return ""
    found = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk").first()
    return found.email if found else ""


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
