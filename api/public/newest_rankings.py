"""The view of the newest published rankings of all kinds, each in its newest version."""

import datetime as dt
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import PublicView, operation
from api.kept import READ
from api.public.calendar import DateFilters
from api.public.lists import SomeSlug, cut_page, read_filters
from clubs.house import listed_clubs
from clubs.models import Club
from rankings.listing import KINDS, find_rankings, read_newest_rankings

# Days outside these limits cannot be converted to another time zone.
EARLIEST, LATEST = dt.date(1900, 1, 1), dt.date(9000, 1, 1)


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "Of a session",
            {
                "kind": "session", "club": "club", "club_name": "Club des Étuis", "tournament": 4,
                "tournament_name": "Duplicate du jeudi", "session": 17, "number": 6, "date": "2026-11-19",
                "version": 2, "status": "provisional", "figures_at": "2026-11-20T08:12:00+01:00",
                "title": "Duplicate du jeudi, session 6, 19 November 2026",
                "page": "/clubs/club/tournaments/duplicate-du-jeudi/6/ranking/",
                "api": "/api/v1/sessions/17/publications/latest/",
            },
            response_only=True,
        ),
        OpenApiExample(
            "Of a tournament",
            {
                "kind": "tournament", "club": "club", "club_name": "Club des Étuis", "tournament": 4,
                "tournament_name": "Duplicate du jeudi", "session": None, "number": None, "date": None,
                "version": 1, "status": "official", "figures_at": "2026-11-20T08:15:00+01:00",
                "title": "Duplicate du jeudi",
                "page": "/clubs/club/tournaments/duplicate-du-jeudi/ranking/",
                "api": "/api/v1/tournaments/4/publications/latest/",
            },
            response_only=True,
        ),
    ]
)  # fmt: skip
class RankingOut(serializers.Serializer[Any]):
    """The newest version of a ranking. A corrected ranking goes to the top of the list again.

    A series is a championship, a field the ranking of a simultaneous over all clubs. They have no tournament.
    """

    kind = serializers.ChoiceField(KINDS, source="kind.name")
    title = serializers.CharField()
    page = serializers.CharField(source="place.page", help_text="path of the page of the newest version")
    api = serializers.CharField(source="place.api", help_text="path of the newest version for programs")
    club = serializers.CharField(source="club.slug")
    club_name = serializers.CharField(source="club.name")
    tournament = serializers.IntegerField(source="tournament.pk", default=None, allow_null=True)
    tournament_name = serializers.CharField(source="tournament.name", default=None, allow_null=True)
    session = serializers.IntegerField(
        source="session.pk", default=None, allow_null=True, help_text="id of the session"
    )
    number = serializers.IntegerField(source="session.number", default=None, allow_null=True)
    date = serializers.DateField(source="session.date", default=None, allow_null=True)
    version = serializers.IntegerField(source="version.version")
    status = serializers.CharField(help_text="provisional or official")
    figures_at = serializers.DateTimeField(help_text="when these figures were published")


class RankingFilters(DateFilters):
    club = SomeSlug(help_text="if left out, every public club")
    kind = serializers.ChoiceField(KINDS, required=False)


class RankingsView(PublicView):
    @operation(
        "rankings_list",
        "List the published rankings of sessions, tournaments, series and simultaneous, newest first",
        answer=RankingOut(many=True),
        query=[RankingFilters],
        statuses=READ,
    )
    def get(self, request: Request) -> Response:
        filters = read_filters(RankingFilters, request)
        clubs = Club.objects.filter(slug=filters["club"]) if "club" in filters else listed_clubs()
        kinds = (filters["kind"],) if "kind" in filters else KINDS
        page = cut_page(request, find_rankings(clubs, kinds, **days_of(filters)), filters)
        return page.answer(RankingOut(read_newest_rankings(page.rows, timezone.now()), many=True).data)


def days_of(asked: dict[str, Any]) -> dict[str, dt.datetime]:
    """Return filters from the start of the first day to the end of the last day, in the site's time zone."""
    zone, days = timezone.get_current_timezone(), {}
    if "since" in asked:
        days["figures_at__gte"] = dt.datetime.combine(max(asked["since"], EARLIEST), dt.time.min, zone)
    if "until" in asked:
        days["figures_at__lte"] = dt.datetime.combine(min(asked["until"], LATEST), dt.time.max, zone)
    return days
