"""The check of the scopes of a program's token, which say what the token may do at each address of the API."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework import exceptions
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from clubs.accounts.program_tokens import PREFIX, find_role_within, is_use_to_note
from clubs.models import ProgramToken, Scope, User
from clubs.roles import limit_account
from tournaments.queue import queue_use_of_token


class ScopeMissing(exceptions.PermissionDenied):
    """An error for a token without the scope that an address needs."""

    default_code = "scope_missing"

    def __init__(self, need: Scope) -> None:
        super().__init__(_("This needs a token with the scope “%(scope)s”.") % {"scope": need.value})


class TokenInAddress(exceptions.ParseError):
    """An error for a token in the address of a request, which browsers and proxies write down."""

    default_code = "token_in_address"
    default_detail = gettext_lazy(
        "A token must not be in an address, because addresses are written into logs. End this token, create "
        "another, and send it in the header Authorization."
    )


def refuse_token_in_address(request: Request) -> None:
    """Raise `TokenInAddress` if the address has the token of a program in its query."""
    if PREFIX in request.META.get("QUERY_STRING", ""):
        raise TokenInAddress


def find_needed_scope(view: Any, method: str) -> Scope:
    """Return the scope that a method of a view needs: for writing it is `direct`, unless the view names another."""
    return Scope.READ if method in SAFE_METHODS else view.scopes.get(method, Scope.DIRECT)


def apply_scopes(request: Request, need: Scope, *, closed: bool) -> None:
    """Give the account of a program's token its role for this request, and note the use of the token.

    Raise `ScopeMissing` if the token lacks the scope `need`. If everybody may send the request (not `closed`), any
    token may send it too.
    """
    token, user = request.auth, request.user
    if not isinstance(token, ProgramToken) or not isinstance(user, User):
        return
    role = find_role_within(token, need)
    if role is None and closed:
        raise ScopeMissing(need)
    limit_account(user, token.member.club_id, role)
    if is_use_to_note(token, timezone.now()):
        queue_use_of_token(token.pk)


class ScopeSchema(AutoSchema):
    """The description of one operation in the API's schema.

    `x-token-scope` names the scope that a program's token needs; without it, any token may send it. Views of
    the REST framework itself have no scopes, so they get no `x-token-scope` either.
    """

    def get_extensions(self) -> dict[str, Any]:
        extensions: dict[str, Any] = super().get_extensions()
        view: Any = self.view
        if hasattr(view, "scopes") and view.authentication_classes and self.method not in view.open_to_all:
            extensions["x-token-scope"] = find_needed_scope(view, self.method).value
        return extensions


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The description of the header Authorization in the schema."""

    target_class = "api.tokens.ApiTokenAuthentication"
    name = "tokenAuth"

    def get_security_definition(self, _auto_schema: AutoSchema) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token …`: a token of /api/v1/token/, or one that a director has made for a program of the"
            " club. `x-token-scope` says which scope the latter needs.",
        }
