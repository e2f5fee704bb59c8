"""The lobby and the page of a room, before it opens, while it is open, and after it is closed."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from clubs.models import User
from deals.models import Etui
from rooms.closing import ask_to_close, find_least_deals
from rooms.closing.ranks import find_group_of_seat
from rooms.models import Room, RoomKind, Visitor
from rooms.results.lobby import count_present, describe_rooms, find_state, read_lobby
from rooms.results.ranking import (
    GROUPS,
    count_seats,
    find_own_seat,
    find_page_of_seat,
    read_ranking,
)
from rooms.visitors.finding import find_device_guest, find_visitor
from rooms.visitors.guests import note_visit
from rooms.visitors.names import show_visitor_names
from rooms.web.classic.halls import show_classic_room
from rooms.web.doors import room_page, rooms_page
from rooms.web.joining import make_name_form
from tournaments.numbers import MOST_PAGES, read_number


def find_reader(request: HttpRequest) -> Visitor | None:
    """Return the visitor who reads a page, and note the visit."""
    visitor = find_visitor(request)
    if visitor is not None:
        note_visit(visitor, now=timezone.now())
    return visitor


def is_administrator(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_superuser


def describe_reader(request: HttpRequest, visitor: Visitor | None) -> dict[str, Any]:
    """Return the values about the reader for a page: the name, the form for a name, and the guest of the device."""
    shown = show_visitor_names([visitor])[visitor.pk] if visitor else None
    guest = find_device_guest(request) if isinstance(request.user, User) else None
    return {
        "visitor": visitor,
        "shown": shown,
        "form": make_name_form(request, visitor),
        "guest": guest,
        "administers": is_administrator(request),
    }


@rooms_page()
def lobby(request: HttpRequest) -> HttpResponseBase:
    visitor, now = find_reader(request), timezone.now()
    shown = read_lobby(visitor, now)
    main = next((each for each in shown.open if each.room.kind == RoomKind.HALF), None)
    others = [each for each in shown.open if each is not main]
    context: dict[str, Any] = {
        "lobby": shown,
        "main": main,
        "others": others,
        "now": now,
        "four": settings.ROOM_TABLES,
    }
    context |= {"present": count_present(now)}
    return render(request, "rooms/lobby/lobby.html", context | describe_reader(request, visitor))


@room_page()
def room(request: HttpRequest, room: Room) -> HttpResponseBase:
    """Show a room: the countdown, the reader's own progress, or the ranking."""
    visitor, now = find_reader(request), timezone.now()
    if room.kind == RoomKind.CLASSIC and find_state(room, now) == "open":
        return show_classic_room(request, room)
    shown = describe_rooms([room], visitor, now)[0]
    context = {"each": shown, "room": room, "now": now} | describe_reader(request, visitor)
    if shown.state == "closing":
        ask_to_close(room, now)  # the beat may be late, or there is none
    if shown.state != "closed":
        return render(request, "rooms/room/room.html", context)
    return render(request, "rooms/room/closed.html", context | describe_ranking(request, room, visitor))


def describe_ranking(request: HttpRequest, room: Room, visitor: Visitor | None) -> dict[str, Any]:
    """Return the values of a closed room's page: each group apart, with pages of its own."""
    counts, own = count_seats(room), find_own_seat(room, visitor)
    groups = {}
    for group in GROUPS:
        number = min(max(read_number(request.GET, group, none=1), 1), MOST_PAGES)
        groups[group] = read_ranking(room, group, total=counts.find_total(group), number=number, visitor=visitor)
    rows = [row for page in groups.values() for row in page.rows]
    context: dict[str, Any] = {"groups": groups, "rows": rows, "counts": counts, "own": own}
    if own is not None and not any(row.is_own for row in rows):
        context |= {"own_page": find_page_of_seat(own.seat), "own_group": find_group_of_seat(own.seat)}
    return context | {
        "numbers": list_shown_etuis(room),
        "reportable": [row for row in rows if row.shown.is_named and row.seat.visitor and row.seat.visitor.name],
        "least": find_least_deals(room),
        "is_for_four": room.kind == RoomKind.CLASSIC,
    }


def list_shown_etuis(room: Room) -> Iterable[int]:
    """Return the numbers of the étuis to which a closed room links: at tables for four, those that were played."""
    if room.kind != RoomKind.CLASSIC:
        return range(1, room.etuis + 1)
    played = Etui.objects.filter(deal_set=room.deal_set_id, games__isnull=False).distinct()
    return list(played.order_by("number").values_list("number", flat=True))
