"""The seating of sessions of donnes libres: the start, one game after the other, and the undoing of a game."""
