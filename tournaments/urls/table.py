"""Addresses of the tables' own screens: everything below a table's code, and the worker that keeps the screen."""

from django.urls import URLPattern, path

from tournaments.api import table
from tournaments.web.table import screen

TABLE = "t/<str:token>/"

urlpatterns: list[URLPattern] = [
    path("t/sw.js", screen.worker, name="table_worker"),
    path(TABLE, screen.screen, name="table_screen"),
    path(f"{TABLE}state/", table.StateView.as_view(), name="table_state"),
    path(f"{TABLE}send/", table.SendView.as_view(), name="table_send"),
]
