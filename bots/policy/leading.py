"""The rules of the lead, in the order in which they are asked: for the taker, then for a defender.

docs/bots.md explains the words. Each rule returns the card to lead, or None if it does not apply.
"""

from bots.policy.rules import CardRule
from bots.policy.sight import PETIT_BIT, CardSight
from bots.policy.signals import STRONG_HAND, find_asked_suit, find_odd_trump, find_signal_card, find_strong_hand
from bots.suits import DAMES, HONOURS, SPOTS, highest_card, lowest_card, poorest_card
from deals.domain.cards import EXCUSE
from referee.cards import FOLLOWING, ROIS, SUITS, TRUMPS

HUNT = 8  # trumps with which a taker hunts the Petit
LONG = 5  # cards that make a long suit
LAST_TRICKS = 2


def lead_the_last_excuse(sight: CardSight) -> int | None:
    """Lead the Excuse in the trick before the last: in the last trick it would be lost."""
    return EXCUSE if sight.excuse and (sight.left == LAST_TRICKS or not sight.hand) else None


def keep_the_petit_for_the_end(sight: CardSight) -> int | None:
    """Keep the Petit for the last trick, if nobody else has a trump: play the other cards first."""
    if sight.hand & PETIT_BIT and not sight.trumps_of_others and (rest := sight.hand & ~PETIT_BIT):
        return highest_card(rest & TRUMPS) if rest & TRUMPS else poorest_card(rest)
    return None


# The taker


def hunt_the_petit(sight: CardSight) -> int | None:
    """Hunt: with many trumps and the highest ones, play them until the Petit falls."""
    trumps = sight.trumps.bit_count()
    longer = trumps > sight.trumps_of_others.bit_count() // 2
    if sight.petit_is_out and sight.has_highest_trump and longer and (trumps >= HUNT or sight.seen.tricks):
        return highest_card(sight.trumps)
    return None


def draw_the_last_trumps(sight: CardSight) -> int | None:
    """Draw the trumps of the defenders, if the taker has the highest one and more than all of them."""
    against = sight.trumps_of_others.bit_count()
    if against and sight.has_highest_trump and sight.trumps.bit_count() > against:
        return highest_card(sight.trumps)
    return None


def cash_a_roi(sight: CardSight) -> int | None:
    """Play a card that wins by rank, while every defender may still follow suit."""
    for suit in SUITS:
        masters = sight.find_masters(suit)
        if not masters or (not masters & HONOURS and sight.trumps_of_others):
            continue
        defenders = [player for player in range(4) if player != sight.me]
        out = (sight.others & suit).bit_count()
        follow = not any(sight.trumps_suit(player, suit) for player in defenders) and out >= 2 * len(defenders)
        if follow or not sight.trumps_of_others:
            return highest_card(masters)
    return None


def open_the_long_suit(sight: CardSight) -> int | None:
    """Open or keep up the long suit: the Roi with its Dame, otherwise a small card. Its cards draw trumps."""
    long_suits = [mine for mine in sight.suits if mine.bit_count() >= LONG or sight.takers_suits & mine]
    if not long_suits:
        return None
    mine = max(long_suits, key=lambda cards: (bool(sight.takers_suits & cards), cards.bit_count()))
    if (
        mine & ROIS
        and mine & DAMES
        and not any(sight.trumps_suit(player, FOLLOWING[lowest_card(mine)]) for player in sight.coming)
    ):
        return highest_card(mine)
    return poorest_card(mine)


def exit_with_a_small_card(sight: CardSight) -> int | None:
    """Give up the lead with the poorest card of the longest suit."""
    return poorest_card(max(sight.suits, key=int.bit_count)) if sight.suits else None


def lead_a_small_trump(sight: CardSight) -> int | None:
    """Lead the lowest trump, but the Petit last."""
    trumps = sight.trumps & ~PETIT_BIT or sight.trumps
    return lowest_card(trumps) if trumps else None


def lead_anything(sight: CardSight) -> int | None:
    """Lead the only card that is left."""
    return lowest_card(sight.hand) if sight.hand else EXCUSE


# A defender


