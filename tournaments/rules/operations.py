"""The changes that a director can make in a session under way, as values, and their conversion to data and back.

New players are given by the ids of players, and players of the session by the ids of entrants.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Arrive:
    """The arrival of players, who play from the position after `after` on. Four of them may form a new table."""

    kind: ClassVar[str] = "arrive"
    players: tuple[int, ...]
    after: int


@dataclass(frozen=True, slots=True)
class Leave:
    """The departure of entrants after position `after`.

    With `unplayed`, étuis of that position that the entrants' tables have not played yet will not be played.
    """

    kind: ClassVar[str] = "leave"
    entrants: tuple[int, ...]
    after: int
    unplayed: bool = False


@dataclass(frozen=True, slots=True)
class Return:
    """The return of entrants who had left, after position `after`. Their earlier results still count."""

    kind: ClassVar[str] = "return"
    entrants: tuple[int, ...]
    after: int


@dataclass(frozen=True, slots=True)
class Substitute:
    """A player who takes an entrant's seat from a position on.

    With `own`, the player gets percentages of their own, and is in the ranking if also `ranked`: without it, the player
    only completes the table. Otherwise the results count for the entrant.
    """

    kind: ClassVar[str] = "substitute"
    entrant: int
    player: int
    position: int
    own: bool = True
    ranked: bool = True


@dataclass(frozen=True, slots=True)
class Swap:
    """A mistake in seats: in this position the entrants `one` and `other` sat on each other's seats."""

    kind: ClassVar[str] = "swap"
    position: int
    one: int
    other: int


@dataclass(frozen=True, slots=True)
class WrongEtuis:
    """A mistake in étuis: in this position the table played other étuis than planned.

    `pairs` has pairs of étui numbers: the planned one, and the one that was played. `exchange`: the table for which the
    played étui was planned got this table's planned étui instead. `later`: the table will play its planned étui later;
    if False, not at all.
    """

    kind: ClassVar[str] = "wrong_etuis"
    position: int
    table: int
    pairs: tuple[tuple[int, int], ...]
    exchange: bool = True
    later: bool = False


@dataclass(frozen=True, slots=True)
class Resize:
    """A new number of positions for the evening."""

    kind: ClassVar[str] = "resize"
    positions: int


Operation = Arrive | Leave | Return | Substitute | Swap | WrongEtuis | Resize
KINDS: Mapping[str, type[Operation]] = {
    kind.kind: kind for kind in (Arrive, Leave, Return, Substitute, Swap, WrongEtuis, Resize)
}


def with_players(operation: Operation, ids: Mapping[int, int]) -> Operation:
    """Return the operation with each player id replaced by its value in `ids`, if it has one (after a merge)."""
    match operation:
        case Arrive(players=players):
            return replace(operation, players=tuple(ids.get(pk, pk) for pk in players))
        case Substitute(player=player):
            return replace(operation, player=ids.get(player, player))
    return operation


def write_operation_data(operation: Operation) -> dict[str, Any]:
    """Return the operation as a row stores it: `kind`, then its fields by name."""
    return {"kind": operation.kind, **asdict(operation)}


def read_operation_data(data: Mapping[str, Any]) -> Operation:
    """Return the operation from the output of `write_operation_data`. JSON may have turned its tuples into lists.

    Raise `KeyError` for an unknown kind.
    """
    values = {name: to_tuples(value) for name, value in data.items() if name != "kind"}
    return KINDS[data["kind"]](**values)


def to_tuples(value: Any) -> Any:
    """Return the value with every list in it turned into a tuple, at any depth."""
    return tuple(map(to_tuples, value)) if isinstance(value, list) else value
