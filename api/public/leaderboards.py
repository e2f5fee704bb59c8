"""The views of leaderboards, of the site and of a club: only players who are shown by name are listed and counted."""

from typing import Any

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request

from api.base import PublicView, Shape, View, operation, read_shape
from api.kept import READ, answer_published
from api.public.lists import MOST_PAGES, address
from clubs.models import Club
from rankings.leaderboards.boards import find_least, list_board_kinds
from rankings.leaderboards.reading import find_board, read_board_page
from tournaments.models import BoardMeasure
from tournaments.permissions import Can, get_club_for


class LeaderboardRowOut(serializers.Serializer[Any]):
    """A row of the list."""

    position = serializers.IntegerField(source="row.position", help_text="equal figures have equal positions")
    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    figure = serializers.DecimalField(12, 3, source="row.figure", coerce_to_string=False)
    within = serializers.DecimalField(
        7,
        2,
        source="row.within",
        coerce_to_string=False,
        allow_null=True,
        help_text="of a rating: with 95 %, the true figure is not further away; otherwise null",
    )
    provisional = serializers.BooleanField(source="is_provisional", help_text="a rating from fewer than 100 deals")
    sessions = serializers.IntegerField(source="row.sessions")
    deals = serializers.IntegerField(source="row.deals")
    country = serializers.CharField(source="player.country")
    club = serializers.CharField(source="player.club.slug")


class LeaderboardOut(serializers.Serializer[Any]):
    game = serializers.CharField(source="state.choice.kind")
    by = serializers.CharField(source="state.choice.measure")
    period = serializers.CharField(source="state.choice.period")
    games = serializers.ListField(
        source="state.kinds", child=serializers.CharField(), help_text="the kinds of play that have lists"
    )
    periods = serializers.ListField(
        source="state.periods",
        child=serializers.CharField(),
        help_text="“all”, the year in which a season began (“2026”), a month (“2026-11”), or a club’s own season by its"
        " id (“s7”)",
    )
    made_at = serializers.DateTimeField(
        source="state.made_at", allow_null=True, help_text="when the lists were last computed"
    )
    total = serializers.IntegerField(source="state.total", help_text="the number of all rows")
    least_deals = serializers.IntegerField(help_text="the least number of deals of a player on this list")
    apart = serializers.IntegerField(help_text="rated players who cannot be compared with those on the list of ratings")
    rows = LeaderboardRowOut(many=True)


class LeaderboardFilters(Shape):
    game = serializers.ChoiceField(list_board_kinds(), required=False, help_text="the kind of play")
    by = serializers.ChoiceField(
        BoardMeasure.values, required=False, help_text="the figure by which players are ranked; a rating is for all"
    )
    period = serializers.CharField(max_length=20, required=False, help_text="one of `periods`; “all” if left out")
    page = serializers.IntegerField(
        min_value=1, max_value=MOST_PAGES, default=1, help_text="50 rows each; the header Link has the next page"
    )


def make_board_view(name: str, summary: str) -> type[View]:
    """Return the view that reads a leaderboard: of the club in its address, or of the site."""

    class BoardView(PublicView):
        @operation(name, summary, answer=LeaderboardOut, query=[LeaderboardFilters], statuses=READ)
        def get(self, request: Request, slug: str = "") -> HttpResponseBase:
            return answer_board(request, get_club_for(request.user, Can.READ, slug=slug) if slug else None)

    return BoardView


LeaderboardsView = make_board_view("leaderboards_read", "Read a leaderboard of the site")
ClubLeaderboardsView = make_board_view("leaderboards_of_club", "Read a leaderboard of a club")


def answer_board(request: Request, club: Club | None) -> HttpResponseBase:
    """Return a page of the list that the reader asks for. An unknown period stands for all sessions."""
    filters = read_shape(LeaderboardFilters, request.query_params.dict())
    page = filters.pop("page")
    state = find_board(club, filters.get("game", ""), filters.get("by", ""), filters.get("period", ""))

    def build() -> Any:
        values = {
            "state": state,
            "least_deals": find_least(state.choice.measure, state.choice.period),
            "apart": state.board.apart if state.board else 0,
            "rows": read_board_page(state, page),
        }
        return LeaderboardOut(values).data

    key = ("leaderboard", club and club.pk, state.stamp, page)
    answer = answer_published(request, key, build, private=False, counted=True)
    if page < state.pages:
        answer["Link"] = f'<{address(request, page + 1)}>; rel="next"'
    return answer
