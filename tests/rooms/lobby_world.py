"""A site with rooms at noon: one closed room with a guest, an account and a program, one open room, one to come."""

import datetime as dt
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from clubs.models import User
from rooms.closing import close_room
from rooms.models import Game, Room, RoomKind, RoomSeat, RoomTable, Visitor
from rooms.opening import find_rooms
from rooms.visitors.finding import VISITOR_COOKIE
from rooms.visitors.guests import ensure_visitor, make_guest
from tests.factories import make_club, make_director, make_user
from tests.rooms.tables import NOON, open_room, play_by_hand
from tests.worlds import kept_world

MORNING = NOON - dt.timedelta(hours=1)
ETUIS = 2
ROLES = ("stranger", "guest", "account", "director", "administrator")


@dataclass
class LobbyWorld:
    """The closed and the open room, the room to come, a client for each of the ROLES, and who plays."""

    closed: Room
    open: Room
    next: Room
    clients: dict[str, Client]
    visitors: dict[str, Visitor]
    users: dict[str, User]
    token: str


def draw_same_seeds(patch: pytest.MonkeyPatch) -> None:
    """Let the étuis be the same in every run. Somebody takes in each étui of the closed room."""
    numbers = count(1)
    drawn = SimpleNamespace(token_bytes=lambda size: sha256(b"lobby%d" % next(numbers)).digest()[:size])
    patch.setattr("deals.sets.secrets", drawn)


def make_lobby_world() -> LobbyWorld:
    """Return the world. The guest and the account have played the closed room, and one étui of the open one."""
    rows, token = make_rows()
    return LobbyWorld(**rows, clients=make_clients(rows["users"], token), token=token)


@kept_world
def make_rows() -> tuple[dict[str, Any], str]:
    """Return the rooms, the visitors and the users of the world, and the token of the guest's device."""
    users = {"account": make_user("solo"), "director": make_director(make_club())}
    users["administrator"] = User.objects.create_superuser("admin", "admin@example.org", "a long passphrase")
    guest, token = make_guest(name="Élise", now=MORNING)
    visitors = {"guest": guest, "account": ensure_visitor(account=users["account"], name="Solo", now=MORNING)}
    closed = play_and_close(list(visitors.values()))
    room = open_room(now=NOON)
    for visitor in visitors.values():
        play_by_hand(room, visitor, 1, now=NOON)
    coming = next(room for room in find_rooms(NOON) if room.opens_at > NOON and room.kind == RoomKind.HALF)
    return {"closed": closed, "open": room, "next": coming, "visitors": visitors, "users": users}, token


def make_clients(users: dict[str, User], token: str) -> dict[str, Client]:
    """Return a client for each of the ROLES. The guest's device has this token."""
    clients = {role: Client() for role in ROLES}
    clients["guest"].cookies[VISITOR_COOKIE] = token
    for role, user in users.items():
        clients[role].force_login(user)
    return clients


def play_and_close(visitors: list[Visitor], now: dt.datetime = MORNING) -> Room:
    """Return the room of this moment, in which these visitors have played every étui, closed.

    Meanwhile it is this moment, or a sweep would close the room before anybody has played.
    """
    room = open_room(now=now)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.utils.timezone.now", lambda: now)
        for visitor in visitors:
            for etui in range(1, room.etuis + 1):
                play_by_hand(room, visitor, etui, now=now)
    assert close_room(room.pk, now + dt.timedelta(minutes=30))
    room.refresh_from_db()
    return room


def add_players(room: Room, count: int, *, guests: bool = True) -> None:
    """Add players to a closed room, who have played as the first of its visitors did. Their ranks are the lowest."""
    seat = RoomSeat.objects.filter(room=room, visitor__isnull=False).order_by("pk")[0]
    games = list(Game.objects.filter(table=seat.table))
    last = RoomTable.objects.filter(room=room).count()
    told = {"created_at": MORNING, "seen_at": MORNING}
    visitors = Visitor.objects.bulk_create(
        Visitor(name=f"Joueur {number}", cookie_digest=f"{number:064d}", **told) for number in range(count)
    )
    tables = RoomTable.objects.bulk_create(RoomTable(room=room, number=last + 1 + at) for at in range(count))
    figures = {"notes_sum": seat.notes_sum, "deals": seat.deals, "own_deals": seat.own_deals}
    RoomSeat.objects.bulk_create(
        RoomSeat(
            room=room, table=table, letter="S", visitor=visitor, joined_at=MORNING, is_guest=guests, rank=at, **figures
        )
        for at, (table, visitor) in enumerate(zip(tables, visitors, strict=True), start=3)
    )
    Game.objects.bulk_create(copy_game(game, table) for table in tables for game in games)


def copy_game(game: Game, table: RoomTable) -> Game:
    """Return the same game at another table. It is not saved."""
    names = ("record", "length", "result", "score", "note", "finished_by", "begun_at", "finished_at")
    return Game(table=table, etui_id=game.etui_id, **{name: getattr(game, name) for name in names})
