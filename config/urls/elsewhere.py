"""The addresses of a simultaneous on several sites."""

from django.urls import path

from pages.elsewhere import pages

CLUB = "clubs/<slug:club>/simultaneous/"
SIMULTANEOUS = f"{CLUB}<slug:simultaneous>/"

urlpatterns = [
    path(f"{CLUB}receive/", pages.simultaneous_receive, name="simultaneous_receive"),
    path(f"{SIMULTANEOUS}open/", pages.simultaneous_open, name="simultaneous_open"),
    path(f"{SIMULTANEOUS}sites/", pages.simultaneous_sites, name="simultaneous_sites"),
    path(f"{SIMULTANEOUS}sites/file/", pages.simultaneous_sealed, name="simultaneous_sealed"),
    path(f"{SIMULTANEOUS}sites/results/", pages.simultaneous_results, name="simultaneous_results"),
    path(f"{SIMULTANEOUS}key/", pages.simultaneous_key, name="simultaneous_key"),
]
