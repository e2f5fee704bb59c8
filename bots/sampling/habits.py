"""The habits of good play: which cards a player probably does not have, by the cards that this player has played.

A player of good sense wins with the highest card of the suit, trumps with the lowest trump, and puts low cards on lost
tricks. So a card tells which others the player would have played instead. The view's `cannot_have` is certain, by the
laws of the game. A habit is not: draws make such a card rare in this hand, and never exclude it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bots.suits import HONOURS, MIDDLING, PLAIN, RANKS, SMALL, SPOTS
from deals.domain.cards import EXCUSE, PETIT
from referee.cards import BEATING, BUT_EXCUSE, EXCUSE_BIT, FOLLOWING, ROIS, TRUMPS
from referee.views import SeatView

PETIT_BIT = 1 << PETIT
FEW = 4  # a Roi is expected to win while at most so many cards of its suit are gone


class CardOnTrick(NamedTuple):
    """A card that a player has led, or played on a trick, with what the table knew at that moment.

    `led`: the cards of the suit led; 0 for a lead, also after the Excuse. `beating`: the cards that would have won the
    trick. `coming`: whether a player of the other side still had to play. `partners`: whether a partner was winning.
    `gone`: the cards of the tricks before. `cut`: the suits that the taker trumps. `asked`: the suits that the player's
    partners asked for.
    """

    player: int
    card: int
    led: int
    beating: int
    coming: bool
    partners: bool
    gone: int
    cut: int
    asked: int


def find_unlikely(seen: SeatView) -> list[int]:
    """Return, for each player, the set of cards that this player probably does not have."""
    unlikely = [0] * len(seen.sizes)
    for played in list_played_cards(seen):
        unlikely[played.player] |= find_preferred(played, by_taker=played.player == seen.taker)
    return unlikely


def list_played_cards(seen: SeatView) -> Iterator[CardOnTrick]:
    """Yield the cards of all tricks in the order in which they were played."""
    players, taker, gone, cut, opened = len(seen.sizes), seen.taker, 0, 0, 0
    assert taker is not None
    first: dict[int, int] = {}  # the first lead of each defender
    for leader, cards in (*((trick.leader, trick.cards) for trick in seen.tricks), (seen.leader, seen.cards)):
        led, beating, best, trick = 0, BUT_EXCUSE, -1, 0
        for place, card in enumerate(cards):
            player, bit, to_come = (leader + place) % players, 1 << card, players - 1 - place
            coming = to_come > 0 if player == taker else 0 < (taker - player) % players <= to_come
            partners = player != taker and best != taker
            suits_asked_for = find_asked_suits(first, player) & ~opened
            yield CardOnTrick(player, card, led, beating, coming, partners, gone, cut, suits_asked_for)
            if player == taker and led and not bit & (led | EXCUSE_BIT):
                cut = cut | led if bit & TRUMPS else 0
            if beating & bit:
                led, beating, best = led or FOLLOWING[card], BEATING[card], player
            trick |= bit
        if cards and leader == taker:
            opened |= FOLLOWING[cards[0]]
        elif cards and cards[0] != EXCUSE:
            first.setdefault(leader, cards[0])
        gone |= trick


def find_asked_suits(first: dict[int, int], player: int) -> int:
    """Return the suits that the player's partners asked for by their first leads. A middling card asks for nothing."""
    suits = 0
    for leader, card in first.items():
        if leader != player and 1 << card & PLAIN & ~MIDDLING:
            suits |= FOLLOWING[card]
    return suits


def find_preferred(played: CardOnTrick, *, by_taker: bool) -> int:
    """Return the cards that the player would have played rather than this one."""
    if played.card == EXCUSE:
        return 0
    if not played.led:
        return find_takers_leads(played) if by_taker else find_leads(played)
    if played.card >= PETIT:
        return find_trumps(played)
    return find_followers(played) if played.led >> played.card & 1 else find_thrown(played)


def find_takers_leads(played: CardOnTrick) -> int:
    """Return the cards that a taker leads before a card without points: a Roi, or a lower card of the suit."""
    bit = 1 << played.card
    return ROIS | FOLLOWING[played.card] & SPOTS & (bit - 1) if bit & SPOTS else 0


def find_leads(played: CardOnTrick) -> int:
    """Return the cards that a defender leads before this card.

    Before a plain card these are the suits that the taker trumps, and those that a partner asked for. Lower cards with
    the same signal come first too.
    """
    bit, suit = 1 << played.card, FOLLOWING[played.card]
    if suit == TRUMPS:
        return 0
    before = suit & (bit - 1) & (SMALL if bit & SMALL else MIDDLING if bit & MIDDLING else 0)
    if suit & played.cut:
        return before
    return before | played.cut | (0 if suit & played.asked else played.asked)


def find_followers(played: CardOnTrick) -> int:
    """Return the cards of the suit led that a player puts on the trick before this one."""
    bit, suit = 1 << played.card, played.led
    lower, higher = suit & (bit - 1), suit & -bit & ~bit
    is_spot, gone = bool(bit & SPOTS), (played.gone & suit).bit_count()
    if played.partners:
        return lower & SPOTS if is_spot and not gone else 0
    if played.coming:  # only a taker comes here: as long as the taker is to play, partners win
        return (higher & played.beating & ROIS if gone <= FEW else 0) | (lower if is_spot else 0)
    if played.beating & bit:
        return higher & HONOURS
    return suit & played.beating | lower


def find_trumps(played: CardOnTrick) -> int:
    """Return the trumps that a player plays before this one: the lower ones, and the Petit where it is safe."""
    bit = 1 << played.card
    wins = bool(played.beating & bit)
    if wins and played.coming:
        return 0
    is_safe = not played.coming and (played.beating & PETIT_BIT or (played.partners and not wins))
    legal = TRUMPS & played.beating if wins else TRUMPS
    return legal & (bit - 1) & ~PETIT_BIT | (PETIT_BIT if is_safe else 0)


def find_thrown(played: CardOnTrick) -> int:
    """Return the cards that a player without the suit led and without trumps throws before this one."""
    if not 1 << played.card & SPOTS:
        return 0
    lower = sum(RANKS[: played.card % len(RANKS)]) & ~played.asked
    return lower | (HONOURS & ~ROIS if played.partners and not played.coming else 0)
