"""The judging of a record: the winner of each trick, the faults against the rules, the result if it is complete.

A record says what was really played. So a card against the rules (a revoke) is listed as a fault, and the next cards
are judged. A card that the hand does not have raises an error, because then the record is of another deal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from deals.domain.cards import EXCUSE, HAND, PETIT, Seat
from referee.cards import EXCUSE_BIT, TAKES_CHIEN, TRUMPS, cards_of, has_card, mask_of
from referee.counting import count_tricks
from referee.errors import PlayRefused
from referee.records.values import DealRecord, RecordError
from referee.rules import STANDARD, PlayRules, player_at, seat_of
from referee.state import GameState, Playout, check_ecart, check_poignee, deal_terms, refuse_card
from referee.terms import DealTerms, Trick
from referee.views import find_missing
from scoring.values import DealResult, Side

FIVE = 5


@dataclass(frozen=True, slots=True)
class JudgedRecord:
    """A record with the findings of the referee. `faults`: the breaches of the rules, in the order of the deal.

    `half_points` and `bouts` are those of the attack, from the tricks and, if its cards are known, the écart or chien.
    They are None if the players of the attack are not known. `result` is None unless these players, the deal and all
    its cards are known.
    """

    record: DealRecord
    tricks: tuple[Trick, ...]
    half_points: int | None
    bouts: int | None
    faults: tuple[PlayRefused, ...]
    result: DealResult | None


def judge_record(record: DealRecord, rules: PlayRules = STANDARD) -> JudgedRecord:
    """Return a record with its winners, its faults and, if it is complete, its result.

    Raise RecordError if claims are not allowed, and PlayRefused if another hand has a card.
    """
    if record.claim is not None and not rules.claims:
        raise RecordError("claims")
    if record.taker is None:
        return JudgedRecord(record, (), None, None, (), None)
    faults: list[PlayRefused] = []
    terms = _find_terms(record, rules, faults)
    playout = Playout(GameState(terms, terms.hands, terms.first_leader, 0, terms.first_leader))
    playout.left = HAND[record.players]  # all tricks of a deal; the hands of an incomplete record have fewer cards
    whole = record.deal is not None and (record.ecart is not None or record.contract not in TAKES_CHIEN)
    unknown = (
        set()
        if whole
        else {player_at(record.taker, record.players)}
        if record.deal is not None
        else set(range(record.players))
    )
    for card in record.cards:
        if record.deal is None:
            playout.hands[playout.turn] |= 1 << card
        _play(playout, card, playout.turn in unknown, faults)
    faults += [fault for player, fault in _find_denials(playout) if player in unknown]
    faults += _find_false_poignees(record, playout, unknown)
    tricks = tuple(playout.tricks)
    if record.claim is not None and whole:
        faults += _find_false_claim(playout, record.claim)
    won = count_tricks(terms, tricks, HAND[record.players]) if knows_sides(record) else None
    return JudgedRecord(
        record,
        tricks,
        won and won.attack,
        won and won.attack_bouts,
        tuple(faults),
        playout.result if whole and record.is_complete and knows_sides(record) else None,
    )


def find_terms(record: DealRecord, rules: PlayRules) -> DealTerms:
    """Return what was dealt, bid and announced in a record.

    If the hands are not known, they are empty or, at five, have the cards that their players play in the record. If
    nobody knows which card a taker of five called, the taker has the chien, as after the call.
    """
    assert record.taker is not None
    players, taker = record.players, player_at(record.taker, record.players)
    ecart = None if record.ecart is None else mask_of(record.ecart)
    if record.deal is None:
        terms = DealTerms(_find_played_hands(record), 0, player_at(record.dealer, players), rules)
    else:
        terms = deal_terms(record.deal, record.dealer, rules)
        if players == FIVE and record.called is None and record.contract in TAKES_CHIEN:
            hands = list(terms.dealt)
            hands[taker] = (hands[taker] | terms.chien) & ~(ecart or 0)
            terms = terms.change(dealt=tuple(hands), chien=0)
    chelem = None if record.chelem is None else player_at(record.chelem, players)
    return terms.change(
        bids=record.bids or (),
        taker=taker,
        contract=record.contract,
        called=record.called,
        ecart=ecart,
        chelem=chelem,
    )


def _find_terms(record: DealRecord, rules: PlayRules, faults: list[PlayRefused]) -> DealTerms:
    """Return the terms of a record, with its poignées. Add the faults of the écart, the chelem and the poignées."""
    assert record.taker is not None
    terms = find_terms(record, rules)
    if record.deal is not None and record.ecart is not None:
        try:
            held = mask_of((*record.deal.hand(record.taker), *record.deal.chien))
            check_ecart(record.taker, held, record.ecart, record.players)
        except PlayRefused as fault:
            if fault.code == "ecart_held":
                raise
            faults.append(fault)
    may_announce = (terms.taker, terms.partner if rules.partner_announces_chelem else None)
    if record.chelem is not None and terms.chelem not in may_announce:
        faults.append(PlayRefused("chelem_seat", seat=record.chelem))
    faults += _find_poignee_faults(record, terms)
    shown = tuple((player_at(seat, record.players), mask_of(cards)) for seat, cards in record.poignees)
    return terms.change(poignees=shown)


def knows_sides(record: DealRecord) -> bool:
    """Return whether the record says who plays with whom: at five, who has the called card."""
    if record.players < FIVE:
        return True
    if record.called is None:
        return False
    return record.deal is not None or record.is_complete or record.called in (*record.cards, *(record.ecart or ()))


def find_partner(record: DealRecord) -> Seat | None:
    """Return the partner of a taker of five, or the taker's own seat if the taker plays alone. None if nobody knows."""
    if record.taker is None or record.players < FIVE or not knows_sides(record):
        return None
    partner = find_terms(record, STANDARD).partner
    return record.taker if partner is None else seat_of(partner, record.players)


