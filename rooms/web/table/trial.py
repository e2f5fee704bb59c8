"""The pages of trials: a reader of a closed room plays an étui on from one of its cards, or one of a published evening.

Nothing is stored. The address has the whole state: what is played, from which card, and the record of the moves since.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from bots.secrets import bot_secret
from clubs.guard.counting import answer_too_often
from deals.domain.cards import Seat
from deals.domain.deal import loads
from deals.models import Etui
from referee.errors import PlayRefused
from referee.views import view
from rooms.games.evenings import EveningTrial, StillToPlayError, find_evening_trial
from rooms.games.setting import read_position
from rooms.games.trials import TrialStart, are_answers_true, cut_record, find_own_games, play_trial, read_review
from rooms.models import Game, Room, RoomKind
from rooms.opening import SOLO, first_moves
from rooms.record.moves import MoveError, taker_seat_of
from rooms.record.replaying import GamePosition
from rooms.record.shown import describe_table
from rooms.record.tables import find_mark
from rooms.visitors.finding import find_visitor
from rooms.web.doors import FORM, room_page, rooms_page
from rooms.web.table.drawing import DearCard, TableDrawing, describe_card, draw_table
from rooms.web.table.pages import (
    TABLE,
    answer_table,
    count_table_request,
    is_script,
    name_you_and_bots,
    read_answer,
    read_count,
    read_ticked,
)
from tournaments.models import Session
from tournaments.numbers import read_number
from tournaments.permissions import require_found
from tournaments.published import PublicPlace
from tournaments.words.messages import say, show_signed

PAGE = "rooms/table/trial.html"
COUNTED, MOST_ASKED = "rooms-trial", 120  # requests in a minute: half of those at a table where somebody is waited for


@dataclass(frozen=True)
class TrialPage:
    """The page of a trial: what is played, the étui's number, and the way back.

    `from_here`: the part of the address that says where the trial begins. `compare`: what the page says at the end,
    from the last position. `dear`: the reader's own dear card that is replaced here, if they have asked for a review.
    """

    start: TrialStart
    number: int
    back: str
    compare: Callable[[GamePosition], dict[str, Any]]
    from_here: dict[str, Any] = field(default_factory=dict)
    dear: DearCard | None = None


@room_page(FORM)
def room_trial(request: HttpRequest, room: Room, *, number: int) -> HttpResponse:
    """Show a trial of an étui of a closed room, and take the moves of its forms."""
    if room.closed_at is None or room.kind == RoomKind.CLASSIC:
        raise Http404
    if not count_table_request(request, find_visitor(request), counted=COUNTED, most=MOST_ASKED):
        return answer_too_often(request)
    etui = require_found(Etui.objects.filter(deal_set=room.deal_set_id, number=number).first())
    table, card = (read_count(request.GET.get(name, "")) for name in ("table", "card"))
    game = find_game(room, etui, table)
    from_here = {"table": table, "card": card} if game else {}
    start, back = find_start(room, etui, game, card), reverse("room_etui", args=[room.pk, number])
    compare, dear = partial(compare_with_table, game), find_dear(request, game, card)
    return show_trial(request, TrialPage(start, number, back, compare, from_here, dear))


@rooms_page(FORM)
def evening_trial(request: HttpRequest, *, club: str, tournament: str, session: int, number: int) -> HttpResponse:
    """Show a trial of an étui of a published evening, and take the moves of its forms."""
    if not count_table_request(request, find_visitor(request), counted=COUNTED, most=MOST_ASKED):
        return answer_too_often(request)
    of = read_number(request.GET, "of")
    back = partial(reverse, "published_etui")
    try:
        trial = find_evening_trial(PublicPlace(club, tournament, session), number, of)
    except StillToPlayError as error:  # the cached page of the étui does not know it
        etui = back(args=[club, tournament, session, error.version, number])
        return render(request, "rooms/table/still_to_play.html", {"number": number, "back": etui}, status=409)
    etui, compare = back(args=[club, tournament, session, trial.version, number]), partial(compare_with_evening, trial)
    return show_trial(request, TrialPage(trial.start, number, etui, compare, {"of": of} if of else {}))


def link_to_evening_trial(session: Session, number: int) -> str:
    """Return the address of the trial of a published étui, or "" on a site without rooms."""
    place = session.tournament
    return (
        reverse("evening_trial", args=[place.club.slug, place.slug, session.number, number]) if settings.ROOMS else ""
    )


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


def show_trial(request: HttpRequest, page: TrialPage) -> HttpResponse:
    """Return a trial as a page, or as JSON for the script. A move leads to the address of the new record."""
    start, refused, status = page.start, "", 200
    record = request.GET.get("record", start.record)
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
    address = f"{request.path}?{urlencode(page.from_here | {'record': ' '.join(position.tokens)})}"
    if request.method == "POST" and not refused and not is_script(request):
        return redirect(address)
    context = {"table": draw_trial(page, position, chosen), "refused": refused, "address": address, "back": page.back}
    context |= {"again": f"{request.path}?{urlencode(page.from_here)}", "trial": True, "now": timezone.now()}
    if page.dear and (first := find_first_card(position, start)):
        context |= {"dear": page.dear, "is_right": first == f"k:{page.dear.review.other}"}
    if position.is_over:
        is_true = are_answers_true(start, position.tokens)
        context |= page.compare(position) if is_true else {"is_forged": True}
    return answer_table(request, PAGE, TABLE, context, status)


def find_dear(request: HttpRequest, game: Game | None, card: int | None) -> DearCard | None:
    """Return the reader's own card of this number if its review has told it, or None."""
    own = game and find_own_games(find_visitor(request)).filter(pk=game.pk).first()
    return (
        next((describe_card(own, *reviewed) for reviewed in read_review(own) if reviewed[0] == card), None)
        if own
        else None
    )


def find_first_card(position: GamePosition, start: TrialStart) -> str:
    """Return the token of the first card that the reader has played in a trial, or "" before."""
    made = len(start.record.split())
    moves = zip(position.tokens[made:], position.seats[made:], strict=True)
    return next((token for token, seat in moves if seat == start.seat and token.startswith("k:")), "")


def draw_trial(page: TrialPage, position: GamePosition, chosen: Collection[int]) -> TableDrawing:
    """Return the drawing of a trial's table."""
    seat = page.start.seat
    shown = describe_table(
        view(position.state, seat),
        names=name_you_and_bots(seat),
        etui=page.number,
        of=page.number,
        length=len(position.tokens),
        is_thinking=position.waits_for_bots(seat),
        asks_chelem=position.asks_chelem_of(seat),
    )
    return draw_table(shown, chosen)


def compare_with_table(game: Game | None, position: GamePosition) -> dict[str, Any]:
    """Return what South won at the table from which a finished trial went on, and how much more the trial won."""
    if game is None:
        return {}
    then, now = (
        find_mark(SOLO, taker_seat_of(each.state), each.base_score or 0)
        for each in (read_position(game.etui, game), position)
    )
    gain = now - then
    return {"then": show_signed(then), "gain": gain, "loss": -gain}


def compare_with_evening(trial: EveningTrial, position: GamePosition) -> dict[str, Any]:
    """Return the note of a finished trial among the plays of its evening."""
    taker = taker_seat_of(position.state)
    return {"evening_note": trial.find_note(None if taker is None else str(taker), position.base_score or 0)}
