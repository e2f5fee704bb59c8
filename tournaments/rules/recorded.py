"""The record of a play compared with its result and with the étui's cards, and what a table may record.

The functions are pure. A stored record has no hands, so it is compared with the étui's cards.

A *clash* is a contradiction: then the record is of another deal, or the result is wrong. A breach of the rules of play,
such as a revoke, is not a clash, because it may really have happened. `find_record_faults` lists such breaches.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from deals.domain.cards import CARDS, CHIEN, EXCUSE, PETIT, Seat, is_bout, seats
from deals.domain.deal import Deal
from referee.cards import TAKES_CHIEN, find_size
from referee.counting import HALF_POINTS, PAID
from referee.errors import PlayRefused
from referee.records import notation
from referee.records.judging import FIVE, JudgedRecord, find_partner, judge_record
from referee.records.notation import record_from_data
from referee.records.values import DealRecord, RecordError
from referee.rules import PlayRules, order_of_play, player_at
from scoring.bounds import BOUT, BOUTS, DAME_DOWN, DECK, MADE, SUFFERED
from scoring.errors import ScoringError
from scoring.values import FFT, Chelem, Contract, DealResult, ScoringRules, Side
from tournaments.rules.clash import Clash
from tournaments.rules.entry import PLAYERS, Entry, Facts, Fiche, base_score, partner_of, taker_of

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
    entered, partner = (None, None) if entry is None else (told_result(entry), partner_of(entry))
    try:
        revealed = name_partner(reveal_hands(replace(record, deal=None)), partner)
        result = judge_record(revealed, PlayRules(scoring=rules)).result
    except (PlayRefused, RecordError):
        return None
    if result is None or record.poignees or entered is None:
        return result
    return replace(result, poignees_attack=entered.poignees_attack, poignees_defence=entered.poignees_defence)


def score_of_record(record: DealRecord, entry: Entry | None, rules: ScoringRules = FFT) -> int | None:
    """Return the signed base score of a complete record, or None if the record is not complete or has no score."""
    result = result_of_record(record, entry, rules)
    if result is None or record.taker is None:
        return None
    try:
        return base_score(Facts(record.taker, result), rules)
    except ScoringError:
        return None


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
    entered, taker = told_result(entry), taker_of(entry)
    contract = contract if entered is None else entered.contract
    partner = find_partner(record)
    if (
        taker is None
        or (record.taker, record.contract) != (taker, contract or record.contract)
        or (partner is not None and partner_of(entry) not in (None, partner))
        or (entered is not None and entered.players != record.players)
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
    entered, partner = entry.result, find_partner(record) or entry.partner
    if record.players == FIVE and partner is None:
        return True  # nobody knows with whom the taker plays
    attackers = [seat for seat in order_of_play(record.players) if seat in (entry.taker, partner)]
    players = {player_at(seat, record.players) for seat in attackers}
    sides = {Side.ATTACK if trick.winner in players else Side.DEFENCE for trick in judged.tricks}
    if record.claim is not None:
        sides.add(record.claim)
    if (entered.chelem in MADE and Side.DEFENCE in sides) or (entered.chelem in SUFFERED and Side.ATTACK in sides):
        return False
    shown = {
        Side.ATTACK: [cards for seat, cards in record.poignees if seat in attackers],
        Side.DEFENCE: [cards for seat, cards in record.poignees if seat not in attackers],
    }
    if not _are_told(shown[Side.ATTACK], entered.poignees_attack, record.players, rules):
        return False
    if not _are_told(shown[Side.DEFENCE], entered.poignees_defence, record.players, rules):
        return False
    return _points_may_be(record, judged, entered, players)


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
