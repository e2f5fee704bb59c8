"""Knows in which of two parts, topped apart, the plays of an étui fall that was altered on the way."""

from typing import NamedTuple

BEFORE, AFTER = 1, 2


class Split(NamedTuple):
    """Altered before that position; or within it, after the play of those tables."""

    from_position: int
    played_before: tuple[int, ...] = ()

    def part(self, position: int, table: int) -> int:
        """BEFORE or AFTER."""
        if position == self.from_position:
            return BEFORE if table in self.played_before else AFTER
        return BEFORE if position < self.from_position else AFTER


def part_of(split: Split | None, position: int, table: int) -> int:
    """BEFORE for every play of an étui that was not altered."""
    return split.part(position, table) if split else BEFORE
