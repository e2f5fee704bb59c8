"""The count of a deal: the points and bouts of both sides, the petit au bout, the chelem, and so the result.

Points are half points. Source: FFT 2012, the play; pp. 11 and 12 for three and five players.
"""

from collections.abc import Sequence
from typing import NamedTuple

from deals.domain.cards import CARDS, EXCUSE, PETIT, half_points, is_bout
from referee.cards import BOUT_BITS, cards_of, find_size
from referee.terms import DealTerms, Trick
from scoring.values import Chelem, Contract, DealResult, Poignee, Side

HALF_POINTS = tuple(half_points(card) for card in range(CARDS))
BOUT = HALF_POINTS[EXCUSE]
PAID = 1  # the half points of the card that a side hands over for its Excuse


class WonCards(NamedTuple):
    """The half points and the bouts that the attack and the defence have so far."""

    attack: int = 0
    attack_bouts: int = 0
    defence: int = 0
    defence_bouts: int = 0

    def add(self, attack: bool, points: int, bouts: int) -> "WonCards":
        """Return the points and bouts with `points` and `bouts` added for one side."""
        one, its, other, others = self
        return (
            WonCards(one + points, its + bouts, other, others)
            if attack
            else WonCards(one, its, other + points, others + bouts)
        )


def count_aside(terms: DealTerms) -> WonCards:
    """Return the points and bouts of the écart, or of the chien, for the side for which these cards count."""
    points = sum(HALF_POINTS[card] for card in cards_of(terms.aside))
    return WonCards().add(terms.contract != Contract.GARDE_CONTRE, points, (terms.aside & BOUT_BITS).bit_count())


def count_trick(won: WonCards, trick: Trick, terms: DealTerms, last: bool) -> WonCards:
    """Return the points and bouts of both sides after one more trick.

    The Excuse stays with its side, which hands over a half-point card if the other side won the trick. A side that has
    no such card yet owes one, and is counted as if it had handed it over. In the last trick the Excuse goes to the
    other side, unless it wins the trick (`terms.find_winner`).
    """
    attack = terms.attackers
    winners = attack[trick.winner]
    points, bouts = sum(HALF_POINTS[card] for card in trick.cards), sum(map(is_bout, trick.cards))
    if EXCUSE in trick.cards:
        owner = (trick.leader + trick.cards.index(EXCUSE)) % terms.players
        keeper = attack[owner] is not last
        if owner != trick.winner and keeper != winners:
            paid = PAID if not last or terms.players == 4 or terms.rules.lost_excuse_is_paid else 0
            won = won.add(keeper, BOUT - paid, 1)
            points, bouts = points - BOUT + paid, bouts - 1
    return won.add(winners, points, bouts)


def count_tricks(terms: DealTerms, tricks: Sequence[Trick], last: int) -> WonCards:
    """Return the points and bouts of both sides after these tricks, with the cards aside.

    `last`: the number of all tricks.
    """
    won = count_aside(terms)
    for number, trick in enumerate(tricks, 1):
        won = count_trick(won, trick, terms, number == last)
    return won


def find_petit_au_bout(terms: DealTerms, tricks: Sequence[Trick]) -> Side:
    """Return the side that won the Petit in the last trick of a complete deal.

    If the Excuse won the last trick, the Petit in the trick before it counts as au bout too.
    """
    last, before = tricks[-1], tricks[-2]
    if PETIT in last.cards:
        return find_side(terms, last.winner)
    by_excuse = EXCUSE in last.cards and (last.leader + last.cards.index(EXCUSE)) % terms.players == last.winner
    return find_side(terms, before.winner) if by_excuse and PETIT in before.cards else Side.NONE


def find_chelem(terms: DealTerms, tricks: Sequence[Trick]) -> Chelem:
    """Return the outcome of a chelem (made, failed, suffered or none) from the tricks of a complete deal."""
    sides = {find_side(terms, trick.winner) for trick in tricks}
    announced = terms.chelem is not None
    if sides == {Side.ATTACK}:
        return Chelem.ANNOUNCED_MADE if announced else Chelem.UNANNOUNCED_MADE
    if sides == {Side.DEFENCE}:
        return Chelem.ANNOUNCED_SUFFERED if announced else Chelem.SUFFERED
    return Chelem.ANNOUNCED_FAILED if announced else Chelem.NONE


def find_side(terms: DealTerms, player: int) -> Side:
    """Return the side of a player."""
    return Side.ATTACK if terms.attackers[player] else Side.DEFENCE


def list_poignees(terms: DealTerms, side: Side) -> tuple[Poignee, ...]:
    """Return the poignées that a side showed, in the order in which they were shown."""
    sizes = (
        find_size(shown.bit_count(), terms.players, terms.rules.scoring)
        for player, shown in terms.poignees
        if find_side(terms, player) == side
    )
    return tuple(size for size in sizes if size is not None)


def count_result(terms: DealTerms, tricks: Sequence[Trick]) -> DealResult:
    """Return the result of a complete deal."""
    assert terms.contract is not None
    won = count_tricks(terms, tricks, len(tricks))
    return DealResult(
        players=terms.players,
        contract=terms.contract,
        bouts=won.attack_bouts,
        half_points=won.attack,
        petit_au_bout=find_petit_au_bout(terms, tricks),
        poignees_attack=list_poignees(terms, Side.ATTACK),
        poignees_defence=list_poignees(terms, Side.DEFENCE),
        chelem=find_chelem(terms, tricks),
        partner=None if terms.called is None else terms.partner is not None,
    )
