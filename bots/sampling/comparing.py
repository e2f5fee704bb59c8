"""The choice of a card by sampling: draw the hidden hands, play each drawn deal to its end, compare the means.

All cards are tried on the same drawn deals. Cards between which no card of the others lies are tried once.

The review of a card that a person has played looks at it twice. The first draws name the best other card. Fresh draws
then measure the difference, so the figure is not too high because the best of several cards was chosen by it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import islice
from math import sqrt

from bots.levels import Character
from bots.policy.deciding import explain_card
from bots.sampling.drawing import HandDrawer
from bots.sampling.imagining import StateMaker
from bots.sampling.playing_out import play_to_the_end
from bots.sampling.scores import ScoreCounter
from bots.secrets import decision_numbers
from bots.suits import ALL_SUITS, POINTS, SPOTS, find_located
from deals.domain.cards import EXCUSE, PETIT
from deals.domain.dealing import below
from referee.cards import EXCUSE_BIT, WHOLE_DECK, cards_of
from referee.rules import player_at
from referee.state import GameState, Playout
from referee.views import SeatView

WEIGHT = 1024  # of the best card, for a soft bot
FIRST, FRESH = 30, 100  # draws
LEAST, SURE, MOST = 3.0, 2.0, 3  # a loss that is told has so many points and standard errors; the most that are told
CAUTION = 2.5  # a card replaces the policy's if its mean is better by so many standard errors
MARGIN = 1e-6  # of a quotient, for what floating point rounds away


DealScorer = Callable[[int], int]  # what a card scores on a drawn deal


def draw_deals(seen: SeatView, chance: Iterator[int]) -> Iterator[DealScorer]:
    """Draw the hidden hands without end. Yield for each drawn deal the function that plays a card and the rest of it.

    It returns the base score, as the player's side counts it.
    """
    maker = StateMaker(seen)
    drawer, counter = HandDrawer(seen, maker), None
    sign = 1 if player_at(seen.seat, len(seen.sizes)) == seen.taker else -1
    while True:
        drawn = drawer.draw(chance)
        state = maker.make(drawn.hands, drawn.aside)
        counter = counter or ScoreCounter(seen, state.terms)
        yield partial(score_card, state, counter, sign)


def score_card(state: GameState, counter: ScoreCounter, sign: int, card: int) -> int:
    """Return the base score, times `sign`, if this card is played and then the deal to its end."""
    playout = Playout(state)
    playout.play(card)
    play_to_the_end(playout)
    return sign * counter.count(state.terms, playout.tricks)


def choose_by_samples(seen: SeatView, bot: Character, chance: Iterator[int], favourite: int) -> int:
    """Return the card with the best mean base score for the player's side. `favourite`: the card of the policy.

    A soft bot takes a worse card now and then.
    """
    candidates = find_candidates(seen, favourite)
    if len(candidates) == 1:
        return favourite
    deals, samples = draw_deals(seen, chance), int(bot.level)
    if bot.soft:
        scores = list_scores(deals, samples, candidates)
        return choose_softly({card: sum(scores[card]) for card in scores}, samples, bot.soft, chance)
    return choose_surely(deals, samples, candidates)


def choose_surely(deals: Iterator[DealScorer], samples: int, cards: list[int]) -> int:
    """Return the first card, unless another one is surely better (`find_sure_gain`) over so many drawn deals.

    A card that cannot become surely better by the deals that are left is no longer played.
    """
    favourite, *others = cards
    gains: dict[int, list[int]] = {card: [] for card in others}
    for left, score in zip(range(samples - 1, -1, -1), deals, strict=False):
        first = score(favourite)
        for card, found in gains.items():
            found.append(score(card) - first)
        gains = {card: found for card, found in gains.items() if may_be_sure(found, left)}
        if not gains:
            return favourite
    best = max(gains, key=lambda card: find_sure_gain(gains[card]))
    return best if find_sure_gain(gains[best]) > 0 else favourite


def may_be_sure(gains: list[int], left: int) -> bool:
    """Return whether the sure gain can be above 0 after so many more gains.

    Divide the square of the sum of the gains by the sum of their squares. The sure gain is above 0 if the sum is, and
    this quotient is above a bound. More gains add at most their number to the quotient (Cauchy and Schwarz).
    """
    count, total, squares = len(gains) + left, sum(gains), sum(gain * gain for gain in gains)
    bound = CAUTION**2 * count / (count - 1 + CAUTION**2)
    quotient = total * total / squares if total > 0 else 0.0
    return quotient + left > bound - MARGIN


def choose_softly(sums: Mapping[int, int], samples: int, soft: int, chance: Iterator[int]) -> int:
    """Return one of the cards by chance. `sums`: the sum of each card's scores over the samples, for its own side.

    A card's weight is halved for each `soft` points by which its mean score is lower than the best one.
    """
    best = max(sums.values())
    weights = [(card, WEIGHT >> min((best - total) // (soft * samples), WEIGHT)) for card, total in sums.items()]
    drawn = below(chance, sum(weight for _card, weight in weights))
    for card, weight in weights:
        if drawn < weight:
            return card
        drawn -= weight
    raise AssertionError("the drawn number is below the sum of the weights")


def find_sure_gain(gains: list[int]) -> float:
    """Return the mean of the gains, less the part of it that chance alone explains easily."""
    count = len(gains)
    mean = sum(gains) / count
    spread = sum((gain - mean) ** 2 for gain in gains) / max(1, count - 1)
    return mean - CAUTION * sqrt(spread / count)


def list_scores(deals: Iterator[DealScorer], samples: int, cards: list[int]) -> dict[int, list[int]]:
    """Return, for each card, what it scores on so many drawn deals."""
    scores: dict[int, list[int]] = {card: [] for card in cards}
    for score in islice(deals, samples):
        for card, card_scores in scores.items():
            card_scores.append(score(card))
    return scores


def find_candidates(seen: SeatView, favourite: int) -> list[int]:
    """Return the legal cards that are worth a try, one of each run of equal cards, the favourite first.

    Cards of one suit are equal if no card of the others lies between them, and if they have the same points. Of the
    cards without points in a plain suit only the lowest and the highest are tried, of the trumps also the middle one.
    """
    others = WHOLE_DECK & ~find_located(seen)
    tried_runs = []
    for suit in ALL_SUITS:
        runs = find_runs(seen.legal & suit, others)
        empty = [run for run in runs if POINTS[run[0]] == 1]
        tried = {0, len(empty) - 1} if empty and SPOTS >> empty[0][0] & 1 else {0, len(empty) // 2, len(empty) - 1}
        kept = [run for place, run in enumerate(empty) if place in tried or favourite in run]
        tried_runs += [run for run in runs if run in kept or POINTS[run[0]] > 1]
    if seen.legal & EXCUSE_BIT:
        tried_runs.append([EXCUSE])
    cards = [favourite if favourite in run else run[0] for run in tried_runs]
    return sorted(cards, key=lambda card: card != favourite)


def find_runs(mine: int, others: int) -> list[list[int]]:
    """Return the cards of one suit in runs of equal cards, in rising order."""
    runs: list[list[int]] = []
    for card in cards_of(mine):
        if runs and card != PETIT:
            last = runs[-1][-1]
            between = (1 << card) - (2 << last)
            if POINTS[card] == POINTS[last] and not others & between:
                runs[-1].append(card)
                continue
        runs.append([card])
    return runs


@dataclass(frozen=True, slots=True)
class CardReview:
    """A card that was played, a better one, and what it has cost: base points for the player's side.

    `loss` ± `error` comes from the fresh draws. `rule`: the rule of the policy that names the other card, or "".
    """

    card: int
    other: int
    loss: float
    error: float
    rule: str


def review_card(seen: SeatView, card: int, secret: bytes) -> CardReview | None:
    """Return the review of a card that was played in this view. None if it has cost nothing that can be told."""
    cards = find_candidates(seen, card)
    if len(cards) == 1:
        return None
    deals = draw_deals(seen, decision_numbers(sha256(b"TDGR" + secret).digest(), seen))
    sums = {tried: sum(scores) for tried, scores in list_scores(deals, FIRST, cards).items()}
    other = max(cards, key=lambda tried: sums[tried])
    if sums[other] - sums[card] < FIRST * LEAST / 2:
        return None  # the fresh draws would hardly tell a loss
    fresh = list_scores(deals, FRESH, [card, other])
    gains = [better - played for better, played in zip(fresh[other], fresh[card], strict=True)]
    loss = sum(gains) / FRESH
    error = sqrt(sum((gain - loss) ** 2 for gain in gains) / (FRESH - 1) / FRESH)
    if loss < max(LEAST, SURE * error):
        return None
    rule, favourite = explain_card(seen)
    return CardReview(card, other, loss, error, rule if favourite == other else "")


def choose_dearest(reviews: Iterable[tuple[int, CardReview]]) -> list[tuple[int, CardReview]]:
    """Return the cards that cost most, the dearest first, each with its number in the deal."""
    return sorted(reviews, key=lambda told: (-told[1].loss, told[0]))[:MOST]
