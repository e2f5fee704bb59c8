"""Addresses of the director's pages and of the entry of results; a session's page and its plan are for everybody."""

from django.urls import URLPattern, path

from tournaments.views import desk, entry, etuis, prints, setup, tables

CLUB = "clubs/<slug:club>/"
TOURNAMENT = f"{CLUB}tournaments/<slug:tournament>/"
SESSION = f"{TOURNAMENT}<int:number>/"
PLAY = f"{SESSION}plays/<int:play>/"

urlpatterns: list[URLPattern] = [
    path(f"{CLUB}players/", setup.players, name="players"),
    path(f"{CLUB}tournaments/new/", setup.tournament_new, name="tournament_new"),
    path(f"{TOURNAMENT}new/", setup.session_new, name="session_new"),
    path(SESSION, desk.session, name="session"),
    path(f"{SESSION}progress/", desk.progress, name="progress"),
    path(f"{SESSION}plan/", desk.session_plan, name="session_plan"),
    path(f"{SESSION}print/", prints.prints, name="prints"),
    path(f"{SESSION}print/pdf/", prints.prints_pdf, name="prints_pdf"),
    path(f"{SESSION}edit/", setup.session_edit, name="session_edit"),
    path(f"{SESSION}players/", setup.entrants, name="entrants"),
    path(f"{SESSION}etuis/", etuis.etuis, name="etuis"),
    path(f"{SESSION}tables/", tables.tables, name="tables"),
    path(f"{SESSION}tables/<int:table>/renew/", tables.renew, name="table_renew"),
    path(f"{SESSION}tables/<int:table>/revoke/", tables.revoke, name="table_revoke"),
    path(f"{SESSION}start/", setup.start, name="start"),
    path(f"{SESSION}unstart/", setup.unstart, name="unstart"),
    path(f"{SESSION}standings/", desk.standings, name="standings"),
    path(f"{SESSION}standings/players/<int:entrant>/", desk.live_feuille, name="live_feuille"),
    path(f"{SESSION}standings/etuis/<int:etui>/", desk.live_board, name="live_board"),
    path(f"{SESSION}publish/", desk.publish, name="publish"),
    path(PLAY, entry.play, name="play"),
    path(f"{PLAY}preview/", entry.play_preview, name="play_preview"),
    path(f"{PLAY}annul/", entry.annul, name="annul"),
    path(f"{PLAY}restore/", entry.restore, name="restore"),
]
