"""Addresses that everybody may read."""

from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from tournaments.web.public import pages

TOURNAMENT = "clubs/<slug:club>/tournaments/<slug:tournament>/"
RANKING = f"{TOURNAMENT}<number:number>/ranking/"
VERSION = f"{RANKING}<number:version>/"

urlpatterns: list[URLPattern] = [
    path("", pages.home, name="home"),
    path("rules/", pages.rules, name="rules"),
    path("rules/score/", pages.calculator, name="calculator"),
    # Without a token pages stay the same for every reader; a language forced upon somebody harms nobody.
    path("language/choose/", csrf_exempt(set_language), name="choose_language"),
    path("clubs/<slug:club>/", pages.club, name="club"),
    path(TOURNAMENT, pages.tournament, name="tournament"),
    path(RANKING, pages.ranking, name="ranking"),
    path(VERSION, pages.ranking, name="ranking_version"),
    path(f"{VERSION}results.csv", pages.results, name="results_csv"),
    path(f"{VERSION}players/<number:entrant>/", pages.feuille, name="feuille"),
    path(f"{VERSION}etuis/", pages.boards, name="boards"),
    path(f"{VERSION}etuis/<number:etui>/", pages.board, name="board"),
]
