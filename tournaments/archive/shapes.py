"""The shapes of values that hold numbers of rows: where in the value the numbers stand, and of which model they are.

A shape is a plain value. `renumber` replaces the numbers of a value, `list_numbers` lists them. Parts of a value that
its shape does not name stay as they are.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

PLAYER, ENTRANT, USER = "clubs.Player", "tournaments.Entrant", "clubs.User"
SESSION, TABLE, PLAY = "tournaments.Session", "tournaments.Table", "tournaments.Play"
ENTRY, RULING, ETUI = "tournaments.ResultEntry", "tournaments.Ruling", "deals.Etui"


class Mention(NamedTuple):
    """A number of a row of `model`. With `newest`, it was the highest one of its session at some moment, or 0."""

    model: str
    number: int
    newest: bool = False


@dataclass(frozen=True, slots=True)
class RowNumber:
    """The number of a row of `model`, or None."""

    model: str


@dataclass(frozen=True, slots=True)
class CompetitorNumber(RowNumber):
    """The number of a row of `model`, or below 0 the number of a team in its tournament, which stays."""


@dataclass(frozen=True, slots=True)
class NewestNumber:
    """The highest number that a model's rows had in a session at some moment, 0 without any: later rows are higher."""

    model: str


@dataclass(frozen=True, slots=True)
class EachOf:
    """A list of values of one shape."""

    inner: "Shape"


@dataclass(frozen=True, slots=True)
class FirstOf:
    """A list whose first value has a shape; the others are plain."""

    inner: "Shape"


@dataclass(frozen=True, slots=True)
class FieldsOf:
    """An object: the shapes of its values by key. Keys that are missing, and further keys, are allowed."""

    fields: Mapping[str, "Shape"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeyedBy:
    """An object whose keys are numbers of `model` as text, or plain with None. All its values have one shape."""

    model: str | None
    inner: "Shape | None" = None


@dataclass(frozen=True, slots=True)
class RowsByLabel:
    """An object with lists of numbers by "app.Model.field"."""


Shape = RowNumber | NewestNumber | EachOf | FirstOf | FieldsOf | KeyedBy | RowsByLabel
Change = Callable[[Mention], int | None]


def renumber(shape: Shape | None, value: Any, change: Change) -> Any:
    """Return the value with `change` of each number in its place. A number for which it returns None becomes None.

    In a list of numbers it is left out. Keys are met in their order, whatever order the database gave them.
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
    found: list[Mention] = []

    def note(mention: Mention) -> int:
        found.append(mention)
        return mention.number

    renumber(shape, value, note)
    return found
