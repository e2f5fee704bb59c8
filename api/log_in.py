"""The view that gives a token for user name and password. It is protected against guessing like the log-in page."""

from typing import Any

from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth import authenticate
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions, serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Shape, View, operation, read_shape
from api.tokens import LIFE, LockedOut, make_api_token
from clubs.guard.counting import WINDOW, Count, note_tries
from clubs.guard.log_in import counts_of_log_in, find_full_count
from clubs.models import User


class SecondStep(exceptions.AuthenticationFailed):
    """An error for a log-in that also needs the code of the two-step log-in."""

    default_code = "second_step"
    default_detail = gettext_lazy("This account has two-step log-in: send the code from its app too.")


class TokenIn(Shape):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=4096, trim_whitespace=False)
    code = serializers.CharField(
        max_length=20,
        required=False,
        default="",
        allow_blank=True,
        help_text="code of the two-step log-in, if the account uses it",
    )


class TokenOut(serializers.Serializer[Any]):
    token = serializers.CharField()
    expires_at = serializers.DateTimeField(help_text="the end of the token; a new password ends it earlier")


class TokenView(View):
    authentication_classes = ()
    permission_classes = (AllowAny,)

    def get_authenticate_header(self, request: Request) -> str:
        return "Token"

    @operation(
        "token",
        "Get a token for the header `Authorization: Token …`. It works for 90 days, or until the password changes",
        request=TokenIn,
        answer=TokenOut,
    )
    def post(self, request: Request) -> Response:
        # Pass the REST framework's request, not Django's. The guard marks a lock-out on the request that it gets. If
        # that were Django's, its middleware would answer in HTML.
        body = read_shape(TokenIn, request.data)
        code = body.pop("code")
        user = authenticate(request, **body)
        if full := find_full_count(request):
            raise locked_out(full)
        if user is None:
            raise exceptions.AuthenticationFailed(_("Wrong user name or password."))
        assert isinstance(user, User)
        require_second_step(request, user, code)
        return Response({"token": make_api_token(user), "expires_at": timezone.now() + LIFE})


def locked_out(full: Count) -> LockedOut:
    """Return the error that tells how long the client must wait for another try."""
    if full.seconds == WINDOW:
        return LockedOut(_("Too many wrong passwords: ask again in ten seconds."), full)
    return LockedOut(_("Too many wrong passwords were tried for this account today: ask again tomorrow."), full)


def require_second_step(request: Request, user: User, code: str) -> None:
    """Raise `SecondStep` if the account has a two-step log-in and the code is missing or wrong.

    A wrong code counts as a wrong password.
    """
    if is_mfa_enabled(user):
        form = AuthenticateForm({"code": code}, user=user)
        if not form.is_valid():
            if code:
                note_tries(counts_of_log_in(request, {"username": user.get_username()}))
            raise SecondStep
        form.save()