def _find_played_hands(record: DealRecord) -> tuple[int, ...]:
    """Return the cards that each player plays in a record of five that names the called card. Otherwise return none.

    They tell who the partner is. That decides the winner of the last trick alone, and nobody plays after it.
    """
    hands = [0] * record.players
    if record.called is None:
        return tuple(hands)
    terms = DealTerms(tuple(hands), 0, player_at(record.dealer, record.players))
    first = player_at(record.first_leader, record.players)
    playout = Playout(GameState(terms, terms.dealt, first, 0, first))
    playout.left = HAND[record.players] + 1  # no trick is the last one: the best card wins each
    for card in record.cards:
        hands[playout.turn] |= 1 << card
        playout.play(card)
    return tuple(hands)


def _find_poignee_faults(record: DealRecord, terms: DealTerms) -> list[PlayRefused]:
    """Return the first fault of each poignée that is wrong.

    If a hand is not known exactly, the cards played and discarded show which cards it cannot have had.
    """
    is_known = record.deal is not None and (record.ecart is not None or record.contract not in TAKES_CHIEN)
    faults: list[PlayRefused] = []
    for place, (seat, cards) in enumerate(record.poignees):
        player = player_at(seat, record.players)
        known_terms = terms
        if not is_known and (record.deal is None or player == terms.taker):
            hands = [mask_of(cards) if other == player else 0 for other in range(record.players)]
            known_terms = terms.change(dealt=tuple(hands), chien=0, ecart=None)
        try:
            if any(seat == other for other, _ in record.poignees[:place]):
                raise PlayRefused("poignee_late", seat=seat)
            check_poignee(seat, known_terms, player, cards)
        except PlayRefused as fault:
            faults.append(fault)
    return faults


