"""The parts that all API views share: the JSON parser, the throttle, request shapes, percentages, documentation.

A shape is a serializer that checks the body of a request: types, sizes, and no unknown fields.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, TypeVar

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import exceptions, serializers, status
from rest_framework.parsers import BaseParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from api.kept import PRIVATE, let_public_keep
from api.scopes import apply_scopes, find_needed_scope, refuse_token_in_address
from clubs.guard import Count, counted_address, find_full, note_tries
from clubs.guard.counting import MINUTE
from clubs.models import Scope, validate_name
from deals.domain.cards import LINES
from scoring.files.sheets import six_decimals
from scoring.plays import SEATS

MAX_ID = 2**63 - 1
LEAST_PEOPLE = 3  # North, East and South always have somebody


class JSONParser(BaseParser):
    """A parser of JSON in UTF-8, with a limit of size.

    It refuses values that the database or a response cannot contain.
    """

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(most + 1)
        if len(body) > most:
            raise exceptions.ParseError(
                _("The request is larger than %(most)s bytes: send less at a time.") % {"most": most}
            )
        try:
            text = body.decode()
            data = json.loads(text, parse_constant=refuse_constant)
            if "\\ud" in text.lower():  # JSON allows half of a surrogate pair, but UTF-8 cannot encode it
                json.dumps(data, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise exceptions.ParseError(_("The request is not valid JSON: %(error)s") % {"error": error}) from error
        return data


def refuse_constant(name: str) -> None:
    """Raise `ValueError` for NaN and Infinity, which are not JSON."""
    raise ValueError(f"{name} is not a JSON value")


class Throttle(ScopedRateThrottle):
    """A limit of requests, for each account, or for each client address without an account.

    It counts requests in fixed windows of time. If the cache is down, all requests are allowed.
    """

    full: Count | None = None

    def get_ident(self, request: Request) -> str:
        return counted_address(request) or ""

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.scope = getattr(view, "throttle_scope", None)
        if not self.scope:
            return True
        most, seconds = self.parse_rate(self.get_rate())
        user = request.user
        whose = f"account {user.pk}" if user.is_authenticated else f"address {self.get_ident(request)}"
        count = Count(f"api-{self.scope}", whose, most or 0, seconds or MINUTE)
        self.full = find_full([count])
        if self.full is None:
            note_tries([count])
        return self.full is None

    def wait(self) -> float | None:
        return self.full.seconds_left() if self.full else None


# The base class of the API's views. Methods named in `open_to_all` need no account. `scopes` names the scope that the
# token of a program needs for a method that writes, if it is not `direct`. This is a comment, because the
# schema would show a docstring of this class as the description of every operation.
class View(APIView):
    parser_classes = [JSONParser]
    open_to_all: ClassVar[frozenset[str]] = frozenset()
    scopes: ClassVar[Mapping[str, Scope]] = {}

    @property
    def closed(self) -> bool:
        """True if the requested method needs an account."""
        return ("GET" if self.request.method == "HEAD" else self.request.method) not in self.open_to_all

    def perform_authentication(self, request: Request) -> None:
        super().perform_authentication(request)
        refuse_token_in_address(request)
        apply_scopes(request, find_needed_scope(self, request.method or ""), closed=self.closed)

    def get_permissions(self) -> Sequence[Any]:
        return super().get_permissions() if self.closed else [AllowAny()]

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex"  # search engines find the pages instead
        if response.has_header("Cache-Control"):
            return response
        if self.closed or request.user.is_authenticated:
            response["Cache-Control"] = PRIVATE
        elif request.method in ("GET", "HEAD") and response.status_code == status.HTTP_200_OK:
            response.add_post_render_callback(partial(let_public_keep, request))
        return response


# The base class of the views that everybody may read. Whoever writes there needs an account.
class PublicView(View):
    open_to_all = frozenset({"GET"})


@extend_schema(exclude=True)
class NowhereView(View):
    """A view for unknown addresses: a 404 with the same error body as all other errors."""

    permission_classes = (AllowAny,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise exceptions.NotFound


class Shape(serializers.Serializer[Any]):
    """The shape of a request's body: types, sizes, and no unknown fields."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and (unknown := [str(name) for name in data if name not in self.fields]):
            field_names = ", ".join(self.fields)
            message = _("This field is unknown. The fields are: %(known)s.") % {"known": field_names}
            raise serializers.ValidationError({name: [message] for name in unknown})
        return super().to_internal_value(data)


