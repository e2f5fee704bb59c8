"""The auction: one round, in which each player passes or bids more. Source: FFT 2012, the auction; p. 12 at five."""

from scoring.values import Contract

ORDER = tuple(Contract)  # from the lowest to the highest
Bid = Contract | None  # None is a pass
RANK_STEPS = 14  # in a set of `bits`, the card of the same rank in the next suit is 14 bits higher


def find_highest_bid(bids: tuple[Bid, ...]) -> tuple[int, Contract] | None:
    """Return the place of the highest bid and the bid, or None if everybody has passed so far."""
    placed = [(place, bid) for place, bid in enumerate(bids) if bid is not None]
    return placed[-1] if placed else None


def find_legal_bids(bids: tuple[Bid, ...]) -> tuple[Bid, ...]:
    """Return what the next player may bid: a pass, or any contract above the highest bid."""
    highest = find_highest_bid(bids)
    start = 0 if highest is None else ORDER.index(highest[1]) + 1
    return (None, *ORDER[start:])


def find_callable(hand: int, *, own_rank: bool = False) -> int:
    """Return the cards that a taker of five may call, before seeing the chien: the Rois.

    A taker who has all four Rois calls a Dame. If they have all four Dames too, they call a Cavalier, and so on down.
    With `own_rank` the taker may call one of the ranks that are complete in the hand too.
    """
    found = 0
    for rank in range(13, -1, -1):
        same = sum(1 << rank + RANK_STEPS * suit for suit in range(4))
        if hand & same != same:
            return found | same
        if own_rank:
            found |= same
    return found
