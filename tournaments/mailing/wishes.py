"""Who wants the feuilles de route by mail: an account for its own players, at its confirmed address alone."""

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
    """Return the address that the account has confirmed; "" without one, or on a site that sends no mail."""
    if not settings.MAIL or not user.is_active:
        return ""
    found = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk").first()
    return found.email if found else ""


def want_feuilles(user: User, *, now: dt.datetime) -> bool:
    """Take the account's word. Twice is once. Return whether there is an address to write to: without one nothing is
    written down."""
    if not confirmed_address(user):
        return False
    made = {"token": secrets.token_urlsafe(32), "asked_at": now}
    FeuilleMail.objects.get_or_create(user=user, defaults=made)
    return True


def end_feuilles(user: User) -> None:
    FeuilleMail.objects.filter(user=user).delete()


def find_wish(token: str) -> FeuilleMail | None:
    """Return the word that a letter's link ends; None for what is none, or is ended already."""
    return FeuilleMail.objects.filter(token=token).first() if TOKEN.fullmatch(token) else None


def wishes_in_force() -> QuerySet[FeuilleMail]:
    """Those of accounts that are open and have a confirmed address."""
    confirmed = EmailAddress.objects.filter(user=OuterRef("user"), verified=True)
    return FeuilleMail.objects.filter(Exists(confirmed), user__is_active=True).select_related("user")
