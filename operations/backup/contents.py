"""The tables and columns that a backup contains, and the conversion of their values. It is chosen once for a column."""

from __future__ import annotations

import datetime as dt
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.apps.registry import Apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import (
    BinaryField,
    BooleanField,
    CharField,
    DateField,
    DateTimeField,
    DecimalField,
    DurationField,
    Field,
    IntegerField,
    JSONField,
    Model,
    TextField,
    TimeField,
    UUIDField,
)

# A log-in belongs to the site on which it was made, and counts of tries are only for this hour. The token of a program
# is its log-in. So a restore never makes a token valid again that somebody has ended since.
LEFT_OUT = {
    "django_session": "log-ins",
    "usersessions_usersession": "log-ins",
    "account_emailconfirmation": "links that confirm an address, valid for days",
    "clubs_logintry": "log-ins, and tries to log in",
    "clubs_programtoken": "log-ins of programs",
    "tournaments_clubfile": "files that are made for a director, or are to be imported",
    "tournaments_queuedmail": "mails that wait for a moment, with addresses that somebody typed",
    "tournaments_wantedfile": "files that are made again for whoever asks",
}
# An empty site has rows in these tables: the migrations and the first start write them. A restore replaces the rows.
FILLED_BY_THE_SITE = ("django_content_type", "auth_permission", "clubs_firstrun")

DAMAGED = "The file is damaged: {}. Take another backup."


class BackupError(Exception):
    """An error of a backup or a restore, as a sentence for the operator of the site."""


def kept_models(apps: Apps) -> list[type[Model]]:
    """Return the models whose rows a backup contains, sorted by table, with the tables of many-to-many relations."""
    models = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    return [model for table, model in sorted(models.items()) if table not in LEFT_OUT]


def columns_of(model: type[Model]) -> list[Field[Any, Any]]:
    """Return the model's columns: the id, then the others by name.

    Migrations may have added them in another order. The database computes a generated column again, so these are left
    out.
    """
    columns = [field for field in model._meta.concrete_fields if not field.generated]
    return sorted(columns, key=lambda field: (not field.primary_key, field.column))


Convert = Callable[[Any], Any]
Row = Sequence[Any]


class ColumnForm(NamedTuple):
    """The conversion of a column's values into a backup and back.

    `select` is the SQL that reads the column, with {} for its name. `write` turns a value from SQL into a value for
    JSON. `read` turns a value from JSON into a value for SQL. A function that is None changes nothing. The functions
    are not called for the value None.
    """

    select: str = "{}"
    write: Convert | None = None
    read: Convert | None = None


def find_form(field: Field[Any, Any], database: BaseDatabaseWrapper) -> ColumnForm:
    """Return the form of a column in this database.

    Most columns have a form that works without Django, because a large site has millions of values.
    """
    kind = find_kind(field)
    if isinstance(kind, JSONField):
        return ColumnForm("CAST({} AS text)", pack_json, unpack_json if field.null else unpack_json_or_null)
    if not hasattr(kind, "from_db_value"):
        for field_class, form in FORMS[database.vendor].items():
            if isinstance(kind, field_class):
                return form
    return ask_django(field, kind, database)


def find_kind(field: Field[Any, Any]) -> Field[Any, Any]:
    """Return the field itself or, for a foreign key, the field of the id that it contains."""
    while field.remote_field is not None:
        field = field.target_field  # type: ignore[attr-defined]
    return field


def ask_django(field: Field[Any, Any], kind: Field[Any, Any], database: BaseDatabaseWrapper) -> ColumnForm:
    """Return the form of a column whose values Django converts, such as encrypted ones."""
    column = field.get_col(field.model._meta.db_table)
    converters = [*database.ops.get_db_converters(column), *column.get_db_converters(database)]
    to_json, from_json = next(
        (both for field_class, both in AS_JSON.items() if isinstance(kind, field_class)), (None, None)
    )

    def write(value: Any) -> Any:
        for convert in converters:
            value = convert(value, column, database)
        return value if to_json is None or value is None else to_json(value)

    def read(value: Any) -> Any:
        return field.get_db_prep_save(value if from_json is None else from_json(value), database)

    return ColumnForm("{}", write, read)


def pack_json(text: str) -> msgspec.Raw:
    """Return the text of a JSON column in the form of a backup: in one line, without spaces, with sorted keys.

    PostgreSQL orders keys in its own way: the same rows would give two backups. A text that the library refuses (half
    of a surrogate pair, an infinite number) keeps its keys as they are.
    """
    try:
        return msgspec.Raw(msgspec.json.encode(msgspec.json.decode(text), order="deterministic"))
    except msgspec.DecodeError:
        return msgspec.Raw(text.replace("\n", " ").replace("\r", " "))


def unpack_json(raw: msgspec.Raw) -> str | None:
    text = bytes(raw).decode()
    return None if text == "null" else text


