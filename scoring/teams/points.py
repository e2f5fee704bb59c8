"""The match points (points de match, PM) of one étui between two teams."""

from decimal import Decimal
from math import isqrt

THOUSAND = 1000


def match_points(base_score: int, opposing: int) -> Decimal:
    """Return the match points of one étui for a team's attacker: sign(d) × √|d|, with three decimals.

    d is `base_score` minus `opposing`, the base score of the other team's attacker on the same étui. The other team
    gets the same points with the opposite sign. Each étui is rounded half up before the étuis are added (FFT 2012, the
    chapter on quadrettes). A square root of a whole number never lies halfway between two thousandths.
    """
    difference = base_score - opposing
    # To round to thousandths, it is enough to know the half thousandths, rounded down: isqrt is exact for any whole
    # number.
    thousandths = (isqrt((2 * THOUSAND) ** 2 * abs(difference)) + 1) // 2
    return Decimal((int(difference < 0), tuple(map(int, str(thousandths))), -3))
