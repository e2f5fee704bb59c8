"""Addresses that everybody may read."""

from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from tournaments.views import public

TOURNAMENT = "clubs/<slug:club>/tournaments/<slug:tournament>/"
RANKING = f"{TOURNAMENT}<number:number>/ranking/"
VERSION = f"{RANKING}<number:version>/"

urlpatterns: list[URLPattern] = [
    path("", public.home, name="home"),
    path("rules/", public.rules, name="rules"),
    path("rules/score/", public.calculator, name="calculator"),
    # Without a token pages stay the same for every reader; a language forced upon somebody harms nobody.
    path("language/choose/", csrf_exempt(set_language), name="choose_language"),
    path("clubs/<slug:club>/", public.club, name="club"),
    path(TOURNAMENT, public.tournament, name="tournament"),
    path(RANKING, public.ranking, name="ranking"),
    path(VERSION, public.ranking, name="ranking_version"),
    path(f"{VERSION}results.csv", public.results, name="results_csv"),
    path(f"{VERSION}players/<number:entrant>/", public.feuille, name="feuille"),
    path(f"{VERSION}etuis/", public.boards, name="boards"),
    path(f"{VERSION}etuis/<number:etui>/", public.board, name="board"),
]
