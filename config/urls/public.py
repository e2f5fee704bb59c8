"""The addresses that everybody may read. `published` are publications, which most readers request: they come first."""

from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from outgoing.sheets.files import XLSX
from pages.files import wanted
from pages.public import about, boards, calendars, feeds, front, players, searching, sitemap, tournament
from pages.public import pages as rankings
from pages.public.all_kinds import list_paths, make_file_view
from pages.public.game import pages as friendly
from pages.public.handbook import exercises
from pages.public.handbook import pages as handbook
from pages.public.published import SESSION
from tournaments.models import Tournament

TOURNAMENT = "clubs/<slug:club>/tournaments/<slug:tournament>/"
OF_TOURNAMENT = f"{TOURNAMENT}ranking/"
EVENT_VERSION = f"{OF_TOURNAMENT}<number:version>/"
RANKING = f"{TOURNAMENT}<number:number>/ranking/"
VERSION = f"{RANKING}<number:version>/"
PLAYER = "players/<number:one>/"

published: list[URLPattern] = [
    *list_paths(SESSION, RANKING, VERSION, frame="ranking_embedded"),
    path(f"{VERSION}results.csv", rankings.results, name="results_csv"),
    path(f"{VERSION}tables/", rankings.published_file, name="published_file"),
    path(f"{VERSION}tables/make/", wanted.ask_published_file, name="ask_published_file"),
    path("files/<secret:token>/", wanted.wanted_file, name="wanted_file"),
    path("files/<secret:token>/content/", wanted.wanted_file_content, name="wanted_file_content"),
    path(f"{VERSION}feuilles.pdf", rankings.feuilles_pdf, name="feuilles_pdf"),
    path(f"{VERSION}players/<number:entrant>/", rankings.feuille, name="feuille"),
    path(f"{VERSION}etuis/", rankings.published_etuis, name="published_etuis"),
    path(f"{VERSION}etuis/<number:etui>/", rankings.published_etui, name="published_etui"),
    *list_paths(tournament.TOURNAMENT, OF_TOURNAMENT, EVENT_VERSION, frame="tournament_embedded"),
    path(f"{EVENT_VERSION}results.csv", tournament.tournament_results, name="tournament_csv"),
    path(
        f"{EVENT_VERSION}tables/",
        make_file_view(tournament.TOURNAMENT, kind=XLSX, numbered=True),
        name="tournament_file",
    ),
]

urlpatterns: list[URLPattern] = [
    path("", front.home, name="home"),
    path("rules/", handbook.rules, name="rules"),
    path("rules/score/", handbook.calculator, name="calculator"),
    path("rules/booklet.pdf", handbook.booklet, name="rules_booklet"),
    path("rules/exercises/", exercises.exercises, name="exercises"),
    path("rules/exercises/<slug:key>/", exercises.exercise, name="exercise"),
    path("rules/<slug:slug>/", handbook.rules_page, name="rules_page"),
    path("game/", friendly.game, name="game"),
    path("game/sw.js", friendly.game_worker, name="game_worker"),
    path("privacy/", about.privacy, name="privacy"),
    path("guide/", about.guide, name="guide"),
    path("bots/", about.bots_help, name="bots_help"),
    path("imprint/", about.imprint, name="imprint"),
    path("favicon.ico", about.favicon, name="favicon"),
    path(PLAYER, players.player, name="player"),
    path(f"{PLAYER}with/", players.choose_other, name="choose_other"),
    path(f"{PLAYER}with/<number:other>/", players.head_to_head, name="head_to_head"),
    path("leaderboards/", boards.leaderboards, name="leaderboards"),
    path("leaderboards/file/", boards.leaderboards_file, name="leaderboards_file"),
    path("clubs/<slug:club>/leaderboards/", boards.leaderboards, name="club_leaderboards"),
    path("clubs/<slug:club>/leaderboards/file/", boards.leaderboards_file, name="club_leaderboards_file"),
    path("robots.txt", sitemap.robots, name="robots"),
    path("sitemap.xml", sitemap.sitemap, name="sitemap"),
    path("sitemap-<slug:section>.xml", sitemap.sitemap, name="sitemap_section"),
    path("feed/", feeds.feed, name="feed"),
    path("clubs/<slug:club>/feed/", feeds.club_feed, name="club_feed"),
    path(f"{TOURNAMENT}feed/", feeds.owner_feed, {"model": Tournament}, name="tournament_feed"),
    # Without a token the pages stay the same for every reader. To force a language on somebody does no harm.
    path("language/choose/", csrf_exempt(set_language), name="choose_language"),
    path("search/", searching.find, name="search"),
    path("calendar/", calendars.calendar, name="calendar"),
    path("calendar.ics", calendars.calendar_file, name="calendar_file"),
    path("calendar/mine/<secret:token>.ics", calendars.own_calendar_file, name="own_calendar_file"),
    path("clubs/<slug:club>/calendar.ics", calendars.club_calendar_file, name="club_calendar_file"),
    path("clubs/<slug:club>/members/", front.members, name="members"),
    path("clubs/<slug:club>/", front.club, name="club"),
    path(TOURNAMENT, front.tournament, name="tournament"),
]
