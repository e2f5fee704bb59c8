"""The judging of answers to exercises, which are texts from an address, by the answers that the referee gives.

Only a CHOICE has a stored answer. Scores come from `scoring`, points from `deals.domain`, all else from `referee`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar, NamedTuple

from deals.domain.cards import EXCUSE, Seat, half_points, is_trump, order_for_display, show_card
from handbook.deals import ShownDeal, ShownTrick, find_card
from handbook.errors import HandbookError
from handbook.exercises import AnswerChoice, Exercise, Kind
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
from scoring.contract import ScoreLine, score_deal
from scoring.values import FFT, Contract, Poignee
from wording import CodedError, CodedText, Texts
from wording import gettext_noop as _
from wording.figures import FigureError, read_figure

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


MOST_ANSWERS, MOST_LETTERS = 24, 12
MOST = Decimal(10_000)  # the absolute value of an answer is below it
TYPED = frozenset({Kind.COUNT, Kind.SCORE})
CARDS_CHOSEN = frozenset({Kind.LEGAL, Kind.DISCARD})
MANY = CARDS_CHOSEN | {Kind.BID, Kind.POIGNEE}


class AnswerError(CodedError):
    """The error for an answer that cannot be read. `params` has the answer as `found`."""

    messages: ClassVar[Texts] = {
        "empty": _("Give an answer first."),
        "one": _("Choose one answer, not %(found)s."),
        "number": _("“%(found)s” is not a number. Write it in digits, such as 42 or −31."),
        "choice": _("“%(found)s” is not one of the answers of this exercise. Choose one of those below."),
        "card": _("“%(found)s” is not one of the cards of this exercise. Choose among those below."),
    }


class AnswerNote(CodedText):
    """The reason why the right answer to a question is right, where no refusal says it."""

    messages: ClassVar[Texts] = {
        "by_trump": _("The highest trump wins the trick: %(card)s."),
        "by_suit": _("Nobody trumped, so the highest card of the suit led wins the trick: %(card)s."),
        "poignee": _("This hand has %(found)s cards to show, the Excuse included. The poignées take %(sizes)s."),
        "count": _(
            "%(cards)s cards make %(pairs)s points, two by two. Each bout and Roi adds 4, each Dame 3, each Cavalier 2 "
            "and each Valet 1: %(more)s more."
        ),
    }

    def __init__(self, code: str, **params: object) -> None:
        self.code, self.params = code, params


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on an answer to an exercise.

    `right`: the right answers, as keys of options or as one number; empty for a DISCARD, which has many. `choice`: the
    answer chosen from a CHOICE. `lines`: the lines of a score. `refusals`: the reasons of the referee against the wrong
    cards or bids. `note`: why the right answer is right.
    """

    is_right: bool
    right: tuple[str, ...]
    choice: AnswerChoice | None = None
    lines: tuple[ScoreLine, ...] = ()
    refusals: tuple[PlayRefused, ...] = ()
    note: AnswerNote | None = None


def list_options(exercise: Exercise, deal: ShownDeal | None) -> tuple[str, ...]:
    """Return the keys of the answers that a reader chooses from. Empty if the reader types a number."""
    if exercise.kind == Kind.CHOICE:
        return tuple(choice.key for choice in exercise.choices)
    if exercise.kind == Kind.BID:
        return (PASS, *map(str, Contract))
    if exercise.kind == Kind.POIGNEE:
        return tuple(map(str, Poignee))
    if exercise.kind == Kind.WINNER:
        return tuple(seat for seat, _card in find_deal(deal).tricks[exercise.tricks - 1].plays)
    if exercise.kind in CARDS_CHOSEN:
        chien = find_deal(deal).chien if exercise.kind == Kind.DISCARD else ()
        cards = order_for_display((*cards_of(find_hand(exercise, find_deal(deal))), *chien))
        return tuple(map(show_card, cards))
    return ()


def find_deal(deal: ShownDeal | None) -> ShownDeal:
    """Return the deal of an exercise whose kind needs one."""
    if deal is None:
        raise HandbookError("An exercise of this kind needs a deal.")
    return deal


def judge_answer(exercise: Exercise, deal: ShownDeal | None, given: Sequence[str]) -> Verdict:
    """Return the verdict on the given answers. Raise AnswerError if they cannot be read."""
    if not any(given):
        raise AnswerError("empty")
    if exercise.kind not in MANY and len(given) != 1:
        raise AnswerError("one", found=len(given))
    if exercise.kind in TYPED:
        return judge_count(exercise, given[0]) if exercise.kind == Kind.COUNT else judge_score(exercise, given[0])
    options = list_options(exercise, deal)
    for answer in given:
        if answer not in options:
            code = "card" if exercise.kind in CARDS_CHOSEN else "choice"
            raise AnswerError(code, found=answer[:MOST_LETTERS])
    return judge_options(exercise, deal, given)


