"""The check of a result against the cards of its étui. The functions are pure.

A *clash* is a reported value that is impossible with these cards, however people play and read the rules. Then either
the cards were put into the étui wrongly, or the result is wrong. A result that needs an accident of play is only
*unlikely*. docs/plausibility.md gives the reasons. A clash contains the reported value and never a card. Only directors
may know that there is a clash.
"""

import dataclasses
from collections.abc import Collection, Iterator, Mapping

from deals.domain.cards import BOUTS, EXCUSE, PETIT, TRUMP_21, Seat, half_points
from deals.domain.deal import Deal
from referee.cards import TAKES_CHIEN, cards_of, find_showable, mask_of
from referee.counting import count_aside
from referee.rules import find_callable, player_at
from referee.state import deal_terms
from scoring.bounds import BOUTS as ALL_BOUTS
from scoring.bounds import DECK, KEPT_EXCUSE, MADE, SUFFERED, to_points
from scoring.values import FFT, Chelem, DealResult, Poignee, ScoringRules, Side
from tournaments.rules.entry import Bout, Entry, Facts

Cards = frozenset[int]
Sides = frozenset[Side]

FIVE = 5
EITHER: Sides = frozenset({Side.ATTACK, Side.DEFENCE})


@dataclasses.dataclass(frozen=True, slots=True)
class Clash:
    """A value of a result that is impossible with the étui's cards: the name of its field, and the value in `params`.

    Codes: clash_bouts, clash_petit_au_bout, clash_poignee, clash_chelem, clash_points, clash_partner.
    """

    code: str
    field: str
    params: Mapping[str, object]


@dataclasses.dataclass(frozen=True, slots=True)
class _HeldCards:
    """The cards of each player of the attack and of the defence.

    In a prise or garde, the taker's cards include the chien. In other contracts nobody takes the chien: `aside` has its
    cards, which count for the side `owner`. The taker's cards also include the écart. The écart contains no bout, so
    the taker plays every bout among these cards.
    """

    attackers: tuple[Cards, ...]
    defenders: tuple[Cards, ...]
    aside: Cards
    owner: Side

    def side_of(self, card: int) -> Side:
        """Return the side that has the card before the first trick."""
        if card in self.aside:
            return self.owner
        return Side.ATTACK if self.attack_has(card) else Side.DEFENCE

    def attack_has(self, card: int) -> bool:
        return any(card in hand for hand in self.attackers)

    def defence_has(self, card: int) -> bool:
        return any(card in hand for hand in self.defenders)

    def in_one_hand(self, *cards: int) -> bool:
        return any(hand.issuperset(cards) for hand in (*self.attackers, *self.defenders))


def clashes(entry: Entry, deal: Deal, rules: ScoringRules = FFT) -> tuple[Clash, ...]:
    """Return the clashes of an entry with a deal. `entry.check_entry_rules` must have accepted the entry.

    Only an entry with facts can have clashes: the score of a fiche says too little.
    """
    if (holding := _find_held_cards(entry, deal)) is None:
        return ()
    assert isinstance(entry, Facts)
    return (*_clashes(entry, holding, rules), *_partner_clashes(entry, deal))


def _find_held_cards(entry: Entry, deal: Deal) -> _HeldCards | None:
    """Return the cards that each player may play, and the chien that nobody takes.

    Return None if they are not known: the entry has no facts, or five play and it names no partner.
    """
    if not isinstance(entry, Facts) or entry.result.players != deal.players:
        return None
    if deal.players == FIVE and entry.partner is None:
        return None
    # The dealer decides only who leads, and changes nobody's cards.
    terms = deal_terms(deal, Seat.N).change(contract=entry.result.contract)
    hands = [frozenset(cards_of(hand)) for hand in terms.dealt]
    taker, takes = player_at(Seat(entry.taker), deal.players), entry.result.contract in TAKES_CHIEN
    chien = frozenset(cards_of(terms.chien))
    if takes:
        hands[taker] |= chien
    partner = taker if entry.partner is None else player_at(Seat(entry.partner), deal.players)
    sides = {
        attacks: tuple(hands[each] for each in range(deal.players) if (each in (taker, partner)) is attacks)
        for attacks in (True, False)
    }
    owner = Side.ATTACK if count_aside(terms).attack else Side.DEFENCE
    return _HeldCards(sides[True], sides[False], frozenset() if takes else chien, owner)


def _partner_clashes(facts: Facts, deal: Deal) -> Iterator[Clash]:
    """Yield a clash if no card that the taker may call makes the named player the partner.

    The taker may call before seeing the chien. A taker who has the called card, or finds it in the chien, plays alone.
    """
    if facts.partner is None:
        return
    dealt = deal_terms(deal, Seat.N)
    hands = {Seat(seat): dealt.dealt[player_at(Seat(seat), deal.players)] for seat in (facts.taker, facts.partner)}
    may_call = find_callable(hands[Seat(facts.taker)], own_rank=True)
    alone = dealt.chien if facts.partner == facts.taker else 0
    if not may_call & (hands[Seat(facts.partner)] | alone):
        yield Clash("clash_partner", "partner", {"value": facts.partner})


def unlikely(entry: Entry, deal: Deal) -> bool:
    """Return whether the attack can have these bouts only if a player lost the Excuse in the last trick."""
    holding = _find_held_cards(entry, deal)
    if holding is None or not isinstance(entry, Facts) or entry.result.chelem != Chelem.NONE:
        return False
    return not _are_possible(
        entry, _winners(entry.result, holding) | {Bout.EXCUSE: frozenset({holding.side_of(EXCUSE)})}
    )


