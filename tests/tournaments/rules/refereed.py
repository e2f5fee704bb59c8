"""The results that cards allow: deals played by the rules, with cards chosen at random.

This referee follows FFT 2012, the chapter on the play, card by card. It shares no line with the code that it checks. No
player chooses well, but some keep the Petit or the Excuse for the end, and some deals are one-sided.
"""

import random
from dataclasses import dataclass, field

from deals.domain.cards import BOUTS, EXCUSE, PETIT, TRUMP_21, Suit, half_points, is_trump, rank, suit
from deals.domain.deal import Deal
from scoring.contract import Chelem, Contract, DealResult, Side
from scoring.ranking import Line
from tournaments.rules.entry import Bout, Facts

ORDER = (Line.N, Line.W, Line.S, Line.E)
NAMES = {TRUMP_21: Bout.TRUMP_21, PETIT: Bout.PETIT, EXCUSE: Bout.EXCUSE}
TAKES_THE_CHIEN = (Contract.PRISE, Contract.GARDE)


def dealt(rng: random.Random, taker: Line) -> Deal:
    """Return a deal: any, or one in which the taker has most of the high cards, or few of them."""
    cards = list(range(78))
    rng.shuffle(cards)
    leaning = rng.choice((0, 0, 30, 78, -30, -78))
    cards.sort(key=lambda card: rng.random() * 40 + leaning * (is_trump(card) * rank(card) + half_points(card)) / 10)
    hands = {taker: cards[60:]} | {
        line: cards[18 * at : 18 * at + 18] for at, line in enumerate(line for line in Line if line != taker)
    }
    return Deal([hands[line] for line in Line], cards[54:60])


@dataclass
class Table:
    """A deal that is being played: the hands, the cards that each side has won, and the winner of each trick."""

    deal: Deal
    taker: Line
    contract: Contract
    rng: random.Random
    defence_may_end_on_the_excuse: bool
    hands: dict[Line, list[int]] = field(default_factory=dict)
    won: dict[Side, list[int]] = field(default_factory=lambda: {Side.ATTACK: [], Side.DEFENCE: []})
    half_points: int = 0
    winners: list[Side] = field(default_factory=list)
    petit_au_bout: Side = Side.NONE

    def side(self, line: Line) -> Side:
        return Side.ATTACK if line == self.taker else Side.DEFENCE

    def play(self) -> Facts:
        self.hands = {line: list(hand) for line, hand in zip(Line, self.deal.hands, strict=True)}
        self.set_aside()
        leader = self.rng.choice(ORDER)
        keeps = self.rng.choice(([], [PETIT], [EXCUSE], [PETIT, EXCUSE]))
        for number in range(1, 19):
            leader = self.trick(leader, number, keeps)
        chelem = Chelem.NONE
        if len(set(self.winners)) == 1:
            chelem = Chelem.UNANNOUNCED_MADE if self.winners[0] == Side.ATTACK else Chelem.SUFFERED
        named = frozenset(NAMES[card] for card in BOUTS.intersection(self.won[Side.ATTACK]))
        result = DealResult(4, self.contract, len(named), self.half_points, self.petit_au_bout, chelem=chelem)
        return Facts(self.taker, result, named)

    def set_aside(self) -> None:
        """Give the écart, or the chien that stays hidden, to the side for which it counts."""
        aside = list(self.deal.chien)
        if self.contract in TAKES_THE_CHIEN:
            hand = self.hands[self.taker] + aside
            self.rng.shuffle(hand)
            self.order_for_the_ecart(hand)
            hand.sort(key=lambda card: (card in BOUTS or suit_roi(card), is_trump(card)))
            aside, self.hands[self.taker] = hand[:6], hand[6:]
        self.count(Side.DEFENCE if self.contract == Contract.GARDE_CONTRE else Side.ATTACK, aside)

    def order_for_the_ecart(self, hand: list[int]) -> None:
        """Sort the hand by what this player would discard first.

        Cards that may not be discarded are sorted to the end afterwards.
        """

    def count(self, side: Side, cards: list[int]) -> None:
        self.won[side] += cards
        if side == Side.ATTACK:
            self.half_points += sum(map(half_points, cards))

    def trick(self, leader: Line, number: int, keeps: list[int]) -> Line:
        start = ORDER.index(leader)
        trick: dict[Line, int] = {}
        for line in ORDER[start:] + ORDER[:start]:
            allowed = legal(self.hands[line], list(trick.values()))
            choice = self.choose(line, [card for card in allowed if card not in keeps] or allowed, trick)
            self.hands[line].remove(choice)
            trick[line] = choice
        excuse_from = next((line for line, card in trick.items() if card == EXCUSE), None)
        winner = max(trick, key=lambda line: strength(trick[line], list(trick.values())))
        last = number == 18
        if excuse_from and last and self.ends_a_chelem(self.side(excuse_from)):
            winner = excuse_from
            if PETIT in self.won[self.side(winner)][-4:]:  # the Petit was in the trick before
                self.petit_au_bout = self.side(winner)
            excuse_from = None
        side = self.side(winner)
        self.winners.append(side)
        if excuse_from:
            self.keep_excuse(self.side(excuse_from), side, last=last)
        self.count(side, [card for card in trick.values() if card != EXCUSE or not excuse_from])
        if last and PETIT in trick.values():
            self.petit_au_bout = side
        return winner

    def choose(self, line: Line, allowed: list[int], trick: dict[Line, int]) -> int:
        """Return the card that a player plays after the cards of the trick so far."""
        return self.rng.choice(allowed)

    def ends_a_chelem(self, side: Side) -> bool:
        may = side == Side.ATTACK or self.defence_may_end_on_the_excuse
        return may and set(self.winners) == {side}

    def keep_excuse(self, owner: Side, winner: Side, *, last: bool) -> None:
        """Count the Excuse for its owner's side, or for the other side if it is in the last trick.

        A side that gets the Excuse without winning the trick gives a half-point card for it.
        """
        other = {Side.ATTACK: Side.DEFENCE, Side.DEFENCE: Side.ATTACK}[owner]
        receiver = other if last else owner
        self.count(receiver, [EXCUSE])
        if receiver != winner:
            self.half_points += 1 if winner == Side.ATTACK else -1 if receiver == Side.ATTACK else 0


def legal(hand: list[int], played: list[int]) -> list[int]:
    """Return the cards of the hand that may follow the cards played.

    Suit first, then trump, and a higher trump if the hand has one. The Excuse may be played at any time.
    """
    excuse = [card for card in hand if card == EXCUSE]
    cards = [card for card in hand if card != EXCUSE]
    led = next((suit(card) for card in played if card != EXCUSE), None)
    trumps = [card for card in cards if is_trump(card)]
    following = [card for card in cards if suit(card) == led]
    if led is None:
        return hand
    if led != Suit.TRUMPS and following:
        return following + excuse
    highest = max((card for card in played if is_trump(card)), default=0)
    return ([card for card in trumps if card > highest] or trumps or cards) + excuse


def suit_roi(card: int) -> bool:
    return not is_trump(card) and rank(card) == 14


def strength(card: int, played: list[int]) -> int:
    led = next(suit(other) for other in played if other != EXCUSE)
    if card == EXCUSE:
        return -1
    return 100 + card if is_trump(card) else rank(card) if suit(card) == led else 0
