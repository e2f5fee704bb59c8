"""The deals that bots play in tests."""

from bots.levels import BotLevel
from bots.matches import play_with_bots, start_free, start_takeable
from bots.secrets import bot_secret
from referee.state import GameState

SEED = bytes(range(32))


def play_bots(etui: int, level: BotLevel, *, free: bool = False, moves: int = 1000) -> GameState:
    """Return the state of an étui after so many moves of four bots of one level."""
    start = start_free(SEED, etui) if free else start_takeable(SEED, etui)
    return play_with_bots(start, dict.fromkeys(range(4), level), bot_secret(SEED, etui), moves)
