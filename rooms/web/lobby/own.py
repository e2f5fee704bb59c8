"""The reader's own results and costliest cards in rooms; their name there; a guest's results into an account."""

import datetime as dt
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from pages.everybody import read_page_number
from rooms.classic.sitting import keep_guest_and_seat
from rooms.games.trials import find_own_games, list_own_errors, read_review, review_game
from rooms.models import Room, RoomKind, Visitor
from rooms.results.own import DEALS, LEAST_DEALS, MEAN, read_best, read_own_results
from rooms.thinker import NoAnswer
from rooms.visitors.finding import ACCOUNT_COOKIE, VISITOR_COOKIE, find_device_guest, find_visitor, sign_visitor
from rooms.visitors.guests import forget_guest_now, part_from_guest, rename_visitor, set_visitor_country
from rooms.visitors.names import VisitorRefused
from rooms.web.doors import FORM, room_page, rooms_page
from rooms.web.joining import GuestNameForm, make_refused_form, set_room_cookie
from rooms.web.lobby.pages import describe_reader, find_reader
from rooms.web.table.drawing import describe_card
from tournaments.permissions import require_found

MONTHS = 12  # the months that a reader can choose
ALL_TIME = "all"


@rooms_page(FORM, back="rooms_me")
def me(request: HttpRequest) -> HttpResponseBase:
    """Show the reader's own results. A POST changes the name, or takes the results of a guest into the account."""
    visitor = find_reader(request)
    form = None
    if request.method == "POST":
        act = request.POST.get("act", "")
        if act in ("keep", "part"):
            return keep_or_part(request, keep=act == "keep")
        if act == "forget":
            return forget_now(request)
        if act == "country":
            return choose_country(request, visitor)
        if visitor is None:
            raise VisitorRefused("not_a_guest")
        try:
            called = rename_visitor(visitor=visitor, name=request.POST.get("name", ""), now=timezone.now())
            messages.success(request, _("You are now called %(name)s here.") % {"name": called})
            return redirect("rooms_me")
        except VisitorRefused as refusal:
            form = make_refused_form(request, refusal)
    context = describe_reader(request, visitor) | {"form": None}
    if visitor is not None:
        if visitor.account_id is None or visitor.name:
            context["form"] = form or GuestNameForm(initial={"name": visitor.name}, auto_id="name_%s")
        context["own"] = read_own_results(visitor, number=read_page_number(request))
    return render(request, "rooms/lobby/me.html", context)


def choose_country(request: HttpRequest, visitor: Visitor | None) -> HttpResponse:
    """Store the country of an account without a club, for the lists of rooms."""
    if visitor is None or visitor.account_id is None:
        raise VisitorRefused("visitor_unknown")
    country = set_visitor_country(visitor=visitor, country=request.POST.get("country", ""))
    text = _("The lists of rooms now show %(country)s beside your name.") if country else _("No country is shown now.")
    messages.success(request, text % {"country": country} if country else text)
    return redirect("rooms_me")


def keep_or_part(request: HttpRequest, *, keep: bool) -> HttpResponse:
    """Give the results of this device's guest to the account, or remove the guest's cookie from this device."""
    guest, user, now = find_device_guest(request), request.user, timezone.now()
    if guest is None or not isinstance(user, User):
        raise VisitorRefused("not_a_guest")
    response = redirect("rooms_me")
    if keep:
        name = guest.name
        keep_guest_and_seat(visitor=guest, account=user, now=now)
        messages.success(request, _("What %(name)s played as a guest is now yours.") % {"name": name})
    else:
        part_from_guest(guest=guest, account=user, now=now)
    response.delete_cookie(VISITOR_COOKIE, samesite="Lax")
    return response


def forget_now(request: HttpRequest) -> HttpResponse:
    """Forget the guest of this device, if the box of the form is ticked."""
    guest = find_device_guest(request)
    if guest is None or isinstance(request.user, User):
        raise VisitorRefused("not_a_guest")
    if not request.POST.get("sure"):
        raise VisitorRefused("forget_unsure", "sure")
    forget_guest_now(visitor=guest, now=timezone.now())
    messages.success(request, _("The site has forgotten your name and this device."))
    response = redirect("rooms")
    response.delete_cookie(VISITOR_COOKIE, samesite="Lax")
    set_room_cookie(response, ACCOUNT_COOKIE, sign_visitor(guest))  # nobody meets the guest's étuis here again
    return response


@room_page()
def room_review(request: HttpRequest, room: Room, *, number: int) -> HttpResponse:
    """Show the reader's own costliest cards of a deal that is over. The first time, the bots look for them."""
    mine = find_own_games(find_visitor(request)).filter(table__room=room, etui__number=number)
    game = require_found(mine.first())
    context: dict[str, Any] = {"room": room, "number": number, "cards": []}
    try:
        context["cards"] = [describe_card(game, *reviewed) for reviewed in review_game(game)]
    except NoAnswer:
        context["is_late"] = True
    return render(request, "rooms/table/review.html", context)


@rooms_page()
def own_errors(request: HttpRequest) -> HttpResponse:
    """Show the reader's dear cards of 90 days in closed rooms, each as an exercise."""
    games = list_own_errors(find_visitor(request), timezone.now())
    cards = [describe_card(game, *reviewed) for game in games for reviewed in read_review(game)]
    return render(request, "rooms/lobby/errors.html", {"cards": cards})


@rooms_page()
def best(request: HttpRequest) -> HttpResponseBase:
    """Show the best of a month or of all time in rooms of one kind: by percentage or by deals, also of one country."""
    kind_name = request.GET.get("kind", "")
    kind = next((each for each in RoomKind if each.value == kind_name), RoomKind.HALF)
    months, period = list_months(timezone.localdate()), request.GET.get("month", "")
    month = next((each for each in months if f"{each:%Y-%m}" == period), None if period == ALL_TIME else months[0])
    by = DEALS if request.GET.get("by") == DEALS else MEAN
    country = request.GET.get("country", "")
    best_list = read_best(kind, month, visitor=find_visitor(request), by=by, country=country)
    context = {
        "kinds": list(RoomKind),
        "kind": kind,
        "months": months,
        "month": month,
        "by": by,
        "country": country if country in best_list.countries else "",
        "countries": best_list.countries,
        "rows": best_list.rows,
        "least": LEAST_DEALS[kind],
    }
    return render(request, "rooms/lobby/best.html", context)


def list_months(today: dt.date) -> list[dt.date]:
    """Return the first days of the last months, the present month first."""
    first_days = [today.replace(day=1)]
    while len(first_days) < MONTHS:
        first_days.append((first_days[-1] - dt.timedelta(days=1)).replace(day=1))
    return first_days
