"""The page at which a visitor plays at a table for four. Forms and the script use the same view."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.guard.counting import answer_too_often
from deals.domain.cards import LINES
from referee.errors import PlayRefused
from rooms.classic.holding import HeldTable, find_clock_end
from rooms.classic.looking import SAYS, TableLook, describe_deal, do_wish, list_fresh_phrases, look_at_table
from rooms.classic.playing import make_classic_move
from rooms.errors import MoveConflict, RoomRefused
from rooms.models import RoomTable, Visitor
from rooms.record.moves import MoveError
from rooms.visitors.finding import find_visitor
from rooms.visitors.guests import note_visit
from rooms.visitors.names import ShownName, show_visitor_names
from rooms.web.classic.words import TEXTS, say_terms
from rooms.web.doors import FORM, rooms_page
from rooms.web.table.drawing import draw_table
from rooms.web.table.pages import (
    answer_table,
    count_table_request,
    is_script,
    read_answer,
    read_count,
    read_ticked,
    send_to,
)
from tournaments.words.messages import say, show_signed

PAGE, TABLE = "rooms/classic/play.html", "rooms/classic/_table.html"


class FourSeat(NamedTuple):
    """A seat with its name, its points over all deals, and whether its player is ready for the next deal."""

    seat: str
    name: str
    total: str
    is_viewer: bool
    is_bot: bool
    is_ready: bool


@rooms_page(FORM, back="rooms_classic")
def show_four(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the table of a reader who has a seat there, and take the moves and wishes of its forms."""
    visitor, now = find_visitor(request), timezone.now()
    if visitor is None:
        return send_to(request, reverse("rooms_classic"))
    if not count_table_request(request, visitor):
        return answer_too_often(request)
    note_visit(visitor, now=now)
    refused, status = "", 200
    try:
        if request.method == "POST":
            act(request, pk, visitor, now)
    except MoveConflict as conflict:
        refused, status = say(conflict), 409
    except (PlayRefused, MoveError, RoomRefused) as refusal:
        refused, status = say(refusal), 400
    if status == 400 and is_script(request):
        return JsonResponse({"refused": refused}, status=status)
    if request.method == "POST" and status == 200 and not is_script(request):
        return redirect("room_four", pk)
    try:
        look = look_at_table(table_id=pk, visitor=visitor, now=now)
    except RoomRefused as refusal:
        return leave_four(request, pk, refusal)
    chosen = read_ticked(request.POST) if status == 400 else ()
    return show_look(request, look, now, refused=refused, chosen=chosen, status=status)


def act(request: HttpRequest, pk: int, visitor: Visitor, now: datetime) -> None:
    """Do what a form asks: a move, the next deal, a phrase, leaving or coming back."""
    sent = request.POST
    if wish := sent.get("do", ""):
        do_wish(table_id=pk, visitor=visitor, wish=wish, now=now)
    else:
        deal, at = (read_count(sent.get(name, "")) or 0 for name in ("etui", "at"))
        make_classic_move(table_id=pk, visitor=visitor, at=(deal, at), move=read_answer(sent), now=now)


def leave_four(request: HttpRequest, pk: int, refusal: RoomRefused) -> HttpResponse:
    """Send a reader who has no seat at a table, or whose room is closed, to the page of the room or of the halls."""
    room_id = RoomTable.objects.filter(pk=pk, room__terms__isnull=False).values_list("room", flat=True).first()
    if refusal.code == "room_over" and room_id is not None:
        messages.info(request, say(refusal))
        return send_to(request, reverse("room", args=[room_id]))
    return send_to(request, reverse("rooms_classic"))


def show_look(
    request: HttpRequest, look: TableLook, now: datetime, *, refused: str, chosen: Collection[int], status: int
) -> HttpResponse:
    """Return the table as a page, or as JSON for the script."""
    context = describe_look(look, now, chosen) | {"refused": refused}
    return answer_table(request, PAGE, TABLE, context, status)


def describe_look(look: TableLook, now: datetime, chosen: Collection[int]) -> dict[str, Any]:
    """Return the values of the page of a table for four."""
    held, game = look.held, look.game
    names = name_seats(look)
    table = draw_table(describe_deal(look, game, names), chosen) if game else None
    own = held.seats[look.seat]
    return {
        "look": look,
        "room": held.room,
        "terms": say_terms(held.terms),
        "number": held.table.number,
        "deal": len(held.games),
        "deals": held.terms.deals,
        "table": table,
        "seats": list_four(held, look, names),
        "said": say_phrases(held, names, now),
        "phrases": [(f"{SAYS}{code}", text) for code, text in TEXTS.items()],
        "is_away": own.away_at is not None,
        "is_ended": held.classic.ended_at is not None,
        "wants_next": str(look.seat) in held.classic.ready,
        "begins_at": None if held.game or held.classic.ended_at else held.classic.begins_at,
        "clock_ends": find_clock_end(held) if held.present else None,
        "now": now,
        "waits": game is None or not table or table.shown["asks"]["kind"] == "wait",
        "four": True,
    }


def name_seats(look: TableLook) -> dict[str, str]:
    """Return the name of each seat: "You" for the reader, "bot", or the name that others see."""
    seats = look.held.seats
    shown = show_visitor_names(row.visitor for row in seats.values() if row.visitor)
    names = {}
    for seat in LINES:
        row = seats.get(seat)
        who: ShownName | None = shown.get(row.visitor_id or 0) if row else None
        if seat == look.seat:
            names[str(seat)] = _("You")
        elif row is None or who is None:
            names[str(seat)] = _("bot")
        elif row.away_at is not None:
            names[str(seat)] = _("bot for %(name)s") % {"name": who.name}
        else:
            names[str(seat)] = who.name
    return names


def list_four(held: HeldTable, look: TableLook, names: dict[str, str]) -> list[FourSeat]:
    """Return the four seats with their points so far."""
    totals = held.totals
    return [
        FourSeat(
            str(seat),
            names[str(seat)],
            show_signed(totals[seat]),
            seat == look.seat,
            seat not in held.present,
            str(seat) in held.classic.ready,
        )
        for seat in LINES
    ]


def say_phrases(held: HeldTable, names: dict[str, str], now: datetime) -> list[tuple[str, str, str]]:
    """Return what was said in the last moments: seat, name and phrase."""
    fresh = list_fresh_phrases(held.classic, now)
    return [(each["seat"], names[each["seat"]], str(TEXTS[each["code"]])) for each in fresh]
