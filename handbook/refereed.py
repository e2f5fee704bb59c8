"""The answers that the referee gives: legal cards, winners, écarts, poignées and bids; tricks step by step."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deals.domain.cards import Seat
from handbook.deals import ShownDeal, ShownTrick
from handbook.errors import HandbookError
from handbook.exercises import Exercise
from referee.cards import (
    BEATING,
    BUT_EXCUSE,
    FOLLOWING,
    cards_of,
    find_legal,
    find_possible_sizes,
    find_showable,
    has_card,
    mask_of,
)
from referee.errors import PlayRefused
from referee.records.steps import PlayedTrick, TrickSteps, follow_tricks
from referee.rules import Bid, find_highest_bid, find_legal_bids, order_of_play
from referee.state import check_ecart, refuse_card
from scoring.values import FFT, Contract

PASS = "pass"


class TableNow(NamedTuple):
    """A trick at one moment: the set of the suit led, the cards that would win it now, and the seat that wins it."""

    led: int
    beating: int
    winner: Seat | None


def follow_trick(plays: Iterable[tuple[Seat, int]]) -> TableNow:
    """Return the trick once these cards are played. An Excuse never wins here, not even the last trick of a chelem."""
    table = TableNow(0, BUT_EXCUSE, None)
    for seat, card in plays:
        if has_card(table.beating, card):
            table = TableNow(table.led or FOLLOWING[card], BEATING[card], seat)
    return table


def find_trick_winner(trick: ShownTrick, players: int) -> Seat | None:
    """Return the seat that wins a trick, or None while it is under way."""
    return follow_trick(trick.plays).winner if len(trick.plays) == players else None


def list_trick_steps(deal: ShownDeal, tricks: Sequence[ShownTrick]) -> tuple[TrickSteps, ...]:
    """Return tricks of a deal step by step. Where the hand is shown, the legal cards are included.

    If the deal shows the taker's hand before the chien was taken, the taker's later cards are not known: nobody sees
    the écart.
    """
    order = order_of_play(deal.players)
    first_hands = {seat: hand for seat, hand in deal.hands.items() if not (seat == deal.taker and deal.chien)}
    hands = tuple(mask_of(first_hands[seat]) if seat in first_hands else None for seat in order)
    played = []
    for trick in tricks:
        winner = find_trick_winner(trick, deal.players)
        leader, cards = order.index(trick.plays[0][0]), tuple(card for _seat, card in trick.plays)
        played.append(PlayedTrick(trick.number, leader, cards, None if winner is None else order.index(winner)))
    return follow_tricks(played, hands)


def list_legal(exercise: Exercise, deal: ShownDeal) -> list[int]:
    """Return the cards that the seat of an exercise may play to the last trick shown."""
    hand, table = find_hand(exercise, deal), follow_trick(deal.tricks[exercise.tricks - 1].plays)
    return cards_of(find_legal(hand, table.led, table.beating))


def refuse_cards(exercise: Exercise, deal: ShownDeal, cards: Sequence[int]) -> list[PlayRefused]:
    """Return a refusal, with its reason, for each of the cards that is not legal."""
    assert exercise.seat is not None
    trick = deal.tricks[exercise.tricks - 1]
    hand, table, legal = find_hand(exercise, deal), follow_trick(trick.plays), list_legal(exercise, deal)
    return [
        refuse_card(exercise.seat, card, hand, mask_of(legal), table.led, trick.number)
        for card in cards
        if card not in legal
    ]


def refuse_ecart(exercise: Exercise, deal: ShownDeal, cards: Sequence[int]) -> list[PlayRefused]:
    """Return the reason why an écart is refused, as a list; [] if the écart is legal."""
    assert exercise.seat is not None
    try:
        check_ecart(exercise.seat, find_hand(exercise, deal) | mask_of(deal.chien), cards, deal.players)
    except PlayRefused as error:
        return [error]
    return []


def list_poignees(exercise: Exercise, deal: ShownDeal) -> list[str]:
    """Return the poignées that the seat of an exercise may show."""
    showable = find_showable(find_hand(exercise, deal), 0)
    return [str(size) for size in find_possible_sizes(showable, deal.players, FFT)]


def count_showable(exercise: Exercise, deal: ShownDeal) -> int:
    """Return how many cards the seat of an exercise could show in a poignée."""
    return find_showable(find_hand(exercise, deal), 0).bit_count()


def list_bids(exercise: Exercise) -> list[str]:
    """Return what the next player may say after the bids of an exercise."""
    return [str(bid) if bid else PASS for bid in find_legal_bids(read_bids(exercise))]


def refuse_bids(exercise: Exercise, given: Sequence[str]) -> list[PlayRefused]:
    """Return the refusal of bids that are too low, as a list, or [] if no bid is too low.

    One refusal stands for all of these bids.
    """
    highest, legal = find_highest_bid(read_bids(exercise)), list_bids(exercise)
    if exercise.seat is None or highest is None or all(bid in legal for bid in given):
        return []
    return [PlayRefused("bid_low", seat=exercise.seat, highest=str(highest[1]))]


def read_bids(exercise: Exercise) -> tuple[Bid, ...]:
    """Return the bids that were made before the question of the exercise."""
    return tuple(Contract(bid) if bid else None for bid in exercise.bids)


def find_hand(exercise: Exercise, deal: ShownDeal) -> int:
    """Return the set of the cards that the seat of an exercise holds, without those it has played."""
    if exercise.seat is None or exercise.seat not in deal.hands:
        raise HandbookError(f"{exercise.key}: {deal.key} has no hand of {exercise.seat}.")
    played = {card for trick in deal.tricks[: exercise.tricks] for _seat, card in trick.plays}
    return mask_of(card for card in deal.hands[exercise.seat] if card not in played)
