"""The habits of good play: which cards a player probably does not have, by the cards that this player has played.

A player of good sense wins cheaply, follows low to a lost trick, trumps low and signals. So a card tells which other
cards the player would have played instead. The view's `cannot_have` is certain, by the laws of the game. A habit is
not: draws make such a card rare in this hand, and never exclude it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bots.suits import HONOURS, MIDDLING, RANKS, SMALL, SPOTS
from deals.domain.cards import EXCUSE, PETIT
from referee.bits import BEATING, BUT_EXCUSE, EXCUSE_BIT, FOLLOWING, ROIS, TRUMPS
from referee.views import SeatView

PETIT_BIT = 1 << PETIT
FEW = 4  # cards of a suit that were played: until then, a Roi is expected to win its trick


class PlayedCard(NamedTuple):
    """A card that a player has led, or played on a trick, with what the table knew at that moment.

    `led`: the cards of the suit led, 0 for a lead. `beating`: the cards that would have won the trick. `coming`:
    whether a player of the other side still had to play. `partners`: whether a partner was winning the trick. `gone`:
    the cards of the tricks before. `cut`: the suits that the taker trumps. `asked`: the suits that defenders asked for.
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


def list_played_cards(seen: SeatView) -> Iterator[PlayedCard]:
    """Yield the cards of all tricks in the order in which they were played."""
    players, taker, gone, cut, asked = len(seen.sizes), seen.taker, 0, 0, 0
    assert taker is not None
    have_led = {taker}
    for leader, cards in (*((trick.leader, trick.cards) for trick in seen.tricks), (seen.leader, seen.cards)):
        led, beating, best, known, trick = 0, BUT_EXCUSE, -1, cut, 0
        for place, card in enumerate(cards):
            player, bit = (leader + place) % players, 1 << card
            to_come = players - 1 - place
            coming = to_come > 0 if player == taker else 0 < (taker - player) % players <= to_come
            yield PlayedCard(
                player, card, led, beating, coming, player != taker and best not in (-1, taker), gone, known, asked
            )
            if player == taker and led and not bit & (led | EXCUSE_BIT):
                cut = cut | led & ~TRUMPS if bit & TRUMPS else 0
            if card != EXCUSE and beating & bit:
                led, beating, best = led or FOLLOWING[card], BEATING[card], player
            trick |= bit
        if cards and leader not in have_led:
            have_led.add(leader)
            asked |= FOLLOWING[cards[0]] if 1 << cards[0] & (SMALL | ROIS) else 0
        gone |= trick


def find_preferred(played: PlayedCard, *, by_taker: bool) -> int:
    """Return the cards that the player would have played rather than this one."""
    if played.card == EXCUSE:
        return 0
    if not played.led:
        return find_takers_leads(played) if by_taker else find_leads(played)
    if played.card >= PETIT:
        return find_trumps(played)
    return find_followers(played) if played.led >> played.card & 1 else find_thrown(played)


def find_takers_leads(played: PlayedCard) -> int:
    """Return the cards that a taker leads before a small or middling card: a Roi, or a lower one of the suit."""
    bit = 1 << played.card
    return ROIS | FOLLOWING[played.card] & SPOTS & (bit - 1) if bit & SPOTS else 0


def find_leads(played: PlayedCard) -> int:
    """Return the cards that a defender leads before a plain card.

    They are the suits that the taker trumps, those that a partner asked for, and lower cards that signal the same.
    """
    bit, suit = 1 << played.card, FOLLOWING[played.card]
    if suit == TRUMPS:
        return 0
    before = suit & (bit - 1) & (SMALL if bit & SMALL else MIDDLING if bit & MIDDLING else 0)
    if suit & played.cut:
        return before
    return before | played.cut | (0 if suit & played.asked else played.asked)


def find_followers(played: PlayedCard) -> int:
    """Return the cards of the suit led that a player puts on the trick before this one."""
    bit, suit = 1 << played.card, played.led
    lower, higher = suit & (bit - 1), suit & -bit & ~bit
    is_spot, gone = bool(bit & SPOTS), (played.gone & suit).bit_count()
    if played.partners:
        return lower & SPOTS if is_spot and not gone else 0
    if played.coming:
        return (higher & ROIS if gone <= FEW else 0) | (lower if is_spot else 0)
    return higher if played.beating & bit else suit & played.beating | lower


def find_trumps(played: PlayedCard) -> int:
    """Return the trumps that a player plays before this one: the lower ones, and the Petit where it is safe."""
    bit = 1 << played.card
    wins = bool(played.beating & bit)
    if wins and played.coming:
        return 0
    is_safe = not played.coming and (played.beating & PETIT_BIT or (played.partners and not wins))
    legal = TRUMPS & played.beating if wins else TRUMPS
    return legal & (bit - 1) & ~PETIT_BIT | (PETIT_BIT if is_safe else 0)


def find_thrown(played: PlayedCard) -> int:
    """Return the cards that a player without the suit led and without trumps throws before this one."""
    if not 1 << played.card & SPOTS:
        return 0
    lower = sum(RANKS[: played.card % len(RANKS)]) & SPOTS
    return lower | (HONOURS if played.partners and not played.coming else 0)
