"""The addresses of the tables' own screens: everything below a table's code, and the service worker of the screen."""

from django.urls import URLPattern, path

from api import table
from pages.play import arbiter
from pages.table import screen

TABLE = "t/<secret:token>/"
ARBITER = f"{TABLE}arbiter/"

urlpatterns: list[URLPattern] = [
    path("t/sw.js", screen.worker, name="table_worker"),
    path("t/", screen.number, name="table_number"),
    path(TABLE, screen.screen, name="table_screen"),
    path(f"{TABLE}state/", table.StateView.as_view(), name="table_state"),
    path(f"{TABLE}send/", table.SendView.as_view(), name="table_send"),
    path(ARBITER, arbiter.arbiter, name="arbiter"),
    path(f"{ARBITER}done/", arbiter.arbiter_done, name="arbiter_done"),
    path(f"{ARBITER}<number:play>/", arbiter.arbiter_play, name="arbiter_play"),
    path(f"{ARBITER}<number:play>/preview/", arbiter.arbiter_preview, name="arbiter_preview"),
    path(f"{ARBITER}<number:play>/<slug:rule>/", arbiter.arbiter_rule, name="arbiter_rule"),
]
