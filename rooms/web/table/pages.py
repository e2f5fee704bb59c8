"""The page at which a visitor plays an étui against three bots, and the moves that its forms send.

Forms and the script of the page use the same view. A form gets a page or a redirect as answer. The script asks for
JSON, and gets the drawing of the table.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from bots.levels import PLAYERS
from clubs.guard.counting import answer_too_often, has_tries, note_failed
from deals.domain.cards import CHIEN, LINES, Seat
from referee.errors import PlayRefused
from rooms.closing.ranks import find_note_against_bots
from rooms.errors import MoveConflict, RoomRefused
from rooms.games import PlayedGame, list_games, make_move, read_game
from rooms.models import Room, Visitor
from rooms.opening import SOLO
from rooms.record.moves import MoveError
from rooms.visitors.finding import find_visitor
from rooms.visitors.guests import note_visit
from rooms.web.doors import FORM, room_page
from rooms.web.table.drawing import draw_table
from scoring.values import FFT
from tournaments.words.messages import say

ECART, POIGNEE, CHELEM = "e", "p", "x"


def read_answer(sent: QueryDict) -> str:
    """Return the moves of a form. An écart and a poignée are ticked card by card, every other move is a button.

    Raise PlayRefused if no card is ticked.
    """
    move = sent.get("move", "").strip()
    if move == ECART:
        if not sent.getlist("ecart"):
            raise PlayRefused("ecart_size", seat=SOLO, expected=CHIEN[PLAYERS], found=0)
        return f"{ECART}:{join_cards(sent.getlist('ecart'))}" + (f" {CHELEM}" if sent.get("chelem") else "")
    if move.startswith(f"{POIGNEE}-"):
        shown = sent.getlist(f"poignee-{move[2:]}")
        if not shown:
            sizes = ", ".join(map(str, FFT.poignee_trumps[PLAYERS].values()))
            raise PlayRefused("poignee_size", seat=SOLO, found=0, expected=sizes)
        return f"{POIGNEE}:{join_cards(shown)}"
    return move


def read_ticked(sent: QueryDict) -> set[int]:
    """Return the cards that are ticked in a form, so that a refused form keeps them."""
    names = ("ecart", "poignee-simple", "poignee-double", "poignee-triple")
    return {int(card) for name in names for card in sent.getlist(name) if read_count(card) is not None}


def join_cards(cards: Iterable[str]) -> str:
    """Return cards in rising order as one text. What is not a number stays at the end, and is refused later."""
    return ",".join(sorted(cards, key=lambda card: (not card.isdigit(), len(card), card)))


def read_count(text: str) -> int | None:
    """Return a number of étuis or moves, or None if the text is not one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


PAGE, TABLE = "rooms/table/play.html", "rooms/table/_table.html"
# Refusals after which there is no table to draw: the reader goes to the room or to the lobby.
CONFLICT = 409
NO_SEAT, NO_TABLE = "not_in_room", ("room_over", "room_not_open", "room_classic", "etui_unknown", "etui_met")
DAY = timedelta(days=1)
COUNTED, MOST_ASKED = "rooms-table", 240  # requests in a minute, as for programs
PLAYABLE = ("begun", "next")


@room_page(FORM)
def show_room_table(request: HttpRequest, room: Room) -> HttpResponse:
    """Show the reader's table at an étui, and take the moves of its forms. Without an étui, show the next one."""
    visitor, now = find_visitor(request), timezone.now()
    if visitor is None:
        return send_to(request, reverse("rooms"))
    if not count_table_request(request, visitor):
        return answer_too_often(request)
    note_visit(visitor, now=now)
    try:
        if request.method == "POST":
            return take_move(request, room, visitor, now)
        etui = read_count(request.GET.get("etui", "")) or find_next_etui(room, visitor)
        if etui is None:
            return send_to(request, reverse("room", args=[room.pk]))
        game = read_game(room_id=room.pk, visitor=visitor, etui=etui, now=now)
    except RoomRefused as refusal:
        return leave_table(request, room, refusal)
    return show_game(request, game, visitor, now)


