"""The administrator's page of rooms for four: who sits where. It has no card, record or result of an open room."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from rooms.models import Room, RoomKind
from rooms.results.fours import list_tables
from rooms.web.classic.words import say_terms
from rooms.web.doors import rooms_page
from rooms.web.names import require_administrator

SHOWN_ROOMS = 50  # of the open rooms, and of the closed ones


@rooms_page()
def rooms_four(request: HttpRequest) -> HttpResponseBase:
    """Show the administrator the open rooms for four with their tables, and the latest closed ones."""
    require_administrator(request)
    rooms = Room.objects.filter(kind=RoomKind.CLASSIC).select_related("terms").order_by("-opens_at", "-pk")
    opened = list(rooms.filter(closed_at=None, tables__isnull=False).distinct()[:SHOWN_ROOMS])
    tables = list_tables(opened, None, timezone.now())
    context = {
        "opened": [(room, say_terms(room.terms), tables[room.pk]) for room in opened],
        "closed": rooms.filter(closed_at__isnull=False, tables__isnull=False).distinct()[:SHOWN_ROOMS],
    }
    return render(request, "rooms/classic/overview.html", context)
