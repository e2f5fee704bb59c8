"""The closing of a room: games that the bots finish, tables of bots, notes and ranks."""
