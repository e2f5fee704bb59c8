"""The prepared queries: Django builds their SQL once in a process, and the site then only fills in the ids.

They are for requests that a hall sends all the time. Django takes up to ten times as long to build such a query as the
database takes to answer it. All other code uses querysets.
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
SoughtIds = int | str | Sequence[int]


class PreparedSql(NamedTuple):
    """A query in SQL, for rows of `model`.

    `converters` has functions for some columns, by the column's index. They turn the database's value into the type
    that Django's field has.
    """

    model: type[Model]
    sql: str
    params: tuple[Any, ...]
    converters: Mapping[int, tuple[list[Callable[..., Any]], Any]]


class PreparedValues:
    """A prepared query that returns tuples, like the `values_list` of a queryset. Call it with the ids to look for.

    `write` is a function that returns the queryset for these ids. An argument may be a list of ids: see `among`. It may
    also be a text, which `write` puts into `Value`.
    """

    def __init__(self, write: Callable[..., QuerySet[Any, Any]]) -> None:
        self.write = write

    def __call__(self, *ids: SoughtIds) -> list[Any]:
        params: dict[Any, Any] = dict(zip(self.marks, map(as_param, ids), strict=True))
        with connection.cursor() as cursor:
            cursor.execute(self.written.sql, [params.get(param, param) for param in self.written.params])
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        if not rows or not self.written.converters:
            return rows
        changed = [list(row) for row in rows]
        for at, (ways, column) in self.written.converters.items():
            for row in changed:
                for conversion in ways:
                    row[at] = conversion(row[at], column, connection)
        return list(map(tuple, changed))

    @cached_property
    def marks(self) -> range:
        """The placeholders for the ids while the SQL is built: negative numbers, because no row has a negative id."""
        return range(-1, -1 - len(signature(self.write).parameters), -1)

    def select(self, rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
        """Return the queryset with the columns to read. Subclasses whose queryset does not name them override this."""
        return rows

    @cached_property
    def written(self) -> PreparedSql:
        """The SQL of the query, built by Django at the first use."""
        rows = self.select(self.write(*self.marks))
        compiler = rows.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        converters = compiler.get_converters([column for column, _sql, _alias in compiler.select])
        return PreparedSql(rows.model, sql, tuple(params), converters)


class PreparedRows(PreparedValues, Generic[Row]):
    """A prepared query that returns model instances with all their columns, without related instances."""

    def __init__(self, write: Callable[..., QuerySet[Row]]) -> None:
        super().__init__(write)

    def __call__(self, *ids: SoughtIds) -> list[Row]:
        rows = super().__call__(*ids)
        if not rows:  # the usual case for checks and rulings
            return []
        model: Any = self.written.model
        names = [field.attname for field in model._meta.concrete_fields]
        return [model.from_db(connection.alias, names, row) for row in rows]


@dataclass(frozen=True)
class JoinedRelation:
    """A relation to read together with the rows of the first model. It may also be the name of a `FilteredRelation`.

    All columns of `model` are read, except those in `without`. The first column is never null in a row that exists.
    """

    name: str
    model: type[Model]
    without: frozenset[str] = frozenset()

    @cached_property
    def columns(self) -> list[str]:
        return [field.attname for field in self.model._meta.concrete_fields if field.name not in self.without]


class PreparedJoined(PreparedValues, Generic[Row]):
    """A prepared query that returns tuples of instances: a row of the first model, then its row of each joined model.

    A joined row that does not exist is None. A row of the first model that is joined to several rows comes several
    times. What the queryset annotates is an attribute of the first model's row. All models are read by one query.
    """

    def __init__(self, write: Callable[..., QuerySet[Row]], *joined: JoinedRelation) -> None:
        super().__init__(write)
        self.joined = joined
        self.annotated: list[str] = []

    def __call__(self, *ids: SoughtIds) -> list[Any]:
        return [tuple(self.split(row)) for row in super().__call__(*ids)]

    def select(self, rows: QuerySet[Row]) -> QuerySet[Any, Any]:
        joined = (f"{one.name}__{column}" for one in self.joined for column in one.columns)
        self.annotated = [*rows.query.annotations]
        columns = (field.attname for field in rows.model._meta.concrete_fields)
        return rows.values_list(*columns, *joined, *self.annotated)

    def split(self, row: Sequence[Any]) -> Iterator[Model | None]:
        model: Any = self.written.model
        annotations = dict(zip(self.annotated, row[len(row) - len(self.annotated) :], strict=True))
        at = 0
        for part in (JoinedRelation("", model), *self.joined):
            columns = part.columns
            piece, at = row[at : at + len(columns)], at + len(columns)
            found = None if piece[0] is None else part.model.from_db(connection.alias, columns, piece)
            if part.name == "":
                vars(found).update(annotations)
            yield found


def plan_once(name: str, sql: str, types: Sequence[str]) -> str:
    """Let PostgreSQL plan a query once on this connection. Return the SQL that executes it with the same parameters.

    PostgreSQL takes ten times as long to plan such a query as to answer it. `types` has the type of each `%s` of the
    SQL, and `name` belongs to this query alone. SQLite cannot prepare a query: `sql` is returned as it is.
    """
    if connection.vendor != "postgresql":
        return sql
    connection.ensure_connection()
    opened = connection.connection
    planned = vars(opened).setdefault("planned", set())
    if name not in planned:
        places = tuple(f"${number}" for number in range(1, len(types) + 1))
        # Preparing the query is part of opening the connection. Tests that count the queries of a request do not count
        # it.
        with connection.wrap_database_errors, opened.cursor() as cursor:
            cursor.execute(f"PREPARE {name} ({', '.join(types)}) AS {sql % places}")
        planned.add(name)
    return f"EXECUTE {name} ({', '.join(['%s'] * len(types))})"


class Among(Func):
    """The SQL condition that the first expression is in a list.

    The second expression is the placeholder of the list.
    """

    template, arg_joiner, output_field = "%(expressions)s)", " = ANY(", BooleanField()

    def as_sqlite(self, compiler: Any, connection: Any, **options: Any) -> Any:
        ways = {"template": "%(expressions)s))", "arg_joiner": " IN (SELECT value FROM json_each("}
        return self.as_sql(compiler, connection, **ways, **options)


def among(column: str, mark: int) -> Func:
    """Return the condition that the column is in a list of ids, for a prepared query.

    `mark` is the placeholder of the list.
    """
    return Among(F(column), Value(mark))


def as_param(ids: SoughtIds) -> object:
    """Return an id, a text, or a list of ids, as the database takes it. SQLite has no lists: it gets JSON text."""
    return ids if isinstance(ids, int | str) or connection.vendor != "sqlite" else json.dumps(list(ids))


def hang(name: str, rows: Iterable[Model], owners: Sequence[Model], *, by: str) -> None:
    """Set the cached rows of the related manager `name` of each owner, as `prefetch_related` does.

    `by` is the column of the rows that has the id of the owner. The rows keep their order.
    """
    of_owner = defaultdict(list)
    owner_of = attrgetter(by)
    for row in rows:
        of_owner[owner_of(row)].append(row)
    for owner in owners:
        vars(owner).setdefault("_prefetched_objects_cache", {})[name] = of_owner[owner.pk]
