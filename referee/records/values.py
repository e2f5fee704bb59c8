"""The record of one deal as a value, and the error for a record that contradicts itself. Hands are not needed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from deals.domain.cards import CHIEN, HAND, Seat, seats, show_card
from deals.domain.deal import Deal
from deals.domain.etui import leader
from referee.rules import Bid, find_highest_bid, find_legal_bids, order_of_play
from scoring.values import Contract, Side
from wording import CodedError, Texts
from wording import gettext_noop as _


class RecordError(CodedError):
    """A record that cannot be read or contradicts itself. `params` has the number of the line, or the card at fault."""

    messages: ClassVar[Texts] = {
        "long": _("The record has more than %(most)s characters."),
        "first": _("The first line must be “record 3”, “record 4” or “record 5”."),
        "key": _("Line %(line)s: %(found)s is not a part of a record. The parts are: %(keys)s."),
        "again": _("Line %(line)s: there can be only one line “%(key)s”."),
        "dealer": _("The dealer is missing: write a line such as “dealer N”."),
        "value": _("Line %(line)s: %(found)s is not understood after “%(key)s”."),
        "card": _("Line %(line)s: %(found)s is not a card. Write ♠R, ♥10, 17, or * for the Excuse."),
        "suit_letter": _("Line %(line)s: does %(letter)s in %(found)s mean %(choices)s? Write the sign of the suit."),
        "canonical": _("This is not how the record is written. The reader of typed records may understand it."),
        "seat": _("%(seat)s is not a seat at a table of %(players)s."),
        "hands": _("Line %(line)s: these hands are not a deal. %(fault)s"),
        "deal": _("The hands are for %(found)s players, and the record is for %(players)s."),
        "twice": _("%(card)s is in the record twice."),
        "tricks": _("A record has at most %(most)s cards in its tricks, not %(found)s."),
        "bids": _("The bids are impossible: each player speaks once and must bid more, or pass."),
        "taker": _("A record has a taker and a contract, or the bids of a deal in which everybody passed."),
        "called": _("Only a taker of five calls a card, and a trump cannot be called."),
        "ecart": _("The écart of this deal must have %(expected)s cards, not %(found)s."),
        "claim": _("A claim names the attack or the defence, before the last card."),
        "claims": _("Claims are not allowed here: record the cards to the end."),
        "json": _("The record must be a JSON object with the keys %(keys)s."),
        "json_value": _("The key %(key)s of the record has a wrong value."),
    }


@dataclass(frozen=True)
class DealRecord:
    """A record of one deal, as far as the deal is known.

    `cards`: the cards of the tricks in the order in which they were played; the seats follow from them. `deal` is None
    if the hands are not known. `bids` is None if there was no auction, or if it is not known. `ecart` is None if there
    is none, or if it is not known. `chelem`: the seat that announced one. `poignees`: the cards of each seat that
    showed a poignée. `claim`: the side that gets the tricks that are not recorded. Sets of cards are in rising order.
    Raise RecordError if the record contradicts itself. A breach of the rules of play is not an error here; `judging`
    finds it.
    """

    players: int
    dealer: Seat
    taker: Seat | None
    contract: Contract | None
    deal: Deal | None = None
    bids: tuple[Bid, ...] | None = None
    called: int | None = None
    ecart: tuple[int, ...] | None = None
    chelem: Seat | None = None
    poignees: tuple[tuple[Seat, tuple[int, ...]], ...] = ()
    cards: tuple[int, ...] = ()
    claim: Side | None = None

    def __post_init__(self) -> None:
        if self.ecart is not None:
            object.__setattr__(self, "ecart", tuple(sorted(self.ecart)))
        object.__setattr__(self, "poignees", tuple((seat, tuple(sorted(cards))) for seat, cards in self.poignees))
        self._check_seats()
        self._check_bids()
        self._check_cards()

    @property
    def first_leader(self) -> Seat:
        """The seat that led first."""
        return self.chelem or leader(self.dealer, self.players)

    @property
    def tricks(self) -> tuple[tuple[int, ...], ...]:
        """The cards by trick. The last trick may be incomplete."""
        return tuple(self.cards[at : at + self.players] for at in range(0, len(self.cards), self.players))

    @property
    def is_complete(self) -> bool:
        """True if every card of the tricks is recorded."""
        return len(self.cards) == HAND[self.players] * self.players

    def _check_seats(self) -> None:
        if self.deal is not None and self.deal.players != self.players:
            raise RecordError("deal", found=self.deal.players, players=self.players)
        for seat in (self.dealer, self.taker, self.chelem, *(seat for seat, _cards in self.poignees)):
            if seat is not None and seat not in seats(self.players):
                raise RecordError("seat", seat=str(seat), players=self.players)

    def _check_bids(self) -> None:
        if (self.taker is None) != (self.contract is None) or (self.taker is None and not self.bids):
            raise RecordError("taker")
        if self.bids is None:
            return
        for number, bid in enumerate(self.bids):
            if bid not in find_legal_bids(self.bids[:number]):
                raise RecordError("bids")
        if len(self.bids) != self.players or find_taker(self.dealer, self.bids) != (self.taker, self.contract):
            raise RecordError("bids")

    def _check_cards(self) -> None:
        most = HAND[self.players] * self.players
        if len(self.cards) > most:
            raise RecordError("tricks", most=most, found=len(self.cards))
        if self.called is not None and (self.players != 5 or self.called >= 56):
            raise RecordError("called")
        if self.taker is None and (self.cards or self.ecart or self.poignees or self.chelem or self.claim):
            raise RecordError("taker")
        if self.ecart is not None and len(self.ecart) != CHIEN[self.players]:
            raise RecordError("ecart", expected=CHIEN[self.players], found=len(self.ecart))
        if self.claim is not None and (self.claim == Side.NONE or self.is_complete):
            raise RecordError("claim")
        seen: set[int] = set()
        for card in self._all_cards():
            if card in seen:
                raise RecordError("twice", card=show_card(card))
            seen.add(card)

    def _all_cards(self) -> Iterator[int]:
        """Yield all cards of the tricks and of the écart. No card may come twice."""
        yield from self.cards
        yield from self.ecart or ()


def find_taker(dealer: Seat, bids: tuple[Bid, ...]) -> tuple[Seat | None, Contract | None]:
    """Return the taker and the contract of an auction, or None and None if everybody passed."""
    highest = find_highest_bid(bids)
    if highest is None:
        return None, None
    order = order_of_play(len(bids))
    return order[(order.index(dealer) + 1 + highest[0]) % len(bids)], highest[1]
