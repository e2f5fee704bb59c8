from importlib import import_module
from sqlite3 import sqlite_version_info

from django.apps import AppConfig
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.urls import register_converter

from tournaments.numbers import Base36Converter, NumberConverter, SecretConverter

WITH_JSON = (3, 38)  # the first version of SQLite that always has the functions of JSON


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        # Django asks SQLite for its functions of JSON by a transaction. While another program holds the database, the
        # answer would be "no" until the process ends, and every page that needs them an error.
        DatabaseWrapper.features_class.supports_json_field = sqlite_version_info >= WITH_JSON  # type: ignore[method-assign, assignment]
        register_converter(NumberConverter, "number")
        register_converter(SecretConverter, "secret")
        register_converter(Base36Converter, "base36")
        import_module("jobs.tasks")
