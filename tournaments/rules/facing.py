"""The seats of a table as they lie around it: who faces whom. Pure: knows names of seats, in their order."""

from collections.abc import Sequence


def find_facing(seats: Sequence[str]) -> dict[str, str]:
    """Return, for each seat, the opposite seat. If the number of seats is odd, it is the one just before the middle.

    `seats` are those where somebody sits, in their order around the table.
    """
    half = len(seats) // 2
    return {seat: seats[(place + half) % len(seats)] for place, seat in enumerate(seats)}
