"""The seats that face each other at a table.

The functions are pure: they know only the names of the seats, in their order.
"""

from collections.abc import Sequence


def find_facing(seats: Sequence[str]) -> dict[str, str]:
    """Return the opposite seat of each seat. `seats` are the taken seats, in their order around the table.

    If the number of seats is odd, two seats are opposite: the one that comes first is returned.
    """
    half = len(seats) // 2
    return {seat: seats[(place + half) % len(seats)] for place, seat in enumerate(seats)}
