"""The check of a result against the cards of its étui: either the étui was built wrongly, or the result is wrong.

Pure. A clash is only what no legal play and no reading of the rules allows; what only an accident of play allows is
unlikely. docs/plausibility.md gives the reasons. A clash repeats what the table reported and never names a card, but
even that there is one is for the director alone.
"""

import dataclasses
from collections.abc import Collection, Iterator, Mapping

from deals.domain.cards import BOUTS, EXCUSE, PETIT, TRUMP_21, Seat, half_points, is_trump
from deals.domain.deal import Deal
from scoring.bounds import BOUTS as ALL_BOUTS
from scoring.bounds import DECK, KEPT_EXCUSE, MADE, SUFFERED, to_points
from scoring.ranking import Line
from scoring.values import FFT, Chelem, Contract, DealResult, Poignee, ScoringRules, Side
from tournaments.rules.entry import Bout, Entry, Facts

Cards = frozenset[int]
Sides = frozenset[Side]

EITHER: Sides = frozenset({Side.ATTACK, Side.DEFENCE})


@dataclasses.dataclass(frozen=True, slots=True)
class Clash:
    """A field of a result that the étui's cards forbid, with its reported value.

    Codes: clash_bouts, clash_petit_au_bout, clash_poignee, clash_chelem, clash_points.
    """

    code: str
    field: str
    params: Mapping[str, object] = dataclasses.field(hash=False)


@dataclasses.dataclass(frozen=True, slots=True)
class _HeldCards:
    """The cards of each player.

    The taker's include the chien if the taker takes it in; else it lies `aside` for its `owner`.

    The écart is among the taker's cards. It holds no bout, so every bout of the taker is played.
    """

    taker: Cards
    defenders: tuple[Cards, ...]
    aside: Cards
    owner: Side

    def side_of(self, card: int) -> Side:
        """Return the side that has the card before the play."""
        if card in self.aside:
            return self.owner
        return Side.ATTACK if card in self.taker else Side.DEFENCE

    def in_one_hand(self, *cards: int) -> bool:
        return any(hand.issuperset(cards) for hand in (self.taker, *self.defenders))


def clashes(entry: Entry, deal: Deal, rules: ScoringRules = FFT) -> tuple[Clash, ...]:
    """Return what a deal for four makes impossible in an entry that `entry.check_entry_rules` has passed.

    Only facts can clash: a fiche's score says too little, and four passes say nothing.
    """
    return tuple(_clashes(entry, _find_held_cards(entry, deal), rules)) if isinstance(entry, Facts) else ()


def _find_held_cards(facts: Facts, deal: Deal) -> _HeldCards:
    hand, chien = frozenset(deal.hand(Seat(facts.taker))), frozenset(deal.chien)
    defenders = tuple(frozenset(deal.hand(Seat(line))) for line in Line if line != facts.taker)
    match facts.result.contract:
        case Contract.PRISE | Contract.GARDE:
            return _HeldCards(hand | chien, defenders, frozenset(), Side.ATTACK)
        case Contract.GARDE_SANS:
            return _HeldCards(hand, defenders, chien, Side.ATTACK)
        case Contract.GARDE_CONTRE:
            return _HeldCards(hand, defenders, chien, Side.DEFENCE)


def unlikely(entry: Entry, deal: Deal) -> bool:
    """Return whether the attack could have these bouts only if someone lost the Excuse in the last trick."""
    if not isinstance(entry, Facts) or entry.result.chelem != Chelem.NONE:
        return False
    holding = _find_held_cards(entry, deal)
    return not _are_possible(
        entry, _winners(entry.result, holding) | {Bout.EXCUSE: frozenset({holding.side_of(EXCUSE)})}
    )


def _clashes(facts: Facts, holding: _HeldCards, rules: ScoringRules) -> Iterator[Clash]:
    result = facts.result
    if not _are_possible(facts, _winners(result, holding)):
        yield Clash("clash_bouts", "bouts", {"value": result.bouts})
    if result.petit_au_bout != Side.NONE and PETIT in holding.aside:
        yield Clash("clash_petit_au_bout", "petit_au_bout", {"side": result.petit_au_bout})
    trumps = rules.poignee_trumps[result.players]
    if not _can_show(result.poignees_attack, [holding.taker], trumps):
        yield Clash("clash_poignee", "poignees_attack", {"side": Side.ATTACK})
    if not _can_show(result.poignees_defence, holding.defenders, trumps):
        yield Clash("clash_poignee", "poignees_defence", {"side": Side.DEFENCE})
    if _chelem_is_impossible(result, holding):
        yield Clash("clash_chelem", "chelem", {"chelem": result.chelem})
    if _points_are_impossible(result, holding):
        yield Clash("clash_points", "points", {"value": to_points(result.half_points)})


