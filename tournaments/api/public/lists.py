"""Lists by program: one manner of pages, told by the header `Link` (RFC 8288), and filters that refuse what they do not
know."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.addresses import link_to
from tournaments.api.base import Id, Shape, read

MOST_PAGES, A_PAGE, MOST_ROWS = 32_767, 50, 500
MOST_LETTERS = 120


class Paged(Shape):
    """The parameters of a list; those that filter it stand beside these."""

    page = serializers.IntegerField(
        min_value=1, max_value=MOST_PAGES, default=1, help_text="from 1; the header Link names the next one"
    )
    size = serializers.IntegerField(min_value=1, max_value=MOST_ROWS, default=A_PAGE, help_text="rows of a page")


class LongPaged(Paged):
    """Of what a program takes as a whole, up to as many as a page may have."""

    size = serializers.IntegerField(min_value=1, max_value=MOST_ROWS, default=MOST_ROWS, help_text="rows of a page")


class SomeLetters(serializers.CharField):
    """A part of a name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MOST_LETTERS, required=False, **options)


class SomeSlug(serializers.SlugField):
    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MOST_LETTERS, required=False, **options)


class SomeId(Id):
    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)


class Page(NamedTuple):
    """The rows of a page, and the header that leads to the ones beside it."""

    rows: list[Any]
    headers: dict[str, str]

    def answer(self, rows: Any = None) -> Response:
        return Response(self.rows if rows is None else rows, headers=self.headers)


def read_filters(shape: type[Paged], request: Request) -> dict[str, Any]:
    """`page` and `size` with the filters that were given; 400 names what is wrong."""
    return read(shape, request.query_params.dict())


def cut_page(request: Request, rows: "QuerySet[Any] | Sequence[Any]", asked: dict[str, Any]) -> Page:
    """One row more than the page has is asked for, and none is counted."""
    page, size = asked["page"], asked["size"]
    found = list(rows[(page - 1) * size : page * size + 1])
    beside = {"prev": page - 1, "next": page + 1 if len(found) > size else 0}
    told = [f'<{address(request, number)}>; rel="{rel}"' for rel, number in beside.items() if number]
    return Page(found[:size], {"Link": ", ".join(told)} if told else {})


def address(request: Request, page: int) -> str:
    asked = request.query_params.copy()
    asked["page"] = str(page)
    return link_to(request, f"{request.path}?{asked.urlencode()}")
