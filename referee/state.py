"""The state of a deal, from the auction to the last card. A state never changes: each step returns another one.

Only a `Playout` changes, with each card: it is a faster play for programs that play thousands of deals. It checks
nothing: the caller must play legal cards only.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deals.domain.cards import CHIEN, Seat
from deals.domain.deal import Deal, has_petit_sec
from referee.cards import (
    BEATING,
    BUT_EXCUSE,
    FOLLOWING,
    KEPT_FROM_ECART,
    TRUMPS,
    cards_of,
    count_forced_trumps,
    find_concealed,
    find_discardable,
    find_legal,
    find_opening_leads,
    find_showable,
    find_size,
    has_card,
    mask_of,
)
from referee.counting import count_result
from referee.errors import PlayRefused
from referee.rules import (
    STANDARD,
    Bid,
    PlayRules,
    find_callable,
    find_highest_bid,
    find_legal_bids,
    first_to_play,
    order_of_play,
    player_at,
    seat_of,
)
from referee.terms import DealPhase, DealTerms, Trick, find_winner
from scoring.values import Contract, DealResult


def check_ecart(seat: Seat, hand: int, ecart: Sequence[int], players: int) -> None:
    """Raise PlayRefused if the taker may not discard these cards. `hand` is the taker's hand with the chien."""
    legal, expected = find_discardable(hand, players), CHIEN[players]
    for card in ecart:
        if not has_card(hand, card):
            raise PlayRefused("ecart_held", seat=seat, card=card)
        if has_card(KEPT_FROM_ECART, card):
            raise PlayRefused("ecart_kept", seat=seat, card=card, legal=cards_of(legal))
    if len(ecart) != expected or len(set(ecart)) != expected:
        raise PlayRefused("ecart_size", seat=seat, expected=expected, found=len(set(ecart)))
    trumps = sorted(card for card in ecart if has_card(TRUMPS, card))
    if len(trumps) > count_forced_trumps(hand, players):
        choices = legal & ~TRUMPS or legal
        raise PlayRefused("ecart_trump", seat=seat, card=trumps[0], legal=cards_of(choices))


def check_poignee(seat: Seat, terms: DealTerms, player: int, shown: Sequence[int]) -> None:
    """Raise PlayRefused if the player may not show these cards as a poignée."""
    hand = terms.hands[player]
    ecart = terms.ecart if player == terms.taker and terms.rules.ecart_in_poignee else None
    showable = find_showable(hand, ecart or 0)
    for card in shown:
        if not has_card(showable, card):
            raise PlayRefused("poignee_held", seat=seat, card=card, legal=cards_of(showable))
    sizes = terms.rules.scoring.poignee_trumps[terms.players].values()
    if len(set(shown)) != len(shown) or find_size(len(shown), terms.players, terms.rules.scoring) is None:
        raise PlayRefused("poignee_size", seat=seat, found=len(shown), expected=", ".join(map(str, sizes)))
    if concealed := find_concealed(mask_of(shown), hand):
        raise PlayRefused("poignee_excuse", seat=seat, card=cards_of(concealed)[-1])


def refuse_card(seat: Seat, card: int, hand: int, legal: int, led: int, trick: int) -> PlayRefused:
    """Return the refusal of a card that is not legal for the player whose turn it is."""
    choices = cards_of(legal)
    if not has_card(hand, card):
        return PlayRefused("held", seat=seat, card=card, trick=trick, legal=choices)
    if not led:
        return PlayRefused("called_suit", seat=seat, card=card, trick=trick, legal=choices)
    if led != TRUMPS and hand & led:
        return PlayRefused("follow", seat=seat, card=card, trick=trick, legal=choices)
    if has_card(TRUMPS, card):
        return PlayRefused("overtrump", seat=seat, card=card, trick=trick, legal=choices)
    return PlayRefused("trump", seat=seat, card=card, trick=trick, legal=choices)


