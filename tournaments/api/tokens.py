"""The tokens by which programs log in to the API. They are signed and not stored.

A token is valid for `LIFE`, or until the account's password changes.
"""

import datetime as dt
from typing import Any

from django.contrib.auth import get_user_model
from django.core import signing
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.authentication import TokenAuthentication

from clubs.models import User

LIFE = dt.timedelta(days=90)
SALT = "topage.api.token"


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
    user = get_user_model().objects.filter(pk=pk, is_active=True).first()
    return user if user and constant_time_compare(password, user.get_session_auth_hash()) else None


class ApiTokenAuthentication(TokenAuthentication):
    """The authentication by a header `Authorization: Token …`."""

    def authenticate_credentials(self, key: str) -> tuple[Any, None]:
        user = user_of(key)
        if user is None:
            raise exceptions.AuthenticationFailed(
                _("This token is not valid, or no longer valid: ask for another one.")
            )
        return user, None
