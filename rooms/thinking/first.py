"""The first decisions of an étui, which are alike at many tables: each is computed once, and cached for all tables.

The key is a digest of the étui's secret and of all that the seat has seen. Nobody can find these from the key.
"""

from contextlib import suppress
from hashlib import sha256
from time import monotonic, sleep

from django.core.cache import caches
from redis.exceptions import RedisError

from bots.levels import VERSION, Character
from bots.secrets import view_history
from referee.terms import DealPhase
from referee.views import SeatView
from rooms.thinking.thinker import NoAnswer, thinker

SHARED_TRICKS = 5  # in later tricks hardly two tables are alike
KEPT = 86_400  # seconds
ASKED = 6  # seconds after which another request may compute the same decision
STEP = 0.01  # seconds between two looks for a decision that another request computes


def is_shared(seen: SeatView, bot: Character) -> bool:
    """Return whether the decision is worth a look into the cache: a card of the first tricks, chosen by samples."""
    return seen.phase == DealPhase.PLAY and bot.level > 0 and len(seen.tricks) < SHARED_TRICKS


def decision_key(seen: SeatView, bot: Character, secret: bytes) -> str:
    """Return the cache key of a decision."""
    decision = f"{VERSION}|{int(bot.level)}|{bot.soft}|{secret.hex()}|{view_history(seen)}"
    return f"room-move-{sha256(decision.encode()).hexdigest()}"


def choose_token(seen: SeatView, bot: Character, secret: bytes, *, until: float) -> str:
    """Return the token of a bot's move, or "" if it has nothing to do now.

    If another request computes the same decision, wait for it until the moment `until` of the monotonic clock. Raise
    NoAnswer if there is no answer by then.
    """
    if not is_shared(seen, bot):
        return thinker.ask(seen, bot, secret)
    key = decision_key(seen, bot, secret)
    with suppress(RedisError):
        while (token := caches["computed"].get(key)) is None and not caches["computed"].add(
            f"{key}-asked", True, ASKED
        ):
            if monotonic() >= until:
                raise NoAnswer
            sleep(STEP)
        if token is not None:
            return str(token)
    try:
        token = thinker.ask(seen, bot, secret)
        with suppress(RedisError):
            caches["computed"].set(key, token, KEPT)
        return token
    finally:
        with suppress(RedisError):
            caches["computed"].delete(f"{key}-asked")
