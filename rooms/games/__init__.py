"""A move in a game: whether it is legal, the answers of the bots, and how both are stored."""
