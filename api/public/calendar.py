"""The view of the calendar: sessions of all clubs by date, past and future."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import PublicView, operation
from api.kept import READ
from api.public.lists import PageShape, SomeId, SomeSlug, cut_page, read_filters
from clubs.models import real_clubs
from registration.agenda.events import in_calendars, over_clubs, read_event, with_all
from tournaments.models import Publication, Session
from tournaments.published import select_newest_version

COMING, RUNNING, OVER = "coming", "running", "over"
PUBLISHED = Exists(Publication.objects.filter(session=OuterRef("pk")))
STATES = {
    COMING: Q(status=Session.Status.DRAFT),
    RUNNING: Q(status=Session.Status.RUNNING, closed_at=None) & ~PUBLISHED,
    OVER: Q(status=Session.Status.RUNNING) & (Q(closed_at__isnull=False) | PUBLISHED),
}


@extend_schema_field({"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]$", "example": "20:30"})
class HourField(serializers.TimeField):
    def __init__(self, **options: Any) -> None:
        super().__init__(format="%H:%M", **options)


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "An evening to come",
            {
                "id": 18, "club": "club", "club_name": "Club des Étuis", "tournament": 4,
                "tournament_name": "Duplicate du jeudi", "number": 7, "date": "2026-11-26", "starts_at": "20:30",
                "begins": "2026-11-26T20:30:00+01:00", "ends": "2026-11-26T23:45:00+01:00", "state": "coming",
                "signs_up": True, "published": None, "standing": None,
            },
            response_only=True,
        )
    ]
)  # fmt: skip
class ListedSessionOut(serializers.Serializer[Any]):
    """The public data of a session, from its preparation to its end."""

    id = serializers.IntegerField(source="event.session")
    club = serializers.CharField(source="event.club_slug")
    club_name = serializers.CharField(source="event.club")
    tournament = serializers.IntegerField(source="session.tournament_id")
    tournament_name = serializers.CharField(source="event.tournament")
    number = serializers.IntegerField(source="event.number", help_text="number of the session in its tournament")
    date = serializers.DateField(source="event.date")
    starts_at = HourField(source="event.starts_at", help_text="in the club’s time zone")
    begins = serializers.DateTimeField(source="event.begins")
    ends = serializers.DateTimeField(source="event.ends", help_text="the expected end, from the plan")
    state = serializers.SerializerMethodField(help_text=", ".join(STATES))
    signs_up = serializers.BooleanField(source="event.signs_up", help_text="whether people can sign up")
    published = serializers.IntegerField(
        source="session.published", allow_null=True, help_text="the newest published version; null if there is none"
    )
    standing = serializers.CharField(
        source="session.standing",
        allow_null=True,
        help_text="provisional, official or withdrawn; null before the first publication",
    )

    def get_state(self, row: dict[str, Any]) -> str:
        session = row["session"]
        if session.status == Session.Status.DRAFT:
            return COMING
        return RUNNING if session.closed_at is None and session.published is None else OVER


class DateFilters(PageShape):
    since = serializers.DateField(required=False, help_text="the first day")
    until = serializers.DateField(required=False, help_text="the last day")


class SessionFilters(DateFilters):
    state = serializers.ChoiceField(
        list(STATES), required=False, help_text="in preparation; under way; closed or published"
    )


class CalendarFilters(SessionFilters):
    club = SomeSlug(help_text="if left out, every public club")
    tournament = SomeId()
    newest = serializers.BooleanField(default=False, help_text="true: last day first")


class CalendarView(PublicView):
    @operation(
        "calendar",
        "List the sessions of all clubs by date, first day first",
        answer=ListedSessionOut(many=True),
        query=[CalendarFilters],
        statuses=READ,
    )
    def get(self, request: Request) -> Response:
        filters = read_filters(CalendarFilters, request)
        page, now = cut_page(request, find_sessions(filters), filters), timezone.now()
        rows = [{"session": session, "event": read_event(session, now)} for session in page.rows]
        return page.answer(ListedSessionOut(rows, many=True).data)


def find_sessions(asked: dict[str, Any]) -> QuerySet[Session]:
    """Return the sessions that match the filters of `CalendarFilters`, in the order of the list."""
    sessions = over_clubs()
    if "club" in asked:
        sessions = in_calendars().filter(real_clubs("tournament__club"), tournament__club__slug=asked["club"])
    if "tournament" in asked:
        sessions = sessions.filter(tournament=asked["tournament"])
    day = "-date" if asked["newest"] else "date"
    listed = with_all(by_filters(sessions, asked)).annotate(published=select_newest_version())
    return listed.order_by(day, "starts_at", "pk")


def by_filters(sessions: QuerySet[Session], asked: dict[str, Any]) -> QuerySet[Session]:
    """Return those sessions that match the filters of `SessionFilters`."""
    if "since" in asked:
        sessions = sessions.filter(date__gte=asked["since"])
    if "until" in asked:
        sessions = sessions.filter(date__lte=asked["until"])
    return sessions.filter(STATES[asked["state"]]) if "state" in asked else sessions
