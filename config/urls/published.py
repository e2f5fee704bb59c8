"""The addresses of publications, which most readers request: they come first in the look-up."""

from django.urls import URLPattern, path

from pages.files import wanted
from pages.public import pages, podium, table_files, tournament
from pages.public.elsewhere import embedded, pinned

OF_TOURNAMENT = "clubs/<slug:club>/tournaments/<slug:tournament>/ranking/"
RANKING = "clubs/<slug:club>/tournaments/<slug:tournament>/<number:number>/ranking/"
VERSION = f"{RANKING}<number:version>/"

urlpatterns: list[URLPattern] = [
    path(RANKING, pages.ranking_page_of, name="ranking"),
    path(VERSION, pages.ranking_page_of, name="ranking_version"),
    path(f"{RANKING}embed/", embedded.ranking_embedded, name="ranking_embedded"),
    path(f"{RANKING}versions/", pages.versions, name="versions"),
    path(f"{VERSION}results.csv", pages.results, name="results_csv"),
    path(f"{VERSION}ranking.pdf", pinned.ranking_pdf, name="ranking_pdf"),
    path(f"{VERSION}tables/", table_files.published_file, name="published_file"),
    path(f"{VERSION}tables/make/", wanted.ask_published_file, name="ask_published_file"),
    path("files/<secret:token>/", wanted.wanted_file, name="wanted_file"),
    path("files/<secret:token>/content/", wanted.wanted_file_content, name="wanted_file_content"),
    path(f"{VERSION}feuilles.pdf", pinned.feuilles_pdf, name="feuilles_pdf"),
    path(f"{VERSION}podium.png", podium.podium, name="podium"),
    path(f"{VERSION}players/<number:entrant>/", pages.feuille, name="feuille"),
    path(f"{VERSION}etuis/", pages.published_etuis, name="published_etuis"),
    path(f"{VERSION}etuis/<number:etui>/", pages.published_etui, name="published_etui"),
    path(OF_TOURNAMENT, tournament.tournament_page, name="tournament_ranking"),
    path(f"{OF_TOURNAMENT}<number:version>/", tournament.tournament_page, name="tournament_version"),
    path(f"{OF_TOURNAMENT}<number:version>/results.csv", tournament.tournament_results, name="tournament_csv"),
    path(f"{OF_TOURNAMENT}<number:version>/ranking.pdf", pinned.tournament_pdf, name="tournament_pdf"),
    path(f"{OF_TOURNAMENT}<number:version>/tables/", table_files.tournament_file, name="tournament_file"),
    path(f"{OF_TOURNAMENT}<number:version>/podium.png", podium.tournament_podium, name="tournament_podium"),
    path(f"{OF_TOURNAMENT}embed/", embedded.tournament_embedded, name="tournament_embedded"),
    path(f"{OF_TOURNAMENT}versions/", tournament.tournament_versions, name="tournament_versions"),
]
