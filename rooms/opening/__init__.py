"""The departures of rooms: making a room, joining it, its tables and étuis."""
