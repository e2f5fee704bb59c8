"""The écart: cuts made, points brought to safety, the best long suit kept."""

from itertools import combinations

from bots.suits import CAVALIERS, DAMES, HONOURS, POINTS, VALETS
from deals.domain.cards import CHIEN
from referee.cards import ROIS, SUITS, TRUMPS, cards_of, find_discardable

CUT, SINGLETON = 9, 3  # the worth of a suit without a card, and of one with a single card that loses
LONG, EACH_LONG = 5, 4  # a long suit, and the worth of each of its cards from the fourth on
SAFE_POINT = 2  # the worth of a half point in the écart that would be in danger in the hand
FEW_TRUMPS = 6  # with fewer trumps a cut is worth less


def choose_ecart(hand: int, players: int = 4) -> tuple[int, ...]:
    """Return the écart of a hand that has taken the chien, in rising order.

    The number of cards to discard from each suit is tried out; the best sum of the worths of the four suits counts.
    """
    size = CHIEN[players]
    legal = find_discardable(hand, players)
    plain, trumps = legal & ~TRUMPS, cards_of(legal & TRUMPS)
    forced = max(0, size - plain.bit_count())
    if forced:
        return tuple(sorted(cards_of(plain) + trumps[:forced]))
    has_trumps = (hand & TRUMPS).bit_count() >= FEW_TRUMPS
    # best[n]: the best worth of n discarded cards from the suits so far, and these cards
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for suit in SUITS:
        options = list_suit_options(hand & suit, legal & suit, size, has_trumps)
        extended: dict[int, tuple[float, tuple[int, ...]]] = {}
        for count, (worth, cards) in best.items():
            for more, (added, others) in options.items():
                total = count + more
                if total <= size and (total not in extended or worth + added > extended[total][0]):
                    extended[total] = (worth + added, cards + others)
        best = extended
    return tuple(sorted(best[size][1]))


def list_suit_options(mine: int, legal: int, most: int, has_trumps: bool) -> dict[int, tuple[float, tuple[int, ...]]]:
    """Return the best cards to discard from a suit and their worth, by the number of cards."""
    cards = cards_of(legal)
    options: dict[int, tuple[float, tuple[int, ...]]] = {}
    for count in range(min(len(cards), most) + 1):
        for chosen in combinations(cards, count):
            worth = value_suit(mine, chosen, has_trumps)
            if count not in options or worth > options[count][0]:
                options[count] = (worth, chosen)
    return options


def value_suit(mine: int, discarded: tuple[int, ...], has_trumps: bool) -> float:
    """Return the worth of a suit after some of its cards are discarded: its shape, its honours, and points saved."""
    kept = mine
    for card in discarded:
        kept ^= 1 << card
    worth = float(sum(POINTS[card] for card in discarded))
    length = kept.bit_count()
    if not length:
        return worth + (CUT if has_trumps else CUT / 2)
    if length == 1 and not kept & ROIS:
        worth -= SINGLETON
    if length >= LONG:
        worth += EACH_LONG * (length - LONG + 1)
    elif not kept & ROIS:
        worth -= min(length, 3)  # losers without a Roi, which force nobody
    return worth - SAFE_POINT * count_danger(kept)


def count_danger(kept: int) -> float:
    """Return how many half points of the kept honours are likely to fall to the defence."""
    roi, dame, cavalier, valet = (bool(kept & rank) for rank in (ROIS, DAMES, CAVALIERS, VALETS))
    length, danger = kept.bit_count(), 0.0
    if dame and not roi:
        danger += 3.5 if length < 3 else 2.0
    if cavalier and not (roi and dame):
        danger += 2.5 if length < 4 else 1.2
    if valet and not (roi and dame and cavalier):
        danger += 1.5 if length < 5 else 0.6
    return danger if kept & HONOURS else 0.0
