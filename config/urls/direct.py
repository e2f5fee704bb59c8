"""The addresses of the director's pages: the club, the desk of an evening, registration, the cash box, entering.

The screens of the tables are here too. A session's page, its plan and its registration are public.
"""

from django.urls import URLPattern, path

from api import table
from pages.cash import pages as cash
from pages.changes import pages as changes
from pages.changes import teams as change_teams
from pages.club import (
    finding,
    licences,
    player_accounts,
    player_data,
    programs,
    put_away,
    settings,
    staff,
    webhooks,
)
from pages.desk import desk, devices, hall, log, penalties, prints, publish, running, standings, tonight
from pages.desk import plan as desk_plan
from pages.desk import tournament as desk_tournament
from pages.files import archives, club_files
from pages.files import session as session_files
from pages.games import page as games_page
from pages.parts.form_parts import CLUB_SETTINGS, TOURNAMENT_SETTINGS
from pages.play import arbiter, bulk, entry, records, rulings, sheets
from pages.prepare import etuis, persons, plan, players, seating, sections, setup, tournament_rules
from pages.prepare.teams import line_ups, making
from pages.public import matches as public_matches
from pages.registration import check_in, cut, mails, public
from pages.registration import teams as registered_teams
from pages.statistics import club as club_statistics
from pages.statistics import session as session_statistics
from pages.table import screen

CLUB = "clubs/<slug:club>/"
TOURNAMENT = f"{CLUB}tournaments/<slug:tournament>/"
SESSION = f"{TOURNAMENT}<number:number>/"
PLAY = f"{SESSION}plays/<number:play>/"
TABLE = "t/<secret:token>/"
ARBITER = f"{TABLE}arbiter/"

