"""A guest with a seat in a room that is open now, and étuis played to the moment that a test needs."""

import datetime as dt
from collections.abc import Callable
from typing import NamedTuple

from django.test import Client
from django.utils import timezone

from referee.rules import find_legal_bids
from referee.terms import DealPhase
from rooms.games import PlayedGame, make_move, read_game
from rooms.models import Room, RoomKind, Visitor
from rooms.opening import join_room
from rooms.visitors.finding import VISITOR_COOKIE
from rooms.visitors.guests import make_guest
from scoring.values import Contract
from tests.rooms.tables import choose_token_of, open_room

SOUTH = 2  # in the direction of play
Moment = Callable[[PlayedGame], bool]


class Seated(NamedTuple):
    """A room, the guest who sits in it, and the token of the guest's cookie."""

    room: Room
    visitor: Visitor
    token: str

    def client(self) -> Client:
        """Return a client that has the guest's cookie."""
        client = Client()
        client.cookies[VISITOR_COOKIE] = self.token
        return client

    def game(self, etui: int = 1) -> PlayedGame:
        """Return the guest's game, when the bots have made their moves."""
        game = read_game(room_id=self.room.pk, visitor=self.visitor, etui=etui, now=timezone.now())
        return self.game(etui) if game.is_thinking else game

    def move(self, move: str, etui: int = 1) -> PlayedGame:
        """Make a move of the guest, and return the game when the bots have answered."""
        where = {"room_id": self.room.pk, "visitor": self.visitor, "etui": etui, "now": timezone.now()}
        make_move(**where, at=self.game(etui).length, move=move)
        return self.game(etui)

    def play_until(self, is_there: Moment, *, etui: int = 1, takes: bool = False) -> PlayedGame:
        """Play as the policy would until a moment, or to the end. With `takes` South bids a garde if that is legal."""
        game = self.game(etui)
        while not (game.is_over or is_there(game)):
            token = choose_token_of(game.view, asks_chelem=game.asks_chelem)
            if takes and game.view.phase == DealPhase.AUCTION and Contract.GARDE in find_legal_bids(game.view.bids):
                token = "G"
            game = self.move(token, etui)
        return game

    def find_moment(self, is_there: Moment, *, takes: bool = False) -> int:
        """Play étui after étui until a game is as the test wants it, and return the number of the étui."""
        for etui in range(1, 25):
            if is_there(self.play_until(is_there, etui=etui, takes=takes)):
                return etui
        raise AssertionError("no étui comes to such a moment")


def never(_game: PlayedGame) -> bool:
    return False


def makes_ecart(game: PlayedGame) -> bool:
    return game.view.phase == DealPhase.ECART and game.view.turn == SOUTH


def must_follow(game: PlayedGame) -> bool:
    """Return whether South may not play every card of the hand."""
    return game.view.legal not in (0, game.view.hand)


def seat_guest(name: str = "Zoé", kind: RoomKind = RoomKind.WEEK, **changes: object) -> Seated:
    """Return a guest in a room whose bots play by their policy. The week's room has 24 étuis, and is always open."""
    now = timezone.now()
    times = {"opens_at": now - dt.timedelta(minutes=5), "closes_at": now + dt.timedelta(minutes=24)}
    room = open_room(kind, now, **times | {"level": 0} | changes)
    visitor, token = make_guest(name=name, now=now)
    join_room(room_id=room.pk, visitor=visitor, now=now)
    return Seated(room, visitor, token)
