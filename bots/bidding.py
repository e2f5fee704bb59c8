"""The bids, the poignée and the chelem: what a hand is worth before the first card.

The value of a hand is that of the taker profiles (`deals.domain.profile`): bouts, trumps and their heights, honours,
long suits and cuts. One unit is worth about one point in the tricks.
"""

from deals.domain.cards import EXCUSE
from deals.domain.profile import evaluate_1
from referee.cards import ALL_TRUMPS, BOUT_BITS, EXCUSE_BIT, ROIS, TRUMPS, cards_of, find_possible_sizes
from referee.rules import Bid, find_legal_bids
from referee.views import SeatView
from scoring.values import Contract

# The least value of a hand for each contract, the highest contract first. docs/bots.md has the measured scores.
LEAST_VALUES = ((Contract.GARDE_CONTRE, 70), (Contract.GARDE_SANS, 65), (Contract.GARDE, 45), (Contract.PRISE, 43))
CHELEM_TRUMPS, CHELEM_LOSERS = 14, 1


def choose_bid(seen: SeatView, bold: int = 0) -> Bid:
    """Return the bid of the hand: the highest contract that its value allows, or a pass (None).

    `bold` is added to the value.
    """
    value = evaluate_1(cards_of(seen.hand)).total + bold
    wanted = next((contract for contract, least in LEAST_VALUES if value >= least), None)
    return wanted if wanted in find_legal_bids(seen.bids) else None


def announces_chelem(seen: SeatView) -> bool:
    """Return whether the taker is to announce a chelem: nearly all trumps, the bouts, and at most one loser."""
    if seen.hand & BOUT_BITS != BOUT_BITS:
        return False
    trumps = (seen.hand & TRUMPS).bit_count()
    losers = (seen.hand & ~ALL_TRUMPS & ~ROIS).bit_count()
    return trumps >= CHELEM_TRUMPS and losers <= CHELEM_LOSERS


def choose_poignee(seen: SeatView) -> tuple[int, ...]:
    """Return the trumps to show, in falling order: the highest poignée that the hand has, or none.

    The taker shows it, because the bonus goes to the winner of the deal and the taker expects to win. A defender shows
    it with enough trumps to stop the taker. The Excuse is shown only if every other trump is shown too.
    """
    showable = seen.hand & ALL_TRUMPS
    sizes = find_possible_sizes(showable, len(seen.sizes), seen.rules.scoring)
    if not sizes:
        return ()
    count = seen.rules.scoring.poignee_trumps[len(seen.sizes)][sizes[-1]]
    trumps = cards_of(showable & ~EXCUSE_BIT)
    trumps.reverse()
    return tuple(trumps[:count]) if len(trumps) >= count else (*trumps, EXCUSE)
