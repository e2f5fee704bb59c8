"""The seats of a table, the auction, and the rules of the play that are not settled.

Source of the auction: FFT 2012, the auction; p. 12 at five. In one round, each player passes or bids more.
"""

from dataclasses import dataclass
from functools import cache

from deals.domain.cards import Seat
from deals.domain.etui import to_the_right
from scoring.values import FFT, Contract, ScoringRules


@cache
def order_of_play(players: int) -> tuple[Seat, ...]:
    """Return the seats in the direction of play, from North. The place of a seat is its player's number."""
    return tuple(to_the_right(Seat.N, steps, players) for steps in range(players))


def seat_of(player: int, players: int) -> Seat:
    """Return the seat of a player's number."""
    return order_of_play(players)[player]


def player_at(seat: Seat, players: int) -> int:
    """Return the number of the player on a seat."""
    return order_of_play(players).index(seat)


def first_to_play(dealer: int, players: int) -> int:
    """Return the player on the dealer's right, who bids first and leads first."""
    return (dealer + 1) % players


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
    callable_cards = 0
    for rank in range(13, -1, -1):
        same = sum(1 << rank + RANK_STEPS * suit for suit in range(4))
        if hand & same != same:
            return callable_cards | same
        if own_rank:
            callable_cards |= same
    return callable_cards


@dataclass(frozen=True, slots=True)
class PlayRules:
    """The answers to the questions that FFT 2012 leaves open, and the figures of the score.

    - `lost_excuse_is_paid`: the Excuse in the last trick goes to the other side. If its own side wins that trick, this
      side gets a half-point card for it. With four players this option always holds, because otherwise their points
      would have halves.
    - `defence_excuse_wins`: if the defence has won every trick before, its Excuse wins the last trick. The attack's
      Excuse always does so.
    - `ecart_in_poignee`: trumps that the taker had to discard may be shown again in a poignée. FFT 2012 allows it for a
      taker who has four Rois and fifteen trumps.
    - `call_own_rank`: a taker with all four Rois may still call one of them, instead of a Dame.
    - `partner_announces_chelem`: the taker's partner may announce the chelem too.
    - `claims`: a record may end with a claim, which names the side that has the rest of the tricks.
    """

    lost_excuse_is_paid: bool = True
    defence_excuse_wins: bool = True
    ecart_in_poignee: bool = True
    call_own_rank: bool = False
    partner_announces_chelem: bool = False
    claims: bool = True
    scoring: ScoringRules = FFT


STANDARD = PlayRules()
