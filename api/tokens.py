"""The tokens by which programs log in to the API: signed ones, and those that directors make for a club.

A signed token is not stored. It is valid for `LIFE`, or until the account's password changes. It gives all rights of
its account. The token of a club (`clubs.accounts.program_tokens`) gives one role in one club, within its scopes.
"""

import datetime as dt
from typing import Any

from django.core import signing
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions, status
from rest_framework.authentication import TokenAuthentication
from rest_framework.request import Request

from clubs.accounts.program_tokens import PREFIX, find_program_token
from clubs.guard import Count, find_full, note_tries
from clubs.guard.counting import count_of_tokens
from clubs.models import User
from clubs.roles import limit_account
from tournaments.prepared import PreparedRows

LIFE = dt.timedelta(days=90)
SALT = "topage.api.token"
# A program logs in again with each result that it sends.
ACTIVE_ACCOUNT = PreparedRows(lambda account: User.objects.filter(pk=account, is_active=True))


class LockedOut(exceptions.APIException):
    """An error for a log-in after too many wrong passwords. The header Retry-After tells how long to wait.

    `full` is the counter that has reached its limit.
    """

    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "locked_out"

    def __init__(self, detail: str, full: Count | None) -> None:
        super().__init__(detail)
        self.wait = full.seconds_left() if full else None


def make_api_token(user: User) -> str:
    """Return a new token for the account."""
    return signing.dumps([user.pk, user.get_session_auth_hash()], salt=SALT)


def user_of(token: str) -> User | None:
    """Return the account of a token.

    Return None if the token is wrong, too old, or from before a change of password.
    """
    try:
        pk, password = signing.loads(token, salt=SALT, max_age=LIFE)
    except signing.BadSignature:
        return None
    user = next(iter(ACTIVE_ACCOUNT(pk)), None)
    return user if user and constant_time_compare(password, user.get_session_auth_hash()) else None


class ApiTokenAuthentication(TokenAuthentication):
    """The authentication by a header `Authorization: Token …`.

    A wrong token is refused even if the request also has the cookie of a log-in.
    """

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        try:
            return super().authenticate(request)
        except exceptions.AuthenticationFailed as wrong:
            count = count_of_tokens(request)
            if full := find_full([count]):
                raise LockedOut(str(_("Too many wrong tokens: ask again in ten seconds.")), full) from wrong
            note_tries([count])
            raise

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        token = find_program_token(key, timezone.now()) if key.startswith(PREFIX) else None
        user = user_of(key) if token is None else token.member.user
        if user is None:
            raise exceptions.AuthenticationFailed(_("This token is not valid, or no longer valid: ask for another."))
        if token is not None:
            # the account has no role until the view says which scope it needs
            limit_account(user, token.member.club_id, None)
        return user, token
