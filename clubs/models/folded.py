"""What is found by its name: the name as `clubs.names` compares it, in a column that every write of the name keeps.

However a name is written, the column goes with it: by `save`, whatever fields it is told, by `bulk_create`, by
`bulk_update` and by `update`, which refuses a name of which it is given only a part.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from django.db import models

from clubs.names import words_of

MOST = 300  # letters that are kept: compatibility forms of one letter unfold to as many as eighteen
T = TypeVar("T", bound=models.Model)


def fold(*parts: str) -> str:
    """The words of a name, each with a space before it, so that " eli" is found where a word begins so."""
    return "".join(f" {word}" for part in parts for word in words_of(part))[:MOST]


class FoldedField(models.CharField):  # type: ignore[type-arg]
    """Written from the fields that it is `of`, in the order in which a name is said, whatever it was set to."""

    def __init__(self, *, of: Sequence[str] = ("name",), **given: Any) -> None:
        self.of = tuple(of)
        super().__init__(**{"max_length": MOST, "default": "", "editable": False, "db_index": True, **given})

    def deconstruct(self) -> Any:
        name, path, positional, given = super().deconstruct()
        return name, path, positional, given | {"of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        value = self.read(model_instance)
        setattr(model_instance, self.attname, value)
        return value

    def read(self, row: models.Model) -> str:
        return fold(*(getattr(row, field) for field in self.of))


class FoundByName(models.QuerySet[T]):
    """Rows whose column goes with their names."""

    def update(self, **given: Any) -> int:
        return super().update(**given, **folded_with(self.model, given))

    def bulk_update(self, objs: Iterable[T], fields: Iterable[str], batch_size: int | None = None) -> int:
        rows, written, column = list(objs), list(fields), column_of(self.model)
        if "folded" not in written and not set(column.of).isdisjoint(written):
            for row in rows:
                column.pre_save(row, add=False)
            written.append("folded")
        return super().bulk_update(rows, written, batch_size)


class Findable(models.Model):
    """Has a column `folded` by which it is found."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **given: Any) -> None:
        fields = given.get("update_fields")
        if fields is not None and not set(column_of(type(self)).of).isdisjoint(fields):
            given["update_fields"] = {*fields, "folded"}
        super().save(*args, **given)


def column_of(model: type[models.Model]) -> FoldedField:
    column = model._meta.get_field("folded")
    assert isinstance(column, FoldedField)
    return column


def folded_with(model: type[models.Model], given: Mapping[str, Any]) -> dict[str, str]:
    """What an `update` writes besides; `TypeError` where that cannot be told without the rows."""
    names = column_of(model).of
    if "folded" in given or set(names).isdisjoint(given):
        return {}
    if not all(isinstance(given.get(field), str) for field in names):
        raise TypeError("A part of a name is written by save or bulk_update, so that it is found by all of it.")
    return {"folded": fold(*(given[field] for field in names))}
