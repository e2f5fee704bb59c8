"""The addresses of a simultaneous' ranking: the pages that everybody reads, and those of the organiser's directors."""

from django.urls import URLPattern, path

from pages.public import podium
from pages.public.elsewhere import embedded, pinned
from pages.public.field import pages
from pages.simultaneous import ending

RANKING = "clubs/<slug:club>/simultaneous/<slug:simultaneous>/ranking/"

urlpatterns: list[URLPattern] = [
    path(RANKING, pages.field_ranking, name="field"),
    path(f"{RANKING}versions/", pages.field_versions, name="field_versions"),
    path(f"{RANKING}versions/<number:version>/", pages.field_ranking, name="field_version"),
    path(f"{RANKING}versions/<number:version>/ranking.pdf", pinned.field_pdf, name="field_pdf"),
    path(f"{RANKING}versions/<number:version>/podium.png", podium.field_podium, name="field_podium"),
    path(f"{RANKING}etuis/<number:etui>/", pages.field_etui, name="field_etui"),
    path(f"{RANKING}players/<number:entrant>/", pages.field_feuille, name="field_feuille"),
    path(f"{RANKING}table/", pages.field_file, name="field_file"),
    path(f"{RANKING}embed/", embedded.field_embedded, name="field_embedded"),
    path(f"{RANKING}publish/", ending.field_publish, name="field_publish"),
    path(f"{RANKING}publish/<slug:step>/", ending.field_step, name="field_step"),
]
