"""The errors of the API. All have the same form of body, with a message in the requested language.

    {"error": {"code": "seat_empty", "field": "players", "message": "…", "params": {"line": "W", "number": 3}}}

If a body has the wrong shape, the code is `invalid`, and `fields` lists all wrong fields. The statuses are: 400 not
understood, 401 and 403 not allowed, 404 not found, 422 understood but refused, 429 too many requests. 409 means that
somebody else has changed the data before. 503 means that the database does not answer or has failed.
"""

import logging
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler as rest_handler
from rest_framework.views import set_rollback

from clubs.players import ListChanged
from scoring.errors import ScoringError
from tournaments.errors import ActionRefused, Conflict, NotShown
from tournaments.failures import DatabaseFailure, describe_failure, find_failure, first_line, let_go
from tournaments.words.messages import say
from wording import CodedText, Texts
from wording import gettext_noop as _

logger = logging.getLogger(__name__)

UNREADABLE = frozenset(
    {"required", "unknown_field", "duplicate_field", "unknown_value", "not_a_number", "not_whole", "not_half"}
)


class MalformedBody(ActionRefused):
    """An error for a body of the wrong shape, where no serializer checks the body."""

    messages: ClassVar[Texts] = {
        "seed_without_cards": _(
            "A secret draw is only useful if cards are made from it: ask for cards, or leave out the secret draw."
        ),
        "too_many_results": _("At most %(most)s results can be scored at once, not %(found)s: send several lists."),
        "too_many_players": _("At most %(most)s players can be added at once, not %(found)s: send several lists."),
        "not_a_result": _("A result is a JSON object with named fields: send one."),
        "result_mixed": _("%(field)s does not fit the rest of this result: give only %(choices)s."),
    }


class Stranger(exceptions.NotAuthenticated):
    """An error for a request without an account that needs one.

    `auth_header` is sent as the header WWW-Authenticate.
    """

    def __init__(self, auth_header: str) -> None:
        super().__init__()
        self.auth_header = auth_header


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the response for an error. Return None for an unexpected error, which Django answers with status 500."""
    failure = find_failure(error)
    if failure is not None:
        return tell_failure(error, failure, context)
    if isinstance(error, CodedText):
        set_rollback()
        return Response({"error": describe_error(error)}, status=status_of(error))
    error = translate_error(error, context)
    response = rest_handler(error, dict(context))
    if response is not None:
        assert isinstance(error, exceptions.APIException)
        response.data = {"error": describe_framework_error(error)}
    return response


def tell_failure(error: Exception, failure: DatabaseFailure, context: Mapping[str, Any]) -> Response:
    """Return the response for a request that failed in the database, and log the failure."""
    set_rollback()
    logger.error("%s (%s: %s)", failure.logged, type(context.get("view")).__name__, first_line(error))
    let_go(error)
    body = describe_failure(failure)
    return Response(body, status.HTTP_503_SERVICE_UNAVAILABLE, headers={"Retry-After": str(failure.retry_after)})


def describe_error(error: CodedText) -> dict[str, Any]:
    """Return the `error` part of the body for an action that the site has refused."""
    return {
        "code": error.code,
        "field": getattr(error, "field", ""),
        "message": say(error),
        "params": {name: plain_value(value) for name, value in error.params.items()},
    }


def status_of(error: CodedText) -> int:
    """Return the HTTP status for an action that the site has refused."""
    if isinstance(error, Conflict | ListChanged):
        return status.HTTP_409_CONFLICT
    if isinstance(error, NotShown):
        return status.HTTP_404_NOT_FOUND
    if isinstance(error, MalformedBody) or (isinstance(error, ScoringError) and error.code in UNREADABLE):
        return status.HTTP_400_BAD_REQUEST
    return status.HTTP_422_UNPROCESSABLE_ENTITY


def plain_value(value: object) -> bool | int | float | str | None:
    """Return a parameter's value for JSON. A `Decimal` becomes a number; other objects become text."""
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    return value if value is None or isinstance(value, bool | int) else str(value)


def translate_error(error: Exception, context: Mapping[str, Any]) -> Exception:
    """Return Django's error as the matching error of the REST framework; return other errors unchanged.

    "Permission denied" for a request without an account becomes "authentication needed".
    """
    if isinstance(error, Http404 | ObjectDoesNotExist):
        return exceptions.NotFound()
    if isinstance(error, PermissionDenied):
        if context["request"].user.is_authenticated:
            return exceptions.PermissionDenied()
        return Stranger(context["view"].get_authenticate_header(context["request"]))
    return error


def describe_framework_error(error: exceptions.APIException) -> dict[str, Any]:
    """Return the `error` part of the body for an error of the REST framework."""
    if isinstance(error, exceptions.ValidationError):
        field, message = first_of(error.detail)
        return {"code": "invalid", "field": field, "message": message, "params": {}, "fields": error.detail}
    assert isinstance(error.detail, exceptions.ErrorDetail)
    return {"code": error.detail.code, "field": "", "message": str(error.detail), "params": {}}


def first_of(detail: Any, field: str = "") -> tuple[str, str]:
    """Return the first wrong field of a validation error, and its message.

    A nested field is written as "operation.kind".
    """
    if isinstance(detail, Mapping):
        name, inner = next(iter(detail.items()))
        return first_of(inner, field if name == "non_field_errors" else f"{field}.{name}".lstrip("."))
    if isinstance(detail, list):
        return first_of(next(item for item in detail if item), field)
    return field, str(detail)
