"""The log-in: it finds the account, checks the password with exactly one hash, and counts wrong passwords.

The log-in page, the API's tokens and the administration share the counters. An account has the same counters however
its name is typed: as it is, in capitals, or as its e-mail address.
"""

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import get_user_by_username
from allauth.account.models import EmailAddress
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import make_password
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.core.exceptions import PermissionDenied
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from clubs.guard.counting import DAY, Count, find_full, note_tries
from clubs.guard.devices import Asked, counted_address, know_account, read_device
from clubs.models import LogInTry, User
from clubs.roles import find_account_with_roles

MOST_LOG_INS_OF_ADDRESS = 5  # the most wrong passwords from one address in ten seconds
# for one account from one address: in ten seconds, and in a day
MOST_LOG_INS_OF_ACCOUNT_THERE, MOST_LOG_INS_OF_ACCOUNT_THERE_A_DAY = 2, 200
MOST_LOG_INS_OF_ACCOUNT_A_DAY = 1_000  # in a day for one account, from all devices on which it has not logged in
# for one account, on a device where it has logged in: in ten seconds, and in a day
MOST_LOG_INS_OF_DEVICE, MOST_LOG_INS_OF_DEVICE_A_DAY = 5, 100
MOST_TYPED = 255
AT, FULL = "_topage_log_in", "_topage_full_count"  # attributes of a request

Credentials = Mapping[str, Any]


class LogIn(NamedTuple):
    """The name that was typed, and the account with that name, or None."""

    typed: str
    user: User | None

    @property
    def name(self) -> str:
        """The name under which the try is logged: the account's user name or, without an account, the typed text."""
        return self.user.get_username() if self.user else fold(self.typed)[:MOST_TYPED]

    @property
    def whose(self) -> str:
        return f"account {self.user.pk}" if self.user else f"name {fold(self.typed)}"


def fold(typed: str) -> str:
    return unicodedata.normalize("NFKC", typed).casefold().strip()


def find_account(typed: str) -> User | None:
    """Return the account with this user name or e-mail address, or None.

    A confirmed address comes first. So nobody gets another person's log-in by choosing that address as a user name. A
    user name comes next, then an unconfirmed address. If several accounts have that address, the first account is
    returned.
    """
    typed = typed.strip()
    if not typed or "\0" in typed:
        return None
    addresses = EmailAddress.objects.filter(email=typed.lower()).select_related("user")
    addresses = addresses.order_by("-verified", "-user__is_active", "pk")
    address = addresses.first() if "@" in typed else None
    if address is not None and address.verified:
        return as_user(address.user)
    named = get_user_by_username(typed)
    if named is not None or "@" not in typed:
        return as_user(named)
    if address is not None:
        return as_user(address.user)
    return User.objects.filter(email=typed.lower()).order_by("-is_active", "pk").first()


def as_user(found: Any) -> User | None:
    return found if isinstance(found, User) else None


def read_log_in(request: Asked, credentials: Credentials | None) -> LogIn:
    """Return the typed name and its account. A request looks for the account only once."""
    fields = credentials or {}
    typed = str(fields.get("username") or fields.get("email") or "")
    kept: LogIn | None = getattr(request, AT, None)
    if kept is None or kept.typed != typed:
        kept = LogIn(typed, find_account(typed))
        setattr(request, AT, kept)
    return kept


def counts_of_log_in(request: Asked, credentials: Credentials | None) -> list[Count]:
    """Return the counters of wrong passwords for this log-in.

    If the account has logged in on this device before, the counters belong to the device, and no other device fills
    them. Otherwise there are counters for the address, for the account at that address, and for the account on all such
    devices.
    """
    log_in, device = read_log_in(request, credentials), read_device(request)
    if log_in.user is not None and device.knows(log_in.user):
        whose = f"{log_in.whose} device {device.number}"
        return [
            Count("log_in", whose, MOST_LOG_INS_OF_DEVICE),
            Count("log_in", whose, MOST_LOG_INS_OF_DEVICE_A_DAY, DAY),
        ]
    address = f"address {counted_address(request)}"
    account_and_address = f"{log_in.whose} {address}"
    return [
        Count("log_in", address, MOST_LOG_INS_OF_ADDRESS),
        Count("log_in", account_and_address, MOST_LOG_INS_OF_ACCOUNT_THERE),
        Count("log_in", account_and_address, MOST_LOG_INS_OF_ACCOUNT_THERE_A_DAY, DAY),
        Count("log_in", log_in.whose, MOST_LOG_INS_OF_ACCOUNT_A_DAY, DAY),
    ]


def find_full_count(request: Asked) -> Count | None:
    """Return the full counter because of which a log-in was refused, or None."""
    full: Count | None = getattr(request, FULL, None)
    return full


def is_locked(request: Asked, credentials: Credentials) -> bool:
    """Return whether this log-in has to wait. `find_full_count` then returns the full counter."""
    setattr(request, FULL, find_full(counts_of_log_in(request, credentials)))
    return find_full_count(request) is not None


def log_try(request: Asked, name: str, *, succeeded: bool) -> None:
    """Store who tried to log in, from where. The counters, and not these rows, decide how often one may try."""
    LogInTry.objects.create(
        at=timezone.now(),
        name=name.replace("\0", ""),
        address=counted_address(request),
        agent=request.META.get("HTTP_USER_AGENT", "").replace("\0", "")[:MOST_TYPED],
        succeeded=succeeded,
    )


@receiver(user_login_failed)
def note_failed_log_in(credentials: Credentials, request: Asked | None = None, **_more: Any) -> None:
    """Log and count a wrong password. A try that had to wait is neither logged nor counted."""
    if request is not None and find_full_count(request) is None:
        log_try(request, read_log_in(request, credentials).name, succeeded=False)
        note_tries(counts_of_log_in(request, credentials))


@receiver(user_logged_in)
def note_log_in(request: Asked, user: User, **_more: Any) -> None:
    log_try(request, user.get_username(), succeeded=True)
    know_account(request, user)


class PasswordBackend(ModelBackend):
    """A log-in backend that computes exactly one hash, whether the account exists or not, and none if one has to wait.

    So the time of an answer does not tell whether an account exists.
    """

    def authenticate(self, request: Asked | None, **credentials: Any) -> User | None:  # type: ignore[override]
        password = credentials.get("password")
        if not password:
            return None
        if request is None or is_locked(request, credentials):
            raise PermissionDenied
        user = read_log_in(request, credentials).user
        if user is None:
            make_password(password)
        elif user.check_password(password):
            if self.user_can_authenticate(user):
                return user
            AuthenticationBackend._stash_user(user)  # with the account, the answer can say that the account is closed
        raise PermissionDenied  # this error stops other backends from computing a second hash

    def get_user(self, user_id: int) -> User | None:
        """Return the account of a browser's session. Almost every page asks for its roles, so they come with it."""
        account = find_account_with_roles(user_id)
        return account if self.user_can_authenticate(account) else None


def is_locked_for_the_day(request: Asked) -> bool:
    full = find_full_count(request)
    return full is not None and full.seconds == DAY


class LockOutMiddleware:
    """A middleware that answers 429, with the time to wait, if a log-in was refused because of a full counter.

    The form says so if it can show this, otherwise a page does.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        full = find_full_count(request)
        if full is None:
            return response
        if not getattr(request, "says_why_locked", False):
            response = render(request, "registration/locked_out.html", {"for_the_day": is_locked_for_the_day(request)})
        response.status_code = 429
        response["Retry-After"] = str(full.seconds_left())
        return response
