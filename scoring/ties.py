"""Knows how equals are told apart and ranked; not what they are equal in, nor who draws lots.

The FFT's regulation of 2012 settles no tie: equals share their rank unless a club chooses otherwise. Every criterion
here is a house rule, stated in docs/scoring.md.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeVar

Key = TypeVar("Key", int, tuple[int, int], tuple[bool, Fraction])
Value = int | Fraction | None
Measure = Callable[["TieBreak", Sequence[Any]], Mapping[Any, Value]]
TOP = Fraction(100)


class TieBreak(StrEnum):
    """House rules, all of them: of two equals the one who has more of it stands first."""

    ATTACK = "attack"  # his attack %
    DEFENCE = "defence"  # his defence %
    BEST_ETUI = "best_etui"  # his best note
    TOPS = "tops"  # how many of his notes are 100
    DRAW = "draw"  # lots


@dataclass(frozen=True, slots=True)
class TieRules:
    """By what equals are told apart, in order; without anything they share their rank.

    `draw`: who was drawn, the first first; or `places` among equals, lower ones first, as a file says what told them
    apart. `notes_of`: all notes of each of these players, asked for only if they are
    equals whom notes are to tell apart.
    """

    criteria: Sequence[TieBreak] = ()
    draw: Sequence[Hashable] = ()
    notes_of: Callable[[Sequence[Any]], Mapping[Any, Sequence[Fraction]]] = lambda _players: {}
    places: Mapping[Any, int] = field(default_factory=dict)

    def measure_with(self, attack: Mapping[Any, Value], defence: Mapping[Any, Value]) -> Measure:
        """What `tell_apart` asks, of players with these percentages."""

        def measure(criterion: TieBreak, players: Sequence[Any]) -> Mapping[Any, Value]:
            match criterion:
                case TieBreak.ATTACK:
                    return attack
                case TieBreak.DEFENCE:
                    return defence
                case TieBreak.BEST_ETUI:
                    return {player: max(notes) for player, notes in self.notes_of(players).items() if notes}
                case TieBreak.TOPS:
                    return {player: list(notes).count(TOP) for player, notes in self.notes_of(players).items()}
                case TieBreak.DRAW:
                    drawn = {player: place for place, player in enumerate(self.draw)}
                    return {player: -place for player, place in (drawn | dict(self.places)).items()}

        return measure


SHARED = TieRules()


def share_ranks(keys: Mapping[Any, Key]) -> dict[Any, int]:
    """Lowest key first; equal keys share a rank and the next one counts them all: 1, 1, 3."""
    ranks: dict[Any, int] = {}
    last, rank = None, 0
    for place, (player, key) in enumerate(sorted(keys.items(), key=lambda item: item[1]), start=1):
        if key != last:
            last, rank = key, place
        ranks[player] = rank
    return ranks


def tell_apart(
    ranks: Mapping[Any, int], criteria: Sequence[TieBreak], measure: Measure
) -> tuple[dict[Any, int], dict[Any, TieBreak]]:
    """The ranks with equals told apart by the criteria in their order; and by which of them each who had an equal was
    told from one last.

    `measure` gives what players have of a criterion, and is asked only for those who still are equals. One that
    somebody among equals has nothing of (None, or not there) leaves them all equal.
    """
    ranks, told = dict(ranks), dict[Any, TieBreak]()
    for criterion in criteria:
        equals = find_equals(ranks)
        values = measure(criterion, [player for players in equals for player in players]) if equals else {}
        for players in equals:
            first, has = ranks[players[0]], [values.get(player) for player in players]
            kinds = sorted({value for value in has if value is not None}, reverse=True)
            if None in has or len(kinds) == 1:
                continue
            inner = share_ranks({player: kinds.index(values[player]) for player in players})  # type: ignore[arg-type]
            ranks |= {player: first + rank - 1 for player, rank in inner.items()}
            told |= dict.fromkeys(players, criterion)
    return ranks, told


def find_equals(ranks: Mapping[Any, int]) -> list[list[Any]]:
    """The players who share a rank, rank by rank."""
    sharing: dict[int, list[Any]] = {}
    for player, rank in ranks.items():
        sharing.setdefault(rank, []).append(player)
    return [players for _rank, players in sorted(sharing.items()) if len(players) > 1]
