from importlib import import_module

from django.apps import AppConfig
from django.urls import register_converter

from tournaments.web.numbers import NumberConverter
from tournaments.web.secret_parts import Base36Converter, SecretConverter


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        register_converter(NumberConverter, "number")
        register_converter(SecretConverter, "secret")
        register_converter(Base36Converter, "base36")
        import_module("tournaments.tasks")
