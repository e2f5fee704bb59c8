"""Questions that are written down once in a process.

Every request of a hall asks them, and Django takes up to ten times as long to put such a question together as the
database to answer it. Everything else asks by querysets.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from inspect import signature
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)


class Written(NamedTuple):
    """A question; `converters` by column: what gives a value the type that the database has not."""

    model: type[Model]
    sql: str
    params: tuple[Any, ...]
    converters: Mapping[int, tuple[list[Callable[..., Any]], Any]]


class PreparedValues:
    """A queryset's `values_list` as a function of ids, given as one: its SQL is kept."""

    def __init__(self, write: Callable[..., QuerySet[Any, Any]]) -> None:
        self.write = write

    def __call__(self, *ids: int) -> list[Any]:
        given = dict(zip(self.marks, ids, strict=True))
        with connection.cursor() as cursor:
            cursor.execute(self.written.sql, [given.get(param, param) for param in self.written.params])
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        if not rows or not self.written.converters:
            return rows
        changed = [list(row) for row in rows]
        for at, (ways, column) in self.written.converters.items():
            for row in changed:
                for way in ways:
                    row[at] = way(row[at], column, connection)
        return list(map(tuple, changed))

    @cached_property
    def marks(self) -> range:
        """What stands for the ids while the SQL is written: no row has such a one."""
        return range(-1, -1 - len(signature(self.write).parameters), -1)

    @cached_property
    def written(self) -> Written:
        rows = self.write(*self.marks)
        compiler = rows.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        converters = compiler.get_converters([column for column, _sql, _alias in compiler.select])
        return Written(rows.model, sql, tuple(params), converters)


class Prepared(PreparedValues, Generic[Row]):
    """The same of a queryset's rows: they come whole, without related ones."""

    def __init__(self, write: Callable[..., QuerySet[Row]]) -> None:
        super().__init__(write)

    def __call__(self, *ids: int) -> list[Row]:
        rows = super().__call__(*ids)
        if not rows:  # as mostly of checks and rulings
            return []
        model: Any = self.written.model
        names = [field.attname for field in model._meta.concrete_fields]
        return [model.from_db(connection.alias, names, row) for row in rows]


def hang(name: str, rows: Iterable[Model], owners: Sequence[Model], *, by: str) -> None:
    """Gives each owner its rows, as `prefetch_related` does: they are what its manager of that `name` has, in their
    order. `by` is the rows' column with the owner's id."""
    of_owner = defaultdict(list)
    owner_of = attrgetter(by)
    for row in rows:
        of_owner[owner_of(row)].append(row)
    for owner in owners:
        vars(owner).setdefault("_prefetched_objects_cache", {})[name] = of_owner[owner.pk]
