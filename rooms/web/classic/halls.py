"""The page of the halls, the page of one room for four, and the administrator's overview of their seats."""

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.guard import answer_too_often, counted_address, find_full, note_tries
from rooms.classic.halls import CLOCKS, DEALS, SCORES, WAITS, TermsAsked, count_own_rooms, find_halls, make_own_room
from rooms.classic.sitting import take_seat
from rooms.models import Room, RoomKind, Visitor
from rooms.results.fours import find_own_table, list_tables
from rooms.visitors.finding import find_visitor, meet_what_device_met
from rooms.web.classic.words import say_terms
from rooms.web.doors import ACTION, FORM, keep_link, room_page, rooms_page
from rooms.web.joining import let_in, make_name_form
from rooms.web.names import require_administrator
from rooms.web.table.pages import read_count
from tournaments.numbers import MOST_PAGES, read_number
from tournaments.permissions import require_found


class TermsForm(forms.Form):
    """The terms of a room of one's own."""

    is_duplicate = forms.TypedChoiceField(
        label=_("Deals"),
        choices=[("yes", _("Every table plays the same")), ("no", _("No deal comes twice"))],
        coerce=lambda text: text == "yes",
        initial="yes",
    )
    deals = forms.TypedChoiceField(
        label=_("End after"), choices=[(n, n or _("no fixed number of deals")) for n in DEALS], coerce=int, initial=0
    )
    score = forms.TypedChoiceField(
        label=_("End at"), choices=[(n, n or _("no fixed score")) for n in SCORES], coerce=int, initial=0
    )
    clock = forms.TypedChoiceField(
        label=_("Seconds for a card"), choices=[(n, n or _("no clock")) for n in CLOCKS], coerce=int, initial=45
    )
    takes_over = forms.TypedChoiceField(
        label=_("When the time is over"),
        choices=[("no", _("a bot plays one card")), ("yes", _("a bot takes the seat"))],
        coerce=lambda text: text == "yes",
        initial="no",
    )
    wait = forms.TypedChoiceField(
        label=_("Seconds before bots fill the table"), choices=[(n, n) for n in WAITS], coerce=int, initial=30
    )


@rooms_page(FORM)
def classic(request: HttpRequest) -> HttpResponseBase:
    """Show the halls with their tables, and make a room of one's own."""
    visitor, now = find_visitor(request), timezone.now()
    halls = find_halls(now)
    if not halls:
        raise Http404
    form = TermsForm(request.POST if request.method == "POST" else None, auto_id="terms_%s")
    if request.method == "POST" and form.is_valid():
        count = count_own_rooms(counted_address(request))
        if find_full([count]):
            return answer_too_often(request)
        note_tries([count])
        room = make_own_room(TermsAsked(**form.cleaned_data), now=now)
        return redirect("room_with", room.terms.link)
    context = describe_halls(request, halls, visitor) | {"form_terms": form}
    return render(request, "rooms/classic/halls.html", context)


def describe_halls(request: HttpRequest, rooms: list[Room], visitor: Visitor | None) -> dict[str, Any]:
    """Return what the pages of rooms for four show: each room with its terms and tables, and where the reader sits.

    The page of one room has pages of tables. The page of several rooms has the first page of each.
    """
    now = timezone.now()
    number = min(max(read_number(request.GET, "page", none=1), 1), MOST_PAGES) if len(rooms) == 1 else 1
    tables = list_tables(rooms, visitor, now, number=number)
    return {
        "halls": [(room, say_terms(room.terms), tables[room.pk]) for room in rooms],
        "own_table": find_own_table(visitor, now),
        "form": make_name_form(request, visitor),
        "visitor": visitor,
    }


@rooms_page()
def room_with(request: HttpRequest, link: str) -> HttpResponseBase:
    """Show a room of one's own to a reader who has its link."""
    linked = Room.objects.select_related("terms", "deal_set").filter(terms__link=link).exclude(terms__link="").first()
    room = require_found(linked)
    response = show_classic_room(request, room)
    keep_link(request, response, room.terms.link)
    return response


def show_classic_room(request: HttpRequest, room: Room) -> HttpResponse:
    """Show the tables of a room for four that is not closed. A closed room has its ranking elsewhere."""
    if room.closed_at is not None:
        return redirect("room", room.pk)
    context = describe_halls(request, [room], find_visitor(request)) | {"room": room}
    if room.terms.link:
        context["address"] = request.build_absolute_uri()
    return render(request, "rooms/classic/room.html", context)


@room_page(ACTION)
def sit(request: HttpRequest, room: Room) -> HttpResponseBase:
    """Give the reader a seat, and lead them to the table. Ask again if the name is refused."""
    require_found(room.kind == RoomKind.CLASSIC or None)
    sent = request.POST
    table = read_count(sent.get("table", ""))
    where = table, sent.get("seat", "")

    def sit_down(visitor: Visitor) -> HttpResponse:
        meet_what_device_met(request, visitor)
        link = sent.get("link", "")
        found = take_seat(room_id=room.pk, visitor=visitor, now=timezone.now(), where=where, link=link)
        return redirect("room_four", found.pk)

    return let_in(request, room, sit_down, sent=sent, opens_table=table is None)


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
