"""The description of a table for one of its seats, as plain data without a language, for pages and programs.

Everything here follows from a `SeatView`, so no field can hold a card that the viewer does not know. Points are half
points, cards the numbers of `deals.domain.cards`, seats the letters N, E, S and W.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from deals.domain.cards import CHIEN, EXCUSE, by_suit
from referee.cards import (
    cards_of,
    count_forced_trumps,
    find_concealed,
    find_discardable,
    find_possible_sizes,
    find_showable,
    find_size,
    mask_of,
)
from referee.counting import WonCards, count_trick
from referee.rules import find_legal_bids, first_to_play, player_at, seat_of
from referee.terms import DealPhase, DealTerms
from referee.views import SeatView
from rooms.record.moves import BID_TOKENS
from scoring.contract import score_deal

PASSED = "pass"


class ShownBid(TypedDict):
    """A bid, or "pass", of a seat."""

    seat: str
    bid: str


class OfferedBid(TypedDict):
    """A bid that the viewer may make now, and the move that makes it."""

    bid: str
    move: str


class PlayedCard(TypedDict):
    """A card that lies on the table, and the seat that played it."""

    seat: str
    card: int


class TableTrick(TypedDict):
    """A trick. `winner` is "" while it is under way."""

    number: int
    cards: list[PlayedCard]
    winner: str


class ShownPoignee(TypedDict):
    """A poignée that a seat showed, with its cards from high to low."""

    seat: str
    size: str
    cards: list[int]


class OfferedPoignee(TypedDict):
    """A poignée that the viewer may show now: `count` of `cards`. `proposed`: one that the rules allow."""

    size: str
    count: int
    cards: list[int]
    proposed: list[int]


class TableQuestion(TypedDict):
    """The question to the viewer. `kind` is bid, ecart, chelem, card, wait or over; other fields belong to one kind.

    A chelem is asked alone if the taker does not lead and makes no écart. `bids`: of a bid. `cards`: the cards that may
    be discarded or played. `count` and `trumps`: how many cards an écart has, and how many of them must be trumps.
    `chelem`: whether a chelem may be announced with this answer. `poignees`: those that may be shown before the card.
    """

    kind: str
    bids: list[OfferedBid]
    cards: list[int]
    count: int
    trumps: int
    chelem: bool
    poignees: list[OfferedPoignee]


class ShownSeat(TypedDict):
    """A seat: its name, how many cards and tricks it has, and what it does in this deal."""

    seat: str
    name: str
    cards: int
    tricks: int
    deals: bool
    takes: bool
    is_turn: bool
    is_viewer: bool


class ShownLine(TypedDict):
    """One line of a score, as `scoring.contract.ScoreLine` has it."""

    kind: str
    amount: int
    params: dict[str, Any]


class TableResult(TypedDict):
    """The end of a deal. `kind` is played, passed or void (a petit sec). `marks`: what each seat wins or loses."""

    kind: str
    made: bool
    half_points: int
    bouts: int
    target: int
    base_score: int
    lines: list[ShownLine]
    marks: dict[str, int]


class ShownTable(TypedDict):
    """A table as its viewer sees it. The fields are explained in `describe_table`."""

    etui: int
    of: int
    length: int
    is_thinking: bool
    phase: str
    viewer: str
    turn: str
    dealer: str
    taker: str
    contract: str
    seats: list[ShownSeat]
    bids: list[ShownBid]
    hand: list[int]
    asks: TableQuestion
    chien: list[int]
    ecart: list[int]
    ecart_trumps: list[int]
    trick: TableTrick
    last_trick: TableTrick | None
    won: dict[str, int]
    poignees: list[ShownPoignee]
    chelem: str
    result: TableResult | None


def describe_table(
    seen: SeatView,
    *,
    names: Mapping[str, str],
    etui: int,
    of: int,
    length: int,
    is_thinking: bool = False,
    asks_chelem: bool = False,
) -> ShownTable:
    """Return what the viewer of `seen` is shown of étui number `etui` of `of`.

    `names` has a name for each seat. `length` is the number of moves so far. `is_thinking`: the bots have not yet made
    all of their moves. `asks_chelem`: the others wait until the viewer has announced a chelem, or not. `turn`, `taker`,
    `contract` and `chelem` are "" if there is none. `seats` begins with the viewer and goes on in the direction of
    play. `hand` is sorted. `chien` has the chien if it was shown, `ecart` the viewer's own one, `ecart_trumps` the
    trumps that any taker had to show. `won` has the half points and bouts in the tricks of both sides, without écart
    and chien.
    """
    players, me = len(seen.sizes), player_at(seen.seat, len(seen.sizes))
    return {
        "etui": etui,
        "of": of,
        "length": length,
        "is_thinking": is_thinking,
        "phase": str(seen.phase),
        "viewer": str(seen.seat),
        "turn": "" if seen.phase == DealPhase.OVER else str(seat_of(seen.turn, players)),
        "dealer": str(seat_of(seen.dealer, players)),
        "taker": "" if seen.taker is None else str(seat_of(seen.taker, players)),
        "contract": str(seen.contract or ""),
        "seats": [show_seat(seen, (me + step) % players, names) for step in range(players)],
        "bids": list_bids(seen),
        "hand": sort_hand(cards_of(seen.hand)),
        "asks": find_asked(seen, me, asks_chelem),
        "chien": sort_hand(cards_of(seen.chien)),
        "ecart": sort_hand(cards_of(seen.ecart or 0)),
        "ecart_trumps": sort_hand(cards_of(seen.ecart_trumps)),
        "trick": show_trick(len(seen.tricks) + 1, seen.leader, seen.cards, players),
        "last_trick": show_last_trick(seen),
        "won": count_won(seen)._asdict(),
        "poignees": [show_poignee(seen, player, cards) for player, cards in seen.poignees],
        "chelem": "" if seen.chelem is None else str(seat_of(seen.chelem, players)),
        "result": show_result(seen) if seen.phase == DealPhase.OVER else None,
    }


def sort_hand(cards: Iterable[int]) -> list[int]:
    """Return cards as a hand holds them: the trumps from high to low, the Excuse, then each suit from high to low."""
    *suits, trumps = by_suit(cards)
    return [*trumps, *(card for suit in suits for card in suit)]


def show_seat(seen: SeatView, player: int, names: Mapping[str, str]) -> ShownSeat:
    """Return a seat with its name and what it does."""
    seat = str(seat_of(player, len(seen.sizes)))
    return {
        "seat": seat,
        "name": names[seat],
        "cards": seen.sizes[player],
        "tricks": sum(trick.winner == player for trick in seen.tricks),
        "deals": player == seen.dealer,
        "takes": player == seen.taker,
        "is_turn": seen.phase != DealPhase.OVER and player == seen.turn,
        "is_viewer": seat == seen.seat,
    }


def list_bids(seen: SeatView) -> list[ShownBid]:
    """Return the bids so far, with the seat of each."""
    players = len(seen.sizes)
    first = first_to_play(seen.dealer, players)
    return [
        {"seat": str(seat_of((first + place) % players, players)), "bid": str(bid or PASSED)}
        for place, bid in enumerate(seen.bids)
    ]


def find_asked(seen: SeatView, me: int, asks_chelem: bool) -> TableQuestion:
    """Return what the viewer is asked now."""
    question: TableQuestion = {
        "kind": "wait",
        "bids": [],
        "cards": [],
        "count": 0,
        "trumps": 0,
        "chelem": False,
        "poignees": [],
    }
    if seen.phase == DealPhase.OVER:
        question["kind"] = "over"
    elif asks_chelem:
        question |= {"kind": "chelem", "chelem": True}
    elif seen.turn != me:
        pass
    elif seen.phase == DealPhase.AUCTION:
        question["kind"] = "bid"
        question["bids"] = [{"bid": str(bid or PASSED), "move": BID_TOKENS[bid]} for bid in find_legal_bids(seen.bids)]
    elif seen.phase == DealPhase.ECART:
        players = len(seen.sizes)
        question |= {"kind": "ecart", "count": CHIEN[players], "trumps": count_forced_trumps(seen.hand, players)}
        question["cards"] = sort_hand(cards_of(find_discardable(seen.hand, players)))
        question["chelem"] = True
    elif seen.phase == DealPhase.PLAY:
        question |= {"kind": "card", "cards": sort_hand(cards_of(seen.legal))}
        question["chelem"] = may_announce(seen, me)
        question["poignees"] = list_offered(seen, me)
    return question


def may_announce(seen: SeatView, me: int) -> bool:
    """Return whether the viewer may announce a chelem now: the taker may, before anybody has played a card."""
    untouched = seen.phase == DealPhase.PLAY and not seen.cards and not seen.tricks
    return untouched and me == seen.taker and seen.chelem is None


def list_offered(seen: SeatView, me: int) -> list[OfferedPoignee]:
    """Return the poignées that the viewer may show before the first card, the largest first.

    The Excuse can be shown only with every trump of the hand. So it is offered only if the hand has just enough.
    """
    if seen.tricks or any(player == me for player, _shown in seen.poignees):
        return []
    players, scoring = len(seen.sizes), seen.rules.scoring
    showable = find_showable(seen.hand, (seen.ecart or 0) if seen.rules.ecart_in_poignee else 0)
    cards = sort_hand(cards_of(showable))
    offered: list[OfferedPoignee] = []
    for size in find_possible_sizes(showable, players, scoring):
        count = scoring.poignee_trumps[players][size]
        trumps = [card for card in cards if card != EXCUSE]
        proposed = trumps[:count] if len(trumps) >= count else cards
        if len(proposed) == count and not (EXCUSE in proposed and find_concealed(mask_of(proposed), seen.hand)):
            choice = trumps if len(trumps) >= count else cards
            offered.append({"size": str(size), "count": count, "cards": choice, "proposed": proposed})
    return offered[::-1]


def show_trick(number: int, leader: int, cards: Iterable[int], players: int, winner: str = "") -> TableTrick:
    """Return a trick with the seat of each card."""
    played: list[PlayedCard] = [
        {"seat": str(seat_of((leader + place) % players, players)), "card": card} for place, card in enumerate(cards)
    ]
    return {"number": number, "cards": played, "winner": winner}


def show_last_trick(seen: SeatView) -> TableTrick | None:
    """Return the last complete trick, or None before there is one."""
    if not seen.tricks:
        return None
    trick, players = seen.tricks[-1], len(seen.sizes)
    return show_trick(len(seen.tricks), trick.leader, trick.cards, players, str(seat_of(trick.winner, players)))


def count_won(seen: SeatView) -> WonCards:
    """Return the half points and bouts in the tricks of both sides, as everybody at the table can count them."""
    won = WonCards()
    if seen.taker is None:
        return won
    terms = DealTerms((0,) * len(seen.sizes), 0, seen.dealer, seen.rules, taker=seen.taker, contract=seen.contract)
    for trick in seen.tricks:
        is_last = seen.phase == DealPhase.OVER and trick is seen.tricks[-1]
        won = count_trick(won, trick, terms, is_last)
    return won


def show_poignee(seen: SeatView, player: int, cards: int) -> ShownPoignee:
    """Return a poignée with its size and its cards."""
    players = len(seen.sizes)
    size = find_size(cards.bit_count(), players, seen.rules.scoring)
    return {"seat": str(seat_of(player, players)), "size": str(size or ""), "cards": sort_hand(cards_of(cards))}


def show_result(seen: SeatView) -> TableResult:
    """Return the end of a deal that is over: its score with the lines that explain it."""
    players = len(seen.sizes)
    seats = [str(seat_of(player, players)) for player in range(players)]
    shown: TableResult = {
        "kind": "passed" if len(seen.bids) == players else "void",
        "made": False,
        "half_points": 0,
        "bouts": 0,
        "target": 0,
        "base_score": 0,
        "lines": [],
        "marks": dict.fromkeys(seats, 0),
    }
    if seen.result is None:
        return shown
    score = score_deal(seen.result, seen.rules.scoring)
    return {
        "kind": "played",
        "made": score.made,
        "half_points": seen.result.half_points,
        "bouts": seen.result.bouts,
        "target": score.target,
        "base_score": score.base_score,
        "lines": [{"kind": line.kind, "amount": line.amount, "params": dict(line.params)} for line in score.lines],
        "marks": dict.fromkeys(seats, score.defender) | {seats[seen.taker or 0]: score.taker},
    }
