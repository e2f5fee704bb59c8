"""The badges of a triplette: which of its three players attacks an étui (FFT 2012, the chapter on triplettes).

The players have the badges blue, white and red in the alphabetical order of their family names. The colour that begins
is drawn once for a tournament. The étuis that a team attacks go to the colours in turn. The next session continues
where the last one stopped.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple


class Badge(StrEnum):
    """The colour of a player of a triplette, in the order of family names."""

    BLUE = "blue"
    WHITE = "white"
    RED = "red"


class AttackSlot(NamedTuple):
    """An étui that the plan lets a team attack. Slots are sorted by session, then by position, then by étui."""

    session: int
    position: int
    etui: int


NOTHING: Mapping[AttackSlot, Badge] = MappingProxyType({})


def colour_attacks(
    slots: Iterable[AttackSlot], first: Badge, *, kept: Mapping[AttackSlot, Badge] = NOTHING
) -> dict[AttackSlot, Badge]:
    """Return the colour of each étui that a team attacks, in the order of the slots.

    - `slots`: the slots of the whole plan, in any order. An étui that was annulled or not played still has a slot.
    - `first`: the colour that was drawn to begin.
    - `kept`: the slots that were played or skipped, and the colour of each, which does not change. They count even if
      the plan no longer has them.

    Without `kept`, the slots get the colours in turn: blue, white, red, beginning with `first`. With `kept`, each other
    slot gets the colour with the fewest attacks so far, so that the colours attack about equally often again. If
    several colours have equally few, it gets the first of them in that order. If the kept slots are the first ones,
    both ways give the same colours.
    """
    colours = list(Badge)
    order = colours[colours.index(first) :] + colours[: colours.index(first)]
    counts = Counter(kept.values())
    given = dict(kept)
    for slot in sorted({*slots} - {*kept}):
        given[slot] = min(order, key=lambda colour: counts[colour])
        counts[given[slot]] += 1
    return dict(sorted(given.items()))
