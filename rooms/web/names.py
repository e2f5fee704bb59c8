"""The offensive names: the report by a visitor, and the page on which the administrator hides such names."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.guard import Count, counted_address, find_full, note_tries
from clubs.guard.counting import DAY
from clubs.models import User
from rooms.models import Room
from rooms.results.ranking import leave_out, take_in_again
from rooms.visitors.names import (
    VisitorRefused,
    hide_name,
    keep_name,
    list_hidden,
    list_reported,
    report_name,
    show_name_again,
)
from rooms.web.doors import ACTION, FORM, room_page, rooms_page
from tournaments.numbers import read_number

REPORTS_A_DAY = 20  # from one network address, which all people of a club's hall may share
SHOWN_AT_ONCE = 100


@room_page(ACTION)
def report(request: HttpRequest, room: Room) -> HttpResponse:
    """Report the name of a player of a room."""
    count = Count("room-reports", f"address {counted_address(request)}", REPORTS_A_DAY, DAY)
    if find_full([count]) is None:
        note_tries([count])
        report_name(visitor_id=read_number(request.POST, "visitor") or 0, now=timezone.now())
    messages.success(request, _("Thank you: the administrator of the site looks at this name."))
    return redirect("room", room.pk)


def require_administrator(request: HttpRequest) -> User:
    """Return the administrator of the site who makes the request. For everybody else the page does not exist."""
    if not isinstance(request.user, User) or not request.user.is_superuser:
        raise Http404
    return request.user


@rooms_page(FORM, back="rooms_names")
def names(request: HttpRequest) -> HttpResponseBase:
    """Show the reported and the hidden names to the administrator. A POST hides a name, or lets it stay."""
    by = require_administrator(request)
    if request.method == "POST":
        pk, act = read_number(request.POST, "visitor") or 0, request.POST.get("act", "")
        if act == "hide":
            hide_name(visitor_id=pk, by=by, now=timezone.now())
        elif act == "show":
            show_name_again(visitor_id=pk, by=by)
        elif act == "keep":
            keep_name(visitor_id=pk, by=by)
        return redirect("rooms_names")
    context = {"reported": list_reported()[:SHOWN_AT_ONCE], "hidden": list_hidden()[:SHOWN_AT_ONCE]}
    return render(request, "rooms/lobby/names.html", context)


@room_page(ACTION)
def place(request: HttpRequest, room: Room) -> HttpResponse:
    """Leave a player out of the ranking of a closed room, or rank the player again."""
    by, seat = require_administrator(request), read_number(request.POST, "seat") or 0
    if request.POST.get("act") == "back":
        take_in_again(room_id=room.pk, seat_id=seat, by=by)
    elif request.POST.get("act") == "out":
        reason = request.POST.get("reason", "")
        leave_out(room_id=room.pk, seat_id=seat, reason=reason, by=by, now=timezone.now())
    else:
        raise VisitorRefused("visitor_unknown")
    return redirect("room", room.pk)
