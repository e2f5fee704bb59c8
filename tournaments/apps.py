from importlib import import_module

from django.apps import AppConfig
from django.urls import register_converter

from tournaments.web.numbers import NumberConverter


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        register_converter(NumberConverter, "number")
        import_module("tournaments.tasks")