def unpack_json_or_null(raw: msgspec.Raw) -> str:
    """Return the text of a JSON column that must have a value. It may be JSON's own null."""
    return bytes(raw).decode()


def write_moment(text: str) -> str:
    """Return a moment in ISO 8601 from SQLite's text, which has no T and means UTC."""
    if len(text) in (19, 26):  # the lengths of a moment without and with microseconds
        return f"{text[:10]}T{text[11:]}+00:00"
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC).isoformat()


def read_moment(text: str) -> str:
    """Return SQLite's text of a moment in ISO 8601."""
    if len(text) in (25, 32) and text.endswith("+00:00"):
        return f"{text[:10]} {text[11:-6]}"
    return str(dt.datetime.fromisoformat(text).astimezone(dt.UTC).replace(tzinfo=None))


def write_uuid(text: str) -> str:
    """Return a UUID with hyphens from SQLite's text, which has none."""
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def read_uuid(text: str) -> str:
    return text.replace("-", "")


SAME = ColumnForm()
AS_TEXT = ColumnForm("CAST({} AS text)")
MOMENT_IN_POSTGRESQL = (
    "replace(to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US'), '.000000', '') || '+00:00'"
)
# A DateTimeField is also a DateField, so it comes first. SQLite's connection itself turns columns declared as bool into
# bool.
PLAIN: Mapping[type[Field[Any, Any]], ColumnForm] = dict.fromkeys(
    (IntegerField, CharField, TextField, BooleanField), SAME
)
FORMS: Mapping[str, Mapping[type[Field[Any, Any]], ColumnForm]] = {
    "sqlite": {
        **PLAIN,
        DateTimeField: ColumnForm("CAST({} AS text)", write_moment, read_moment),
        DateField: AS_TEXT,
        UUIDField: ColumnForm("{}", write_uuid, read_uuid),
    },
    "postgresql": {
        **PLAIN,
        DateTimeField: ColumnForm(MOMENT_IN_POSTGRESQL),
        DateField: ColumnForm("to_char({}, 'YYYY-MM-DD')"),
        DecimalField: AS_TEXT,
        UUIDField: AS_TEXT,
    },
}
# How a value of Python is written as JSON, and read again.
AS_JSON: Mapping[type[Field[Any, Any]], tuple[Convert, Convert]] = {
    DateTimeField: (dt.datetime.isoformat, dt.datetime.fromisoformat),
    DateField: (dt.date.isoformat, dt.date.fromisoformat),
    TimeField: (dt.time.isoformat, dt.time.fromisoformat),
    DurationField: (lambda span: [span.days, span.seconds, span.microseconds], lambda parts: dt.timedelta(*parts)),
    DecimalField: (str, Decimal),
    UUIDField: (str, UUID),
    BinaryField: (lambda content: b64encode(bytes(content)).decode(), b64decode),
}


def convert_rows(rows: Sequence[Row], converters: Collection[Convert | None]) -> Sequence[Row]:
    """Return the rows with their values converted, column after column, which is faster than row after row."""
    if not rows or not any(converters):
        return rows
    columns: list[Row] = list(zip(*rows, strict=True))
    for place, convert in enumerate(converters):
        if convert is not None:
            columns[place] = [None if value is None else convert(value) for value in columns[place]]
    return list(zip(*columns, strict=True))


def find_refused(fields: Sequence[Field[Any, Any]], rows: Sequence[Row], text: bytes) -> str:
    """Return a sentence about the values in rows of SQLite that PostgreSQL would refuse, or "".

    `text` is the text of the rows in the backup.
    """
    bounds = [(place, most) for place, field in enumerate(fields) if (most := find_most(field))]
    is_long = any(max(len(row[place] or "") for row in rows) > most for place, most in bounds)
    if not is_long and b"\\u0000" not in text:
        return ""
    return next((sentence for row in rows for sentence in refuse_values(fields, row)), "")


def find_most(field: Field[Any, Any]) -> int:
    """Return the most letters that PostgreSQL allows in a column, or 0 if it has no such limit."""
    return field.max_length or 0 if isinstance(field, CharField) else 0


def refuse_values(fields: Sequence[Field[Any, Any]], row: Row) -> list[str]:
    """Return a sentence for each value of a row that PostgreSQL would refuse."""
    refused = []
    for field, value in zip(fields, row, strict=True):
        place = f"{field.model._meta.db_table}, row {row[0]}, column {field.column}"
        if (most := find_most(field)) and len(value or "") > most:
            refused.append(f"{place}: the text has {len(value)} letters, {most} at most.")
        whole = msgspec.json.decode(value) if isinstance(value, msgspec.Raw) else value
        if has_nul(whole):
            refused.append(f"{place}: the text contains a NUL character.")
    return refused


def has_nul(value: Any) -> bool:
    """Return whether a text is, or a value of JSON contains, a text with a NUL character."""
    match value:
        case str():
            return "\0" in value
        case list():
            return any(map(has_nul, value))
        case dict():
            return any(map(has_nul, [*value, *value.values()]))
    return False
