"""The closing of a room: games that the bots finish, tables of bots, notes and ranks."""

from rooms.closing.ranks import find_least_deals, rank_again
from rooms.closing.settling import (
    ask_to_close,
    clear_empty_rooms,
    close_room,
    find_due,
    find_waiting_for_bots,
    is_unclosed,
    play_field,
)
