"""The steps of a record, card by card, for pages and programs that show how a deal was played.

A step has the hands before a card, and the legal cards. A trick has its winner, and the points of both sides after it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from deals.domain.cards import HAND
from referee.cards import BEATING, BUT_EXCUSE, FOLLOWING, TAKES_CHIEN, find_legal, find_opening_leads, has_card
from referee.counting import WonCards, count_aside, count_trick
from referee.errors import PlayRefused
from referee.records.judging import find_terms, judge_record, knows_sides
from referee.records.values import DealRecord
from referee.rules import STANDARD, PlayRules, player_at
from referee.terms import DealTerms, Trick

Hands = tuple[int | None, ...]


class PlayedTrick(NamedTuple):
    """A trick as it was played. It may be incomplete; then `winner` is None. Players are numbers (`seats`)."""

    number: int
    leader: int
    cards: tuple[int, ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class CardStep:
    """A card of a record, and the table before it.

    `hands`: the cards of each player before this card, None for a player whose cards are not known exactly. `legal`:
    the cards that the player could play, None if the hand is not known. `fault`: the reason why the card was not legal,
    or None.
    """

    player: int
    card: int
    hands: Hands
    legal: int | None
    fault: PlayRefused | None = None


@dataclass(frozen=True, slots=True)
class TrickSteps:
    """The steps of a trick.

    `won`: the points of both sides after it; None if it is incomplete or the sides are unknown.
    """

    number: int
    leader: int
    steps: tuple[CardStep, ...]
    winner: int | None
    won: WonCards | None = None


@dataclass(frozen=True, slots=True)
class RecordSteps:
    """A record, step by step.

    `record` has the écart too, if it follows from the other cards. `hands`: before the first card. `start`: the points
    of both sides before the first trick; None if the sides are not known. `knows_aside`: whether the points include the
    écart or the chien. `faults`: the faults that belong to no card, such as a wrong écart.
    """

    record: DealRecord
    hands: Hands
    start: WonCards | None
    knows_aside: bool
    tricks: tuple[TrickSteps, ...]
    faults: tuple[PlayRefused, ...]


def list_steps(record: DealRecord, rules: PlayRules = STANDARD) -> RecordSteps:
    """Return the steps of a record, which may be incomplete.

    Raise RecordError if one side claims the remaining tricks and `rules` do not allow it. Raise PlayRefused if a player
    plays a card that another hand holds. `judge_record` does the same.
    """
    record = find_ecart(record)
    judged = judge_record(record, rules)
    if record.taker is None:
        return RecordSteps(record, (None,) * record.players, None, False, (), ())
    terms = find_terms(record, rules)
    won = start = count_aside(terms) if knows_sides(record) else None
    by_card = {(fault.trick, fault.card): fault for fault in judged.faults}
    tricks = []
    for trick in follow_tricks(list_played(record, judged.tricks), find_hands(record, terms), record.called):
        steps = tuple(replace(step, fault=by_card.pop((trick.number, step.card), None)) for step in trick.steps)
        if won is not None and trick.winner is not None:
            played = Trick(trick.leader, tuple(step.card for step in steps), trick.winner)
            won = count_trick(won, played, terms, trick.number == HAND[record.players])
        tricks.append(replace(trick, steps=steps, won=None if trick.winner is None else won))
    return RecordSteps(
        record,
        find_hands(record, terms),
        start,
        record.deal is not None and (record.ecart is not None or record.contract not in TAKES_CHIEN),
        tuple(tricks),
        tuple(by_card.values()),
    )


def find_ecart(record: DealRecord) -> DealRecord:
    """Return the record with its écart, if it is not recorded but follows from the hands and all cards played."""
    if record.ecart is not None or record.deal is None or not record.is_complete or record.contract not in TAKES_CHIEN:
        return record
    assert record.taker is not None
    held = {*record.deal.hand(record.taker), *record.deal.chien} - set(record.cards)
    return replace(record, ecart=tuple(held))


def find_hands(record: DealRecord, terms: DealTerms) -> Hands:
    """Return the hands before the first card. The hand of a taker whose écart is not known is None."""
    if record.deal is None:
        return (None,) * record.players
    unknown = terms.contract in TAKES_CHIEN and terms.ecart is None
    return tuple(None if unknown and player == terms.taker else hand for player, hand in enumerate(terms.hands))


def list_played(record: DealRecord, tricks: Sequence[Trick]) -> list[PlayedTrick]:
    """Return all tricks of a record, also an incomplete last one. `tricks` are the complete ones, with winners."""
    leader = player_at(record.first_leader, record.players)
    played = []
    for number, cards in enumerate(record.tricks, 1):
        winner = tricks[number - 1].winner if len(cards) == record.players else None
        played.append(PlayedTrick(number, leader, cards, winner))
        leader = leader if winner is None else winner
    return played


def follow_tricks(tricks: Iterable[PlayedTrick], hands: Hands, called: int | None = None) -> tuple[TrickSteps, ...]:
    """Return the steps of tricks that were played from these hands, without the points.

    `called` is the card that a taker of five called. If a player plays a card that is not in the known hand, the hand
    counts as unknown from then on.
    """
    trick_steps = []
    for trick in tricks:
        led, beating = 0, BUT_EXCUSE
        steps = []
        for place, card in enumerate(trick.cards):
            player = (trick.leader + place) % len(hands)
            hand = hands[player]
            if hand is not None and not has_card(hand, card):
                hand = None
            legal = None
            if hand is not None:
                opens = trick.number == 1 and place == 0
                legal = find_opening_leads(hand, called) if opens else find_legal(hand, led, beating)
            steps.append(CardStep(player, card, hands, legal))
            hands = (*hands[:player], None if hand is None else hand & ~(1 << card), *hands[player + 1 :])
            if has_card(beating, card):
                led, beating = led or FOLLOWING[card], BEATING[card]
        trick_steps.append(TrickSteps(trick.number, trick.leader, tuple(steps), trick.winner))
    return tuple(trick_steps)


def find_parting(one: DealRecord, other: DealRecord) -> int | None:
    """Return the number of cards before the first card in which two records differ.

    Return None if they do not differ before the shorter one ends.
    """
    pairs = zip(one.cards, other.cards, strict=False)
    return next((place for place, (mine, others) in enumerate(pairs) if mine != others), None)
