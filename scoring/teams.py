"""Knows the points de match of teams of four and of team matches; not who plays whom, nor any percentage."""

from decimal import ROUND_HALF_UP, Decimal

THOUSANDTH = Decimal("0.001")


def match_points(base_score: int, opposing: int) -> Decimal:
    """The PM of one étui: sign(d) × √|d|, three decimals, d the difference of the attackers' base scores.

    `opposing` is the base score of the other team's attacker on the same étui, who gets the opposite (FFT 2012, the
    chapter on quadrettes). Each étui is rounded, half up, before étuis are added.
    """
    difference = base_score - opposing
    points = Decimal(abs(difference)).sqrt().quantize(THOUSANDTH, ROUND_HALF_UP)
    return points if difference >= 0 else -points
