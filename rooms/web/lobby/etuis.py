"""The pages of the étuis of a closed room: every table with its result and its cards, and the file of the set."""

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from deals.domain.cards import LINES, Seat
from deals.models import Etui
from pages.everybody import read_page_number
from pages.parts.bots import show_spread
from pages.parts.cards import hands_of
from pages.parts.etui import describe_facts
from pages.parts.etui_replay import EtuiReplay, ReplayChoice
from pages.parts.replay import (
    DrawnTrick,
    ReplaySeat,
    ReplayTable,
    draw_hands,
    draw_tricks,
    list_notes,
    make_replay,
)
from pages.sets.verify import give_set_file
from referee.records.steps import list_steps
from referee.rules import order_of_play
from rooms.models import Room, RoomKind
from rooms.opening import SOLO
from rooms.results.etuis import EtuiPage, RoomPlay, find_room_etui, read_deal_record, read_etui_page
from rooms.visitors.finding import find_visitor
from rooms.web.doors import room_page
from tournaments.numbers import read_number
from tournaments.permissions import require_found
from tournaments.words.messages import label, show_signed


@room_page()
def room_etui(request: HttpRequest, room: Room, *, number: int) -> HttpResponseBase:
    """Show an étui of a closed room. Before that, the page exists at most for those who have played the étui."""
    visitor = find_visitor(request)
    etui = require_found(find_room_etui(room, number, visitor))
    is_closed = room.closed_at is not None
    page = read_etui_page(room, etui, number=read_page_number(request), visitor=visitor)
    hands, chien = hands_of(etui.cards)
    shown = find_replayed(request, page)
    context: dict[str, Any] = {
        "room": room,
        "etui": etui,
        "page": page,
        "rows": [(play, describe_play(play)) for play in page.plays],
        "hands": hands,
        "chien": chien,
        "before": number - 1 if is_closed and number > 1 else None,
        "after": number + 1 if is_closed and number < room.etuis else None,
        "weighted": False,
        "visitor": visitor,
        "bots": show_spread(etui.cards, etui.dealer, ""),
        "replayed": shown and make_etui_replay(etui, shown, read_number(request.GET, "beside"), page),
    }
    return render(request, "rooms/room/etui.html", context)


def find_replayed(request: HttpRequest, page: EtuiPage) -> RoomPlay | None:
    """Return the table to replay: the one asked for, else the reader's own, else the best. None without cards."""
    chosen = read_number(request.GET, "replay")
    played = [play for play in page.plays if play.taker is not None]
    own = next((play for play in played if play.is_own), None)
    return next((play for play in played if play.game.pk == chosen), own or (played[0] if played else None))


def describe_play(play: RoomPlay) -> str:
    """Return the result of a table in one line: "Garde, 2 bouts, 49 points". Say so if everybody passed."""
    if play.game.result is None:
        return _("Everybody passed") if play.taker is None else ""
    return describe_facts(play.game.result)


def name_table(play: RoomPlay) -> str:
    """Return the table and its player: "Table 3, Paul: +54"."""
    name = play.shown.name if play.shown else _("bots")
    table_name = _("Table %(table)s, %(name)s") % {"table": play.table, "name": name}
    return table_name if play.mark is None else f"{table_name} ({show_signed(play.mark)})"


def make_etui_replay(etui: Etui, shown: RoomPlay, beside: int | None, page: EtuiPage) -> EtuiReplay:
    """Return the replay of one table, or of two side by side."""
    others = [play for play in page.plays if play.taker is not None and play.game.pk == beside and play is not shown]
    query = f"?page={page.number}&replay={shown.game.pk}" + (f"&beside={others[0].game.pk}" if others else "")
    replay = make_replay([make_room_table(etui, play) for play in (shown, *others[:1])], query=query)
    choices = [ReplayChoice(play.game.pk, name_table(play)) for play in page.plays if play.taker is not None]
    return EtuiReplay(replay, choices, shown.game.pk, others[0].game.pk if others else None)


def name_player(play: RoomPlay, seat: Seat) -> str:
    """Return the name of a seat in the replay: a bot, the player in South, or only the seat at a table for four."""
    if play.is_bot(seat):
        return _("Bot")
    return play.shown.name if seat == SOLO and play.shown else label("line", str(seat))


def find_trial(etui: Etui, play: RoomPlay, trick: DrawnTrick) -> str:
    """Return the address at which a reader plays on from South's card in a trick, or "" if the trick has none."""
    places = [place for place, card in enumerate(trick.cards) if card.seat == SOLO]
    if not places:
        return ""
    card = (trick.number - 1) * len(LINES) + places[0]
    return f"{reverse('room_trial', args=[play.game.table.room_id, etui.number])}?table={play.table}&card={card}"


def make_room_table(etui: Etui, play: RoomPlay) -> ReplayTable:
    """Return a table as the replay draws it. In a solo room the visitor sits South, and bots have the other seats."""
    steps = list_steps(read_deal_record(play.game, etui))
    tricks = draw_tricks(steps.tricks, steps.record.players)
    if play.game.table.room.closed_at is not None and play.game.table.room.kind != RoomKind.CLASSIC:
        tricks = [replace(trick, play_on=find_trial(etui, play, trick)) for trick in tricks]
    return ReplayTable(
        tricks,
        draw_hands(steps.hands),
        title=name_table(play),
        seats=[
            ReplaySeat(str(seat), name_player(play, seat), seat == steps.record.taker)
            for seat in order_of_play(steps.record.players)
        ],
        start=steps.start,
        notes=list_notes(steps),
    )


@room_page()
def room_deals(_request: HttpRequest, room: Room) -> HttpResponseBase:
    """Download the étuis of a closed room. Before that, the file does not exist."""
    if room.closed_at is None or room.deal_set.revealed_at is None:
        raise Http404
    return give_set_file(room.deal_set)
