"""The closing of a room: games that the bots finish, tables of bots, notes and ranks."""

from rooms.closing.clearing import clear_empty_rooms
from rooms.closing.ranks import find_least_deals, rank_again
from rooms.closing.settling import ask_to_close, close_room, find_due, is_unclosed

__all__ = [
    "ask_to_close",
    "clear_empty_rooms",
    "close_room",
    "find_due",
    "find_least_deals",
    "is_unclosed",
    "rank_again",
]
