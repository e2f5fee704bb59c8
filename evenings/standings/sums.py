"""The sums over plays, of one étui or of all étuis of a session. Sums can be added and subtracted.

`Sums.to_data` returns them as data to store, and `read_sums` reads such data.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from scoring.notes import FixedNote, NoteSum, Part, Tally, read_ruled_note

NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(slots=True)
class Sums:
    """The sums over plays.

    `counts` has the number of plays by state. `topped` is the number of étuis with at least two compared plays.
    `tallies` has the sums of notes of each entrant who sits in a play, by entrant id.
    """

    counts: Counter[str] = field(default_factory=Counter)
    topped: int = 0
    tallies: dict[int, Tally] = field(default_factory=dict)

    def move(self, other: "Sums", times: int = 1) -> None:
        """Add the other sums, multiplied by `times`: −1 subtracts them. Players who then sit in no play are removed."""
        for state, count in other.counts.items():
            self.counts[state] += times * count
        self.topped += times * other.topped
        for player, tally in other.tallies.items():
            mine = self.tallies.setdefault(player, Tally())
            mine.move(tally, times)
            if not mine.plays:
                del self.tallies[player]

    def to_data(self) -> dict[str, Any]:
        return {
            "counts": {state: count for state, count in self.counts.items() if count},
            "topped": self.topped,
            "tallies": {
                str(player): [
                    tally.plays,
                    *map(note_sum_data, (tally.attack, tally.defence, tally.passed)),
                    *([fixed_data(tally)] if tally.fixed else []),
                ]
                for player, tally in self.tallies.items()
            },
        }


def read_sums(data: Mapping[str, Any]) -> Sums:
    """Return the sums from the data of `Sums.to_data`."""
    tallies = {int(player): read_tally(*told) for player, told in data["tallies"].items()}
    return Sums(Counter(data["counts"]), data["topped"], tallies)


def read_tally(
    plays: int, attack: list[Any], defence: list[Any], passed: list[Any], fixed: Mapping[str, int] = NOTHING
) -> Tally:
    own = [read_note_sum(each) for each in (attack, defence, passed)]
    return Tally(plays, own[0], own[1], own[2], read_fixed_data(fixed))


def note_sum_data(notes: NoteSum) -> list[Any]:
    return [notes.count, {str(denominator): numerator for denominator, numerator in notes.numerators.items()}]


def read_note_sum(data: list[Any]) -> NoteSum:
    count, numerators = data
    return NoteSum(count, {int(denominator): numerator for denominator, numerator in numerators.items()})


def fixed_data(tally: Tally) -> dict[str, int]:
    return {f"{part} {fixed}": count for (part, fixed), count in tally.fixed.items()}


def read_fixed_data(data: Mapping[str, int]) -> dict[tuple[Part, FixedNote], int]:
    read = ((name.split(" ", 1), count) for name, count in data.items())
    return {(Part(part), read_ruled_note(fixed)): count for (part, fixed), count in read}
