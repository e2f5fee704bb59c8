"""The departures of rooms: making a room, joining it, its tables and étuis."""

from rooms.opening.joining import join_room
from rooms.opening.making import find_rooms

__all__ = ["find_rooms", "join_room"]
