"""The ranks of players with equal percentages, the criteria that separate them, and the reasons to have no rank.

Without criteria, equal players share their rank, as in the FFT's regulation of 2012. Every criterion here is a house
rule that a club may choose; docs/scoring.md states all of them.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeVar

Key = TypeVar("Key", int, tuple[int, int], tuple[int, Fraction])
Value = int | Fraction | None
Measure = Callable[["TieBreak", Sequence[Any]], Mapping[Any, Value]]
TOP = Fraction(100)


class TieBreak(StrEnum):
    """The criteria that separate equal players, all of them house rules. The player with the higher value is first."""

    ATTACK = "attack"  # the percentage in attack
    DEFENCE = "defence"  # the percentage in defence
    BEST_ETUI = "best_etui"  # the best note
    TOPS = "tops"  # the number of notes that are 100
    DRAW = "draw"  # the order in which lots were drawn
    BEST_GAME = "best_game"  # the marks of the best game, where marks are added up
    CONTRACTS = "contracts"  # the number of contracts made, where marks are added up


OF_PER_CENT = (TieBreak.ATTACK, TieBreak.DEFENCE, TieBreak.BEST_ETUI, TieBreak.TOPS, TieBreak.DRAW)
OF_MARKS = (TieBreak.BEST_GAME, TieBreak.CONTRACTS, TieBreak.DRAW)


@dataclass(frozen=True, slots=True)
class TieRules:
    """The criteria that separate equal players, in order. Without criteria these players share their rank.

    - `draw`: the players in the order in which lots were drawn.
    - `places`: instead of `draw`, the place of each player among equal ones, as a file gives it; lower ones come first.
    - `notes_of`: the function that returns all notes of the given players. It is called only if a criterion needs
      notes.
    - `games_of`, `contracts_of`: likewise the functions that return the marks of the best game, and the number of
      contracts made. A player for whom this is not known is left out.
    """

    criteria: Sequence[TieBreak] = ()
    draw: Sequence[Hashable] = ()
    notes_of: Callable[[Sequence[Any]], Mapping[Any, Sequence[Fraction]]] = lambda _players: {}
    places: Mapping[Any, int] = field(default_factory=dict)
    games_of: Callable[[Sequence[Any]], Mapping[Any, Value]] = lambda _players: {}
    contracts_of: Callable[[Sequence[Any]], Mapping[Any, Value]] = lambda _players: {}

    def measure_with(self, attack: Mapping[Any, Value], defence: Mapping[Any, Value]) -> Measure:
        """Return the function that `tell_apart` needs, for players with these percentages."""

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
                case TieBreak.BEST_GAME:
                    return self.games_of(players)
                case TieBreak.CONTRACTS:
                    return self.contracts_of(players)
                case TieBreak.DRAW:
                    drawn = {player: place for place, player in enumerate(self.draw)}
                    return {player: -place for player, place in (drawn | dict(self.places)).items()}

        return measure


SHARED = TieRules()


def share_ranks(keys: Mapping[Any, Key]) -> dict[Any, int]:
    """Return the rank of each player. The lowest key is first; equal keys share a rank, as in 1, 1, 3."""
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
    """Separate equal players by the criteria. Return the new ranks, and a criterion for each separated player.

    The criterion of a player is the last one that separated the player from an equal player. `measure` returns the
    values of the given players for a criterion, and is called only for players who still share a rank. A criterion is
    skipped for a group of equal players if one of them has no value.
    """
    ranks, separated = dict(ranks), dict[Any, TieBreak]()
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
            separated |= dict.fromkeys(players, criterion)
    return ranks, separated


def find_equals(ranks: Mapping[Any, int]) -> list[list[Any]]:
    """Return the groups of players who share a rank, lowest rank first."""
    sharing: dict[int, list[Any]] = {}
    for player, rank in ranks.items():
        sharing.setdefault(rank, []).append(player)
    return [players for _rank, players in sorted(sharing.items()) if len(players) > 1]


class UnrankedReason(StrEnum):
    """The reasons for which a player with percentages has no rank."""

    FILLER = "filler"  # the player only completes a table
    SUBSTITUTE = "substitute"  # the player took over a seat, and the tournament does not rank substitutes
    SHARE = "share"  # the player has played too few deals
    LOOKED = "looked"  # the player saw cards of a simultaneous beforehand


def find_unranked(
    deals: Mapping[Any, int],
    *,
    least_share: int = 0,
    fillers: Set[Hashable] = frozenset(),
    substitutes: Set[Hashable] = frozenset(),
    most: int = 0,
) -> dict[Any, UnrankedReason]:
    """Return the reason for each unranked player.

    `deals`: the number of notes of each player. `fillers` and `substitutes` are never ranked. Nor is a player with too
    few deals: fewer than `least_share` per cent of the largest number of deals that a player has. `most` is the number
    of a player who may be missing in `deals`.

    Only the notes of players count for this share, not the étuis that have begun. So a player's share does not fall
    when other tables begin an étui earlier, or when an étui is annulled for everybody.
    """
    most = max([most, *deals.values()])
    reasons: dict[Any, UnrankedReason] = {}
    for player, count in deals.items():
        if player in fillers:
            reasons[player] = UnrankedReason.FILLER
        elif player in substitutes:
            reasons[player] = UnrankedReason.SUBSTITUTE
        elif 100 * count < least_share * most:
            reasons[player] = UnrankedReason.SHARE
    return reasons
