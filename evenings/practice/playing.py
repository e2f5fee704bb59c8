"""The deals that are played out card by card, by simple players who follow the rules. So a result has its record.

The attack and the defence load the tricks of their own side with points, and win the others as cheaply as they can.
"""

import random
from collections import Counter
from collections.abc import Iterable

from deals.domain.cards import EXCUSE, PETIT, Seat, half_points, is_trump, suit
from deals.domain.deal import Deal
from referee.cards import cards_of, count_forced_trumps, find_discardable, has_card
from referee.records.values import DealRecord
from referee.state import Playout, start_imposed
from scoring.values import Contract, DealResult

SLIP = 0.15  # how often a player takes the second-best card
LATE = 9  # if no more tricks than this are to come, a player gives the Excuse to a trick that the other side wins
MANY_TRUMPS = 6  # a taker with at least this number of trumps leads trumps


def play_deal(deal: Deal, dealer: Seat, taker: Seat, dice: random.Random) -> tuple[DealRecord, DealResult]:
    """Return the record of a Garde that simple players played, without the hands, and its result."""
    state = start_imposed(deal, dealer, taker, Contract.GARDE)
    ecart = choose_ecart(state.hands[state.turn], deal.players)
    playout = Playout(state.discard(taker, ecart))
    cards = []
    while not playout.is_over:
        cards.append(choose_card(playout, dice))
        playout.play(cards[-1])
    result = playout.result
    assert result is not None
    record = DealRecord(deal.players, dealer, taker, Contract.GARDE, ecart=ecart, cards=tuple(cards))
    return record, result


def choose_ecart(hand: int, players: int) -> tuple[int, ...]:
    """Return a legal écart: the shortest suits go first, and of a suit the cards with points."""
    legal, forced = cards_of(find_discardable(hand, players)), count_forced_trumps(hand, players)
    lengths = Counter(suit(card) for card in cards_of(hand))
    suits = sorted(
        (card for card in legal if not is_trump(card)), key=lambda card: (lengths[suit(card)], -half_points(card))
    )
    trumps = [card for card in legal if is_trump(card)]
    return tuple(suits[: 6 - forced] + trumps[:forced])


def choose_card(playout: Playout, dice: random.Random) -> int:
    """Return a legal card. Now and then it is the second choice, so that tables differ."""
    ranked = rank_leads(playout) if not playout.cards else rank_cards(playout)
    return ranked[1] if len(ranked) > 1 and dice.random() < SLIP else ranked[0]


def rank_leads(playout: Playout) -> list[int]:
    """Return the legal leads, the best first: long trumps for the attack, a low card of a long suit for the others."""
    hand = playout.list_legal_cards()
    lengths = Counter(suit(card) for card in hand)
    draws = playout.terms.attackers[playout.turn] and sum(map(is_trump, hand)) >= MANY_TRUMPS
    return sorted(hand, key=lambda card: (rate_lead(card, draws), -lengths[suit(card)], card))


def rate_lead(card: int, draws: bool) -> int:
    """Return how unwilling a player is to lead the card: 0 is best. A player who `draws` leads trumps."""
    if card in (EXCUSE, PETIT):
        return 2
    return int(is_trump(card) is not draws)


def rank_cards(playout: Playout) -> list[int]:
    """Return the legal cards for a trick under way, the best first."""
    legal, attackers = playout.list_legal_cards(), playout.terms.attackers
    own = attackers[playout.best] == attackers[playout.turn]
    is_last = len(playout.cards) == playout.players - 1
    winning = [card for card in legal if has_card(playout.beating, card)]
    losing = [card for card in legal if card not in winning]
    if EXCUSE in legal and playout.left <= (3 if own else LATE):
        return [EXCUSE, *(card for card in legal if card != EXCUSE)]
    if own and is_last:
        return [*sort_cards(losing, rich=True), *sort_cards(winning)]
    if own:
        return [*sort_cards(losing), *sort_cards(winning)]
    if is_last and PETIT in winning:
        return [PETIT, *sort_cards(card for card in legal if card != PETIT)]
    return [*sort_cards(winning, rich=is_last), *sort_cards(losing)]


def sort_cards(cards: Iterable[int], *, rich: bool = False) -> list[int]:
    """Return the cards, those with the fewest points first, or with the most if `rich`. Bouts come last."""
    return sorted(cards, key=lambda card: (card in (EXCUSE, PETIT), half_points(card) * (-1 if rich else 1), card))
