"""The rules of the second, third and fourth card of a trick, in the order in which they are asked.

docs/bots.md explains the words. Each rule returns the card to play, or None if it does not apply.
"""

from bots.policy.rules import CardRule
from bots.policy.sight import PETIT_BIT, CardSight
from bots.policy.signals import find_high_then_low
from bots.suits import (
    DAMES,
    HONOURS,
    PLAIN,
    POINTS,
    SPOTS,
    highest_card,
    lowest_card,
    poorest_card,
    richest_card,
)
from deals.domain.cards import EXCUSE, PETIT
from referee.cards import BEATING, EXCUSE_BIT, ROIS, SUITS, TRUMPS

HIGH_TRUMP = PETIT + 14  # the 15
UPPERCUT = PETIT + 12, PETIT + 18  # the trumps with which an uppercut is made: 13 to 19
LAST_TRICKS, LATE = 2, 5
EXCUSED = 5  # half points (a Cavalier) that the Excuse saves


def play_the_only_card(sight: CardSight) -> int | None:
    """Play the only legal card."""
    legal = sight.seen.legal
    return lowest_card(legal) if not legal & (legal - 1) else None


def play_the_last_excuse(sight: CardSight) -> int | None:
    """Play the Excuse in the trick before the last: in the last trick it would be lost."""
    return EXCUSE if sight.excuse and sight.left <= LAST_TRICKS else None


def save_the_petit_by_trumping(sight: CardSight) -> int | None:
    """Trump with the Petit if it wins the trick and no later enemy is known to overtrump."""
    if not sight.legal & PETIT_BIT or not sight.beating & PETIT_BIT or sight.led == TRUMPS:
        return None
    for player in sight.coming_enemies:
        if sight.is_void(player, sight.led) and not sight.is_void(player, TRUMPS):
            return None
    expected = 2 + 2 * len(sight.coming_enemies)  # cards of the suit that are still out, so that enemies can follow
    return PETIT if sight.is_last or (sight.others & sight.led).bit_count() >= expected else None


def give_the_petit_to_a_partner(sight: CardSight) -> int | None:
    """Put the Petit on a trick that a partner wins for sure, such as an ambulance."""
    if sight.legal & PETIT_BIT and sight.is_partners and sight.is_sure(sight.led, sight.beating):
        return PETIT
    return None


def load_a_partners_trick(sight: CardSight) -> int | None:
    """Charger: put an honour on a trick that a partner wins for sure, but keep a hold in a suit of the taker."""
    if not sight.is_partners or not sight.is_sure(sight.led, sight.beating):
        return None
    free = 0
    for suit in SUITS:
        mine = sight.legal & suit
        if mine and not is_hold(sight, suit):
            free |= mine
    # A Roi that wins by itself later is kept, if the taker still follows that suit.
    if not sight.is_void(sight.taker, TRUMPS) and not sight.legal & sight.led:
        free &= ~(ROIS & sight.hand) | find_trumped(sight) | (free if sight.left <= LATE else 0)
    return richest_card(free) if free & HONOURS else None


def find_trumped(sight: CardSight) -> int:
    """Return the cards of the plain suits that the taker is known to trump."""
    return sum(suit for suit in SUITS if sight.trumps_suit(sight.taker, suit))


def is_hold(sight: CardSight, suit: int) -> bool:
    """Return whether this player's highest card of a suit may stop the taker's later cards of it.

    The taker has led the suit and may still have lower cards of it, and the card is no master yet.
    """
    mine = sight.hand & suit
    if not suit & sight.takers_suits or not mine & HONOURS or sight.is_void(sight.taker, suit):
        return False
    lower = (1 << highest_card(mine)) - 1
    return bool(sight.may_have[sight.taker] & suit & lower & HONOURS) and mine.bit_count() > 1


def win_as_the_last(sight: CardSight) -> int | None:
    """Win the trick of the other side as the last player: in a suit with the richest card, else the lowest trump."""
    if not sight.is_last or sight.is_partners:
        return None
    winners = sight.legal & sight.beating
    if not winners:
        return None
    if plain := winners & PLAIN:
        return richest_card(plain)
    trumps = winners & ~PETIT_BIT or winners
    return lowest_card(trumps)


def win_for_sure(sight: CardSight) -> int | None:
    """Win the trick of the other side with a card of the suit that no later enemy may beat."""
    safe = sight.is_partners and sight.is_sure(sight.led, sight.beating)
    if safe or sight.led == TRUMPS:
        return None
    winners = sight.legal & sight.beating & sight.led
    if winners and sight.wins_surely(highest_card(winners)) and expects_to_win(sight):
        return highest_card(winners)
    return None


