"""The base score of a deal that was played out, counted faster than `referee.counting` does it.

Only the tricks that were imagined are counted. The tricks that were really played are counted once for each decision.
"""

from bots.suits import POINTS
from deals.domain.cards import EXCUSE, HAND, PETIT, TRUMP_21
from referee.cards import find_size
from referee.counting import WonCards, count_aside, count_trick, find_petit_au_bout
from referee.terms import DealTerms, Trick
from referee.views import SeatView
from scoring.values import Chelem, Side

TRICKS = HAND[4]
KEPT = POINTS[EXCUSE] - 1  # the half points that a side keeps for its Excuse, after it handed over a card


class ScoreCounter:
    """A counter of base scores for the deals that one view allows. The deals differ in the hidden cards only."""

    def __init__(self, seen: SeatView, terms: DealTerms) -> None:
        assert terms.contract is not None
        self.terms, self.attack, self.start = terms, terms.attackers, len(seen.tricks)
        self.counted, self.aside = terms, count_aside(terms)
        self.rules = terms.rules.scoring
        self.coefficient = self.rules.coefficients[terms.contract]
        won = WonCards()
        for number, trick in enumerate(seen.tricks, 1):
            won = count_trick(won, trick, terms, number == TRICKS)
        self.half_points, self.bouts = won.attack, won.attack_bouts
        self.tricks_won = sum(self.attack[trick.winner] for trick in seen.tricks)
        sizes = (find_size(shown.bit_count(), terms.players, self.rules) for _, shown in terms.poignees)
        self.bonus = sum(self.rules.poignees[size] for size in sizes if size is not None)

    def count(self, terms: DealTerms, tricks: list[Trick]) -> int:
        """Return the base score of a complete deal. `terms` has the chien and the écart of this deal."""
        if terms is not self.counted:  # all cards are tried on the same deal
            self.counted, self.aside = terms, count_aside(terms)
        half_points, bouts = self.half_points + self.aside.attack, self.bouts + self.aside.attack_bouts
        won, attack, last = self.tricks_won, self.attack, TRICKS - 1
        for number in range(self.start, TRICKS):
            leader, cards, winner = tricks[number]
            taken = attack[winner]
            if taken:
                won += 1
                one, two, three, four = cards
                half_points += POINTS[one] + POINTS[two] + POINTS[three] + POINTS[four]
                bouts += (PETIT in cards) + (TRUMP_21 in cards)
            if EXCUSE in cards:
                owner = (leader + cards.index(EXCUSE)) % 4
                keeps = attack[owner] if number < last or owner == winner else not attack[owner]
                half_points += KEPT * (keeps - taken)
                bouts += keeps
        target = self.rules.targets[bouts]
        made = half_points >= 2 * target
        amount = self.rules.base + (abs(half_points - 2 * target) + 1) // 2
        score = amount * self.coefficient + self.bonus
        score = score if made else -score
        if (petit := find_petit_au_bout(terms, tricks)) != Side.NONE:
            bonus = self.rules.petit_au_bout * self.coefficient
            score += bonus if petit == Side.ATTACK else -bonus
        return score + self.rules.chelems[self._find_chelem(won)]

    def _find_chelem(self, won: int) -> Chelem:
        announced = self.terms.chelem is not None
        if won == TRICKS:
            return Chelem.ANNOUNCED_MADE if announced else Chelem.UNANNOUNCED_MADE
        if not won:
            return Chelem.ANNOUNCED_SUFFERED if announced else Chelem.SUFFERED
        return Chelem.ANNOUNCED_FAILED if announced else Chelem.NONE
