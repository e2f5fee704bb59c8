"""The shapes of values that contain numbers of rows.

A shape says where the numbers stand, and which model they belong to. A shape is a plain value. `renumber` replaces the
numbers of a value, `list_numbers` lists them. Parts of a value that its shape does not mention are left unchanged.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

PLAYER, ENTRANT, USER = "clubs.Player", "tournaments.Entrant", "clubs.User"
SESSION, TABLE, PLAY = "tournaments.Session", "tournaments.Table", "tournaments.Play"
ENTRY, RULING, ETUI = "tournaments.ResultEntry", "tournaments.Ruling", "deals.Etui"


class Mention(NamedTuple):
    """The number of a row of `model`. With `newest`, it was the highest number in its session at some moment, or 0."""

    model: str
    number: int
    newest: bool = False


@dataclass(frozen=True, slots=True)
class RowNumber:
    """The number of a row of `model`, or None."""

    model: str


@dataclass(frozen=True, slots=True)
class CompetitorNumber(RowNumber):
    """The number of a row of `model`, or minus the number of a team in its tournament.

    `renumber` does not change the number of a team.
    """


@dataclass(frozen=True, slots=True)
class NewestNumber:
    """The highest number that a model's rows had in a session at some moment, or 0. Later rows have higher numbers."""

    model: str


@dataclass(frozen=True, slots=True)
class EachOf:
    """A list of values of one shape."""

    inner: "Shape"


@dataclass(frozen=True, slots=True)
class FirstOf:
    """A list whose first value has a shape. The other values contain no numbers of rows."""

    inner: "Shape"


@dataclass(frozen=True, slots=True)
class FieldsOf:
    """An object with the shapes of its values by key. An object may lack some of these keys, and may have others."""

    fields: Mapping[str, "Shape"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeyedBy:
    """An object whose keys are numbers of `model` as text, or any text if `model` is None.

    All its values have one shape.
    """

    model: str | None
    inner: "Shape | None" = None


@dataclass(frozen=True, slots=True)
class RowsByLabel:
    """An object with lists of numbers by "app.Model.field"."""


Shape = RowNumber | NewestNumber | EachOf | FirstOf | FieldsOf | KeyedBy | RowsByLabel
Change = Callable[[Mention], int | None]


def renumber(shape: Shape | None, value: Any, change: Change) -> Any:
    """Return the value with each number replaced by `change` of it. If `change` returns None, the number becomes None.

    In a list of numbers, None is left out. Keys are visited in sorted order, because databases return them in different
    orders.
    """
    if shape is None or value is None:
        return value
    match shape:
        case CompetitorNumber() if value < 0:
            return value
        case RowNumber(model):
            return change(Mention(model, value))
        case NewestNumber(model):
            return change(Mention(model, value, newest=True)) or 0 if value else 0
        case EachOf(inner):
            changed = [renumber(inner, each, change) for each in value]
            return [each for each in changed if each is not None] if isinstance(inner, RowNumber) else changed
        case FirstOf(inner):
            return [renumber(inner, value[0], change), *value[1:]]
        case FieldsOf(fields):
            return {key: renumber(fields.get(key), value[key], change) for key in sorted(value)}
        case KeyedBy(model, inner):
            if model is None:
                return {key: renumber(inner, value[key], change) for key in sorted(value)}
            keys = {key: str(change(Mention(model, int(key)))) for key in sorted(value, key=int)}
            return {changed: renumber(inner, value[key], change) for key, changed in keys.items()}
        case RowsByLabel():
            return {
                label: renumber(EachOf(RowNumber(label.rpartition(".")[0])), each, change)
                for label, each in sorted(value.items())
            }


def list_numbers(shape: Shape | None, value: Any) -> list[Mention]:
    """Return the numbers in a value, in the order in which `renumber` meets them."""
    mentions: list[Mention] = []

    def note(mention: Mention) -> int:
        mentions.append(mention)
        return mention.number

    renumber(shape, value, note)
    return mentions