def _find_false_poignees(record: DealRecord, playout: Playout, unknown: set[int]) -> list[PlayRefused]:
    """Return a fault for each poignée of an unknown hand that the cards played or discarded contradict.

    A trump that had to be discarded may be shown, but need not be: only a trump that was played is concealed.
    """
    owners = {
        card: (leader + step) % record.players
        for leader, cards in _trick_cards(playout)
        for step, card in enumerate(cards)
    }
    assert record.taker is not None
    played = dict(owners)
    owners |= dict.fromkeys(record.ecart or (), player_at(record.taker, record.players))
    faults = []
    for seat, cards in record.poignees:
        player = player_at(seat, record.players)
        if player not in unknown:
            continue
        foreign = next((card for card in cards if owners.get(card, player) != player), None)
        hidden = [card for card, owner in played.items() if owner == player and PETIT <= card < EXCUSE]
        concealed = next((card for card in hidden if EXCUSE in cards and card not in cards), None)
        if foreign is not None:
            own = [card for card in cards if owners.get(card, player) == player]
            faults.append(PlayRefused("poignee_held", seat=seat, card=foreign, legal=own))
        elif concealed is not None:
            faults.append(PlayRefused("poignee_excuse", seat=seat, card=concealed))
    return faults


def _play(playout: Playout, card: int, unknown: bool, faults: list[PlayRefused]) -> None:
    """Play a card of a record. Add a fault if it is illegal, and raise if another hand has it.

    `unknown`: the hand is not known exactly, so the card may have been legal.
    """
    hand, legal = playout.hands[playout.turn], playout.find_legal_mask()
    if not has_card(hand, card) or not (unknown or has_card(legal, card)):
        seat, trick = seat_of(playout.turn, playout.players), len(playout.tricks) + 1
        refusal = refuse_card(seat, card, hand, legal, playout.led, trick)
        if refusal.code == "held":
            raise refusal
        faults.append(refusal)
    playout.play(card)


def _find_denials(playout: Playout) -> list[tuple[int, PlayRefused]]:
    """Return a player and a fault for each card that the player showed not to have, but played later.

    The player did not follow suit, or did not trump, in an earlier trick.
    """
    excluded = [0] * playout.players
    faults = []
    for number, (leader, cards) in enumerate(_trick_cards(playout), 1):
        for step, card in enumerate(cards):
            player = (leader + step) % playout.players
            if has_card(excluded[player], card):
                seat = seat_of(player, playout.players)
                faults.append((player, PlayRefused("denied", seat=seat, card=card, trick=number)))
        for player, missing in find_missing(leader, cards, playout.players):
            excluded[player] |= missing
    return faults


def _trick_cards(playout: Playout) -> list[tuple[int, Sequence[int]]]:
    return [*((trick.leader, trick.cards) for trick in playout.tricks), (playout.leader, tuple(playout.cards))]


def _find_false_claim(playout: Playout, claim: Side) -> list[PlayRefused]:
    """Return a fault if a player of the other side has the highest trump that is left. That trump would win a trick.

    There is no fault in the last trick if the claiming side has the Excuse and has won all tricks: the Excuse wins it.
    """
    attackers, claims = playout.terms.attackers, claim == Side.ATTACK
    left = list(playout.hands)
    for step, card in enumerate(playout.cards):
        left[(playout.leader + step) % playout.players] |= 1 << card
    ours = sum(hand for player, hand in enumerate(left) if attackers[player] == claims)
    theirs = sum(hand for player, hand in enumerate(left) if attackers[player] != claims)
    is_chelem = all(attackers[trick.winner] == claims for trick in playout.tricks)
    if theirs & TRUMPS <= ours & TRUMPS or (playout.left == 1 and ours & EXCUSE_BIT and is_chelem):
        return []
    highest = cards_of(theirs & TRUMPS)[-1]
    player = next(player for player, hand in enumerate(left) if has_card(hand, highest))
    seat = seat_of(player, playout.players)
    return [PlayRefused("claim", seat=seat, card=highest, trick=len(playout.tricks) + 1)]
