"""The view of one player: everything that this player knows of a deal. No field can hold a hidden card.

A view has the player's own cards, and everything that was bid, shown and played. It also has the cards that, by all
this, another player cannot have. Two deals that differ only in cards that the player has not seen give equal views.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from deals.domain.cards import Seat, Suit
from referee.cards import (
    BEATING,
    BUT_EXCUSE,
    EXCUSE_BIT,
    FOLLOWING,
    SUITS,
    TAKES_CHIEN,
    TRUMPS,
    WHOLE_DECK,
    cards_of,
    mask_of,
)
from referee.rules import Bid, PlayRules, player_at
from referee.state import GameState
from referee.terms import DealPhase, DealTerms, Trick
from scoring.values import Contract, DealResult

SUIT_MASKS = dict(zip(Suit, (*SUITS, TRUMPS), strict=True))


@dataclass(frozen=True, slots=True)
class SeatView:
    """A deal as one seat sees it. Sets of cards are integers (`bits`), players numbers in the direction of play.

    `hand`: the player's own cards now. `legal`: the cards that the player may play now, 0 if it is another player's
    turn. `chien`: the chien if the taker showed it, otherwise 0. `ecart`: the écart if the player is the taker,
    otherwise None. `ecart_trumps`: the trumps that the taker had to show in the écart. `sizes`: how many cards each
    player has. `partner`: the taker's partner, if this player knows who it is. `cannot_have`: for each player, the
    cards that this player cannot have, by the play, a poignée, the chien or the viewer's own cards. `result` is None
    before the last card.
    """

    seat: Seat
    rules: PlayRules
    dealer: int
    phase: DealPhase
    turn: int
    bids: tuple[Bid, ...]
    taker: int | None
    contract: Contract | None
    called: int | None
    partner: int | None
    chelem: int | None
    poignees: tuple[tuple[int, int], ...]
    chien: int
    ecart: int | None
    ecart_trumps: int
    hand: int
    legal: int
    sizes: tuple[int, ...]
    leader: int
    cards: tuple[int, ...]
    tricks: tuple[Trick, ...]
    cannot_have: tuple[int, ...]
    result: DealResult | None

    @property
    def unseen(self) -> int:
        """The set of the cards that the viewer has not seen."""
        seen = self.hand | (self.ecart or 0) | self.ecart_trumps | self.chien | mask_of(self.cards)
        for trick in self.tricks:
            seen |= mask_of(trick.cards)
        for _, shown in self.poignees:
            seen |= shown
        return WHOLE_DECK & ~seen

    def is_without(self, seat: Seat, suit: Suit) -> bool:
        """Return whether the play has shown that another seat has no card of a suit, or no trump."""
        return not SUIT_MASKS[suit] & ~self.cannot_have[player_at(seat, len(self.sizes))]

    def highest_trump(self, seat: Seat) -> int | None:
        """Return the highest trump that another seat may still have, or None if it has no trump."""
        possible = TRUMPS & ~self.cannot_have[player_at(seat, len(self.sizes))]
        return cards_of(possible)[-1] if possible else None


def view(state: GameState, seat: Seat) -> SeatView:
    """Return what the player on this seat knows."""
    terms, phase = state.terms, state.phase
    player = player_at(seat, terms.players)
    took = player == terms.taker
    own_ecart = terms.ecart if took else None
    own = state.hands[player] | (own_ecart or 0)
    return SeatView(
        seat=seat,
        rules=terms.rules,
        dealer=terms.dealer,
        phase=phase,
        turn=state.turn,
        bids=terms.bids,
        taker=terms.taker,
        contract=terms.contract,
        called=terms.called,
        partner=find_known_partner(state, player),
        chelem=terms.chelem,
        poignees=terms.poignees,
        chien=terms.chien if is_chien_shown(terms) else 0,
        ecart=own_ecart,
        ecart_trumps=(terms.ecart or 0) & TRUMPS,
        hand=state.hands[player],
        legal=state.legal if state.turn == player else 0,
        sizes=tuple(hand.bit_count() for hand in state.hands),
        leader=state.leader,
        cards=state.cards,
        tricks=state.tricks,
        cannot_have=tuple(
            excluded | (own if other != player else 0) for other, excluded in enumerate(find_excluded(state))
        ),
        result=state.result,
    )


def is_chien_shown(terms: DealTerms) -> bool:
    """Return whether every player has seen the chien: always in a prise or garde, but at five only after the call."""
    return terms.contract in TAKES_CHIEN and terms.phase in (DealPhase.ECART, DealPhase.PLAY)


def find_known_partner(state: GameState, player: int) -> int | None:
    """Return the taker's partner if this player knows who it is."""
    terms = state.terms
    if terms.called is None or terms.partner is None:
        return None
    played = any(terms.called in cards for cards in (state.cards, *(trick.cards for trick in state.tricks)))
    shown = any(cards >> terms.called & 1 for _, cards in terms.poignees)
    return terms.partner if played or shown or player == terms.partner else None


def find_excluded(state: GameState) -> tuple[int, ...]:
    """Return, for each player, the cards that this player cannot have. Everybody at the table can know this.

    A card that was played is in nobody's hand. A player who does not follow has no card of the suit. A player who does
    not trump then has no trump. A player who plays a lower trump has no higher one. Whoever plays the Excuse shows
    nothing of this. An Excuse in a poignée says that the player has no other trump. Only the taker can have a card of
    the chien that was shown.
    """
    terms, players = state.terms, state.terms.players
    chien = terms.chien if is_chien_shown(terms) else 0
    excluded = [chien if player != terms.taker else 0 for player in range(players)]
    for player, shown in terms.poignees:
        for other in range(players):
            excluded[other] |= shown if other != player else TRUMPS & ~shown if shown & EXCUSE_BIT else 0
    played = 0
    for leader, cards in (*((trick.leader, trick.cards) for trick in state.tricks), (state.leader, state.cards)):
        played |= mask_of(cards)
        for player, missing in find_missing(leader, cards, players):
            excluded[player] |= missing
    return tuple(missing | played | (terms.ecart or 0) & TRUMPS for missing in excluded)


def find_missing(leader: int, cards: Iterable[int], players: int) -> list[tuple[int, int]]:
    """Return, for each card of a trick in order, its player and the set of cards that this player did not have."""
    led, beating, kinds = 0, BUT_EXCUSE, []
    for number, card in enumerate(cards):
        bit = 1 << card
        if bit == EXCUSE_BIT:
            continue
        if led and not (led != TRUMPS and led & bit):
            missing = led if led != TRUMPS else 0
            missing |= TRUMPS if not TRUMPS & bit else 0 if beating & bit else TRUMPS & beating
            kinds.append(((leader + number) % players, missing))
        if beating & bit:
            led, beating = led or FOLLOWING[card], BEATING[card]
    return kinds
