"""The queries whose SQL is built once in a process.

Every request of a hall needs them, and Django takes up to ten times as long to build such a query as the database takes
to answer it. All other queries use querysets.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection
from django.db.models import BooleanField, F, Func, Model, QuerySet, Value

Row = TypeVar("Row", bound=Model)


class PreparedSql(NamedTuple):
    """A query in SQL. `converters` by column: functions that give a value the type that the database does not have."""

    model: type[Model]
    sql: str
    params: tuple[Any, ...]
    converters: Mapping[int, tuple[list[Callable[..., Any]], Any]]


class PreparedValues:
    """A queryset's `values_list` as a function of ids, with cached SQL.

    `write` is a function that returns the queryset for given ids. A list of ids is one argument: see `among`.
    """

    def __init__(self, write: Callable[..., QuerySet[Any, Any]]) -> None:
        self.write = write

    def __call__(self, *ids: int | Sequence[int]) -> list[Any]:
        given: dict[Any, Any] = dict(zip(self.marks, map(as_param, ids), strict=True))
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
        """The negative numbers in the place of the ids while the SQL is built. No row has such an id."""
        return range(-1, -1 - len(signature(self.write).parameters), -1)

    def select(self, rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
        """Return the queryset with its columns chosen, for subclasses whose queryset does not choose them."""
        return rows

    @cached_property
    def written(self) -> PreparedSql:
        rows = self.select(self.write(*self.marks))
        compiler = rows.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        converters = compiler.get_converters([column for column, _sql, _alias in compiler.select])
        return PreparedSql(rows.model, sql, tuple(params), converters)


class PreparedRows(PreparedValues, Generic[Row]):
    """A query with cached SQL that returns the rows of a queryset as whole instances, without related ones."""

    def __init__(self, write: Callable[..., QuerySet[Row]]) -> None:
        super().__init__(write)

    def __call__(self, *ids: int | Sequence[int]) -> list[Row]:
        rows = super().__call__(*ids)
        if not rows:  # as is usual for checks and rulings
            return []
        model: Any = self.written.model
        names = [field.attname for field in model._meta.concrete_fields]
        return [model.from_db(connection.alias, names, row) for row in rows]


@dataclass(frozen=True)
class JoinedRelation:
    """A relation of the first model, or a `FilteredRelation`, and the columns that are read of its rows.

    The first of these columns is never null.
    """

    name: str
    model: type[Model]
    without: frozenset[str] = frozenset()

    @cached_property
    def columns(self) -> list[str]:
        return [field.attname for field in self.model._meta.concrete_fields if field.name not in self.without]


class PreparedJoined(PreparedValues, Generic[Row]):
    """A query with cached SQL that returns each row of a queryset together with its joined rows.

    A missing joined row is None. It is one query for all models, and a row is repeated for each row that is joined to
    it.
    """

    def __init__(self, write: Callable[..., QuerySet[Row]], *joined: JoinedRelation) -> None:
        super().__init__(write)
        self.joined = joined

    def __call__(self, *ids: int | Sequence[int]) -> list[Any]:
        return [tuple(self.split(row)) for row in super().__call__(*ids)]

    def select(self, rows: QuerySet[Row]) -> QuerySet[Any, Any]:
        joined = (f"{one.name}__{column}" for one in self.joined for column in one.columns)
        return rows.values_list(*(field.attname for field in rows.model._meta.concrete_fields), *joined)

    def split(self, row: Sequence[Any]) -> Iterator[Model | None]:
        model: Any = self.written.model
        at = 0
        for part in (JoinedRelation("", model), *self.joined):
            columns = part.columns
            here, at = row[at : at + len(columns)], at + len(columns)
            yield None if here[0] is None else part.model.from_db(connection.alias, columns, here)


class Among(Func):
    """A condition that is true if the first expression is in the list of the second one."""

    template, arg_joiner, output_field = "%(expressions)s)", " = ANY(", BooleanField()

    def as_sqlite(self, compiler: Any, connection: Any, **options: Any) -> Any:
        ways = {"template": "%(expressions)s))", "arg_joiner": " IN (SELECT value FROM json_each("}
        return self.as_sql(compiler, connection, **ways, **options)


def among(column: str, mark: int) -> Func:
    """Return a condition for a prepared query: the column is in a list of ids, which `mark` represents."""
    return Among(F(column), Value(mark))


def as_param(ids: int | Sequence[int]) -> object:
    """Return an id, or a list of ids, as a parameter of the database. SQLite has no lists, and reads them from JSON."""
    return ids if isinstance(ids, int) or connection.vendor != "sqlite" else json.dumps(list(ids))


def hang(name: str, rows: Iterable[Model], owners: Sequence[Model], *, by: str) -> None:
    """Give each owner its rows in the cache of the related manager `name`, as `prefetch_related` does.

    The rows stay in their order. `by` is the rows' column with the owner's id.
    """
    of_owner = defaultdict(list)
    owner_of = attrgetter(by)
    for row in rows:
        of_owner[owner_of(row)].append(row)
    for owner in owners:
        vars(owner).setdefault("_prefetched_objects_cache", {})[name] = of_owner[owner.pk]
