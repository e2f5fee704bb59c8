"""The choice of a bot's next move from its view, its level and the secret of the étui."""

from bots.bidding import announces_chelem, choose_bid, choose_poignee
from bots.discarding import choose_ecart
from bots.levels import PLAYERS, BotError, BotLevel, Character
from bots.moves import BidMove, BotMove, CardMove, ChelemMove, EcartMove, PoigneeMove
from bots.policy.deciding import choose_by_policy, forbid_the_petit
from bots.sampling.comparing import choose_by_samples
from bots.secrets import decision_numbers
from referee.rules import player_at
from referee.terms import DealPhase
from referee.views import SeatView


def choose_move(seen: SeatView, bot: BotLevel | Character, secret: bytes) -> BotMove | None:
    """Return the next move of the bot on the view's seat, or None if it has nothing to do now.

    `bot`: its character, or its level alone.

    The taker is asked for a chelem before the first card, even if another player leads. A poignée comes before the
    player's first card, when it is the player's turn. Raise BotError at a table that is not for four.
    """
    if len(seen.sizes) != PLAYERS:
        raise BotError("players", found=len(seen.sizes))
    me, character = player_at(seen.seat, PLAYERS), bot if isinstance(bot, Character) else Character(bot)
    if seen.phase == DealPhase.PLAY and me == seen.taker and is_untouched(seen) and announces_chelem(seen):
        return ChelemMove()
    if me != seen.turn or seen.phase == DealPhase.OVER:
        return None
    if seen.phase == DealPhase.AUCTION:
        return BidMove(choose_bid(seen, character.bold))
    if seen.phase == DealPhase.ECART:
        return EcartMove(choose_ecart(seen.hand))
    if not seen.tricks and all(player != me for player, _shown in seen.poignees) and (shown := choose_poignee(seen)):
        return PoigneeMove(shown)
    return CardMove(choose_card(seen, character, secret))


def is_untouched(seen: SeatView) -> bool:
    """Return whether a chelem may still be announced: no card was played, and none was announced."""
    return not seen.tricks and not seen.cards and seen.chelem is None


def choose_card(seen: SeatView, bot: Character, secret: bytes) -> int:
    """Return the card that a bot of this character plays."""
    seen = forbid_the_petit(seen)
    favourite = choose_by_policy(seen)
    if bot.level == BotLevel.POLICY:
        return favourite
    return choose_by_samples(seen, bot, decision_numbers(secret, seen), favourite)