def judge_options(exercise: Exercise, deal: ShownDeal | None, given: Sequence[str]) -> Verdict:
    """Return the verdict on the options that a reader has chosen."""
    if exercise.kind == Kind.CHOICE:
        chosen = next(choice for choice in exercise.choices if choice.key == given[0])
        return Verdict(chosen.is_right, tuple(each.key for each in exercise.choices if each.is_right), chosen)
    if exercise.kind == Kind.BID:
        return replace(judge_set(list_bids(exercise), given), refusals=tuple(refuse_bids(exercise, given)))
    played = find_deal(deal)
    if exercise.kind == Kind.POIGNEE:
        return replace(judge_set(list_poignees(exercise, played), given), note=note_poignee(exercise, played))
    if exercise.kind == Kind.WINNER:
        return judge_winner(played.tricks[exercise.tricks - 1], played.players, given)
    cards = [find_card(each) for each in given]
    if exercise.kind == Kind.DISCARD:
        refused = tuple(refuse_ecart(exercise, played, cards))
        return Verdict(not refused, (), refusals=refused)
    legal = [show_card(card) for card in order_for_display(list_legal(exercise, played))]
    return replace(judge_set(legal, given), refusals=tuple(refuse_cards(exercise, played, cards)))


def judge_set(right: Sequence[str], given: Sequence[str]) -> Verdict:
    """Return the verdict on a set of answers. It is right if it has all right answers and no other."""
    return Verdict(set(right) == set(given), tuple(right))


def judge_winner(trick: ShownTrick, players: int, given: Sequence[str]) -> Verdict:
    """Return the verdict on the seat that the reader names as the winner of a complete trick."""
    winner = find_trick_winner(trick, players)
    card = dict(trick.plays)[winner] if winner else EXCUSE
    shown = show_card(card)
    note = AnswerNote("by_trump", card=shown) if is_trump(card) else AnswerNote("by_suit", card=shown)
    return replace(judge_set([str(winner)], given), note=note)


def note_poignee(exercise: Exercise, deal: ShownDeal) -> AnswerNote:
    """Return the note about poignées: how many cards the hand can show, and how many each poignée needs."""
    sizes = FFT.poignee_trumps[deal.players].values()
    return AnswerNote("poignee", found=count_showable(exercise, deal), sizes=", ".join(map(str, sizes)))


def judge_count(exercise: Exercise, answer: str) -> Verdict:
    """Return the verdict on a number of points."""
    right, pairs = Decimal(sum(map(half_points, exercise.cards))) / 2, Decimal(len(exercise.cards)) / 2
    note = AnswerNote("count", cards=len(exercise.cards), pairs=pairs, more=right - pairs)
    return Verdict(read_number(answer) == right, (f"{right.normalize():f}",), note=note)


def judge_score(exercise: Exercise, answer: str) -> Verdict:
    """Return the verdict on a base score."""
    assert exercise.result is not None
    score = score_deal(exercise.result)
    return Verdict(read_number(answer) == score.base_score, (str(score.base_score),), lines=score.lines)


def read_number(answer: str) -> Decimal:
    """Return the number of an answer: "42", "+42", "−31", "40,5" or "40½"."""
    try:
        figure = read_figure(answer)
    except FigureError as error:
        raise AnswerError("number", found=answer[:MOST_LETTERS]) from error
    if 2 * figure % 1 or abs(figure) >= MOST:
        raise AnswerError("number", found=answer[:MOST_LETTERS])
    return figure


# The page that explains a rule of the bots' policy. Other rules belong to the pages about attack and defence.
PAGES_OF_RULES = {
    "excuse_a_bare_petit": "petit",
    "give_the_petit_to_a_partner": "petit",
    "hold": "holding",
    "hunt_the_petit": "petit",
    "keep_the_petit_for_the_end": "petit",
    "make_the_uppercut": "uppercut",
    "obey": "obedience",
    "open_the_long_suit": "long-suits",
    "play_two_for_one": "two-for-one",
    "return_trumps": "obedience",
    "save_the_petit_by_trumping": "petit",
    "say_the_strong_hand": "signals",
    "signal_two_cards": "signals",
    "trump_a_partners_petit_home": "petit",
}


def find_page_of_rule(rule: str, *, attacks: bool) -> str:
    """Return the page of the handbook about a rule, or that about the player's side. `attacks`: the player took."""
    return PAGES_OF_RULES.get(rule, "attacking" if attacks else "defending")
