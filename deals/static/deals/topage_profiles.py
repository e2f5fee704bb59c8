"""The taker profiles of TDG-1 for topage_deals.py, which need only Python. A profile never changes under its name."""


def accepts(profile: str, board: int, hands: "list[list[int]]") -> bool:
    """Return whether `board` (four hands: N, E, S, W, cards 0 to 77) passes the profile.

    Look at the taker's hand, or for a free auction at the best one.
    """
    minimum, maximum, evaluate, always = PROFILES[profile]
    places = range(4) if always == BEST else [taker(board) if always is None else always]
    return minimum <= max(evaluate(hands[place]) for place in places) <= maximum


def taker(board: int) -> int:
    """Return the taker's place. The deal passes N, W, S, E.

    The taker sits 1, 2, 3, then 0 places to the dealer's right, four boards each.
    """
    group, place = divmod(board - 1, 4)
    right_of = (0, 3, 2, 1)  # N, W, S, E as places in N, E, S, W
    return right_of[(place + group % 4 + 1) % 4]


def garde_1(hand: "list[int]") -> int:
    """Return the evaluation of a hand, in units of about one card point.

    It adds up figures for the bouts, for the number and height of the trumps, for honours, and for long and short
    suits.
    """
    trumps = [card - 55 for card in hand if 56 <= card <= 76]
    total = 11 * (21 in trumps) + 11 * (77 in hand)
    if 1 in trumps:
        total += {5: 5, 6: 7}.get(len(trumps), 8 if len(trumps) > 6 else 2)
    total += 3 * len(trumps) + sum(trump >= 15 for trump in trumps)
    for suit in range(4):
        ranks = [card % 14 for card in hand if card // 14 == suit]
        total += 7 if {12, 13} <= set(ranks) else 5 if 13 in ranks else 2 if 12 in ranks else 0
        total += 11 in ranks
        total += min(max(len(ranks) - 4, 0), 3) + max(2 - len(ranks), 0)
    return total


BEST = -1  # the players bid
# The lowest and the highest sum, the evaluation, and the place that takes every board (2: South), if one does.
PROFILES = {
    "garde-1": (48, 58, garde_1, None),
    "garde-1-south": (48, 58, garde_1, 2),
    "auction-1": (43, 1000, garde_1, BEST),
}