def _clashes(facts: Facts, holding: _HeldCards, rules: ScoringRules) -> Iterator[Clash]:
    """Yield a clash for each value of the result that is impossible with these cards."""
    result = facts.result
    if not _are_possible(facts, _winners(result, holding)):
        yield Clash("clash_bouts", "bouts", {"value": result.bouts})
    if result.petit_au_bout != Side.NONE and PETIT in holding.aside:
        yield Clash("clash_petit_au_bout", "petit_au_bout", {"side": result.petit_au_bout})
    trumps = rules.poignee_trumps[result.players]
    if not _can_show(result.poignees_attack, holding.attackers, trumps):
        yield Clash("clash_poignee", "poignees_attack", {"side": Side.ATTACK})
    if not _can_show(result.poignees_defence, holding.defenders, trumps):
        yield Clash("clash_poignee", "poignees_defence", {"side": Side.DEFENCE})
    if _chelem_is_impossible(result, holding):
        yield Clash("clash_chelem", "chelem", {"chelem": result.chelem})
    if _points_are_impossible(result, holding):
        yield Clash("clash_points", "points", {"value": to_points(result.half_points)})


def _winners(result: DealResult, holding: _HeldCards) -> dict[Bout, Sides]:
    """Return for each bout the sides that can win it."""
    return {
        Bout.TRUMP_21: _winners_of_21(result, holding),
        Bout.PETIT: _winners_of_petit(result, holding),
        Bout.EXCUSE: _winners_of_excuse(result, holding),
    }


def _are_possible(facts: Facts, winners: Mapping[Bout, Sides]) -> bool:
    """Return whether the attack can have the reported bouts. `winners` has the sides that can win each bout.

    If the report does not name the bouts, only their number is checked.
    """
    if facts.attack_bouts is not None:
        named = facts.attack_bouts
        return all((Side.ATTACK if bout in named else Side.DEFENCE) in sides for bout, sides in winners.items())
    least = sum(sides == {Side.ATTACK} for sides in winners.values())
    return least <= facts.result.bouts <= sum(Side.ATTACK in sides for sides in winners.values())


def _winners_of_21(result: DealResult, holding: _HeldCards) -> Sides:
    """Return the sides that can win the 21: its owner's side, because it is the highest trump, with one exception.

    `_may_lose_21` describes the exception.
    """
    return EITHER if _may_lose_21(result, holding) else frozenset({holding.side_of(TRUMP_21)})


def _may_lose_21(result: DealResult, holding: _HeldCards) -> bool:
    """Return whether the 21 may lose its trick: the Excuse of the other side wins the last trick of a chelem.

    For a chelem of the defence, the rules of the FFT do not settle this. A chelem of the attack needs two attackers: a
    taker alone would have to lead more suit cards than there are.
    """
    if result.chelem in MADE:
        return len(holding.attackers) > 1 and holding.defence_has(TRUMP_21) and holding.attack_has(EXCUSE)
    return result.chelem in SUFFERED and holding.attack_has(TRUMP_21) and holding.defence_has(EXCUSE)


def _winners_of_petit(result: DealResult, holding: _HeldCards) -> Sides:
    """Return the sides that can win the Petit.

    It is one side if the Petit is in the chien that nobody takes, or if the result says which side won it. Otherwise it
    is both.
    """
    if PETIT in holding.aside:
        return frozenset({holding.owner})
    if result.petit_au_bout != Side.NONE:
        return frozenset({result.petit_au_bout})
    if result.chelem in MADE:
        return frozenset({Side.ATTACK})
    return frozenset({Side.DEFENCE}) if result.chelem in SUFFERED else EITHER


def _winners_of_excuse(result: DealResult, holding: _HeldCards) -> Sides:
    """Return the sides that can win the Excuse.

    They are the side that owns it, and the other side if the Excuse may be in the last trick.
    """
    side = holding.side_of(EXCUSE)
    if EXCUSE in holding.aside or (side == Side.ATTACK and result.chelem in MADE):  # in a chelem it wins the last trick
        return frozenset({side})
    unsettled = side == Side.DEFENCE and result.chelem in SUFFERED
    petit_was_last = result.petit_au_bout != Side.NONE and holding.in_one_hand(PETIT, EXCUSE)
    return frozenset({side}) if petit_was_last and not unsettled else EITHER


def _can_show(poignees: tuple[Poignee, ...], hands: Collection[Cards], trumps: Mapping[Poignee, int]) -> bool:
    """Return whether different hands have enough trumps to show these poignées. `trumps` says how many each needs.

    The Excuse counts as a trump, and so does a trump in the écart.
    """
    held = sorted((find_showable(mask_of(hand), 0).bit_count() for hand in hands), reverse=True)
    needed = sorted((trumps[poignee] for poignee in poignees), reverse=True)
    return len(needed) <= len(held) and all(have >= need for have, need in zip(held, needed, strict=False))


def _chelem_is_impossible(result: DealResult, holding: _HeldCards) -> bool:
    """Return whether the reported chelem is impossible because the other side has the 21, which wins a trick."""
    loses = holding.defence_has if result.chelem in MADE else holding.attack_has
    return result.chelem in MADE | SUFFERED and loses(TRUMP_21) and not _may_lose_21(result, holding)


def _points_are_impossible(result: DealResult, holding: _HeldCards) -> bool:
    """Return whether the side that gets the chien aside has too few points.

    The side has at least the points of that chien and of the other bouts that it won.
    """
    if not holding.aside:
        return False
    bouts, total = result.bouts, result.half_points
    if holding.owner == Side.DEFENCE:
        bouts, total = ALL_BOUTS - bouts, DECK - total
    won = max(0, bouts - len(BOUTS & holding.aside))
    return total < sum(map(half_points, holding.aside)) + won * KEPT_EXCUSE