def take_move(request: HttpRequest, room: Room, visitor: Visitor, now: datetime) -> HttpResponse:
    """Make the move of a form. A form without a script is redirected to the table, the script gets the table."""
    etui, at = (read_count(request.POST.get(name, "")) or 0 for name in ("etui", "at"))
    try:
        game = make_move(room_id=room.pk, visitor=visitor, etui=etui, at=at, move=read_answer(request.POST), now=now)
    except MoveConflict as conflict:
        return show_game(request, conflict.game, visitor, now, refused=say(conflict), status=CONFLICT)
    except (PlayRefused, MoveError) as refusal:
        if is_script(request):
            return JsonResponse({"refused": say(refusal)}, status=400)
        game = read_game(room_id=room.pk, visitor=visitor, etui=etui, now=now)
        ticked = read_ticked(request.POST)
        return show_game(request, game, visitor, now, refused=say(refusal), chosen=ticked, status=400)
    if is_script(request):
        return show_game(request, game, visitor, now)
    return redirect(f"{reverse('room_play', args=[room.pk])}?etui={etui}")


def show_game(
    request: HttpRequest,
    game: PlayedGame,
    visitor: Visitor,
    now: datetime,
    *,
    refused: str = "",
    chosen: Collection[int] = (),
    status: int = 200,
) -> HttpResponse:
    """Return the table as a page, or as JSON for the script."""
    table = draw_table(game.describe(name_you_and_bots(game.seat)), chosen)
    context: dict[str, Any] = {"table": table, "room": game.room, "now": now, "refused": refused}
    context["until"] = say_closing(game.room)
    context["topage"] = settings.ROOM_TOPAGE == "played"
    context["next_etui"] = find_next_etui(game.room, visitor) if table.result else None
    context["note"] = find_note_against_bots(game.table, game.etui) if table.result else None
    return answer_table(request, PAGE, TABLE, context, status)


def answer_table(
    request: HttpRequest, page: str, table: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """Return a table by the template `page` or, as JSON for the script, by the template `table` alone."""
    if not is_script(request):
        return render(request, page, context, status=status)
    html = render_to_string(table, context, request)
    return JsonResponse({"html": html, "conflict": status == CONFLICT}, status=status)


def count_table_request(
    request: HttpRequest, visitor: Visitor | None, *, counted: str = COUNTED, most: int | None = None
) -> bool:
    """Count a request of a visitor, and return whether it is allowed. Readers without a visitor count by address.

    A whole club may play behind one address. `most` is the number a minute; a table has MOST_ASKED.
    """
    whose = f"visitor {visitor.pk}" if visitor else ""
    if not has_tries(counted, request, most=MOST_ASKED if most is None else most, whose=whose):
        return False
    note_failed(counted, request, whose=whose)
    return True


def name_you_and_bots(own: Seat) -> dict[str, str]:
    """Return the name of each seat at a table of three bots."""
    return {letter: _("You") if letter == own else _("bot") for letter in LINES}


def say_closing(room: Room) -> str:
    """Return when a room closes: only the hour for a room that is open for less than a day."""
    is_short = room.closes_at - room.opens_at < DAY
    return date_format(timezone.localtime(room.closes_at), "H:i" if is_short else "j F, H:i")


def find_next_etui(room: Room, visitor: Visitor) -> int | None:
    """Return the étui that the visitor plays next, or None if there is none left."""
    states = list_games(room_id=room.pk, visitor=visitor)
    return next((etui.number for etui in states if etui.state in PLAYABLE), None)


def leave_table(request: HttpRequest, room: Room, refusal: RoomRefused) -> HttpResponse:
    """Send the reader away from a table that cannot be shown: to the lobby, to the room, or to the étui to play now."""
    if refusal.code == NO_SEAT:
        return send_to(request, reverse("rooms"))
    if refusal.code in NO_TABLE:
        messages.info(request, say(refusal))
        return send_to(request, reverse("room", args=[room.pk]))
    return send_to(request, reverse("room_play", args=[room.pk]))


def send_to(request: HttpRequest, address: str) -> HttpResponse:
    """Redirect to another page. The script is told the address, because it cannot follow a redirect to a page."""
    return JsonResponse({"go": address}) if is_script(request) else redirect(address)


def is_script(request: HttpRequest) -> bool:
    """Return whether the script asks, and not a reader's browser."""
    return request.headers.get("Accept", "").startswith("application/json")
