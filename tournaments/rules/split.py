"""The split of an étui whose cards were altered during the evening.

The plays before and the plays after the alteration are compared separately.
"""

from typing import NamedTuple

BEFORE, AFTER = 1, 2


class EtuiSplit(NamedTuple):
    """The moment of the alteration.

    Plays from `from_position` on came after it, except those of the tables `played_before` in that very position.
    """

    from_position: int
    played_before: tuple[int, ...] = ()

    def part(self, position: int, table: int) -> int:
        """Return whether the play of this table in this position came BEFORE or AFTER the alteration."""
        if position == self.from_position:
            return BEFORE if table in self.played_before else AFTER
        return BEFORE if position < self.from_position else AFTER


def find_etui_part(split: EtuiSplit | None, position: int, table: int) -> int:
    """Return BEFORE or AFTER as `EtuiSplit.part` does. Without a split, every play is BEFORE."""
    return split.part(position, table) if split else BEFORE
