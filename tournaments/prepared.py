"""Questions that are written down once in a process.

Every request of a hall asks them, and Django takes up to ten times as long to put such a question together as the
database to answer it. Everything else asks by querysets.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from inspect import signature
from operator import attrgetter
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)


class Prepared(Generic[Row]):
    """A queryset as a function of ids, given as one: its SQL is kept. Rows come whole, without related ones."""

    def __init__(self, write: Callable[..., QuerySet[Row]]) -> None:
        self.write = write

    def __call__(self, *ids: int) -> list[Row]:
        model, sql, params = self.written
        given = dict(zip(self.marks, ids, strict=True))
        with connection.cursor() as cursor:
            cursor.execute(sql, [given.get(param, param) for param in params])
            found = cursor.fetchall()
        if not found:  # as mostly of checks and rulings
            return []
        names = [field.attname for field in model._meta.concrete_fields]
        return [model.from_db(connection.alias, names, row) for row in self.converted(found)]

    def converted(self, rows: list[tuple[Any, ...]]) -> Iterable[Sequence[Any]]:
        """What SQLite has no type for, in its fields' own; PostgreSQL has them all."""
        model = self.written[0]
        columns = [field.get_col(model._meta.db_table) for field in model._meta.concrete_fields]
        found = [[*connection.ops.get_db_converters(one), *one.get_db_converters(connection)] for one in columns]
        ways = [(at, columns[at], way) for at, ways in enumerate(found) for way in ways]
        if not ways:
            return rows
        changed = [list(row) for row in rows]
        for at, column, way in ways:
            for row in changed:
                row[at] = way(row[at], column, connection)
        return changed

    @cached_property
    def marks(self) -> range:
        """What stands for the ids while the SQL is written: no row has such a one."""
        return range(-1, -1 - len(signature(self.write).parameters), -1)

    @cached_property
    def written(self) -> tuple[type[Row], str, tuple[Any, ...]]:
        rows = self.write(*self.marks)
        return (rows.model, *rows.query.sql_with_params())


def hang(name: str, rows: Iterable[Model], owners: Sequence[Model], *, by: str) -> None:
    """Gives each owner its rows, as `prefetch_related` does: they are what its manager of that `name` has, in their
    order. `by` is the rows' column with the owner's id."""
    of_owner = defaultdict(list)
    owner_of = attrgetter(by)
    for row in rows:
        of_owner[owner_of(row)].append(row)
    for owner in owners:
        vars(owner).setdefault("_prefetched_objects_cache", {})[name] = of_owner[owner.pk]
