"""The lobby: the rooms that are open or depart next, who plays there, the reader's games, the latest closed rooms."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from django.core.cache import caches
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from rooms.models import Room, RoomKind, RoomSeat, Visitor
from rooms.opening import find_rooms
from rooms.visitors.names import ShownName, show_visitor_names
from tournaments.permissions import require_found

NAMES_SHOWN = 12  # the names of players on the line of a room
LATEST = 6
PRESENT = dt.timedelta(minutes=5)


class RoomProgress(NamedTuple):
    """The progress of a visitor in a room: étuis played to the end, étuis of the room, and whether one is under way."""

    played: int
    of: int
    is_under_way: bool

    @property
    def is_through(self) -> bool:
        return self.played >= self.of and not self.is_under_way


class LobbyRoom(NamedTuple):
    """A room on a page. `state` is "before", "open", "closing" or "closed". `mine` is None without a seat."""

    room: Room
    state: str
    players: int
    names: list[ShownName]
    mine: RoomProgress | None

    @property
    def others(self) -> int:
        """The number of players who are not named."""
        return self.players - len(self.names)

    @property
    def seed(self) -> str | None:
        """The seed of the étuis, once the room is closed."""
        deal_set = self.room.deal_set
        return deal_set.seed if self.state == "closed" and deal_set.revealed_at is not None else None


class Lobby(NamedTuple):
    """The lobby: the open rooms, those that depart next, and the latest closed ones."""

    open: list[LobbyRoom]
    next: list[LobbyRoom]
    closed: list[LobbyRoom]

    @property
    def running(self) -> list[LobbyRoom]:
        """The open rooms in which the reader still has étuis to play."""
        return [each for each in self.open if each.mine is not None and not each.mine.is_through]


def count_present(now: dt.datetime) -> int:
    """Return how many visitors were here in the last five minutes. A process keeps the number for 30 seconds."""
    present: int | None = caches["process"].get("rooms-present")
    if present is None:
        present = Visitor.objects.filter(seen_at__gte=now - PRESENT, seen_at__lte=now, forgotten_at=None).count()
        caches["process"].set("rooms-present", present, 30)
    return present


def get_room(pk: int) -> Room:
    """Return a room with its set of étuis and, if it is for four, its terms. Raise Http404 if there is none."""
    return require_found(Room.objects.filter(pk=pk).select_related("deal_set", "terms").first())


def get_room_for_reader(
    pk: int, find_reader: Callable[[], Visitor | None], links: Collection[str], *, administers: bool
) -> Room:
    """Return a room that this reader may read by its number. `find_reader` returns the visitor who reads.

    A room of one's own is read by its link (one of `links`) and by whoever has sat in it, also after it is closed. Once
    it is closed, the administrator of the site may read it, too. Raise Http404 for everybody else.
    """
    room = get_room(pk)
    link = room.terms.link if room.kind == RoomKind.CLASSIC else ""
    if not link or link in links or (administers and room.closed_at is not None):
        return room
    reader = find_reader()
    require_found((reader is not None and room.seats.filter(visitor=reader).exists()) or None)
    return room


def find_state(room: Room, now: dt.datetime) -> str:
    """Return the state of a room: "before" it opens, "open", "closing" until the notes are stored, or "closed"."""
    if room.closed_at is not None:
        return "closed"
    if now < room.opens_at:
        return "before"
    return "open" if now < room.closes_at else "closing"


def read_lobby(visitor: Visitor | None, now: dt.datetime) -> Lobby:
    """Return the lobby as this reader sees it. The number of queries does not depend on the number of players."""
    rooms = find_rooms(now)
    latest = list(find_ranked_rooms()[:LATEST])
    described = describe_rooms([*rooms, *latest], visitor, now)
    current = described[: len(rooms)]
    opened = [each for each in current if each.state == "open"]
    return Lobby(opened, [each for each in current if each.state == "before"], described[len(rooms) :])


def find_ranked_rooms() -> QuerySet[Room]:
    """Return the closed rooms in which somebody played, the latest first. Rooms of one's own are left out.

    Halls are in it if deals of different tables were compared.
    """
    has_people = Exists(people().filter(room=OuterRef("pk")))
    has_notes = Exists(RoomSeat.objects.filter(room=OuterRef("pk"), visitor__isnull=False, deals__gt=0))
    solo, hall = ~Q(kind=RoomKind.CLASSIC) & has_people, Q(terms__hall__isnull=False) & has_notes
    closed = Room.objects.filter(solo | hall, closed_at__isnull=False)
    return closed.select_related("deal_set", "terms").order_by("-closes_at", "-pk")


def people() -> QuerySet[RoomSeat]:
    """Return the seats of visitors. Seats of bots are left out, and at tables for four those that were left."""
    return RoomSeat.objects.filter(visitor__isnull=False, left_at=None)


def count_players(rooms: Iterable[Room]) -> dict[int, int]:
    """Return how many visitors play in each of these rooms or, if it is closed, have played. One query."""
    ids = [room.pk for room in rooms]
    has_played = Q(left_at=None) | Q(room__closed_at__isnull=False, is_solo=False)
    seats = RoomSeat.objects.filter(has_played, room__in=ids, visitor__isnull=False).order_by()
    return dict(seats.values_list("room").annotate(Count("visitor", distinct=True)))


def describe_rooms(rooms: list[Room], visitor: Visitor | None, now: dt.datetime) -> list[LobbyRoom]:
    """Return what the lobby says of these rooms. Players are named only while a room is open."""
    counts = count_players(rooms)
    mine = read_progress(visitor, rooms) if visitor else {}
    states = {room.pk: find_state(room, now) for room in rooms}
    seats = {room.pk: list_newest(room) if states[room.pk] == "open" else [] for room in rooms}
    shown = show_visitor_names(seat.visitor for newest in seats.values() for seat in newest if seat.visitor)
    return [
        LobbyRoom(
            room,
            states[room.pk],
            counts.get(room.pk, 0),
            [shown[seat.visitor_id] for seat in seats[room.pk] if seat.visitor_id is not None],
            mine.get(room.pk),
        )
        for room in rooms
    ]


def list_newest(room: Room) -> list[RoomSeat]:
    """Return the seats of the players who came last."""
    return list(people().filter(room=room).select_related("visitor").order_by("-joined_at", "-pk")[:NAMES_SHOWN])


def read_progress(visitor: Visitor, rooms: Iterable[Room]) -> dict[int, RoomProgress]:
    """Return how far a visitor is in these rooms, by their ids. One query."""
    etuis = {room.pk: room.etuis for room in rooms}
    seats = RoomSeat.objects.filter(room__in=etuis, visitor=visitor, left_at=None).order_by()
    over = Count("table__games", filter=Q(table__games__finished_at__isnull=False))
    progress_rows = seats.annotate(over=over, begun=Count("table__games")).values_list("room", "over", "begun")
    return {room: RoomProgress(played, etuis[room], begun > played) for room, played, begun in progress_rows}
