"""A fixed weak player, the yardstick by which the strength of the bots is measured. It never changes.

It beats a trick with the cheapest card that does so, whoever is winning it, and otherwise plays its cheapest card. It
leads the lowest card of its longest suit, and discards from its shortest suits. It shows and announces nothing.
"""

from bots.moves import BotMove, CardMove, EcartMove
from deals.domain.cards import CHIEN, half_points
from referee.cards import EXCUSE_BIT, SUITS, TRUMPS, cards_of, find_discardable
from referee.state import GameState, Playout
from referee.terms import DealPhase


def move_weakly(state: GameState) -> BotMove:
    """Return the move of the weak player whose turn it is, in an imposed garde. It looks at no hidden card."""
    if state.phase == DealPhase.ECART:
        return EcartMove(discard_weakly(state.hands[state.turn]))
    return CardMove(play_weakly(state))


def discard_weakly(hand: int) -> tuple[int, ...]:
    """Return the six cards that may be discarded, from the shortest suits first, trumps last."""
    cards = cards_of(find_discardable(hand, 4))
    lengths = {suit: (hand & suit).bit_count() for suit in (*SUITS, TRUMPS)}
    order = sorted(cards, key=lambda card: (TRUMPS >> card & 1, lengths[find_suit(card)], card))
    return tuple(sorted(order[: CHIEN[4]]))


def find_suit(card: int) -> int:
    """Return the cards of the card's suit."""
    return next(suit for suit in (*SUITS, TRUMPS) if suit >> card & 1)


def play_weakly(state: GameState) -> int:
    """Return the card of the weak player."""
    legal = state.legal & ~EXCUSE_BIT or state.legal
    if len(cards_of(state.hands[state.turn])) == 2 and state.legal & EXCUSE_BIT:
        return EXCUSE_BIT.bit_length() - 1
    if not state.led:
        longest = max((legal & suit for suit in (*SUITS, TRUMPS)), key=int.bit_count) or legal
        return cards_of(longest)[0]
    winners = legal & Playout(state).beating
    return min(cards_of(winners or legal), key=lambda card: (TRUMPS >> card & 1, half_points(card), card))
