"""The record of a play compared with its result: what a table may record, and the score of a complete record.

The functions are pure. A stored record has no hands. `tournaments.rules.record_clash` compares it with the étui's
cards.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from deals.domain.cards import CARDS, PETIT, Seat, seats
from deals.domain.deal import Deal
from referee.cards import TAKES_CHIEN
from referee.errors import PlayRefused
from referee.records import notation
from referee.records.judging import judge_record
from referee.records.notation import record_from_data
from referee.records.values import DealRecord, RecordError
from referee.rules import PlayRules, player_at
from scoring.errors import ScoringError
from scoring.values import FFT, Chelem, Contract, DealResult, ScoringRules
from tournaments.rules.entry import PLAYERS, Entry, Facts, Fiche, base_score, partner_of

FROM_TABLE = ("tricks", "poignees", "ecart", "claim")
ANNOUNCED = frozenset({Chelem.ANNOUNCED_MADE, Chelem.ANNOUNCED_FAILED, Chelem.ANNOUNCED_SUFFERED})


@dataclass(frozen=True, slots=True)
class RecordHead:
    """The dealer, the taker and the contract of a play. `chelem` is True if its result has an announced chelem."""

    dealer: Seat
    taker: str
    contract: Contract
    chelem: bool = False
    players: int = PLAYERS


def head_of(dealer: Seat, entry: Entry, contract: Contract | None) -> RecordHead | None:
    """Return the dealer, the taker and the contract, as far as the result says them.

    Return None if nothing was played, or if the contract is not known. `contract` is the imposed contract of the
    format, or None.
    """
    if isinstance(entry, Facts):
        result = entry.result
        return RecordHead(dealer, entry.taker, result.contract, result.chelem in ANNOUNCED, result.players)
    if isinstance(entry, Fiche) and contract is not None:  # a contract is imposed only where four play
        return RecordHead(dealer, entry.taker, contract)
    return None


def record_of_table(told: Mapping[str, object], head: RecordHead) -> DealRecord:
    """Return the record that a table's device sent. Raise RecordError if it has parts that are not in FROM_TABLE."""
    if not set(told) <= set(FROM_TABLE):
        raise RecordError("json", keys=", ".join(FROM_TABLE))
    if not told.get("tricks"):
        raise RecordError("json_value", key="tricks")
    data = {"players": head.players, "dealer": str(head.dealer), "taker": f"{head.taker} {head.contract}", **told}
    if head.chelem:
        data["chelem"] = str(head.taker)
    return record_from_data(data)


def is_only_lead(record: DealRecord) -> bool:
    """Return whether the record has the opening lead and nothing else."""
    return len(record.cards) == 1 and record.ecart is None and not record.poignees and record.claim is None


def continues(record: DealRecord, before: DealRecord) -> bool:
    """Return whether the record contains everything in the record `before`, and possibly more."""
    same = (record.dealer, record.taker, record.contract, record.chelem) == (
        before.dealer,
        before.taker,
        before.contract,
        before.chelem,
    )
    return (
        same
        and record.cards[: len(before.cards)] == before.cards
        and before.ecart in (None, record.ecart)
        and before.bids in (None, record.bids)
        and set(before.poignees) <= set(record.poignees)
        and (before.claim is None or (before.claim, before.cards) == (record.claim, record.cards))
    )


@lru_cache(maxsize=4_096)
def read_stored_record(text: str) -> DealRecord:
    """Return the record that a stored text says."""
    return notation.loads(text)


def reveal_hands(record: DealRecord) -> DealRecord:
    """Return a complete record with the hands that follow from it.

    The cards that nobody played are those of the écart, or of a chien that nobody took. In a prise or a garde, nobody
    knows which of the taker's cards were in the chien. This makes no difference to the score, so the cards of the écart
    are used as the chien.
    """
    hands: dict[int, list[int]] = {player: [] for player in range(record.players)}
    for trick in judge_record(record).tricks:
        for step, card in enumerate(trick.cards):
            hands[(trick.leader + step) % record.players].append(card)
    aside = tuple(card for card in range(CARDS) if card not in set(record.cards))
    deal = Deal((hands[player_at(seat, record.players)] for seat in seats(record.players)), aside)
    return replace(record, deal=deal, ecart=aside if record.contract in TAKES_CHIEN else None)


def told_result(entry: Entry) -> DealResult | None:
    """Return the facts of an entry, or None if it has none."""
    return entry.result if isinstance(entry, Facts) else None


def name_partner(record: DealRecord, partner: str | None) -> DealRecord:
    """Return the record of five with a called card: if it names none, a card of the partner that the entry names.

    A taker who plays alone calls an own card. Which card it is makes no difference to the score.
    """
    if record.called is not None or partner is None or record.deal is None:
        return record
    called = next((card for card in sorted(record.deal.hand(Seat(partner))) if card < PETIT), None)
    return replace(record, called=called)


def result_of_record(record: DealRecord, entry: Entry | None, rules: ScoringRules = FFT) -> DealResult | None:
    """Return the result of a complete record, or None if the record is not complete or has no result.

    `entry` is the entered result, or None. If the record names no poignée, there may have been one. So the poignées of
    the entered result are used, and at five its partner, if the record does not say which card was called.
    """
    if not record.is_complete:
        return None
    told, partner = (None, None) if entry is None else (told_result(entry), partner_of(entry))
    try:
        revealed = name_partner(reveal_hands(replace(record, deal=None)), partner)
        result = judge_record(revealed, PlayRules(scoring=rules)).result
    except (PlayRefused, RecordError):
        return None
    if result is None or record.poignees or told is None:
        return result
    return replace(result, poignees_attack=told.poignees_attack, poignees_defence=told.poignees_defence)


def score_of_record(record: DealRecord, entry: Entry | None, rules: ScoringRules = FFT) -> int | None:
    """Return the signed base score of a complete record, or None if the record is not complete or has no score."""
    result = result_of_record(record, entry, rules)
    if result is None or record.taker is None:
        return None
    try:
        return base_score(Facts(record.taker, result), rules)
    except ScoringError:
        return None
