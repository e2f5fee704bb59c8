"""The statistics of deals: whether they look like fair deals, and how strong the hands of each line are.

Probabilities are exact fractions. A test ends in a z-score, which for fair deals is about a standard normal number.
z-scores are floats: no game score depends on them. The probabilities take into account that deals with a petit sec are
thrown away. Without that, the tests would fail with 200 000 deals.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb, sqrt
from operator import eq
from typing import NamedTuple

from deals.domain.cards import CARDS, CHIEN, HAND, PETIT, half_points, is_bout, is_trump
from deals.domain.deal import Deal, places
from deals.domain.dealing import DealtEtui
from deals.domain.profile import evaluate_1

TRUMPS = CARDS - PETIT  # the number of trumps with the Excuse
LIMIT = 4.0  # in standard deviations. One in 16 000 tests of fair deals exceeds it
LEAST_EXPECTED = 10  # classes of a chi-square test that expect fewer deals are joined


@cache
def petit_sec_rate(players: int) -> Fraction:
    """Return the probability that a fair deal has a petit sec: a hand with the Petit, no other trump and no Excuse."""
    size = HAND[players]
    return players * Fraction(comb(CARDS - TRUMPS, size - 1), comb(CARDS, size))


@cache
def trump_law(players: int, place: str) -> tuple[Fraction, ...]:
    """Return the probabilities of 0, 1, … trumps in a hand or in the chien, if no hand has a petit sec.

    The Excuse counts as a trump.
    """
    rate = petit_sec_rate(players)
    size = CHIEN[players] if place == "chien" else HAND[players]
    others = players if place == "chien" else players - 1
    law = []
    for number in range(size + 1):
        share = rate / players * (number == 1) * (place != "chien")
        elsewhere = rate / players * others * hypergeometric(CARDS - HAND[players], TRUMPS - 1, size, number)
        law.append((hypergeometric(CARDS, TRUMPS, size, number) - share - elsewhere) / (1 - rate))
    return tuple(law)


@cache
def card_law(players: int, card: int) -> tuple[Fraction, ...]:
    """Return the probability of each place for a card, if no hand has a petit sec.

    The places are the seats in the order of dealing, then the chien.
    """
    hand, rate = HAND[players], petit_sec_rate(players)
    # The probability that a certain hand has the petit sec; then the number of cards outside this hand.
    one, rest = rate / players, CARDS - hand
    if card == PETIT:
        in_hand = Fraction(hand, CARDS) - one
    else:
        beside = Fraction(hand - 1, CARDS - TRUMPS) if card < PETIT else Fraction(0)  # the card is in that hand
        in_hand = Fraction(hand, CARDS) - one * beside - (rate - one) * (1 - beside) * Fraction(hand, rest)
    in_hand /= 1 - rate
    return (*[in_hand] * players, 1 - players * in_hand)


def hypergeometric(cards: int, marked: int, drawn: int, found: int) -> Fraction:
    """Return the probability to find exactly `found` marked cards if `drawn` of all cards are drawn.

    `cards`: the number of all cards; `marked`: the number of marked ones.
    """
    return Fraction(comb(marked, found) * comb(cards - marked, drawn - found), comb(cards, drawn))


@dataclass
class DealTally:
    """The counts over many deals for the same number of players. Deals are added in the order of their étuis."""

    players: int
    deals: int = 0
    attempts: int = 0
    cards: list[list[int]] = field(init=False)  # card → place → number of deals
    trumps: list[list[int]] = field(init=False)  # place → number of trumps → number of deals
    stayed: int = 0  # the number of cards that the next deal has in the same place, added up over all deals
    before: bytes = b""

    def __post_init__(self) -> None:
        self.cards = [[0] * (self.players + 1) for _ in range(CARDS)]
        self.trumps = [[0] * (TRUMPS + 1) for _ in places(self.players)]

    def add(self, etui: DealtEtui) -> None:
        """Add a deal to the counts. It must have been dealt without a profile."""
        holders = etui.deal.holders
        self.deals += 1
        self.attempts += etui.attempt + 1
        for counts, place in zip(self.cards, holders, strict=True):
            counts[place] += 1
        tail = holders[PETIT:]
        for place, lengths in enumerate(self.trumps):
            lengths[tail.count(place)] += 1
        self.stayed += sum(map(eq, self.before, holders))
        self.before = holders


class UniformityResult(NamedTuple):
    """The result of a test: `z` is the distance from the mean of fair deals, in standard deviations."""

    name: str
    z: float

    @property
    def passed(self) -> bool:
        return abs(self.z) < LIMIT


def uniformity(tally: DealTally) -> list[UniformityResult]:
    """Return the results of all tests of the tally.

    The tests are about the place of each card, the number of trumps in each place, and the number of petits secs. One
    more test asks whether a deal depends on the deal before.
    """
    lengths = [
        UniformityResult(f"trump_length_{place}", chi_square_z(counts, trump_law(tally.players, place)))
        for place, counts in zip(places(tally.players), tally.trumps, strict=True)
    ]
    return [
        UniformityResult("card_by_place", _cards_z(tally)),
        *lengths,
        UniformityResult("serial", _serial_z(tally)),
        petit_sec(tally),
    ]


def petit_sec(tally: DealTally) -> UniformityResult:
    """Return the result of the test that compares the number of deals thrown away with the theory."""
    rate = float(petit_sec_rate(tally.players))
    thrown_away = tally.attempts - tally.deals
    return UniformityResult(
        "petit_sec", (thrown_away - tally.attempts * rate) / sqrt(tally.attempts * rate * (1 - rate))
    )


def _cards_z(tally: DealTally) -> float:
    """Return the z-score of the number of times that each card was in each place.

    The 78 rows depend on each other, because every deal fills each place with a fixed number of cards. Hence the factor
    77/78, and 77 free rows.
    """
    square = 0.0
    for card, counts in enumerate(tally.cards):
        for count, probability in zip(counts, card_law(tally.players, card), strict=True):
            expected = tally.deals * float(probability)
            square += (count - expected) ** 2 / expected
    return _normal(square * (CARDS - 1) / CARDS, (CARDS - 1) * tally.players)


def _serial_z(tally: DealTally) -> float:
    """Return the z-score of the number of cards that stay in their place from one deal to the next."""
    sizes = [HAND[tally.players]] * tally.players + [CHIEN[tally.players]]
    squares = [size * size for size in sizes]
    mean = sum(squares) / CARDS
    spread = sum((size * (CARDS - size)) ** 2 for size in sizes) + sum(squares) ** 2 - sum(n * n for n in squares)
    variance = spread / (CARDS**2 * (CARDS - 1))
    pairs = tally.deals - 1
    return (tally.stayed - pairs * mean) / sqrt(pairs * variance)


def chi_square_z(counts: Iterable[int], law: Collection[Fraction]) -> float:
    """Return the z-score of a chi-square test of the counts. `law` has the probability of each class.

    A class that is too rare is joined with the next one.
    """
    observed = [*counts, *[0] * len(law)][: len(law)]
    total = sum(observed)
    classes: list[tuple[float, float]] = []
    waiting_count, waiting_expected = 0.0, 0.0
    for count, probability in zip(observed, law, strict=True):
        waiting_count += count
        waiting_expected += total * float(probability)
        if waiting_expected >= LEAST_EXPECTED:
            classes.append((waiting_count, waiting_expected))
            waiting_count, waiting_expected = 0.0, 0.0
    last_count, last_expected = classes.pop()
    classes.append((last_count + waiting_count, last_expected + waiting_expected))
    return _normal(sum((count - expected) ** 2 / expected for count, expected in classes), len(classes) - 1)


def _normal(square: float, freedom: int) -> float:
    """Return the z-score of a chi-square (formula of Wilson and Hilferty). `freedom`: its degrees of freedom."""
    slack = 2 / (9 * freedom)
    return float(((square / freedom) ** (1 / 3) - (1 - slack)) / sqrt(slack))


class HandMeans(NamedTuple):
    """The mean figures of the hands in one place. Trumps are counted without the Excuse.

    `points`: card points. `evaluation`: that of the profile `garde-1`.
    """

    place: str
    trumps: Fraction
    bouts: Fraction
    points: Fraction
    evaluation: Fraction | None  # None for the chien


def means_by_place(deals: Collection[Deal]) -> list[HandMeans]:
    """Return the mean figures of each seat and of the chien. All deals are for the same number of players."""
    piles = zip(*(deal.piles for deal in deals), strict=True)
    names = places(next(iter(deals)).players)
    return [_means(name, hands) for name, hands in zip(names, piles, strict=True)]


def _means(place: str, hands: Collection[tuple[int, ...]]) -> HandMeans:
    def mean(total: int) -> Fraction:
        return Fraction(total, len(hands))

    cards = [card for hand in hands for card in hand]
    return HandMeans(
        place,
        trumps=mean(sum(map(is_trump, cards))),
        bouts=mean(sum(map(is_bout, cards))),
        points=mean(sum(map(half_points, cards))) / 2,
        evaluation=None if place == "chien" else mean(sum(evaluate_1(hand).total for hand in hands)),
    )


class HandCounts(NamedTuple):
    """The number of hands for each number of bouts, of trumps (without the Excuse), and of the `garde-1` total."""

    bouts: Counter[int]
    trumps: Counter[int]
    evaluation: Counter[int]


def count_hands(hands: Iterable[Collection[int]]) -> HandCounts:
    """Return how many hands have each number of bouts, of trumps, and each total of `garde-1`."""
    hand_counts = HandCounts(Counter(), Counter(), Counter())
    for hand in hands:
        hand_counts.bouts[sum(map(is_bout, hand))] += 1
        hand_counts.trumps[sum(map(is_trump, hand))] += 1
        hand_counts.evaluation[evaluate_1(hand).total] += 1
    return hand_counts
