"""Players, clubs and tournaments by a name, its accents forgotten: as the page of the search finds them."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.agenda.search import FINDERS, KINDS, PLAYERS, by_fitness, read_asked
from tournaments.api.base import Throttle, View, operation
from tournaments.api.public.kept import READ
from tournaments.api.public.lists import MOST_LETTERS, Paged, cut_page, read_filters


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
    about = serializers.CharField(allow_blank=True, help_text="what tells it from another of its name")
    player = serializers.IntegerField(allow_null=True, help_text="number of a player")
    tournament = serializers.IntegerField(allow_null=True, help_text="id of a tournament")
    club = serializers.CharField(allow_null=True, help_text="slug of a club, or of a tournament’s")


class SearchFilters(Paged):
    q = serializers.CharField(max_length=MOST_LETTERS, help_text="each of its words begins one of the name; 2 letters")
    kind = serializers.ChoiceField(KINDS, default=PLAYERS)


class SearchView(View):
    open_to_all = frozenset({"GET"})
    throttle_classes = (Throttle,)
    throttle_scope = "search"

    @operation(
        "search",
        "Players, clubs or tournaments by a name; who is not shown by name is found by nobody",
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
    return {
        "name": hit.name,
        "about": hit.about,
        "player": hit.key or None,
        "tournament": pk if hit.tournament else None,
        "club": hit.club or None,
    }
