"""The tables and columns that a backup contains."""

from __future__ import annotations

from typing import Any

from django.apps.registry import Apps
from django.db.models import Field, Model

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
