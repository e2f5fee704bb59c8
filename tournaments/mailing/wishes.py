"""The wishes for feuilles de route by mail: an account gets those of its own players, only at its confirmed address."""

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
    """Return the confirmed address of the account, or "" without one or on a site that sends no mail."""
    if not settings.MAIL or not user.is_active:
        return ""
    found = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk").first()
    return found.email if found else ""


def want_feuilles(user: User, *, now: dt.datetime) -> bool:
    """Save the account's wish.

    Idempotent. Return whether the account has a confirmed address; without one nothing is saved.
    """
    if not confirmed_address(user):
        return False
    made = {"token": secrets.token_urlsafe(32), "asked_at": now}
    FeuilleMail.objects.get_or_create(user=user, defaults=made)
    return True


def end_feuilles(user: User) -> None:
    FeuilleMail.objects.filter(user=user).delete()


def find_wish(token: str) -> FeuilleMail | None:
    """Return the wish that a letter's link ends, or None if it is unknown or ended already."""
    return FeuilleMail.objects.filter(token=token).first() if TOKEN.fullmatch(token) else None


def wishes_in_force() -> QuerySet[FeuilleMail]:
    """Return the wishes of active accounts with a confirmed address."""
    confirmed = EmailAddress.objects.filter(user=OuterRef("user"), verified=True)
    return FeuilleMail.objects.filter(Exists(confirmed), user__is_active=True).select_related("user")