class GameState(NamedTuple):
    """A deal at one moment. Sets of cards are integers (`bits`); players are numbers in the direction of play.

    `hands`: the present cards of each player. `turn`: the player whose turn it is. `legal`: the cards that this player
    may play, 0 outside the play. `leader` and `cards` belong to the trick on the table. `led`: the cards of its suit.
    `beating`: the cards that would win it now. `best`: the player who wins it so far. `tricks`: the complete tricks.
    Callers use the methods. `start_auction` and `start_imposed` make the first state.
    """

    terms: DealTerms
    hands: tuple[int, ...]
    turn: int
    legal: int
    leader: int
    cards: tuple[int, ...] = ()
    led: int = 0
    beating: int = BUT_EXCUSE
    best: int = -1
    tricks: tuple[Trick, ...] = ()

    @property
    def phase(self) -> DealPhase:
        """The phase of the deal. It is OVER after the last card, four passes, or a petit sec."""
        phase = self.terms.phase
        return DealPhase.OVER if phase == DealPhase.PLAY and not any(self.hands) else phase

    @property
    def seat(self) -> Seat:
        """The seat whose turn it is."""
        return seat_of(self.turn, len(self.hands))

    @property
    def legal_cards(self) -> tuple[int, ...]:
        """The cards that the player whose turn it is may play, in rising order. Empty before and after the play."""
        return tuple(cards_of(self.legal))

    @property
    def result(self) -> DealResult | None:
        """The result after the last card. None before it, after four passes, and if the deal is void."""
        if self.terms.phase != DealPhase.PLAY or self.phase != DealPhase.OVER:
            return None
        return count_result(self.terms, self.tricks)

    def bid(self, seat: Seat, bid: Bid) -> "GameState":
        """Return the state after a bid, or after a pass (None)."""
        terms = self.terms
        self._check_phase(seat, DealPhase.AUCTION)
        if seat != self.seat:
            raise PlayRefused("bid_turn", seat=seat, other=str(self.seat))
        if bid not in find_legal_bids(terms.bids):
            highest = find_highest_bid(terms.bids)
            raise PlayRefused("bid_low", seat=seat, highest=str(highest[1]) if highest else "")
        bids = (*terms.bids, bid)
        if len(bids) < terms.players:
            return self._replace(terms=terms.change(bids=bids), turn=(self.turn + 1) % terms.players)
        if (highest := find_highest_bid(bids)) is None:
            return self._replace(terms=terms.change(bids=bids))
        taker = (first_to_play(terms.dealer, terms.players) + highest[0]) % terms.players
        return begin(terms.change(bids=bids, taker=taker, contract=highest[1]))

    def call(self, seat: Seat, card: int) -> "GameState":
        """Return the state after the taker of five has called a card."""
        self._check_phase(seat, DealPhase.CALL)
        terms = self.terms
        may = find_callable(terms.dealt[self.turn], own_rank=terms.rules.call_own_rank)
        if seat != self.seat or not has_card(may, card):
            raise PlayRefused("call_rank", seat=seat, card=card, legal=cards_of(may))
        return begin(terms.change(called=card))

    def discard(self, seat: Seat, cards: Iterable[int]) -> "GameState":
        """Return the state after the taker's écart."""
        self._check_phase(seat, DealPhase.ECART)
        terms, ecart = self.terms, tuple(cards)
        check_ecart(seat, self.hands[self.turn], ecart, terms.players)
        return begin(terms.change(ecart=mask_of(ecart)))

    def announce_chelem(self, seat: Seat) -> "GameState":
        """Return the state after the taker has announced a chelem. The announcer leads."""
        self._check_phase(seat, DealPhase.PLAY)
        terms, player = self.terms, player_at(seat, self.terms.players)
        if player != terms.taker and not (terms.rules.partner_announces_chelem and player == terms.partner):
            raise PlayRefused("chelem_seat", seat=seat)
        if self.cards or self.tricks or terms.chelem is not None:
            raise PlayRefused("chelem_late", seat=seat)
        return begin(terms.change(chelem=player))

    def show_poignee(self, seat: Seat, cards: Iterable[int]) -> "GameState":
        """Return the state after a player has shown these cards as a poignée."""
        self._check_phase(seat, DealPhase.PLAY)
        terms, shown, player = self.terms, tuple(cards), player_at(seat, self.terms.players)
        played = (player - self.leader) % terms.players < len(self.cards)
        if self.tricks or played or any(player == other for other, _ in terms.poignees):
            raise PlayRefused("poignee_late", seat=seat)
        check_poignee(seat, terms, player, shown)
        return self._replace(terms=terms.change(poignees=(*terms.poignees, (player, mask_of(shown)))))

    def play(self, card: int) -> "GameState":
        """Return the state after the player whose turn it is has played a card. Raise PlayRefused if it is illegal."""
        terms, hands, turn, legal, leader, cards, led, beating, best, tricks = self
        if not has_card(legal, card):
            self._check_phase(self.seat, DealPhase.PLAY)
            raise refuse_card(self.seat, card, hands[turn], legal, led, len(tricks) + 1)
        bit = 1 << card
        left = list(hands)
        left[turn] ^= bit
        hands = tuple(left)
        if beating & bit:
            best, beating = turn, BEATING[card]
            led = led or FOLLOWING[card]
        cards += (card,)
        players = len(hands)
        if len(cards) < players:
            turn = (turn + 1) % players
            legal = find_legal(hands[turn], led, beating)
            # Without the defaults of the fields, a new tuple takes half the time.
            values = (terms, hands, turn, legal, leader, cards, led, beating, best, tricks)
            return tuple.__new__(GameState, values)
        if not any(hands):
            best = find_winner(terms, tricks, cards, leader, best)
        return GameState(terms, hands, best, hands[best], best, tricks=(*tricks, Trick(leader, cards, best)))

    def play_from(self, seat: Seat, card: int) -> "GameState":
        """Return the state after `seat` has played a card. Raise PlayRefused if it is another seat's turn."""
        if self.phase == DealPhase.PLAY and seat != self.seat:
            raise PlayRefused("turn", seat=seat, card=card, trick=len(self.tricks) + 1, other=str(self.seat))
        return self.play(card)

    def _check_phase(self, seat: Seat, phase: DealPhase) -> None:
        if self.phase != phase:
            raise PlayRefused("phase", seat=seat, phase=str(self.phase))


