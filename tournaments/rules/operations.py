"""What a director may do to a session under way, as values with their data form; and what was done, out of a log.

Players are named by their ids where they come, entrants by theirs where they are there already.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Arrive:
    """These players join after position `after`; four of them may make a table more."""

    kind: ClassVar[str] = "arrive"
    players: tuple[int, ...]
    after: int


@dataclass(frozen=True, slots=True)
class Leave:
    """These entrants go after position `after`; `unplayed`: what their tables still owe of it is not played."""

    kind: ClassVar[str] = "leave"
    entrants: tuple[int, ...]
    after: int
    unplayed: bool = False


@dataclass(frozen=True, slots=True)
class Return:
    """These entrants, who had gone, are back after position `after`, with what they have played before."""

    kind: ClassVar[str] = "return"
    entrants: tuple[int, ...]
    after: int


@dataclass(frozen=True, slots=True)
class Substitute:
    """A player takes an entrant's seat from a position on, for percentages of his `own` or for the entrant's."""

    kind: ClassVar[str] = "substitute"
    entrant: int
    player: int
    position: int
    own: bool = True


@dataclass(frozen=True, slots=True)
class Swap:
    """In this position the two sat on each other's seat."""

    kind: ClassVar[str] = "swap"
    position: int
    one: int
    other: int


@dataclass(frozen=True, slots=True)
class WrongEtuis:
    """In this position the table played, for an étui planned, another: pairs of numbers, planned and played.

    `exchange`: the table that was to play it got the other one in return. `later`: what the table has not played it
    plays later, else not at all.
    """

    kind: ClassVar[str] = "wrong_etuis"
    position: int
    table: int
    pairs: tuple[tuple[int, int], ...]
    exchange: bool = True
    later: bool = False


@dataclass(frozen=True, slots=True)
class Resize:
    """The evening has so many positions instead."""

    kind: ClassVar[str] = "resize"
    positions: int


Operation = Arrive | Leave | Return | Substitute | Swap | WrongEtuis | Resize
KINDS: Mapping[str, type[Operation]] = {
    kind.kind: kind for kind in (Arrive, Leave, Return, Substitute, Swap, WrongEtuis, Resize)
}


def with_players(operation: Operation, ids: Mapping[int, int]) -> Operation:
    """The operation with the ids of players who are listed by now, by those that stood for them."""
    match operation:
        case Arrive(players=players):
            return replace(operation, players=tuple(ids.get(pk, pk) for pk in players))
        case Substitute(player=player):
            return replace(operation, player=ids.get(player, player))
    return operation


def to_data(operation: Operation) -> dict[str, Any]:
    """The operation as a row keeps it: `kind`, then its fields by name."""
    return {"kind": operation.kind, **asdict(operation)}


def from_data(data: Mapping[str, Any]) -> Operation:
    """The inverse of `to_data`, from JSON too, where tuples have become lists. `KeyError` on an unknown kind."""
    values = {name: to_tuples(value) for name, value in data.items() if name != "kind"}
    return KINDS[data["kind"]](**values)


def to_tuples(value: Any) -> Any:
    """The value with each list in it a tuple, however deep."""
    return tuple(map(to_tuples, value)) if isinstance(value, list) else value
