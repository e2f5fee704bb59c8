"""The players who try to win, for `refereed`: no experts, and with a little chance in each trick.

They give their points to tricks of their own side, win as cheaply as they can, and make the écart from short suits.
They keep the Petit for a trick that nobody takes from them. They play the Excuse before the last trick, and rather than
lose an honour. Now and then a player plays at random, and one time in 300 somebody is left with the Excuse.
"""

from dataclasses import dataclass

from deals.domain.cards import BOUTS, EXCUSE, PETIT, half_points, is_trump, rank, suit
from scoring.ranking import Line
from scoring.values import Side
from tests.tournaments.rules.refereed import Table, strength

SLIPS, FORGETS = 0.08, 1 / 300


@dataclass
class Sensible(Table):
    def choose(self, line: Line, allowed: list[int], trick: dict[Line, int]) -> int:
        left = len(self.hands[line])
        if EXCUSE in allowed and 1 < left <= 3 and self.rng.random() > FORGETS:
            return EXCUSE
        if self.rng.random() < SLIPS and (plain := [card for card in allowed if card not in BOUTS]):
            return self.rng.choice(plain)
        cards = [card for card in allowed if card != EXCUSE] or allowed
        if all(card == EXCUSE for card in trick.values()):
            return self.lead(line, cards)
        return self.follow(line, cards, allowed, trick)

    def lead(self, line: Line, cards: list[int]) -> int:
        trumps = [card for card in cards if is_trump(card) and card != PETIT]
        suits = [card for card in cards if not is_trump(card) and card != EXCUSE]
        if self.side(line) == Side.ATTACK and trumps and (len(trumps) >= 7 or not suits or self.rng.random() < 0.2):
            return max(trumps) if self.rng.random() < 0.4 else self.rng.choice(trumps)
        if not suits:
            return max(trumps or cards)
        lengths = {card: sum(suit(other) == suit(card) for other in suits) for card in suits}
        rois = [card for card in suits if rank(card) == 14]
        if rois and self.rng.random() < 0.5:
            return self.rng.choice(rois)
        longest = max(lengths.values())
        return min((card for card in suits if lengths[card] == longest), key=half_points)

    def follow(self, line: Line, cards: list[int], allowed: list[int], trick: dict[Line, int]) -> int:
        played = list(trick.values())
        best = max(trick, key=lambda other: strength(trick[other], played))
        ours, last = self.side(best) == self.side(line), len(trick) == 3
        over = [card for card in cards if strength(card, played) > strength(trick[best], played)]
        safe = [card for card in cards if card != PETIT] or cards
        if over and not ours:
            if last and PETIT in over:
                return PETIT
            over = [card for card in over if card != PETIT] or over
            if last or is_trump(over[0]):
                return min(over) if last or self.rng.random() < 0.6 else max(over)
            if rank(max(over)) == 14 or self.rng.random() < 0.3:
                return max(over)
        if ours and (last or strength(trick[best], played) >= 115 or self.rng.random() < 0.5):
            giving = [card for card in (cards if last else safe) if card not in BOUTS or card == PETIT]
            return max(giving or cards, key=half_points)
        worst = min(safe, key=lambda card: (half_points(card), is_trump(card), card))
        if half_points(worst) > 3 and EXCUSE in allowed:
            return EXCUSE
        return worst

    def order_for_the_ecart(self, hand: list[int]) -> None:
        lengths = {card: sum(suit(other) == suit(card) for other in hand) for card in hand}
        hand.sort(key=lambda card: (lengths[card] + 2 * self.rng.random(), -half_points(card)))

    def trick(self, leader: Line, number: int, keeps: list[int]) -> Line:
        return super().trick(leader, number, [])
