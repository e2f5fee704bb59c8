"""The check of a record against the étui's cards and against the result that was entered. The functions are pure.

A *clash* is a contradiction: then the record is of another deal, or the result is wrong. A breach of the rules of play,
such as a revoke, is not a clash, because it may really have happened. `find_record_faults` lists such breaches.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from deals.domain.cards import CHIEN, EXCUSE, Seat, is_bout
from deals.domain.deal import Deal
from referee.cards import TAKES_CHIEN, find_size
from referee.counting import HALF_POINTS, PAID
from referee.errors import PlayRefused
from referee.records.judging import FIVE, JudgedRecord, find_partner, judge_record
from referee.records.values import DealRecord, RecordError
from referee.rules import PlayRules, order_of_play, player_at
from scoring.bounds import BOUT, BOUTS, DAME_DOWN, DECK, MADE, SUFFERED
from scoring.values import FFT, Contract, DealResult, ScoringRules, Side
from tournaments.rules.clash import Clash
from tournaments.rules.entry import Entry, Facts, base_score, partner_of, taker_of
from tournaments.rules.recorded import read_stored_record, reveal_hands, score_of_record, told_result

FIELD = "record"


@dataclass(frozen=True, slots=True)
class DealtCards:
    """The dealer and the cards of an étui. `deal` is None if they are not known, as for an étui that was altered."""

    dealer: Seat
    deal: Deal | None


def record_clashes(
    record: DealRecord, dealt: DealtCards, entry: Entry, contract: Contract | None, rules: ScoringRules = FFT
) -> tuple[Clash, ...]:
    """Return the contradictions between a record, the étui's cards and the entered result.

    `contract` is the imposed contract of the format, or None. It is needed because a fiche names no contract. Codes:
    clash_record_dealer, clash_record_taker, clash_record_cards, clash_record_score, clash_record_result.
    """
    return tuple(_clashes(record, dealt, entry, contract, rules))


def find_record_faults(record: DealRecord, deal: Deal | None, rules: ScoringRules = FFT) -> tuple[PlayRefused, ...]:
    """Return the breaches of the rules of play in a record, such as a revoke. Return () for the record of other cards.

    If the étui's cards are not known, the hands follow from a complete record.
    """
    if deal is None and record.is_complete:
        record = reveal_hands(record)
    elif deal is not None:
        record = replace(record, deal=deal)
    judged = _judge(record, rules)
    return judged.faults if judged is not None else ()


def _clashes(
    record: DealRecord, dealt: DealtCards, entry: Entry, contract: Contract | None, rules: ScoringRules
) -> Iterator[Clash]:
    if record.dealer != dealt.dealer:
        yield Clash("clash_record_dealer", FIELD, {"value": record.dealer})
    told, taker = told_result(entry), taker_of(entry)
    contract = contract if told is None else told.contract
    partner = find_partner(record)
    if (
        taker is None
        or (record.taker, record.contract) != (taker, contract or record.contract)
        or (partner is not None and partner_of(entry) not in (None, partner))
        or (told is not None and told.players != record.players)
    ):
        yield Clash("clash_record_taker", FIELD, {"value": record.taker})
        return
    own = _judge(record, rules)
    if dealt.deal is not None and record.dealer == dealt.dealer:
        try:
            judge_record(replace(record, deal=dealt.deal), PlayRules(scoring=rules))
        except PlayRefused as refusal:
            yield Clash("clash_record_cards", FIELD, {"value": refusal.seat, "trick": refusal.params.get("trick", 0)})
        except RecordError:
            yield Clash("clash_record_cards", FIELD, {"value": record.dealer, "trick": 0})
    score = score_of_record(record, entry, rules)
    if score is not None and score != base_score(entry, rules):
        yield Clash("clash_record_score", FIELD, {"value": score})
    elif score is None and isinstance(entry, Facts) and own is not None and not _may_give(record, own, entry, rules):
        yield Clash("clash_record_result", FIELD, {"value": len(own.tricks)})


def _judge(record: DealRecord, rules: ScoringRules) -> JudgedRecord | None:
    """Return the judged record, or None if it has cards that are not in its own hands."""
    try:
        return judge_record(record, PlayRules(scoring=rules))
    except PlayRefused:
        return None


def _may_give(record: DealRecord, judged: JudgedRecord, entry: Facts, rules: ScoringRules) -> bool:
    """Return whether a deal that began as an incomplete record says may have ended with this result."""
    told, partner = entry.result, find_partner(record) or entry.partner
    if record.players == FIVE and partner is None:
        return True  # nobody knows with whom the taker plays
    attackers = [seat for seat in order_of_play(record.players) if seat in (entry.taker, partner)]
    players = {player_at(seat, record.players) for seat in attackers}
    sides = {Side.ATTACK if trick.winner in players else Side.DEFENCE for trick in judged.tricks}
    if record.claim is not None:
        sides.add(record.claim)
    if (told.chelem in MADE and Side.DEFENCE in sides) or (told.chelem in SUFFERED and Side.ATTACK in sides):
        return False
    shown = {
        Side.ATTACK: [cards for seat, cards in record.poignees if seat in attackers],
        Side.DEFENCE: [cards for seat, cards in record.poignees if seat not in attackers],
    }
    if not _are_told(shown[Side.ATTACK], told.poignees_attack, record.players, rules):
        return False
    if not _are_told(shown[Side.DEFENCE], told.poignees_defence, record.players, rules):
        return False
    return _points_may_be(record, judged, told, players)


def _are_told(shown: Sequence[tuple[int, ...]], told: Sequence[object], players: int, rules: ScoringRules) -> bool:
    """Return whether the result has each poignée that the record shows.

    A poignée of a wrong size is a fault, not a clash.
    """
    left = list(told)
    for cards in shown:
        size = find_size(len(cards), players, rules)
        if size is None:
            continue
        if size not in left:
            return False
        left.remove(size)
    return True


def _points_may_be(record: DealRecord, judged: JudgedRecord, told: DealResult, attackers: Collection[int]) -> bool:
    """Return whether the points and the bouts of the result are still possible, whatever the rest of the deal was.

    The Excuse may still change sides in the last trick, and so may the card that is given for it. Both are counted as
    open.
    """
    won: dict[Side, list[int]] = {Side.ATTACK: [], Side.DEFENCE: []}
    for trick in judged.tricks:
        won[Side.ATTACK if trick.winner in attackers else Side.DEFENCE] += trick.cards
    if record.ecart is not None and record.contract in TAKES_CHIEN:
        won[Side.ATTACK] += record.ecart
    results = {Side.ATTACK: (told.half_points, told.bouts), Side.DEFENCE: (DECK - told.half_points, BOUTS - told.bouts)}
    for side, (half_points, bouts) in results.items():
        cards = [card for card in won[side] if card != EXCUSE]
        points, own_bouts = sum(HALF_POINTS[card] for card in cards), sum(map(is_bout, cards))
        if half_points < points - PAID or bouts < own_bouts:
            return False
        if record.claim not in (None, side):  # in this case the other side gets the remaining tricks
            aside, aside_bouts = _most_aside(record, side)
            if half_points > points + BOUT + PAID + aside or bouts > own_bouts + 1 + aside_bouts:
                return False
    return True


def _most_aside(record: DealRecord, side: Side) -> tuple[int, int]:
    """Return the most half points and bouts that a side may have in an écart or a chien that is not recorded."""
    if record.contract in TAKES_CHIEN:
        return (sum(DAME_DOWN[: CHIEN[record.players]]), 0) if side == Side.ATTACK and record.ecart is None else (0, 0)
    owner = Side.DEFENCE if record.contract == Contract.GARDE_CONTRE else Side.ATTACK
    return (BOUT * CHIEN[record.players], BOUTS) if side == owner else (0, 0)


@lru_cache(maxsize=65_536)
def clashes_of_stored(
    text: str, dealt: DealtCards, entry: Entry, contract: Contract | None, rules: ScoringRules
) -> tuple[Clash, ...]:
    """Return the clashes of a stored record, from the cache of this process."""
    return record_clashes(read_stored_record(text), dealt, entry, contract, rules)