def _winners(result: DealResult, holding: _HeldCards) -> dict[Bout, Sides]:
    return {
        Bout.TRUMP_21: _winners_of_21(result, holding),
        Bout.PETIT: _winners_of_petit(result, holding),
        Bout.EXCUSE: _winners_of_excuse(result, holding),
    }


def _are_possible(facts: Facts, winners: Mapping[Bout, Sides]) -> bool:
    """Return whether the attack can have the named bouts, or as many as are counted if they are not named."""
    if facts.attack_bouts is not None:
        named = facts.attack_bouts
        return all((Side.ATTACK if bout in named else Side.DEFENCE) in sides for bout, sides in winners.items())
    least = sum(sides == {Side.ATTACK} for sides in winners.values())
    return least <= facts.result.bouts <= sum(Side.ATTACK in sides for sides in winners.values())


def _winners_of_21(result: DealResult, holding: _HeldCards) -> Sides:
    """Return the sides that can win the 21. It is the highest trump, so it wins its trick for its owner."""
    return EITHER if _may_lose_21(result, holding) else frozenset({holding.side_of(TRUMP_21)})


def _may_lose_21(result: DealResult, holding: _HeldCards) -> bool:
    """Return whether the taker's 21 may lose its trick, a case that the FFT does not settle.

    It is a defence chelem that ends on the defence's Excuse, when the taker has kept the 21.
    """
    kept = TRUMP_21 in holding.taker and any(EXCUSE in hand for hand in holding.defenders)
    return kept and result.chelem in SUFFERED


def _winners_of_petit(result: DealResult, holding: _HeldCards) -> Sides:
    """Return the sides that can win the Petit: both, unless it lies aside or the result itself says who won it."""
    if PETIT in holding.aside:
        return frozenset({holding.owner})
    if result.petit_au_bout != Side.NONE:
        return frozenset({result.petit_au_bout})
    if result.chelem in MADE:
        return frozenset({Side.ATTACK})
    return frozenset({Side.DEFENCE}) if result.chelem in SUFFERED else EITHER


def _winners_of_excuse(result: DealResult, holding: _HeldCards) -> Sides:
    """Return the sides that can win the Excuse: its owner, and the other one if it may be in the last trick."""
    side = holding.side_of(EXCUSE)
    if EXCUSE in holding.aside or (side == Side.ATTACK and result.chelem in MADE):  # in a chelem it wins the last trick
        return frozenset({side})
    unsettled = side == Side.DEFENCE and result.chelem in SUFFERED
    petit_was_last = result.petit_au_bout != Side.NONE and holding.in_one_hand(PETIT, EXCUSE)
    return frozenset({side}) if petit_was_last and not unsettled else EITHER


def _can_show(poignees: tuple[Poignee, ...], hands: Collection[Cards], trumps: Mapping[Poignee, int]) -> bool:
    """Return whether different hands can show these poignées.

    The Excuse counts as a trump, and so does a discarded trump.
    """
    held = sorted((sum(is_trump(card) or card == EXCUSE for card in hand) for hand in hands), reverse=True)
    needed = sorted((trumps[poignee] for poignee in poignees), reverse=True)
    return len(needed) <= len(held) and all(have >= need for have, need in zip(held, needed, strict=False))


def _chelem_is_impossible(result: DealResult, holding: _HeldCards) -> bool:
    """Return whether the chelem is impossible: no side wins every trick against the 21."""
    if result.chelem in MADE:
        return any(TRUMP_21 in hand for hand in holding.defenders)
    return result.chelem in SUFFERED and TRUMP_21 in holding.taker and not _may_lose_21(result, holding)


def _points_are_impossible(result: DealResult, holding: _HeldCards) -> bool:
    """Return whether a side has fewer points than the chien that lies aside for it and its other bouts are worth."""
    if not holding.aside:
        return False
    bouts, total = result.bouts, result.half_points
    if holding.owner == Side.DEFENCE:
        bouts, total = ALL_BOUTS - bouts, DECK - total
    won = max(0, bouts - len(BOUTS & holding.aside))
    return total < sum(map(half_points, holding.aside)) + won * KEPT_EXCUSE