class ReasonIn(Shape):
    reason = serializers.CharField(max_length=300, validators=[validate_name])


def read_shape(shape: type[Shape], data: Any) -> dict[str, Any]:
    """Return the checked values of a body or of query parameters.

    Raise the framework's `ValidationError` if they are wrong.
    """
    reader = shape(data=data)
    reader.is_valid(raise_exception=True)
    values: dict[str, Any] = reader.validated_data
    return values


class Id(serializers.IntegerField):
    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=MAX_ID, **options)


@extend_schema_field({"type": "string", "pattern": "^[NESW]$"})
class LineField(serializers.ChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(choices=[str(line) for line in LINES], **options)


class TakerField(serializers.ChoiceField):
    """A line, or F for the fifth player where the tables deal."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=[str(seat) for seat in SEATS], **options)


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            "exact": {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"},
            "decimal": {"type": "string", "pattern": "^-?[0-9]+\\.[0-9]{6}$"},
        },
        "required": ["exact", "decimal"],
        "example": {"exact": "175/2", "decimal": "87.500000"},
    }
)
class Percent(serializers.Field[Any, Any, Any, Any]):
    """A percentage in two forms: exact, and with six decimals rounded half up."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"read_only": True, "allow_null": True} | options)

    def to_representation(self, value: Fraction | str) -> dict[str, str]:
        value = Fraction(value)
        return {"exact": str(value), "decimal": six_decimals(value)}


class MarksFigure(Percent):
    """A sum of marks in two forms: exact, and with six decimals rounded half up."""


class OutBySeat(serializers.Serializer[Any]):
    """The values by seat. A seat that the table does not have is left out."""

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return {seat: value for seat, value in super().to_representation(instance).items() if seat in instance}


def by_line(
    name: str, field: Callable[..., serializers.Field[Any, Any, Any, Any]]
) -> type[serializers.Serializer[Any]]:
    """Return a serializer class with one value for each of the four lines.

    Where the tables deal, West may be missing, and F has the value of a fifth player.
    """
    fields = {str(seat): field() for seat in SEATS[:LEAST_PEOPLE]}
    # A field that is only read would count as required in the schema.
    fields |= {str(seat): field(required=False, read_only=False) for seat in SEATS[LEAST_PEOPLE:]}
    return type(name, (OutBySeat,), fields)


class ErrorDetail(serializers.Serializer[Any]):
    code = serializers.CharField()
    field = serializers.CharField(allow_blank=True)
    message = serializers.CharField()
    params = serializers.DictField()

    def get_fields(self) -> Any:
        return super().get_fields() | {"fields": serializers.DictField(required=False)}


class ErrorOut(serializers.Serializer[Any]):
    error = ErrorDetail()


Method = TypeVar("Method", bound=Callable[..., Any])


def operation(
    name: str,
    summary: str,
    *,
    answer: Any,
    request: Any = None,
    statuses: Sequence[int | tuple[int, str]] = (200,),
    query: Sequence[OpenApiParameter | type[Shape]] = (),
) -> Callable[[Method], Method]:
    """Return a decorator that documents one operation in the schema.

    `answer` is the body of the given `statuses`. A status may be a pair with its media type; 304 has no body. All
    errors have the same body. `query` has query parameters, or the shape that reads them.
    """
    bodies = {code: None if code == status.HTTP_304_NOT_MODIFIED else answer for code in statuses}
    return extend_schema(
        operation_id=name,
        summary=summary,
        request=request,
        responses={**bodies, "default": ErrorOut},
        parameters=list(query),
    )


def query(
    name: str, kind: Any = OpenApiTypes.INT, *, text: str = "", enum: Sequence[str] | None = None
) -> OpenApiParameter:
    """Return the documentation of one query parameter."""
    return OpenApiParameter(name, kind, OpenApiParameter.QUERY, description=text, enum=enum)
