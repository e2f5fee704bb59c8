"""The operations of a director on a session under way, as values with their data form.

New players are named by player ids, people who are there already by entrant ids.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Arrive:
    """The arrival of players after position `after`. Four of them may make another table."""

    kind: ClassVar[str] = "arrive"
    players: tuple[int, ...]
    after: int


@dataclass(frozen=True, slots=True)
class Leave:
    """The departure of entrants after position `after`.

    With `unplayed`, what their tables still owe of it is not played.
    """

    kind: ClassVar[str] = "leave"
    entrants: tuple[int, ...]
    after: int
    unplayed: bool = False


@dataclass(frozen=True, slots=True)
class Return:
    """The return of entrants who had left, after position `after`, with what they have played before."""

    kind: ClassVar[str] = "return"
    entrants: tuple[int, ...]
    after: int


@dataclass(frozen=True, slots=True)
class Substitute:
    """A player who takes an entrant's seat from a position on.

    The percentages count for the player if `own`, else for the entrant.
    """

    kind: ClassVar[str] = "substitute"
    entrant: int
    player: int
    position: int
    own: bool = True


@dataclass(frozen=True, slots=True)
class Swap:
    """An exchange of seats: in this position the two players sat on each other's seats."""

    kind: ClassVar[str] = "swap"
    position: int
    one: int
    other: int


@dataclass(frozen=True, slots=True)
class WrongEtuis:
    """A mistake in étuis: in this position the table played others than planned.

    `pairs` are numbers, planned and played.

    `exchange`: the table that should have played the other one got the planned one in return. `later`: the table plays
    later what it has not played, else not at all.
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
    """Return the operation with the ids of players who are listed now, in place of the ids that stood for them."""
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
    """Read the output of `write_operation_data`, from JSON too, which makes tuples lists.

    Raise `KeyError` for an unknown kind.
    """
    values = {name: to_tuples(value) for name, value in data.items() if name != "kind"}
    return KINDS[data["kind"]](**values)


def to_tuples(value: Any) -> Any:
    """Return the value with each list in it as a tuple, at any depth."""
    return tuple(map(to_tuples, value)) if isinstance(value, list) else value
