"""The way into a room in one tap: as the account that is logged in, as a known guest, or as a new one."""

import secrets
from collections.abc import Callable

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.guard import answer_too_often, counted_address, find_full, note_tries
from clubs.models import User
from rooms.models import Room, Visitor
from rooms.opening import count_guests, count_tables, join_room
from rooms.visitors.finding import (
    ACCOUNT_COOKIE,
    COOKIE_LIFE,
    VISITOR_COOKIE,
    find_device_guest,
    find_visitor,
    meet_what_device_met,
    sign_visitor,
)
from rooms.visitors.guests import (
    check_guest_first,
    draw_guest_token,
    ensure_visitor,
    has_player,
    make_guest,
    note_visit,
)
from rooms.visitors.names import MOST, VisitorRefused
from rooms.web.doors import ACTION, room_page
from tournaments.words.messages import say

BIRDS: tuple[Promise, ...] = (
    *(_("Blackbird"), _("Kingfisher"), _("Nuthatch"), _("Wren"), _("Robin"), _("Swallow"), _("Heron"), _("Magpie")),
    *(_("Goldfinch"), _("Owl"), _("Skylark"), _("Woodpecker")),
)


class GuestNameForm(forms.Form):
    """The name of a guest. `rooms.visitors.names` checks it."""

    name = forms.CharField(
        label=_("Your name here"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "maxlength": MOST}),
    )
    # The token of a new guest. A form that is sent twice has it twice, and so makes one guest.
    once = forms.CharField(required=False, widget=forms.HiddenInput())


def propose_guest_name() -> str:
    """Return a name for somebody who does not want to think of one: a bird with a number."""
    return f"{secrets.choice(BIRDS)} {secrets.randbelow(90) + 10}"


def needs_name(request: HttpRequest, visitor: Visitor | None) -> bool:
    """Return whether the reader has to choose a name before playing."""
    if visitor is not None and (visitor.name or visitor.account_id is None):
        return False
    return not (isinstance(request.user, User) and has_player(request.user))


def make_name_form(request: HttpRequest, visitor: Visitor | None) -> GuestNameForm | None:
    """Return the field for the name of a reader who needs one, with a name in it, or None."""
    if not needs_name(request, visitor):
        return None
    own = request.user.get_full_name() if isinstance(request.user, User) else ""
    initial = {"name": own[:MOST] or propose_guest_name(), "once": draw_guest_token()}
    return GuestNameForm(initial=initial, auto_id="name_%s")


def make_refused_form(request: HttpRequest, refusal: VisitorRefused) -> GuestNameForm:
    """Return the field with the name that was typed, and the reason for which it is refused."""
    sent = {name: request.POST.get(name, "") for name in ("name", "once")}
    form = GuestNameForm(sent, auto_id="name_%s")
    form.add_error("name", say(refusal))
    return form


@room_page(ACTION)
def join(request: HttpRequest, room: Room) -> HttpResponseBase:
    """Give the reader a table in the room, and lead them to it. Ask again if the name is refused."""
    now = timezone.now()

    def take_table(visitor: Visitor) -> HttpResponse:
        if visitor.account_id is not None and (guest := find_device_guest(request)):
            check_guest_first(guest=guest, visitor=visitor, room_id=room.pk)
        meet_what_device_met(request, visitor)
        join_room(room_id=room.pk, visitor=visitor, now=now)
        return redirect("room_play", room.pk)

    return let_in(request, room, take_table)


def let_in(
    request: HttpRequest,
    room: Room,
    sit_down: Callable[[Visitor], HttpResponse],
    *,
    sent: QueryDict | None = None,
    opens_table: bool = True,
) -> HttpResponse:
    """Let the reader sit down as a visitor whom the device knows from then on.

    Ask again if the name is refused. `sent`: what the form of a seat for four has sent. `opens_table`: whether it
    counts as a new table.
    """
    try:
        visitor, token = find_player(request)
    except VisitorRefused as refusal:
        context = {"room": room, "form": make_refused_form(request, refusal), "sent": sent}
        return render(request, "rooms/lobby/name.html", context)
    tables = count_tables(room.pk, visitor, counted_address(request)) if visitor and opens_table else []
    if visitor is None or (tables and find_full(tables)):
        return answer_too_often(request)
    note_tries(tables)
    note_visit(visitor, now=timezone.now())
    response = sit_down(visitor)
    if token:
        set_room_cookie(response, VISITOR_COOKIE, token)
    if visitor.account_id is not None:
        set_room_cookie(response, ACCOUNT_COOKIE, sign_visitor(visitor))
    return response


def find_player(request: HttpRequest) -> tuple[Visitor | None, str]:
    """Return the visitor who is to play, made if necessary, and the token of a new guest's cookie, or "".

    Return None if too many guests were made from this network address. Raise `VisitorRefused` for a wrong name.
    """
    now, name = timezone.now(), request.POST.get("name", "")
    if isinstance(request.user, User):
        return ensure_visitor(account=request.user, name=name or request.user.get_full_name(), now=now), ""
    if visitor := find_visitor(request):
        return visitor, ""
    counts = count_guests(counted_address(request))
    if find_full(counts):
        return None, ""
    note_tries(counts)
    return make_guest(name=name, now=now, token=request.POST.get("once", ""))


def set_room_cookie(response: HttpResponse, name: str, value: str) -> None:
    """Send a cookie by which the device is known again: that of its guest, or of an account that plays on it."""
    response.set_cookie(name, value, COOKIE_LIFE, secure=settings.HTTPS, httponly=True, samesite="Lax")
