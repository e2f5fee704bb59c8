"""The addresses of series: the pages that everybody reads, and those of directors."""

from django.urls import URLPattern, path

from pages.public import feeds, podium
from pages.public.elsewhere import embedded
from pages.public.series import pages, versions
from pages.series import directors, ending

CLUB = "clubs/<slug:club>/series/"
SERIES = f"{CLUB}<slug:series>/"

urlpatterns: list[URLPattern] = [
    path(CLUB, pages.series_list, name="series_list"),
    path(f"{CLUB}new/", directors.series_new, name="series_new"),
    path(f"{CLUB}asked/<number:row>/", directors.series_answer, name="series_answer"),
    path(SERIES, pages.series_ranking, name="series"),
    path(f"{SERIES}players/<number:player>/", pages.series_player, name="series_player"),
    path(f"{SERIES}versions/", versions.series_versions, name="series_versions"),
    path(f"{SERIES}versions/<number:version>/", pages.series_ranking, name="series_version"),
    path(f"{SERIES}ranking.pdf", versions.series_pdf, name="series_pdf"),
    path(f"{SERIES}podium.png", podium.series_podium, name="series_podium"),
    path(f"{SERIES}feed/", feeds.series_feed, name="series_feed"),
    path(f"{SERIES}embed/", embedded.series_embedded, name="series_embedded"),
    path(f"{SERIES}table/", pages.series_file, name="series_file"),
    path(f"{SERIES}settings/", directors.series_settings, name="series_settings"),
    path(f"{SERIES}away/", directors.series_away, name="series_away"),
    path(f"{SERIES}events/", directors.series_events, name="series_events"),
    path(f"{SERIES}clubs/", directors.series_clubs, name="series_clubs"),
    path(f"{SERIES}lists/new/", ending.series_type, name="series_type"),
    path(f"{SERIES}final/", ending.series_publish, name="series_publish"),
    path(f"{SERIES}final/<slug:step>/", ending.series_step, name="series_step"),
]
