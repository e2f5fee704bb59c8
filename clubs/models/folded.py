"""The column `folded`, for searches by name. It has the name in the form that `clubs.names` uses to compare names.

Every write of a name updates the column: `save`, `bulk_create`, `bulk_update` and `update`. `update` must get all parts
of the name together. If one is missing, it raises TypeError.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from django.db import models

from clubs.names import words_of

# the most letters that are kept; a folded name may be longer than the name, as one letter can become eighteen
MOST = 300
T = TypeVar("T", bound=models.Model)


def fold(*parts: str) -> str:
    """Return the words of a name, each after a space. So a search for " eli" finds words that begin with "eli"."""
    return "".join(f" {word}" for part in parts for word in words_of(part))[:MOST]


class FoldedField(models.CharField):  # type: ignore[type-arg]
    """A field that is computed from the fields named in `of`. A value set by hand is replaced."""

    def __init__(self, *, of: Sequence[str] = ("name",), **given: Any) -> None:
        self.of = tuple(of)
        super().__init__(**{"max_length": MOST, "default": "", "editable": False, "db_index": True, **given})

    def deconstruct(self) -> Any:
        name, path, positional, options = super().deconstruct()
        return name, path, positional, options | {"of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        value = self.read(model_instance)
        setattr(model_instance, self.attname, value)
        return value

    def read(self, row: models.Model) -> str:
        return fold(*(getattr(row, field) for field in self.of))


class FoundByName(models.QuerySet[T]):
    """A query set that updates the column `folded` whenever a name is written."""

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
    """A model with the column `folded`, by which its rows are found."""

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
    """Return the column `folded` with its value, if an `update` writes a name, else {}.

    Raise TypeError if only some parts of the name are written, because the other parts may differ from row to row.
    """
    names = column_of(model).of
    if "folded" in given or set(names).isdisjoint(given):
        return {}
    if not all(isinstance(given.get(field), str) for field in names):
        raise TypeError("A part of a name is written by save or bulk_update, so that it is found by all of it.")
    return {"folded": fold(*(given[field] for field in names))}