def start_auction(deal: Deal, dealer: Seat, rules: PlayRules = STANDARD) -> GameState:
    """Return the state before the first bid."""
    return begin(deal_terms(deal, dealer, rules))


def start_imposed(
    deal: Deal, dealer: Seat, taker: Seat, contract: Contract = Contract.GARDE, rules: PlayRules = STANDARD
) -> GameState:
    """Return the state after an auction whose outcome is given, for example by the étui."""
    terms = deal_terms(deal, dealer, rules)
    return begin(terms.change(taker=player_at(taker, deal.players), contract=contract))


def deal_terms(deal: Deal, dealer: Seat, rules: PlayRules = STANDARD) -> DealTerms:
    """Return the terms of a deal before the auction."""
    dealt = tuple(mask_of(deal.hand(seat)) for seat in order_of_play(deal.players))
    return DealTerms(dealt, mask_of(deal.chien), player_at(dealer, deal.players), rules, is_void=has_petit_sec(deal))


def begin(terms: DealTerms) -> GameState:
    """Return the state with these terms, before the first card."""
    if terms.phase in (DealPhase.CALL, DealPhase.ECART):
        assert terms.taker is not None
        turn = terms.taker
    elif terms.phase == DealPhase.AUCTION:
        turn = (first_to_play(terms.dealer, terms.players) + len(terms.bids)) % terms.players
    else:
        turn = terms.first_leader
    legal = find_opening_leads(terms.hands[turn], terms.called) if terms.phase == DealPhase.PLAY else 0
    return GameState(terms, terms.hands, turn, legal, turn)


class Playout:
    """A deal that is being played. It begins as a `GameState` in the phase of play, and each card changes it."""

    __slots__ = ("beating", "best", "cards", "hands", "leader", "led", "left", "players", "terms", "tricks", "turn")

    def __init__(self, state: GameState) -> None:
        self.terms = state.terms
        self.hands = list(state.hands)
        self.players = len(self.hands)
        self.turn, self.leader, self.best = state.turn, state.leader, state.best
        self.led, self.beating = state.led, state.beating
        self.cards, self.tricks = list(state.cards), list(state.tricks)
        self.left = max(hand.bit_count() for hand in self.hands)  # the number of tricks to come, with the present one

    def find_legal_mask(self) -> int:
        """Return the set of the cards that the player whose turn it is may play."""
        hand = self.hands[self.turn]
        if self.led:
            return find_legal(hand, self.led, self.beating)
        if not self.tricks and not self.cards:
            return find_opening_leads(hand, self.terms.called)
        return hand

    def list_legal_cards(self) -> list[int]:
        """Return the cards that the player whose turn it is may play, in rising order."""
        return cards_of(self.find_legal_mask())

    def play(self, card: int) -> None:
        """Play a legal card."""
        turn, bit = self.turn, 1 << card
        self.hands[turn] ^= bit
        self.cards.append(card)
        if self.beating & bit:
            self.best, self.beating = turn, BEATING[card]
            if not self.led:
                self.led = FOLLOWING[card]
        if len(self.cards) < self.players:
            turn += 1
            self.turn = turn if turn < self.players else 0
            return
        self.left -= 1
        cards, winner = tuple(self.cards), self.best
        if not self.left:
            winner = find_winner(self.terms, self.tricks, cards, self.leader, winner)
        self.tricks.append(Trick(self.leader, cards, winner))
        self.turn = self.leader = self.best = winner
        self.led, self.beating = 0, BUT_EXCUSE
        self.cards.clear()

    @property
    def is_over(self) -> bool:
        """True if every card is played."""
        return not self.left

    @property
    def result(self) -> DealResult | None:
        """The result after the last card, None before it."""
        return None if self.left else count_result(self.terms, self.tricks)
