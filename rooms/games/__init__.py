"""A move in a game: whether it is legal, the answers of the bots, and how both are stored."""

from rooms.games.moving import PlayedGame, make_move, read_game
from rooms.games.setting import EtuiStage, list_games
