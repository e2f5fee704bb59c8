"""The addresses of simultaneous tournaments: the pages that everybody reads, and those of directors."""

from django.urls import URLPattern, path

from pages.simultaneous import directors, readers

CLUB = "clubs/<slug:club>/simultaneous/"
SIMULTANEOUS = f"{CLUB}<slug:simultaneous>/"

urlpatterns: list[URLPattern] = [
    path("simultaneous/<secret:token>/", directors.simultaneous_join, name="simultaneous_join"),
    path(CLUB, readers.simultaneous_list, name="simultaneous_list"),
    path(f"{CLUB}new/", directors.simultaneous_new, name="simultaneous_new"),
    path(f"{CLUB}asked/<number:row>/", directors.simultaneous_answer, name="simultaneous_answer"),
    path(SIMULTANEOUS, readers.simultaneous_page, name="simultaneous"),
    path(f"{SIMULTANEOUS}settings/", directors.simultaneous_settings, name="simultaneous_settings"),
    path(f"{SIMULTANEOUS}clubs/", directors.simultaneous_clubs, name="simultaneous_clubs"),
    path(f"{SIMULTANEOUS}rulings/", directors.simultaneous_rulings, name="simultaneous_rulings"),
    path(f"{SIMULTANEOUS}step/", directors.simultaneous_step, name="simultaneous_step"),
]
