"""The record of a game as text: its moves, and the state to which they lead. No module here uses a database."""