def expects_to_win(sight: CardSight) -> bool:
    """Return whether later enemies are likely to follow suit, by the number of cards that are still out."""
    return (sight.others & sight.led).bit_count() >= 2 * len(sight.coming_enemies)


def force_the_roi_out(sight: CardSight) -> int | None:
    """Play the Cavalier below the Dame, as the taker, so that the Roi falls on it."""
    return None if not sight.attacks else _find_second_honour(sight)


def _find_second_honour(sight: CardSight) -> int | None:
    mine = sight.legal & sight.led
    if sight.led == TRUMPS or not mine & DAMES or mine & ROIS:
        return None
    lower = mine & (DAMES >> 1)
    return highest_card(lower) if lower & sight.beating and sight.others & sight.led & ROIS else None


def make_the_uppercut(sight: CardSight) -> int | None:
    """Uppercut: before a taker who trumps the suit too, trump high, so that a partner's trump becomes the best."""
    if sight.attacks or not sight.taker_plays_after or sight.led == TRUMPS or sight.legal & sight.led:
        return None
    low, high = UPPERCUT
    cards = [card for card in range(high, low - 1, -1) if sight.legal & sight.beating & 1 << card]
    dear = bool(sight.may_have[sight.taker] & TRUMPS & BEATING[high])
    if cards and dear and sight.is_void(sight.taker, sight.led) and not sight.has_highest_trump:
        return cards[0]
    return None


def trump_a_partners_petit_home(sight: CardSight) -> int | None:
    """Overtake a partner's Petit that the taker could win, with the highest trump."""
    if (
        PETIT in sight.seen.cards
        and not sight.attacks
        and sight.taker_plays_after
        and (winners := sight.legal & sight.beating & TRUMPS)
    ):
        return highest_card(winners)
    return None


def excuse_an_honour(sight: CardSight) -> int | None:
    """Play the Excuse instead of an honour that the other side would win, or of a high trump."""
    if not sight.excuse or sight.is_partners:
        return None
    rest = sight.legal & ~PETIT_BIT
    if not rest:
        return EXCUSE
    if plain := rest & PLAIN:
        cheapest = poorest_card(plain)
        return EXCUSE if POINTS[cheapest] >= EXCUSED and not plain & sight.beating else None
    low = lowest_card(rest)
    return EXCUSE if low >= HIGH_TRUMP and not sight.has_highest_trump else None


def excuse_a_bare_petit(sight: CardSight) -> int | None:
    """Play the Excuse instead of a Petit that would fall."""
    return EXCUSE if sight.excuse and sight.legal == PETIT_BIT else None


def trump_low(sight: CardSight) -> int | None:
    """Trump or follow in trumps with the lowest legal trump, the Petit last. Win with a high one only as the last."""
    if sight.legal & PLAIN or not sight.legal:
        return None
    trumps = sight.legal & ~PETIT_BIT or sight.legal
    return lowest_card(trumps)


def signal_two_cards(sight: CardSight) -> int | None:
    """Signal: as a defender with exactly two small cards of the suit led, play the higher one first."""
    if sight.attacks or not sight.legal & sight.led or sight.led == TRUMPS:
        return None
    return find_high_then_low(sight.hand, sight.led)


def hold(sight: CardSight) -> int | None:
    """Follow suit with the poorest card, and keep the honours: they hold."""
    mine = sight.legal & sight.led
    return poorest_card(mine) if mine and sight.led != TRUMPS else None


def throw_away_a_suit(sight: CardSight) -> int | None:
    """Throw the smallest card of a suit that is not wanted, if neither the suit nor trumps can be played."""
    plain = sight.legal & PLAIN
    if not plain:
        return None
    wanted = 0
    for suit in sight.asked_suits:
        wanted |= suit
    spots = plain & SPOTS
    free = spots & ~wanted or spots
    return poorest_card(free or plain)


def play_the_excuse(sight: CardSight) -> int | None:
    """Play the Excuse, which is all that is left."""
    return EXCUSE if sight.seen.legal & EXCUSE_BIT else lowest_card(sight.seen.legal)


FOLLOWING_CARDS: tuple[CardRule, ...] = (
    play_the_only_card,
    play_the_last_excuse,
    give_the_petit_to_a_partner,
    save_the_petit_by_trumping,
    trump_a_partners_petit_home,
    excuse_a_bare_petit,
    load_a_partners_trick,
    win_as_the_last,
    win_for_sure,
    force_the_roi_out,
    excuse_an_honour,
    make_the_uppercut,
    trump_low,
    signal_two_cards,
    hold,
    throw_away_a_suit,
    play_the_excuse,
)
