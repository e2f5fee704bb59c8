"""The reading of rooms: the lobby, the page of a room, its ranking and étuis, own results, the best of a month.

Nothing here reads a card, a record or a score of a room that is not closed.
"""
