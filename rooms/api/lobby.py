"""The rooms for programs: the lobby, one room, its ranking and étuis after closing, own results, joining."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Percent, Shape, operation, read_shape
from clubs.models import Scope
from rooms.api.base import RoomView, ensure_api_visitor, get_api_room, note_new_table
from rooms.closing.ranks import PLAYERS
from rooms.models import RoomKind
from rooms.opening import join_room
from rooms.results.etuis import find_room_etui, read_etui_page
from rooms.results.lobby import describe_rooms, read_lobby
from rooms.results.own import read_own_results
from rooms.results.ranking import GROUPS, count_seats, read_ranking
from rooms.visitors.finding import find_device_guest, find_visitor, meet_what_device_met
from rooms.visitors.guests import check_guest_first
from tournaments.addresses import link_to
from tournaments.permissions import require_found

MOST_ROOM_PAGES, MOST_LINK = 32_767, 40


class RoomProgressOut(serializers.Serializer[Any]):
    played = serializers.IntegerField(help_text="étuis played to the end")
    under_way = serializers.BooleanField(source="is_under_way", help_text="an étui is begun and not over")


class RoomOut(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="room.pk")
    kind = serializers.ChoiceField(RoomKind.choices, source="room.kind")
    state = serializers.ChoiceField(["before", "open", "closing", "closed"])
    opens_at = serializers.DateTimeField(source="room.opens_at")
    closes_at = serializers.DateTimeField(source="room.closes_at")
    etuis = serializers.IntegerField(source="room.etuis")
    level = serializers.IntegerField(source="room.level", help_text="of the bots")
    imposed = serializers.BooleanField(
        source="room.moves_given", help_text="nobody bids: the taker of each étui plays a garde, as in clubs"
    )
    players = serializers.IntegerField(help_text="people who have a table")
    commitment = serializers.CharField(
        source="room.deal_set.commitment", help_text="the fingerprint of the secret draw, known before the room opens"
    )
    seed = serializers.CharField(allow_null=True, help_text="hexadecimal; null until the room is closed")
    mine = RoomProgressOut(allow_null=True, help_text="null if you have no table")


class LobbyOut(serializers.Serializer[Any]):
    open = RoomOut(many=True)
    next = RoomOut(many=True)
    closed = RoomOut(many=True, help_text="the latest ones in which somebody played")


class VisitorOut(serializers.Serializer[Any]):
    """A player as everybody sees them."""

    name = serializers.CharField(help_text="a name, initials, or a number")
    guest = serializers.BooleanField(source="is_guest")
    program = serializers.BooleanField(source="is_program")
    without_club = serializers.BooleanField(source="is_unchecked", help_text="the account chose this name itself")
    country = serializers.CharField()


class RoomRankOut(serializers.Serializer[Any]):
    rank = serializers.IntegerField(source="seat.rank", allow_null=True, help_text="null if not ranked")
    player = VisitorOut(source="shown")
    percent = Percent(source="mean")
    deals = serializers.IntegerField(source="seat.deals")
    own_deals = serializers.IntegerField(source="seat.own_deals", help_text="played to the end by hand")
    left_out = serializers.CharField(
        source="seat.left_out_reason", help_text="why the player was left out of the ranking, or empty"
    )
    mine = serializers.BooleanField(source="is_own")


class RoomRankingOut(serializers.Serializer[Any]):
    group = serializers.ChoiceField(list(GROUPS))
    total = serializers.IntegerField()
    bot_tables = serializers.IntegerField(help_text="tables of bots that were added for the comparison")
    rows = RoomRankOut(many=True)


class RoomLinkFilter(Shape):
    link = serializers.CharField(
        max_length=MOST_LINK, required=False, help_text="of a room of one's own, if you have not sat in it"
    )


class RoomRankingFilters(RoomLinkFilter):
    group = serializers.ChoiceField(list(GROUPS), default=PLAYERS)
    page = serializers.IntegerField(
        min_value=1, max_value=MOST_ROOM_PAGES, default=1, help_text="50 rows each; the header Link has the next page"
    )


class RoomPageFilter(RoomLinkFilter):
    page = serializers.IntegerField(
        min_value=1, max_value=MOST_ROOM_PAGES, default=1, help_text="the header Link has the next page"
    )


class RoomPlayOut(serializers.Serializer[Any]):
    table = serializers.IntegerField()
    player = VisitorOut(source="shown", allow_null=True, help_text="in South; null at a table of bots")
    taker = serializers.CharField(allow_null=True, help_text="the seat; null if everybody passed")
    result = serializers.JSONField(source="game.result", allow_null=True, help_text="null if everybody passed")
    score = serializers.IntegerField(source="mark", allow_null=True, help_text="what South won or lost")
    note = Percent()
    finished_by_bot = serializers.BooleanField(source="is_finished_by_bot")
    record = serializers.CharField(source="game.record", help_text="the moves, separated by spaces")
    mine = serializers.BooleanField(source="is_own")


class RoomEtuiOut(serializers.Serializer[Any]):
    number = serializers.IntegerField(source="etui.number")
    dealer = serializers.CharField(source="etui.dealer")
    cards = serializers.CharField(source="etui.cards", help_text="the deal in the notation TDG-1")
    total = serializers.IntegerField()
    plays = RoomPlayOut(many=True)


class OwnRoomOut(serializers.Serializer[Any]):
    room = serializers.IntegerField(source="seat.room_id")
    kind = serializers.CharField(source="seat.room.kind")
    opens_at = serializers.DateTimeField(source="seat.room.opens_at")
    rank = serializers.IntegerField(source="seat.rank", allow_null=True)
    percent = Percent(source="mean")
    deals = serializers.IntegerField(source="seat.deals")


class OwnRoomsOut(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    rows = OwnRoomOut(many=True)


class JoinIn(Shape):
    name = serializers.CharField(
        max_length=80, required=False, help_text="for an account that is no player of a club; otherwise not used"
    )


class RoomTableOut(serializers.Serializer[Any]):
    room = serializers.IntegerField()
    table = serializers.IntegerField(help_text="the number of your table; you sit South")


class LobbyView(RoomView):
    open_to_all = frozenset({"GET"})

    @operation("rooms_list", "Read the lobby of rooms", answer=LobbyOut)
    def get(self, request: Request) -> Response:
        return Response(LobbyOut(read_lobby(find_visitor(request), timezone.now())).data)


class OneRoomView(RoomView):
    open_to_all = frozenset({"GET"})

    @operation("rooms_read", "Read a room", answer=RoomOut, query=[RoomLinkFilter])
    def get(self, request: Request, pk: int) -> Response:
        read_shape(RoomLinkFilter, request.query_params.dict())
        described = describe_rooms([get_api_room(request, pk)], find_visitor(request), timezone.now())
        return Response(RoomOut(described[0]).data)


class JoinRoomView(RoomView):
    scopes: ClassVar[Mapping[str, Scope]] = {"POST": Scope.ENTER}

    @operation("rooms_join", "Join an open room", answer=RoomTableOut, request=JoinIn)
    def post(self, request: Request, pk: int) -> Response:
        body = read_shape(JoinIn, request.data)
        visitor, guest = ensure_api_visitor(request, body.get("name", "")), find_device_guest(request)
        if guest is not None:
            check_guest_first(guest=guest, visitor=visitor, room_id=pk)
        meet_what_device_met(request, visitor)
        note_new_table(request, pk, visitor)
        table = join_room(room_id=pk, visitor=visitor, now=timezone.now())
        return Response({"room": pk, "table": table.number})


class RoomRankingView(RoomView):
    open_to_all = frozenset({"GET"})

    @operation("rooms_ranking", "Read the ranking of a closed room", answer=RoomRankingOut, query=[RoomRankingFilters])
    def get(self, request: Request, pk: int) -> Response:
        filters, room = read_shape(RoomRankingFilters, request.query_params.dict()), get_api_room(request, pk)
        require_found(room.closed_at)
        counts, group, visitor = count_seats(room), filters["group"], find_visitor(request)
        total = counts.find_total(group)
        page = read_ranking(room, group, total=total, number=filters["page"], visitor=visitor)
        rows = page.rows if page.number == filters["page"] else []
        ranking = {"group": group, "total": total, "bot_tables": counts.bot_tables, "rows": rows}
        return with_next(request, Response(RoomRankingOut(ranking).data), filters["page"], page.pages)


class RoomEtuiView(RoomView):
    open_to_all = frozenset({"GET"})

    @operation("rooms_etui", "Read an étui of a closed room", answer=RoomEtuiOut, query=[RoomPageFilter])
    def get(self, request: Request, pk: int, etui: int) -> Response:
        filters, room = read_shape(RoomPageFilter, request.query_params.dict()), get_api_room(request, pk)
        room_etui = require_found(find_room_etui(room, etui, find_visitor(request)))
        page = read_etui_page(room, room_etui, number=filters["page"], visitor=find_visitor(request))
        plays = page.plays if page.number == filters["page"] else []
        answer = RoomEtuiOut({"etui": room_etui, "total": page.total, "plays": plays}).data
        return with_next(request, Response(answer), filters["page"], page.pages)


class OwnRoomsView(RoomView):
    @operation("rooms_mine", "Read your own results in rooms", answer=OwnRoomsOut, query=[RoomPageFilter])
    def get(self, request: Request) -> Response:
        filters, visitor = read_shape(RoomPageFilter, request.query_params.dict()), find_visitor(request)
        if visitor is None:
            return Response({"total": 0, "rows": []})
        own = read_own_results(visitor, number=filters["page"])
        rows = own.rows if own.number == filters["page"] else []
        answer = OwnRoomsOut({"total": own.total, "rows": rows}).data
        return with_next(request, Response(answer), filters["page"], own.pages)


def with_next(request: Request, response: Response, page: int, pages: int) -> Response:
    """Return the response with the address of the next page in its header Link, if there is one."""
    if page < pages:
        next_params = request.query_params.copy()
        next_params["page"] = str(page + 1)
        response["Link"] = f'<{link_to(request, f"{request.path}?{next_params.urlencode()}")}>; rel="next"'
    return response
