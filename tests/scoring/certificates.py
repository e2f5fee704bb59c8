"""The deals in which a side has the fewest possible points: one trick of the cheapest cards, played card by card.

One player, the *strong* one, leads trumps and then hearts from the top, and wins every trick but the first. The *weak*
player, on the other side, wins the first trick:

| bouts of the weak side | the first trick | besides |
|---|---|---|
| 0 | the 10 of spades, on which the strong player plays the Excuse and then owes a plain card for it | |
| 1 | the 10 of spades | the weak player has the Excuse, and keeps it |
| 2 | the 21 | likewise |
| 3 | the 21, which takes the Petit of a third player | likewise |

The chien is six plain cards (three at five players), which a taker can take in and discard again. The referee follows
FFT 2012, the chapter on the play, card by card, with the rules of `tests.tournaments.rules.refereed`.
"""

from dataclasses import dataclass

from deals.domain.cards import BOUTS, EXCUSE, PETIT, TRUMP_21, Suit, half_points, is_trump, suit
from scoring.bounds import CHIEN
from scoring.contract import Contract, DealResult, Side
from tests.tournaments.rules.refereed import legal, strength

HANDS = {3: 24, 4: 18, 5: 15}
SPADES = [card for card in range(56) if suit(card) == Suit.SPADES]
HEARTS = [card for card in range(56) if suit(card) == Suit.HEARTS]
TEN, ACE = SPADES[9], SPADES[0]


@dataclass
class Certificate:
    """A deal with its play. `hands` are by seat in the order of play, and seat 0 leads first. `tricks` are in order."""

    hands: list[list[int]]
    chien: list[int]
    tricks: list[list[int]]
    attack: frozenset[int]


def certificate(players: int, weak: Side, bouts: int) -> Certificate:
    """Return the deal in which the `weak` side has one trick, `bouts` bouts, and the fewest possible points."""
    first = [EXCUSE, ACE, None, None][bouts]  # the strong player's card in the first trick, if it is no trump
    given = {0: [TEN], 1: [TEN, EXCUSE], 2: [TRUMP_21, EXCUSE], 3: [TRUMP_21, EXCUSE]}[bouts]
    trumps = sorted((card for card in range(78) if is_trump(card) and card not in given), reverse=True)
    third = [PETIT, PETIT + 1] if bouts == 3 else []  # a Petit alone would void the deal
    strong = [first] if first is not None else []
    strong += [PETIT] if not third else []
    best = [card for card in [*trumps, *sorted(HEARTS, reverse=True)] if card not in [*strong, *third]]
    strong += best[: HANDS[players] - len(strong)]
    taken = {*given, *third, *strong}
    plain = [card for card in range(78) if card not in taken and card != EXCUSE and half_points(card) == 1]
    suits = [card for card in plain if not is_trump(card)]
    chien = [card for card in suits if suit(card) not in (Suit.SPADES, Suit.HEARTS)][: CHIEN[players]]
    rest = sorted(
        (card for card in range(78) if card not in taken and card not in chien), key=lambda card: half_points(card)
    )
    loose = [card for card in rest if is_trump(card)]
    rest = [card for card in rest if not is_trump(card)]
    hands = [given, strong, third + loose, *[[] for _ in range(players - 3)]]
    while rest:  # deal the plain cards first, so that everybody has some for the first trick
        for hand in (hands[0], *hands[2:]):
            if rest and len(hand) < HANDS[players]:
                hand.append(rest.pop(0))
    attack = {0 if weak == Side.ATTACK else 1}
    attack |= {players - 1} if players == 5 else set()
    return Certificate(hands, chien, played(hands, bouts), frozenset(attack))


def played(hands: list[list[int]], bouts: int) -> list[list[int]]:
    """Return every trick of the deal, each led by the winner of the trick before."""
    left, tricks, leader = [list(hand) for hand in hands], [], 0
    while any(left):
        trick: list[int] = []
        for step in range(len(hands)):
            seat = (leader + step) % len(hands)
            card = chosen(seat, legal(left[seat], trick), trick, bouts, len(tricks), left[seat])
            left[seat].remove(card)
            trick.append(card)
        tricks.append(trick)
        leader = (leader + trick.index(max(trick, key=lambda card: strength(card, trick)))) % len(hands)
    return tricks


def chosen(seat: int, allowed: list[int], trick: list[int], bouts: int, number: int, hand: list[int]) -> int:
    if number == 0 and seat == 0:
        return TEN if bouts < 2 else TRUMP_21
    if seat == 1:
        if number == 0 and bouts == 0:
            return EXCUSE
        if number == 0 and bouts == 1:
            return ACE
        if not trick and PETIT in hand and len(hand) == 2:
            return PETIT  # no other player has a trump left, and it is not the last trick
        kept = [card for card in allowed if card != PETIT] or allowed
        return min(kept) if number == 0 else max(kept, key=lambda card: (is_trump(card), card))
    if seat == 0 and number == 3 and EXCUSE in allowed:
        return EXCUSE
    others = [card for card in allowed if card != EXCUSE] or allowed
    if number == 0 and bouts == 3 and PETIT in others:
        return PETIT
    return min(others, key=lambda card: (half_points(card), is_trump(card), card))


def refereed(deal: Certificate, contract: Contract) -> DealResult:
    """Return the result. Every card must be legal. The side of the Excuse pays for it with a half-point card."""
    players = len(deal.hands)
    assert sorted([card for hand in deal.hands for card in hand] + deal.chien) == list(range(78))
    assert {len(hand) for hand in deal.hands} == {HANDS[players]}
    for hand in deal.hands:
        assert [card for card in hand if is_trump(card) or card == EXCUSE] != [PETIT], "petit sec"
    assert all(half_points(card) == 1 and not is_trump(card) for card in deal.chien)
    piles: dict[Side, list[int]] = {Side.ATTACK: [], Side.DEFENCE: []}
    piles[Side.DEFENCE if contract == Contract.GARDE_CONTRE else Side.ATTACK] += deal.chien
    left, leader, owing = [list(hand) for hand in deal.hands], 0, []
    winners = []
    for trick in deal.tricks:
        seats = [(leader + step) % players for step in range(players)]
        for seat, card, before in zip(seats, trick, range(players), strict=True):
            assert card in legal(left[seat], trick[:before])
            left[seat].remove(card)
        leader = seats[trick.index(max(trick, key=lambda card: strength(card, trick)))]
        side = side_of(leader, deal)
        winners.append(side)
        if EXCUSE in trick:
            assert trick is not deal.tricks[-1]
            keeper = side_of(seats[trick.index(EXCUSE)], deal)
            owing = [(keeper, side)] if keeper != side else []
            piles[keeper].append(EXCUSE)
        piles[side] += [card for card in trick if card != EXCUSE]
    for debtor, creditor in owing:
        paid = next(card for card in piles[debtor] if half_points(card) == 1)
        piles[debtor].remove(paid)
        piles[creditor].append(paid)
    assert not any(left)
    assert set(winners) == {Side.ATTACK, Side.DEFENCE}
    assert PETIT not in deal.tricks[-1]
    bouts = len(BOUTS.intersection(piles[Side.ATTACK]))
    half = sum(map(half_points, piles[Side.ATTACK]))
    return DealResult(players, contract, bouts, half, partner=True if players == 5 else None)


def side_of(seat: int, deal: Certificate) -> Side:
    return Side.ATTACK if seat in deal.attack else Side.DEFENCE
