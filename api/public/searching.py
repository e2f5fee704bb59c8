"""The view of the search for players, clubs and tournaments by name. It has the same results as the search page."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Throttle, View, operation
from api.kept import READ
from api.public.lists import MOST_LETTERS, PageShape, cut_page, read_filters
from registration.agenda.search import FINDERS, KINDS, PLAYERS, by_fitness, read_asked


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


class SearchView(View):
    open_to_all = frozenset({"GET"})
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
        asked = read_filters(SearchFilters, request)
        finder, words = FINDERS[asked["kind"]], read_asked(asked["q"])
        page = cut_page(request, by_fitness(finder.rows(words), words), asked)
        return page.answer(HitOut([describe(finder.tell(row), row.pk) for row in page.rows], many=True).data)


def describe(hit: Any, pk: int) -> dict[str, Any]:
    """Return a result of the search in the shape of `HitOut`. `pk` is the id of its row."""
    return {
        "name": hit.name,
        "about": hit.about,
        "player": hit.key or None,
        "tournament": pk if hit.tournament else None,
        "club": hit.club or None,
    }
