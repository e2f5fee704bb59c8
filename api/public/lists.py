"""The pages and filters of lists, and the view of the search for players, clubs and tournaments by name.

The header `Link` (RFC 8288) has the addresses of the previous and the next page. Unknown filters are refused.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Id, PublicView, Shape, Throttle, operation, read_shape
from api.kept import READ
from registration.agenda.search import FINDERS, KINDS, PLAYERS, by_fitness, read_asked, tell_hit
from tournaments.addresses import link_to

MOST_PAGES, A_PAGE, MOST_ROWS = 32_767, 50, 500
MOST_LETTERS = 120


class PageShape(Shape):
    """The query parameters of a list. A list with filters adds its own to them."""

    page = serializers.IntegerField(
        min_value=1,
        max_value=MOST_PAGES,
        default=1,
        help_text="number of the page, from 1; the header Link has the next one",
    )
    size = serializers.IntegerField(min_value=1, max_value=MOST_ROWS, default=A_PAGE, help_text="rows on a page")


class LongPaged(PageShape):
    """The query parameters of a list that programs read as a whole: a page has as many rows as possible."""

    size = serializers.IntegerField(min_value=1, max_value=MOST_ROWS, default=MOST_ROWS, help_text="rows on a page")


# The fields of optional filters.
SomeLetters = partial(serializers.CharField, max_length=MOST_LETTERS, required=False)  # a part of a name
SomeSlug = partial(serializers.SlugField, max_length=MOST_LETTERS, required=False)
SomeId = partial(Id, required=False)


class ListPage(NamedTuple):
    """The rows of a page, and the header with the addresses of the pages beside it."""

    rows: list[Any]
    headers: dict[str, str]

    def answer(self, rows: Any = None) -> Response:
        """Return the response with these rows, or with the page's own rows."""
        return Response(self.rows if rows is None else rows, headers=self.headers)


def read_filters(shape: type[PageShape], request: Request) -> dict[str, Any]:
    """Return `page`, `size` and the given filters. Raise `ValidationError` for a wrong or unknown one."""
    return read_shape(shape, request.query_params.dict())


def cut_page(request: Request, rows: "QuerySet[Any] | Sequence[Any]", asked: dict[str, Any]) -> ListPage:
    """Return the requested page of the rows.

    One row more than the page has is queried, to know whether there is a next page. The rows are not counted.
    """
    page, size = asked["page"], asked["size"]
    page_rows = list(rows[(page - 1) * size : page * size + 1])
    beside = {"prev": page - 1, "next": page + 1 if len(page_rows) > size else 0}
    links = [f'<{address(request, number)}>; rel="{rel}"' for rel, number in beside.items() if number]
    return ListPage(page_rows[:size], {"Link": ", ".join(links)} if links else {})


def address(request: Request, page: int) -> str:
    """Return the address of another page of this list."""
    params = request.query_params.copy()
    params["page"] = str(page)
    return link_to(request, f"{request.path}?{params.urlencode()}")


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "A player",
            {"name": "Élise Saint-Jean", "about": "Club des Étuis", "player": 342, "tournament": None, "club": None},
            response_only=True,
        )
    ]
)
class HitOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    about = serializers.CharField(
        allow_blank=True, help_text="a note that tells it apart from another of the same name"
    )
    player = serializers.IntegerField(allow_null=True, help_text="number of the player")
    tournament = serializers.IntegerField(allow_null=True, help_text="id of the tournament")
    club = serializers.CharField(allow_null=True, help_text="slug of the club, or of the tournament’s club")


class SearchFilters(PageShape):
    q = serializers.CharField(
        max_length=MOST_LETTERS, help_text="words that begin words of the name; at least 2 letters"
    )
    kind = serializers.ChoiceField(KINDS, default=PLAYERS)


class SearchView(PublicView):
    throttle_classes = (Throttle,)
    throttle_scope = "search"

    @operation(
        "search",
        "Find players, clubs or tournaments by name. Players who are not shown by name are not found",
        answer=HitOut(many=True),
        query=[SearchFilters],
        statuses=READ,
    )
    def get(self, request: Request) -> Response:
        filters = read_filters(SearchFilters, request)
        find, words = FINDERS[filters["kind"]], read_asked(filters["q"])
        page = cut_page(request, by_fitness(find(words), words), filters)
        return page.answer(HitOut([hit_data(tell_hit(row), row.pk) for row in page.rows], many=True).data)


def hit_data(hit: Any, pk: int) -> dict[str, Any]:
    """Return a result of the search in the shape of `HitOut`. `pk` is the id of its row."""
    return {
        "name": hit.name,
        "about": hit.about,
        "player": hit.key or None,
        "tournament": pk if hit.tournament else None,
        "club": hit.club or None,
    }
