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
from referee.bits import cards_of, mask_of
from referee.counting import count_aside
from referee.ecart import TAKES_CHIEN
from referee.poignees import find_showable
from referee.seats import player_at
from referee.state import deal_terms
from scoring.bounds import BOUTS as ALL_BOUTS
from scoring.bounds import DECK, KEPT_EXCUSE, MADE, SUFFERED, to_points
from scoring.values import FFT, Chelem, DealResult, Poignee, ScoringRules, Side
from tournaments.rules.entry import Bout, Entry, Facts

Cards = frozenset[int]
Sides = frozenset[Side]

FOUR = 4
EITHER: Sides = frozenset({Side.ATTACK, Side.DEFENCE})


@dataclasses.dataclass(frozen=True, slots=True)
class Clash:
    """A value of a result that is impossible with the étui's cards: the name of its field, and the value in `params`.

    Codes: clash_bouts, clash_petit_au_bout, clash_poignee, clash_chelem, clash_points.
    """

    code: str
    field: str
    params: Mapping[str, object]


@dataclasses.dataclass(frozen=True, slots=True)
class _HeldCards:
    """The cards of the taker and of each defender.

    In a prise or garde, the taker's cards include the chien. In other contracts nobody takes the chien: `aside` has its
    cards, which count for the side `owner`. The taker's cards also include the écart. The écart contains no bout, so
    the taker plays every bout among these cards.
    """

    taker: Cards
    defenders: tuple[Cards, ...]
    aside: Cards
    owner: Side

    def side_of(self, card: int) -> Side:
        """Return the side that has the card before the first trick."""
        if card in self.aside:
            return self.owner
        return Side.ATTACK if card in self.taker else Side.DEFENCE

    def in_one_hand(self, *cards: int) -> bool:
        return any(hand.issuperset(cards) for hand in (self.taker, *self.defenders))


def clashes(entry: Entry, deal: Deal, rules: ScoringRules = FFT) -> tuple[Clash, ...]:
    """Return the clashes of an entry with a deal. `entry.check_entry_rules` must have accepted the entry.

    Only an entry with facts can have clashes: the score of a fiche says too little. Deals for three and five have none:
    the checks know no partner.
    """
    if not isinstance(entry, Facts) or deal.players != FOUR:
        return ()
    return tuple(_clashes(entry, _find_held_cards(entry, deal), rules))


def _find_held_cards(facts: Facts, deal: Deal) -> _HeldCards:
    """Return the cards that each player may play, and the chien that nobody takes, computed by the referee."""
    contract = facts.result.contract
    # The dealer decides only who leads, and changes nobody's cards.
    terms = deal_terms(deal, Seat.N).change(taker=player_at(Seat(facts.taker), deal.players), contract=contract)
    hands = [frozenset(cards_of(hand)) for hand in terms.hands]
    taker = hands.pop(player_at(Seat(facts.taker), deal.players))
    aside = frozenset() if contract in TAKES_CHIEN else frozenset(cards_of(terms.aside))
    owner = Side.ATTACK if count_aside(terms).attack else Side.DEFENCE
    return _HeldCards(taker, tuple(hands), aside, owner)


def unlikely(entry: Entry, deal: Deal) -> bool:
    """Return whether the attack can have these bouts only if a player lost the Excuse in the last trick."""
    if not isinstance(entry, Facts) or entry.result.chelem != Chelem.NONE or deal.players != FOUR:
        return False
    holding = _find_held_cards(entry, deal)
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
    if not _can_show(result.poignees_attack, [holding.taker], trumps):
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
    """Return whether the taker's 21 may lose its trick. The rules of the FFT do not settle this case.

    In that case the defence makes a chelem, and its Excuse wins the last trick, to which the taker plays the 21.
    """
    kept = TRUMP_21 in holding.taker and any(EXCUSE in hand for hand in holding.defenders)
    return kept and result.chelem in SUFFERED


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
    if result.chelem in MADE:
        return any(TRUMP_21 in hand for hand in holding.defenders)
    return result.chelem in SUFFERED and TRUMP_21 in holding.taker and not _may_lose_21(result, holding)


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
