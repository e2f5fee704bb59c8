"""The cards of which a player knows that no hidden hand has them."""

from referee.cards import mask_of
from referee.views import SeatView


def find_located(seen: SeatView) -> int:
    """Return the cards of which the viewer knows that no hidden hand has them: own, played, or discarded."""
    gone = seen.hand | (seen.ecart or 0) | seen.ecart_trumps | mask_of(seen.cards)
    for trick in seen.tricks:
        gone |= mask_of(trick.cards)
    return gone
