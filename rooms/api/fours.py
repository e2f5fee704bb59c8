"""The tables for four for programs: the halls, a room of one's own, a seat, the table, a move, and wishes.

The same services as those of the pages do all of it. A guest's device may ask too, by its cookie.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Shape, operation, read_shape
from api.errors import describe_error
from clubs.guard import counted_address, find_full, note_tries
from clubs.models import Scope
from deals.domain.cards import LINES
from rooms.api.base import RoomView, ensure_api_visitor, get_api_room, note_new_table, require_visitor
from rooms.api.lobby import MOST_LINK, JoinIn, RoomPageFilter, VisitorOut, with_next
from rooms.api.moves import BOT, YOU, MoveIn, RoomPlayView
from rooms.classic.halls import CLOCKS, DEALS, SCORES, WAITS, TermsAsked, count_own_rooms, find_halls, make_own_room
from rooms.classic.holding import find_clock_end
from rooms.classic.looking import WISHES, TableLook, describe_deal, do_wish, list_fresh_phrases, look_at_table
from rooms.classic.playing import make_classic_move
from rooms.classic.sitting import take_seat
from rooms.errors import MoveConflict
from rooms.models import Room, RoomKind, Visitor
from rooms.results.fours import find_own_table, list_tables
from rooms.results.lobby import find_state
from rooms.visitors.finding import find_visitor, meet_what_device_met
from rooms.visitors.names import show_visitor_names
from tournaments.permissions import require_found

MOST_DEALS, MOST_TABLES = 1000, 32_767


class TermsOut(serializers.Serializer[Any]):
    """The terms of a room for four."""

    hall = serializers.IntegerField(allow_null=True, help_text="the number of the hall; null for a room by link")
    is_duplicate = serializers.BooleanField(help_text="all tables play the same étuis")
    deals = serializers.IntegerField(help_text="a table ends after so many deals; 0 is no end")
    score = serializers.IntegerField(help_text="a table ends when a seat has so many points; 0 is no end")
    clock = serializers.IntegerField(help_text="seconds for a move; 0 is no clock")
    takes_over = serializers.BooleanField(help_text="a bot takes the seat at once when the time is over")
    wait = serializers.IntegerField(help_text="seconds before bots fill the free seats")


class SeatLineOut(serializers.Serializer[Any]):
    seat = serializers.ChoiceField([str(seat) for seat in LINES], source="letter")
    player = VisitorOut(source="shown", allow_null=True)
    away = serializers.BooleanField(source="is_away", help_text="a bot plays for the player")
    free = serializers.BooleanField(source="is_free", help_text="you may sit down here")
    mine = serializers.BooleanField(source="is_own")


class TableLineOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    deals = serializers.IntegerField(help_text="that were begun")
    seats = SeatLineOut(many=True)


class FourRoomOut(serializers.Serializer[Any]):
    """A room for four with the tables at which somebody sits."""

    id = serializers.IntegerField(source="room.pk")
    opens_at = serializers.DateTimeField(source="room.opens_at")
    closes_at = serializers.DateTimeField(source="room.closes_at")
    commitment = serializers.CharField(source="room.deal_set.commitment")
    terms = TermsOut(source="room.terms")
    tables = TableLineOut(
        many=True, source="page.tables", help_text="20 of them; the address of the room has the next ones"
    )
    total = serializers.IntegerField(source="page.total", help_text="how many tables have somebody")


class HallsOut(serializers.Serializer[Any]):
    halls = FourRoomOut(many=True)
    own_table = serializers.IntegerField(allow_null=True, help_text="the id of the table at which you sit")


class TermsIn(Shape):
    is_duplicate = serializers.BooleanField(default=True)
    deals = serializers.ChoiceField(DEALS, default=0)
    score = serializers.ChoiceField(SCORES, default=0)
    clock = serializers.ChoiceField(CLOCKS, default=45)
    takes_over = serializers.BooleanField(default=False)
    wait = serializers.ChoiceField(WAITS, default=30)


class MadeRoomOut(serializers.Serializer[Any]):
    room = serializers.IntegerField()
    link = serializers.CharField(help_text="send it as `link`: it opens the room")


class SitIn(JoinIn):
    table = serializers.IntegerField(
        min_value=1, max_value=MOST_TABLES, required=False, help_text="its number; without it a new table is opened"
    )
    seat = serializers.ChoiceField([str(seat) for seat in LINES], required=False, help_text="without it any free one")
    link = serializers.CharField(max_length=MOST_LINK, required=False, help_text="of a room of one's own")


class SatOut(serializers.Serializer[Any]):
    room = serializers.IntegerField()
    table = serializers.IntegerField(help_text="the id of your table")
    number = serializers.IntegerField(help_text="its number in the room")


class FourSeatOut(serializers.Serializer[Any]):
    seat = serializers.ChoiceField([str(seat) for seat in LINES])
    player = VisitorOut(allow_null=True, help_text="null: a bot has the seat")
    bot = serializers.BooleanField(help_text="a bot plays here now")
    ready = serializers.BooleanField(help_text="wants the next deal")
    total = serializers.IntegerField(help_text="points over all deals of the table")


class PhraseOut(serializers.Serializer[Any]):
    seat = serializers.ChoiceField([str(seat) for seat in LINES])
    code = serializers.CharField()


class FourOut(serializers.Serializer[Any]):
    """A table for four as you see it from your seat."""

    room = serializers.IntegerField()
    table = serializers.IntegerField()
    seat = serializers.ChoiceField([str(seat) for seat in LINES])
    seen = serializers.CharField(help_text="send it to `state?seen=`: the answer is 204 if nothing is new")
    deal = serializers.IntegerField(help_text="the number of the deal at this table; 0 before the first one")
    length = serializers.IntegerField(help_text="the number of moves so far: send it as `at`")
    is_over = serializers.BooleanField(help_text="no deal is being played")
    is_away = serializers.BooleanField(help_text="a bot plays for you")
    is_ended = serializers.BooleanField(help_text="the table plays no more deals")
    begins_at = serializers.DateTimeField(allow_null=True, help_text="when bots fill the free seats")
    clock_ends = serializers.DateTimeField(allow_null=True, help_text="when the time of the player at turn is over")
    asks_chelem = serializers.BooleanField(help_text="you take and do not lead: send `x` or `n`")
    score = serializers.IntegerField(allow_null=True, help_text="the base score, once the deal is over")
    seats = FourSeatOut(many=True)
    said = PhraseOut(many=True, help_text="the phrases of the last 30 seconds")
    game = serializers.DictField(
        allow_null=True, help_text="the hand, what is asked, the bids, the tricks and the points; null before a deal"
    )


class FourMoveIn(MoveIn):
    deal = serializers.IntegerField(min_value=1, max_value=MOST_DEALS, help_text="the number of the deal")


class WishIn(Shape):
    do = serializers.ChoiceField(WISHES, help_text="`next`: you want the next deal, or bots in the free seats")


class HallsView(RoomView):
    open_to_all = frozenset({"GET"})

    @operation("rooms_halls", "Read the halls with their tables for four", answer=HallsOut)
    def get(self, request: Request) -> Response:
        visitor, now = find_visitor(request), timezone.now()
        halls = describe_fours(find_halls(now), visitor)
        return Response(HallsOut({"halls": halls, "own_table": find_own_table(visitor, now)}).data)


class OwnFourRoomView(RoomView):
    scopes: ClassVar[Mapping[str, Scope]] = {"POST": Scope.ENTER}

    @operation("rooms_own", "Make a room of your own for four", answer=MadeRoomOut, request=TermsIn)
    def post(self, request: Request) -> Response:
        terms = read_shape(TermsIn, request.data)
        count = count_own_rooms(counted_address(request))
        if full := find_full([count]):
            raise Throttled(wait=full.seconds_left())
        note_tries([count])
        room = make_own_room(TermsAsked(**terms), now=timezone.now())
        return Response(MadeRoomOut({"room": room.pk, "link": room.terms.link}).data)


class FourRoomView(RoomView):
    open_to_all = frozenset({"GET"})

    @operation("rooms_tables", "Read an open room for four", answer=FourRoomOut, query=[RoomPageFilter])
    def get(self, request: Request, pk: int) -> Response:
        filters = read_shape(RoomPageFilter, request.query_params.dict())
        room = get_api_room(request, pk)
        require_found((room.kind == RoomKind.CLASSIC and find_state(room, timezone.now()) == "open") or None)
        described = describe_fours([room], find_visitor(request), number=filters["page"])[0]
        answer = Response(FourRoomOut(described).data)
        return with_next(request, answer, filters["page"], described["page"].pages)


class SitView(RoomView):
    scopes: ClassVar[Mapping[str, Scope]] = {"POST": Scope.ENTER}

    @operation("rooms_sit", "Take a seat in a room for four", answer=SatOut, request=SitIn)
    def post(self, request: Request, pk: int) -> Response:
        body = read_shape(SitIn, request.data)
        visitor = ensure_api_visitor(request, body.get("name", ""))
        meet_what_device_met(request, visitor)
        where, now = (body.get("table"), body.get("seat", "")), timezone.now()
        if where[0] is None:
            note_new_table(request, pk, visitor)
        table = take_seat(room_id=pk, visitor=visitor, now=now, where=where, link=body.get("link", ""))
        return Response(SatOut({"room": pk, "table": table.pk, "number": table.number}).data)


# The base class of the views of one table.
class FourTableView(RoomPlayView):
    def answer_look(self, table: int, visitor: Visitor) -> Mapping[str, Any]:
        now = timezone.now()
        return FourOut(describe_look(look_at_table(table_id=table, visitor=visitor, now=now), now)).data


class FourView(FourTableView):
    @operation("rooms_four", "Read your table for four; what is due is done first", answer=FourOut)
    def get(self, request: Request, table: int) -> Response:
        return Response(self.answer_look(table, require_visitor(request)))

    @operation("rooms_four_move", "Make a move at a table for four", answer=FourOut, request=FourMoveIn)
    def post(self, request: Request, table: int) -> Response:
        body, visitor = read_shape(FourMoveIn, request.data), require_visitor(request)
        at, now = (body["deal"], body["at"]), timezone.now()
        try:
            make_classic_move(table_id=table, visitor=visitor, at=at, move=body["move"], now=now)
        except MoveConflict as conflict:
            conflict_answer = {"error": describe_error(conflict), "table": self.answer_look(table, visitor)}
            return Response(conflict_answer, status.HTTP_409_CONFLICT)
        return Response(self.answer_look(table, visitor))


class WishView(FourTableView):
    open_to_all = frozenset({"POST"})

    @operation("rooms_wish", "Wish for a deal, a phrase, to leave", answer=None, statuses=(204,), request=WishIn)
    def post(self, request: Request, table: int) -> Response:
        body, visitor = read_shape(WishIn, request.data), require_visitor(request)
        do_wish(table_id=table, visitor=visitor, wish=body["do"], now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


def describe_fours(rooms: list[Room], visitor: Visitor | None, *, number: int = 1) -> list[dict[str, Any]]:
    """Return rooms for four, each with one page of its tables."""
    tables = list_tables(rooms, visitor, timezone.now(), number=number)
    return [{"room": room, "page": tables[room.pk]} for room in rooms]


def describe_look(look: TableLook, now: dt.datetime) -> Mapping[str, Any]:
    """Return a table in the shape of `FourOut`. Its cards all follow from the view of the reader's seat."""
    held, game = look.held, look.game
    shown = show_visitor_names(row.visitor for row in held.seats.values() if row.visitor)
    players = {seat: shown.get(row.visitor_id or 0) for seat, row in held.seats.items()}
    names = {str(seat): YOU if seat == look.seat else BOT for seat in LINES}
    names |= {str(seat): who.name for seat, who in players.items() if who is not None and seat != look.seat}
    totals, classic = held.totals, held.classic
    return {
        "room": held.room.pk,
        "table": held.table.pk,
        "seat": str(look.seat),
        "seen": look.stamp,
        "deal": len(held.games),
        "length": game.length if game else 0,
        "is_over": game is None or game.is_over,
        "is_away": look.seat not in held.present,
        "is_ended": classic.ended_at is not None,
        "begins_at": None if game or classic.ended_at else classic.begins_at,
        "clock_ends": find_clock_end(held) if held.present else None,
        "asks_chelem": game is not None and game.asks_chelem,
        "score": game.score if game else None,
        "seats": [
            {
                "seat": str(seat),
                "player": players.get(seat),
                "bot": seat not in held.present,
                "ready": str(seat) in classic.ready,
                "total": totals[seat],
            }
            for seat in LINES
        ],
        "said": list_fresh_phrases(classic, now),
        "game": describe_deal(look, game, names) if game else None,
    }
