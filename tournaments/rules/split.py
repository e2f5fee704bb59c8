"""The split of an étui that was altered on the way: its plays before and after are compared separately."""

from typing import NamedTuple

BEFORE, AFTER = 1, 2


class EtuiSplit(NamedTuple):
    """The moment of the alteration: before that position, or within it after the play of those tables."""

    from_position: int
    played_before: tuple[int, ...] = ()

    def part(self, position: int, table: int) -> int:
        """Return the part of a play: BEFORE or AFTER."""
        if position == self.from_position:
            return BEFORE if table in self.played_before else AFTER
        return BEFORE if position < self.from_position else AFTER


def find_etui_part(split: EtuiSplit | None, position: int, table: int) -> int:
    """Return the part of a play. Every play of an étui that was not altered is BEFORE."""
    return split.part(position, table) if split else BEFORE
