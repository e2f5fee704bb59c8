"""The page of a trial: a reader of a closed room plays an étui on from one of its cards. Nothing is stored.

Its address has the whole state: the table, the card from which it goes on, and the record of the moves since.
"""

from collections.abc import Collection
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from bots.secrets import bot_secret
from clubs.guard.counting import answer_too_often, has_tries, note_failed
from deals.domain.cards import Seat
from deals.domain.notation import loads
from deals.models import Etui
from referee.errors import PlayRefused
from referee.rules import seat_of
from referee.views import view
from rooms.games.setting import read_position
from rooms.games.trials import TrialStart, are_answers_true, cut_record, play_trial
from rooms.models import Game, Room, RoomKind
from rooms.opening.joining import SOLO, first_moves
from rooms.record.moves import MoveError, taker_seat_of
from rooms.record.replaying import GamePosition
from rooms.record.shown import describe
from rooms.visitors import find_visitor
from rooms.web.doors import FORM, room_page
from rooms.web.table.answers import read_answer, read_count, read_ticked
from rooms.web.table.drawing import draw_table
from rooms.web.table.pages import BOTS, COUNTED, MOST_ASKED, TABLE, is_script
from tournaments.permissions import require_found
from tournaments.words.messages import say, show_signed

PAGE = "rooms/table/trial.html"


@room_page(FORM)
def room_trial(request: HttpRequest, room: Room, *, number: int) -> HttpResponse:
    """Show a trial of an étui of a closed room, and take the moves of its forms."""
    if room.closed_at is None or room.kind == RoomKind.CLASSIC:
        raise Http404
    visitor = find_visitor(request)
    whose = f"visitor {visitor.pk}" if visitor else ""
    if not has_tries(COUNTED, request, most=MOST_ASKED, whose=whose):
        return answer_too_often(request)
    note_failed(COUNTED, request, whose=whose)
    etui = require_found(Etui.objects.filter(deal_set=room.deal_set_id, number=number).first())
    table, card = (read_count(request.GET.get(name, "")) for name in ("table", "card"))
    game = find_game(room, etui, table)
    start = find_start(room, etui, game, card)
    from_here = {"table": table, "card": card} if game else {}
    return show_trial(request, etui, start, game, from_here)


def find_game(room: Room, etui: Etui, table: int | None) -> Game | None:
    """Return the game of an étui at a table of a closed room. None without a table; raise Http404 if it is unknown."""
    if table is None:
        return None
    games = Game.objects.filter(table__room=room, etui=etui, table__number=table, finished_at__isnull=False)
    return require_found(games.first())


def find_start(room: Room, etui: Etui, game: Game | None, card: int | None) -> TrialStart:
    """Return the start of a trial: before a card of a game, or else of the étui. Raise Http404 if there is no card."""
    record = str(first_moves(room, etui).get("record", ""))
    if game is not None and card is not None:
        try:
            record = cut_record(read_position(etui, game), card)
        except IndexError as error:
            raise Http404 from error
    secret = bot_secret(bytes.fromhex(room.deal_set.seed), etui.number)
    return TrialStart(loads(etui.cards), Seat(etui.dealer), record, SOLO, secret, room.level)


def show_trial(
    request: HttpRequest, etui: Etui, start: TrialStart, game: Game | None, from_here: dict[str, Any]
) -> HttpResponse:
    """Return a trial as a page, or as JSON for the script. A move leads to the address of the new record."""
    record, refused, status = request.GET.get("record", start.record), "", 200
    chosen: Collection[int] = ()
    try:
        position = play_trial(start, record)
    except (PlayRefused, MoveError, IndexError) as error:
        raise Http404 from error
    try:
        if request.method == "POST":
            position = play_trial(start, record, read_answer(request.POST))
    except (PlayRefused, MoveError) as refusal:
        refused, status, chosen = say(refusal), 400, read_ticked(request.POST)
        if is_script(request):
            return JsonResponse({"refused": refused}, status=status)
    address = f"{request.path}?{urlencode(from_here | {'record': ' '.join(position.tokens)})}"
    if request.method == "POST" and not refused and not is_script(request):
        return redirect(address)
    context = describe_trial(start, position, etui, chosen) | {"refused": refused, "address": address}
    context |= {"again": f"{request.path}?{urlencode(from_here)}", "trial": True, "now": timezone.now()}
    context |= {"back": request.path.removesuffix("trial/")} | compare_trial(start, position, game)
    if is_script(request):
        return JsonResponse({"html": render_to_string(TABLE, context, request)}, status=status)
    return render(request, PAGE, context, status=status)


def describe_trial(start: TrialStart, position: GamePosition, etui: Etui, chosen: Collection[int]) -> dict[str, Any]:
    """Return the drawing of a trial's table."""
    state, seat = position.state, start.seat
    asks_chelem = position.awaits_chelem and taker_seat_of(state) == seat
    is_own = seat_of(state.turn, state.terms.players) == seat
    shown = describe(
        view(state, seat),
        names={str(seat): _("You"), **dict.fromkeys(BOTS, _("bot"))},
        etui=etui.number,
        of=etui.number,
        length=len(position.tokens),
        is_thinking=not (position.is_over or is_own or asks_chelem),
        asks_chelem=asks_chelem,
    )
    return {"table": draw_table(shown, chosen)}


def compare_trial(start: TrialStart, position: GamePosition, game: Game | None) -> dict[str, Any]:
    """Return what a finished trial is compared with: what South won at the table from which it goes on."""
    if not position.is_over or not are_answers_true(start, position.tokens):
        return {"is_forged": position.is_over}
    if game is None:
        return {}
    then = find_mark(read_position(game.etui, game))
    gain = find_mark(position) - then
    return {"then": show_signed(then), "gain": gain, "loss": -gain}


def find_mark(position: GamePosition) -> int:
    """Return what South has won or lost in a deal that is over."""
    score = position.base_score or 0
    return 3 * score if taker_seat_of(position.state) == SOLO else -score
