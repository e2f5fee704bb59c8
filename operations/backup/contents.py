"""The tables that a backup contains, and the value of each column as JSON."""

from __future__ import annotations

import datetime as dt
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.apps.registry import Apps
from django.db.models import (
    BinaryField,
    DateField,
    DateTimeField,
    DecimalField,
    DurationField,
    Field,
    JSONField,
    Model,
    TimeField,
    UUIDField,
)

# A log-in ends with the site that it was made on, and a count of tries is of this hour.
LEFT_OUT = {
    "django_session": "log-ins",
    "usersessions_usersession": "log-ins",
    "account_emailconfirmation": "links that confirm an address, valid for days",
    "axes_accessattempt": "counts of tries",
    "axes_accessattemptexpiration": "counts of tries",
    "axes_accessfailurelog": "counts of tries",
    "axes_accesslog": "log-ins",
    "tournaments_wantedfile": "files that are made again for whoever asks",
}
# An empty site has rows in these tables: the migrations and the first start write them. A restore replaces the rows.
FILLED_BY_THE_SITE = ("django_content_type", "auth_permission", "clubs_firstrun")

DAMAGED = "The file is damaged: {}. Take another backup."


class BackupError(Exception):
    """An error of a backup or a restore, as a sentence for whoever runs the site."""


def kept_models(apps: Apps) -> list[type[Model]]:
    """Return the models whose rows a backup contains, sorted by table; also the tables between two models."""
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


def to_json(value: Any) -> Any:
    """Return a database value as a value of JSON; `from_json` of its column is the inverse."""
    match value:
        case dt.datetime() | dt.date() | dt.time():
            return value.isoformat()
        case dt.timedelta():
            return [value.days, value.seconds, value.microseconds]
        case Decimal() | UUID():
            return str(value)
        case bytes() | memoryview() | bytearray():
            return b64encode(bytes(value)).decode()
        case _:
            return value


def from_json(field: Field[Any, Any]) -> Convert | None:
    """Return the function that reads a JSON value of this column, or None if the value is the same."""
    while field.remote_field is not None:
        field = field.target_field  # type: ignore[attr-defined]
    for kind, convert in CONVERTERS.items():
        if isinstance(field, kind):
            return convert
    return None


# A DateTimeField is a DateField, so it comes first.
CONVERTERS: Mapping[type[Field[Any, Any]], Convert | None] = {
    DateTimeField: dt.datetime.fromisoformat,
    DateField: dt.date.fromisoformat,
    TimeField: dt.time.fromisoformat,
    DurationField: lambda parts: dt.timedelta(*parts),
    DecimalField: Decimal,
    UUIDField: UUID,
    BinaryField: b64decode,
    JSONField: None,
}


def find_refused(model: type[Model], row: Sequence[Any]) -> str:
    """Return what PostgreSQL would refuse in a row that SQLite has, as a sentence, or ""."""
    for field, value in zip(columns_of(model), row, strict=True):
        if not isinstance(value, str):
            continue
        place = f"{model._meta.db_table}, row {row[0]}, column {field.column}"
        if "\0" in value:
            return f"{place}: the text contains a NUL character."
        if field.max_length and len(value) > field.max_length:
            return f"{place}: the text has {len(value)} letters, {field.max_length} at most."
    return ""