urlpatterns: list[URLPattern] = [
    path(f"{CLUB}team/", staff.show_staff, name="team"),
    path(f"{CLUB}team/<number:member>/change/", staff.member_change, name="member_change"),
    path(f"{CLUB}team/<number:member>/end/", staff.member_end, name="member_end"),
    path(f"{CLUB}team/<number:member>/password/", staff.member_password, name="member_password"),
    path(f"{CLUB}team/<number:member>/password/revoke/", staff.member_password_revoke, name="member_password_revoke"),
    path(f"{CLUB}team/invitations/<number:invitation>/revoke/", staff.invitation_revoke, name="invitation_revoke"),
    path(f"{CLUB}programs/", programs.show_programs, name="programs"),
    path(f"{CLUB}programs/<number:token>/end/", programs.token_end, name="token_end"),
    path(f"{CLUB}webhooks/", webhooks.show_webhooks, name="webhooks"),
    path(f"{CLUB}webhooks/<number:webhook>/", webhooks.show_webhook, name="webhook"),
    path(f"{CLUB}webhooks/<number:webhook>/<slug:act>/", webhooks.webhook_step, name="webhook_step"),
    *(path(f"{CLUB}settings/{part.path}", settings.club_settings, name=name) for name, part in CLUB_SETTINGS.items()),
    path(f"{CLUB}penalties/", settings.usual_penalties, name="usual_penalties"),
    path(f"{CLUB}penalties/<number:usual>/remove/", settings.usual_remove, name="usual_remove"),
    path(f"{CLUB}seasons/", settings.seasons, name="seasons"),
    path(f"{CLUB}seasons/<number:season>/delete/", settings.season_delete, name="season_delete"),
    path(f"{CLUB}statistics/", club_statistics.club_statistics, name="club_statistics"),
    path(f"{CLUB}statistics/file/", club_statistics.club_statistics_file, name="club_statistics_file"),
    path(f"{CLUB}archives/", archives.archives, name="archives"),
    path(f"{CLUB}files/<secret:token>/", club_files.club_file, name="club_file"),
    path(f"{CLUB}files/<secret:token>/content/", club_files.club_file_content, name="club_file_content"),
    path(f"{CLUB}logo/", settings.logo, name="club_logo"),
    path(f"{CLUB}players/", players.players, name="players"),
    path(f"{CLUB}players/find/", finding.find, name="find_people"),
    path(f"{CLUB}players/licences/", licences.licences, name="licences"),
    path(f"{CLUB}players/table/", session_files.members_file, name="members_file"),
    path(f"{CLUB}players/accounts/", player_accounts.player_claims, name="player_claims"),
    path(f"{CLUB}players/accounts/<number:claim>/", player_accounts.claim_answer, name="claim_answer"),
    path(f"{CLUB}players/alike/", players.names_alike, name="names_alike"),
    path(f"{CLUB}players/<number:player>/account/", player_accounts.player_account, name="player_account"),
    path(f"{CLUB}players/<number:player>/", players.player, name="club_player"),
    path(f"{CLUB}players/<number:player>/merge/<number:other>/", players.merge, name="player_merge"),
    path(f"{CLUB}players/<number:player>/person/", persons.player_person, name="player_person"),
    path(f"{CLUB}players/<number:player>/export/", player_data.player_export, name="player_export"),
    path(f"{CLUB}players/<number:player>/erase/", player_data.player_erase, name="player_erase"),
    path(f"{CLUB}players/merges/<number:merge>/undo/", players.merge_undo, name="player_merge_undo"),
    path(f"{CLUB}practice/", put_away.practice, name="practice"),
    path(f"{CLUB}practice/delete/", put_away.practice_delete, name="practice_delete"),
    path(f"{CLUB}tournaments/new/", setup.tournament_new, name="tournament_new"),
    path(f"{TOURNAMENT}new/", setup.session_new, name="session_new"),
    path(f"{TOURNAMENT}evenings/", setup.evenings, name="evenings"),
    *(
        path(f"{TOURNAMENT}settings/{part.path}", tournament_rules.tournament_rules, name=name)
        for name, part in TOURNAMENT_SETTINGS.items()
    ),
    path(f"{TOURNAMENT}matches/", public_matches.matches, name="matches"),
    path(f"{TOURNAMENT}matches/file/", public_matches.matches_file, name="matches_file"),
    path(f"{TOURNAMENT}matches/decide/", change_teams.match_decide, name="match_decide"),
    path(f"{TOURNAMENT}teams/edit/", making.prepare_teams, name="prepare_teams"),
    path(f"{TOURNAMENT}archive/", archives.tournament_archive, name="tournament_archive"),
    path(f"{TOURNAMENT}standings/", desk_tournament.tournament_standings, name="tournament_standings"),
    path(f"{TOURNAMENT}standings/lots/", desk_tournament.tournament_lots_draw, name="tournament_lots_draw"),
    path(f"{TOURNAMENT}standings/lots/back/", desk_tournament.tournament_lots_back, name="tournament_lots_back"),
    path(f"{TOURNAMENT}sections/", sections.sections, name="sections"),
    path(f"{TOURNAMENT}sections/<number:group>/part/", sections.sections_part, name="sections_part"),
    path(f"{TOURNAMENT}publish/", desk_tournament.tournament_publish, name="tournament_publish"),
    path(f"{TOURNAMENT}publish/<slug:step>/", desk_tournament.tournament_step, name="tournament_step"),
    path(f"{TOURNAMENT}delete/", put_away.tournament_delete, name="tournament_delete"),
    path(f"{TOURNAMENT}put-away/", put_away.tournament_put_away, name="tournament_put_away"),
    path(SESSION, desk.session, name="session"),
    path(f"{SESSION}delete/", put_away.session_delete, name="session_delete"),
    path(f"{SESSION}put-away/", put_away.session_put_away, name="session_put_away"),
    path(f"{SESSION}progress/", desk.progress, name="progress"),
    path(f"{SESSION}plan/", desk_plan.session_plan, name="session_plan"),
    path(f"{SESSION}plan/choose/", plan.plan_choose, name="plan_choose"),
    path(f"{SESSION}plan/file/<slug:kind>/", plan.plan_file, name="plan_file"),
    path(f"{SESSION}print/", tonight.prints, name="prints"),
    path(f"{SESSION}print/pdf/", prints.prints_pdf, name="prints_pdf"),
    path(f"{SESSION}print/tonight/", tonight.prints_tonight, name="prints_tonight"),
    path(f"{SESSION}edit/", setup.session_edit, name="session_edit"),
    path(f"{SESSION}players/", seating.entrants, name="entrants"),
    path(f"{SESSION}line-ups/", line_ups.line_ups, name="line_ups"),
    path(f"{SESSION}games/", games_page.games, name="games"),
    path(f"{SESSION}etuis/", etuis.etuis, name="etuis"),
    path(f"{SESSION}tables/", devices.tables, name="tables"),
    path(f"{SESSION}tables/<number:table>/renew/", devices.renew, name="table_renew"),
    path(f"{SESSION}tables/<number:table>/revoke/", devices.revoke, name="table_revoke"),
    path(f"{SESSION}tables/<number:table>/arbiter/", devices.arbiter_code, name="arbiter_code"),
    path(f"{SESSION}start/", setup.start, name="start"),
    path(f"{SESSION}unstart/", setup.unstart, name="unstart"),
    path(f"{SESSION}standings/", standings.standings, name="standings"),
    path(f"{SESSION}standings/players/<number:entrant>/", standings.live_feuille, name="live_feuille"),
    path(f"{SESSION}standings/etuis/<number:etui>/", standings.live_etui, name="live_etui"),
    path(f"{SESSION}standings/etuis/<number:etui>/rule/", standings.etui_rule, name="etui_rule"),
    path(f"{SESSION}standings/table/", session_files.standings_file, name="standings_file"),
    path(f"{SESSION}rulings/table/", session_files.rulings_file, name="rulings_file"),
    path(f"{SESSION}registration/table/", session_files.registrations_file, name="registrations_file"),
    path(f"{SESSION}homologation/", session_files.homologation, name="homologation"),
    path(f"{SESSION}standings/lots/", standings.lots_draw, name="lots_draw"),
    path(f"{SESSION}standings/lots/back/", standings.lots_back, name="lots_back"),
    path(f"{SESSION}bulk/", bulk.bulk, name="bulk"),
    path(f"{SESSION}sheets/", sheets.sheets, name="sheets"),
    path(f"{SESSION}log/", log.log, name="log"),
    path(f"{SESSION}course/", session_statistics.session_course, name="session_course"),
    path(f"{SESSION}course/file/", session_statistics.session_course_file, name="session_course_file"),
    path(f"{SESSION}penalties/", penalties.penalties, name="penalties"),
    path(f"{SESSION}penalties/<number:penalty>/back/", penalties.penalty_back, name="penalty_back"),
    path(f"{SESSION}calls/<number:call>/answered/", desk.record_answered_call, name="answered"),
    path(f"{SESSION}playing/", desk.director_plays, name="playing"),
    path(f"{SESSION}changes/", changes.changes, name="changes"),
    path(f"{SESSION}changes/undo/", changes.change_undo, name="change_undo"),
    path(f"{SESSION}changes/<slug:kind>/", changes.change, name="change"),
    path(f"{SESSION}publish/", publish.publish, name="publish"),
    path(f"{SESSION}publish/<slug:step>/", publish.publication_step, name="publication_step"),
    path(PLAY, entry.play, name="play"),
    path(f"{PLAY}preview/", entry.play_preview, name="play_preview"),
    path(f"{PLAY}adjust/", rulings.play_adjust, name="play_adjust"),
    path(f"{PLAY}record/", records.play_record, name="play_record"),
    path(f"{PLAY}confirm/", rulings.confirm, name="confirm"),
    path(f"{PLAY}take/", rulings.take, name="take"),
    path(f"{PLAY}aside/", rulings.set_aside, name="aside"),
    path(f"{PLAY}withdraw/", rulings.withdraw, name="withdraw"),
    path(f"{PLAY}annul/", rulings.annul, name="annul"),
    path(f"{PLAY}restore/", rulings.restore, name="restore"),
    path(f"{SESSION}hall/", hall.hall_screen, name="hall"),
    path(f"{SESSION}hall/open/", hall.open_from_desk, name="hall_open"),
    path(f"{SESSION}hall/renew/", running.renew_hall, name="hall_renew"),
    path(f"{SESSION}hall/<secret:key>/", hall.open_hall, name="hall_link"),
    path(f"{SESSION}running/", running.running_head, name="running_head"),
    path(f"{SESSION}running/call/", running.call_position, name="call_position"),
    path(f"{SESSION}running/clock/", running.clock, name="clock"),
    path(f"{SESSION}running/last-call/", running.last_call, name="last_call"),
    path(f"{SESSION}running/closing/", running.close_or_reopen, name="closing"),
    path(f"{SESSION}register/", public.sign_up, name="sign_up"),
    path("r/<secret:token>/", public.registration_of, name="registered"),
    path("r/<secret:token>/line-up/", registered_teams.registered_line_up, name="registered_line_up"),
    path(f"{SESSION}registration/", check_in.registration, name="registration"),
    path(f"{SESSION}registration/cut/", cut.cut, name="cut"),
    path(f"{SESSION}registration/mails/", mails.evening_mails, name="evening_mails"),
    path(f"{SESSION}registration/seat/", check_in.seat, name="seat_present"),
    path(f"{SESSION}registration/<number:applicant>/", check_in.applicant, name="applicant"),
    path(f"{SESSION}cash/", cash.cash, name="cash"),
    path(f"{SESSION}cash/take/", cash.cash_take, name="cash_take"),
    path(f"{SESSION}cash/give-back/", cash.cash_give_back, name="cash_give_back"),
    path(f"{SESSION}cash/fees/", cash.cash_fees, name="cash_fees"),
    path(f"{SESSION}cash/prizes/", cash.cash_prizes, name="cash_prizes"),
    path(f"{SESSION}cash/prizes/hand/", cash.cash_hand, name="cash_hand"),
    path(f"{SESSION}cash/sheet/", cash.cash_sheet, name="cash_sheet"),
    path(f"{SESSION}cash/sheet/file/", cash.cash_file, name="cash_file"),
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
