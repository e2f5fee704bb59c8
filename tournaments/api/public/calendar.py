"""The calendar: sessions of all clubs by their dates, those to come and those that have been."""

from typing import Any

from django.db.models import Q, QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.house import listed_clubs
from tournaments.api.base import View, operation
from tournaments.api.public.kept import READ
from tournaments.api.public.lists import Paged, SomeId, SomeSlug, cut_page, read_filters
from tournaments.models import Session
from tournaments.sessions.lists import listed_sessions

COMING, RUNNING, OVER = "coming", "running", "over"
STATES = {
    COMING: Q(status=Session.Status.DRAFT),
    RUNNING: Q(status=Session.Status.RUNNING, closed_at=None, published=None),
    OVER: Q(status=Session.Status.RUNNING) & (Q(closed_at__isnull=False) | Q(published__isnull=False)),
}


@extend_schema_field({"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]$", "example": "20:30"})
class HourField(serializers.TimeField):
    def __init__(self, **options: Any) -> None:
        super().__init__(format="%H:%M", **options)


class ListedSessionOut(serializers.Serializer[Any]):
    """A session as everybody may know of it, whether it is in preparation or over."""

    id = serializers.IntegerField()
    club = serializers.CharField(source="tournament.club.slug")
    club_name = serializers.CharField(source="tournament.club.name")
    tournament = serializers.IntegerField(source="tournament_id")
    tournament_name = serializers.CharField(source="tournament.name")
    number = serializers.IntegerField(help_text="of the session in its tournament")
    date = serializers.DateField()
    starts_at = HourField(help_text="in the hours of the club")
    state = serializers.SerializerMethodField(help_text=", ".join(STATES))
    published = serializers.IntegerField(allow_null=True, help_text="the newest version published, null before")
    standing = serializers.CharField(allow_null=True, help_text="provisional, official or withdrawn; null before")

    def get_state(self, session: Any) -> str:
        if session.status == Session.Status.DRAFT:
            return COMING
        return RUNNING if session.closed_at is None and session.published is None else OVER


class DateFilters(Paged):
    since = serializers.DateField(required=False, help_text="the first day")
    until = serializers.DateField(required=False, help_text="the last day")


class SessionFilters(DateFilters):
    state = serializers.ChoiceField(
        list(STATES), required=False, help_text="in preparation; under way; closed or published"
    )


class CalendarFilters(SessionFilters):
    club = SomeSlug(help_text="else those of every club that is listed")
    tournament = SomeId()
    newest = serializers.BooleanField(default=False, help_text="true: the last day comes first")


class CalendarView(View):
    open_to_all = frozenset({"GET"})

    @operation(
        "calendar",
        "Sessions of every club by their dates, the first day first",
        answer=ListedSessionOut(many=True),
        query=[CalendarFilters],
        statuses=READ,
    )
    def get(self, request: Request) -> Response:
        asked = read_filters(CalendarFilters, request)
        page = cut_page(request, find_sessions(asked), asked)
        return page.answer(ListedSessionOut(page.rows, many=True).data)


def find_sessions(asked: dict[str, Any]) -> QuerySet[Session]:
    where: dict[str, Any] = {"tournament__put_away_at": None, "tournament__club__practice_of": None}
    if "tournament" in asked:
        where["tournament"] = asked["tournament"]
    if "club" in asked:
        where["tournament__club__slug"] = asked["club"]
    else:
        where["tournament__club__in"] = listed_clubs().values("pk")
    found = by_filters(listed_sessions().filter(**where), asked).select_related("tournament__club")
    day = "-date" if asked["newest"] else "date"
    return found.order_by(day, "starts_at", "tournament__club__name", "pk")


def by_filters(sessions: QuerySet[Session], asked: dict[str, Any]) -> QuerySet[Session]:
    """Those of `SessionFilters`, of `listed_sessions`."""
    if "since" in asked:
        sessions = sessions.filter(date__gte=asked["since"])
    if "until" in asked:
        sessions = sessions.filter(date__lte=asked["until"])
    return sessions.filter(STATES[asked["state"]]) if "state" in asked else sessions