def send_the_ambulance(sight: CardSight) -> int | None:
    """Ambulance: when the taker hunts the Petit, lead the highest trump to bring a partner's Petit home."""
    if sight.taker_hunts and sight.petit_is_out and sight.has_highest_trump:
        return highest_card(sight.trumps)
    return None


def play_two_for_one(sight: CardSight) -> int | None:
    """Play two for one: before the taker, lead a small trump to a strong partner behind."""
    if not sight.coming or sight.coming[0] != sight.taker or sight.is_void(sight.taker, TRUMPS):
        return None
    forced = any(sight.trumps_suit(sight.taker, suit) for suit in SUITS)
    strong = find_strong_hand(sight)
    small = sight.trumps & ~PETIT_BIT
    if forced and strong not in (None, sight.me) and small and not sight.hand & PETIT_BIT:
        return lowest_card(small)
    return None


def say_the_strong_hand(sight: CardSight) -> int | None:
    """Signal: with at least seven trumps, open with an odd trump, which asks for trumps."""
    if sight.has_led or sight.trumps.bit_count() < STRONG_HAND:
        return None
    return find_odd_trump(sight.trumps)


def force_the_taker(sight: CardSight) -> int | None:
    """Keep up the suit that the taker trumps, with the poorest card."""
    if sight.is_void(sight.taker, TRUMPS):
        return None
    forced = [mine for suit in SUITS if (mine := sight.hand & suit) and sight.trumps_suit(sight.taker, suit)]
    if not forced:
        return None
    mine = max(forced, key=lambda cards: (bool(cards & SPOTS), cards.bit_count()))
    return poorest_card(mine)


def cash_after_the_trumps(sight: CardSight) -> int | None:
    """When the taker has no trump left, play the suits that the taker cannot follow, or one's highest cards."""
    if not sight.is_void(sight.taker, TRUMPS):
        return None
    for suit in SUITS:
        if (mine := sight.hand & suit) and (sight.is_void(sight.taker, suit) or sight.find_masters(suit)):
            return highest_card(mine)
    return None


def obey(sight: CardSight) -> int | None:
    """Obedience: return the suit that a partner asked for, high if it wins, otherwise with a small card."""
    suit = find_asked_suit(sight)
    if suit is None or not (mine := sight.hand & suit) or suit & sight.takers_suits:
        return None
    masters = sight.find_masters(suit)
    if masters and not sight.trumps_suit(sight.taker, suit) and sight.count_played(suit) < LONG:
        return highest_card(masters)
    return poorest_card(mine)


def return_trumps(sight: CardSight) -> int | None:
    """Obedience: if the strong hand asked for trumps, return a trump, unless the Petit is in this hand."""
    strong = find_strong_hand(sight)
    if strong is None or find_asked_suit(sight) is not None or sight.hand & PETIT_BIT:
        return None
    return lowest_card(sight.trumps) if sight.trumps else None


def open_a_defence_suit(sight: CardSight) -> int | None:
    """Open a suit that the taker does not play: the longest one, with the card that signals its honours."""
    free = [mine for mine in sight.suits if not sight.takers_suits & mine]
    if not free:
        return None
    opened = [mine for mine in free if any(suit & mine for suit in sight.asked_suits)]
    mine = max(opened or free, key=lambda cards: (cards.bit_count(), -bool(cards & ROIS)))
    return find_signal_card(mine)


LEADS_OF_THE_TAKER: tuple[CardRule, ...] = (
    lead_the_last_excuse,
    keep_the_petit_for_the_end,
    cash_a_roi,
    draw_the_last_trumps,
    hunt_the_petit,
    open_the_long_suit,
    exit_with_a_small_card,
    lead_a_small_trump,
    lead_anything,
)
LEADS_OF_A_DEFENDER: tuple[CardRule, ...] = (
    lead_the_last_excuse,
    keep_the_petit_for_the_end,
    send_the_ambulance,
    cash_after_the_trumps,
    say_the_strong_hand,
    play_two_for_one,
    force_the_taker,
    obey,
    return_trumps,
    open_a_defence_suit,
    exit_with_a_small_card,
    lead_a_small_trump,
    lead_anything,
)
