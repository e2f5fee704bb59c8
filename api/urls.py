"""The addresses of the API, version 1."""

from django.urls import URLPattern, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerSplitView

from api import clubs, evening, events, plays, rankings, reading, records, score, sessions, tournament_rules
from api import log_in as token
from api.base import NowhereView
from api.people import cuts, players, teams
from api.plans import changes, games, matches, mistakes, movements
from api.plans import teams as team_plans
from api.public import calendar, careers, fields, leaderboards, lists, newest_rankings, published_etuis, schema, series
from api.rulings import etuis, penalties, requests
from api.rulings import plays as play_rulings

DOCS = SpectacularSwaggerSplitView.as_view(url_name="api_schema", template_name="api/docs.html")

urlpatterns: list[URLPattern] = [
    path("", RedirectView.as_view(pattern_name="api_docs"), name="api"),
    path("schema/", schema.SchemaView.as_view(), name="api_schema"),
    path("docs/", DOCS, name="api_docs"),
    path("score/", score.ScoreView.as_view(), name="api_score"),
    path("score/rules/", score.ScoringRulesView.as_view(), name="api_scoring_rules"),
    path("movements/", movements.MovementsView.as_view(), name="api_movements"),
    path("movements/verify/", movements.VerifyMovementView.as_view(), name="api_verify_movement"),
    path("token/", token.TokenView.as_view(), name="api_token"),
    path("clubs/", clubs.ClubsView.as_view(), name="api_clubs"),
    path("clubs/<slug:slug>/", clubs.ClubView.as_view(), name="api_club"),
    path(
        "clubs/<slug:slug>/leaderboards/",
        leaderboards.ClubLeaderboardsView.as_view(),
        name="api_club_leaderboards",
    ),
    path("clubs/<slug:slug>/series/", series.SeriesListView.as_view(), name="api_series_list"),
    path("clubs/<slug:slug>/series/<slug:series>/", series.SeriesView.as_view(), name="api_series"),
    *rankings.list_paths(rankings.OF_SERIES, "clubs/<slug:slug>/series/<slug:series>/publications/"),
    path(
        "clubs/<slug:slug>/series/<slug:series>/publications/<number:version>/",
        series.SeriesVersionView.as_view(),
        name="api_series_version",
    ),
    path("clubs/<slug:slug>/simultaneous/", fields.SimultaneousListView.as_view(), name="api_simultaneous_list"),
    path(
        "clubs/<slug:slug>/simultaneous/<slug:simultaneous>/ranking/",
        fields.FieldView.as_view(),
        name="api_field",
    ),
    *rankings.list_paths(rankings.OF_FIELDS, "clubs/<slug:slug>/simultaneous/<slug:simultaneous>/ranking/versions/"),
    path(
        "clubs/<slug:slug>/simultaneous/<slug:simultaneous>/ranking/versions/<number:version>/",
        fields.FieldVersionView.as_view(),
        name="api_field_version",
    ),
    path(
        "clubs/<slug:slug>/simultaneous/<slug:simultaneous>/ranking/etuis/<number:etui>/",
        fields.FieldEtuiView.as_view(),
        name="api_field_etui",
    ),
    path(
        "clubs/<slug:slug>/simultaneous/<slug:simultaneous>/ranking/players/<number:entrant>/",
        fields.FieldFeuilleView.as_view(),
        name="api_field_feuille",
    ),
    path("clubs/<slug:slug>/seasons/", players.SeasonsView.as_view(), name="api_seasons"),
    path("clubs/<slug:slug>/seasons/<number:season>/", players.SeasonView.as_view(), name="api_season"),
    path("clubs/<slug:slug>/players/", clubs.PlayersView.as_view(), name="api_players"),
    path("clubs/<slug:slug>/players/<number:player>/", players.PlayerView.as_view(), name="api_player"),
    path("clubs/<slug:slug>/players/read/", clubs.ReadPlayersView.as_view(), name="api_players_read"),
    path("clubs/<slug:slug>/penalties/", penalties.UsualPenaltiesView.as_view(), name="api_usual_penalties"),
    path("clubs/<slug:slug>/penalties/<number:usual>/", penalties.UsualPenaltyView.as_view(), name="api_usual_penalty"),
    path("clubs/<slug:slug>/tournaments/", clubs.TournamentsView.as_view(), name="api_tournaments"),
    path("tournaments/<number:pk>/", clubs.TournamentView.as_view(), name="api_tournament"),
    path("tournaments/<number:pk>/matches/", matches.MatchesView.as_view(), name="api_matches"),
    path("tournaments/<number:pk>/teams/", teams.TeamsView.as_view(), name="api_teams"),
    path("tournaments/<number:pk>/teams/<number:team>/", teams.TeamView.as_view(), name="api_team"),
    path("tournaments/<number:pk>/teams/<number:team>/leaving/", teams.LeavingView.as_view(), name="api_team_leaving"),
    path("tournaments/<number:pk>/teams/<number:team>/members/", teams.MembersView.as_view(), name="api_members"),
    path(
        "tournaments/<number:pk>/teams/<number:team>/members/<number:member>/",
        teams.MemberView.as_view(),
        name="api_member",
    ),
    path(
        "tournaments/<number:pk>/teams/<number:team>/members/<number:member>/substitution/",
        teams.SubstitutionView.as_view(),
        name="api_substitution",
    ),
    path("tournaments/<number:pk>/sessions/", sessions.SessionsView.as_view(), name="api_sessions"),
    path("tournaments/<number:pk>/sessions/weekly/", evening.WeeklyView.as_view(), name="api_weekly_sessions"),
    path("tournaments/<number:pk>/standings/", events.TournamentStandingsView.as_view(), name="api_event_standings"),
    path(
        "tournaments/<number:pk>/standings/lots/", tournament_rules.TournamentLotsView.as_view(), name="api_event_lots"
    ),
    *rankings.list_paths(rankings.OF_TOURNAMENTS, "tournaments/<number:pk>/publications/"),
    path(
        "tournaments/<number:pk>/publications/latest/", events.LatestTournamentView.as_view(), name="api_event_newest"
    ),
    path(
        "tournaments/<number:pk>/publications/<number:version>/",
        events.TournamentPublicationView.as_view(),
        name="api_event_version",
    ),
    path(
        "tournaments/<number:pk>/publications/<number:version>/results.csv",
        events.TournamentFileView.as_view(),
        name="api_event_file",
    ),
    path("tournaments/<number:pk>/rules/", tournament_rules.RulesView.as_view(), name="api_rules"),
    path("tournaments/<number:pk>/sections/", tournament_rules.SectionGroupsView.as_view(), name="api_sections"),
    path(
        "tournaments/<number:pk>/sections/<number:group>/",
        tournament_rules.SectionGroupView.as_view(),
        name="api_section_group",
    ),
    path("sessions/", calendar.CalendarView.as_view(), name="api_calendar"),
    path("players/<number:pk>/", careers.CareerView.as_view(), name="api_career"),
    path("players/<number:pk>/sessions/", careers.CareerSessionsView.as_view(), name="api_career_sessions"),
    path("players/<number:pk>/with/<number:other>/", careers.HeadToHeadView.as_view(), name="api_head_to_head"),
    path("leaderboards/", leaderboards.LeaderboardsView.as_view(), name="api_leaderboards"),
    path("search/", lists.SearchView.as_view(), name="api_search"),
    path("rankings/", newest_rankings.RankingsView.as_view(), name="api_rankings"),
    path("sessions/<number:pk>/", sessions.SessionView.as_view(), name="api_session"),
    path("sessions/<number:pk>/entrants/", sessions.EntrantsView.as_view(), name="api_entrants"),
    path("sessions/<number:pk>/teams/", teams.SessionTeamsView.as_view(), name="api_session_teams"),
    path("sessions/<number:pk>/team-plan/", team_plans.TeamPlanView.as_view(), name="api_team_plan"),
    path("sessions/<number:pk>/team-plan/changes/", team_plans.TeamChangesView.as_view(), name="api_team_changes"),
    path("sessions/<number:pk>/team-plan/mistakes/", mistakes.MistakesView.as_view(), name="api_team_mistakes"),
    path(
        "sessions/<number:pk>/team-plan/mistakes/preview/",
        mistakes.MistakePreviewView.as_view(),
        name="api_team_mistakes_preview",
    ),
    path("sessions/<number:pk>/line-ups/", teams.LineUpsView.as_view(), name="api_line_ups"),
    path("sessions/<number:pk>/line-ups/<number:team>/", teams.LineUpView.as_view(), name="api_line_up"),
    path("sessions/<number:pk>/games/", games.EveningGamesView.as_view(), name="api_games"),
    path("sessions/<number:pk>/games/<number:game>/", games.EveningGameView.as_view(), name="api_game"),
    path("sessions/<number:pk>/games/<number:game>/closing/", games.GameClosingView.as_view(), name="api_game_closing"),
    path("sessions/<number:pk>/cut/", cuts.CutView.as_view(), name="api_cut"),
    path("sessions/<number:pk>/cut/fill/", cuts.CutFillView.as_view(), name="api_cut_fill"),
    path("sessions/<number:pk>/cut/show/", cuts.CutShowView.as_view(), name="api_cut_show"),
    path("sessions/<number:pk>/cut/players/<number:player>/", cuts.CutPlayerView.as_view(), name="api_cut_player"),
    path("sessions/<number:pk>/deal-set/", sessions.DealSetView.as_view(), name="api_deal_set"),
    path("sessions/<number:pk>/start/", sessions.StartView.as_view(), name="api_start"),
    path("sessions/<number:pk>/unstart/", sessions.UnstartView.as_view(), name="api_unstart"),
    path("sessions/<number:pk>/call/", evening.CallView.as_view(), name="api_call"),
    path("sessions/<number:pk>/uncall/", evening.UncallView.as_view(), name="api_uncall"),
    path("sessions/<number:pk>/last-call/", evening.LastCallView.as_view(), name="api_last_call"),
    path("sessions/<number:pk>/last-call/back/", evening.LastCallBackView.as_view(), name="api_last_call_back"),
    path("sessions/<number:pk>/open-points/", evening.OpenPointsView.as_view(), name="api_open_points"),
    path("sessions/<number:pk>/close/", evening.CloseView.as_view(), name="api_close"),
    path("sessions/<number:pk>/reopen/", evening.ReopenEveningView.as_view(), name="api_reopen_evening"),
    path("sessions/<number:pk>/report/", evening.ReportView.as_view(), name="api_report"),
    path("sessions/<number:pk>/plan/", changes.PlanView.as_view(), name="api_plan"),
    path("sessions/<number:pk>/changes/", changes.ChangesView.as_view(), name="api_changes"),
    path("sessions/<number:pk>/changes/preview/", changes.PreviewView.as_view(), name="api_changes_preview"),
    path("sessions/<number:pk>/changes/undo/", changes.UndoView.as_view(), name="api_changes_undo"),
    path("sessions/<number:pk>/etuis/<number:etui>/rulings/", etuis.EtuiRulingsView.as_view(), name="api_etui_rulings"),
    path(
        "sessions/<number:pk>/etuis/<number:etui>/annulment/",
        etuis.EtuiAnnulmentView.as_view(),
        name="api_etui_annulment",
    ),
    path("sessions/<number:pk>/etuis/<number:etui>/split/", etuis.EtuiSplitView.as_view(), name="api_etui_split"),
    path(
        "sessions/<number:pk>/etuis/<number:etui>/rulings/preview/",
        etuis.EtuiPreviewView.as_view(),
        name="api_etui_preview",
    ),
    path("sessions/<number:pk>/penalties/", penalties.PenaltiesView.as_view(), name="api_penalties"),
    path("sessions/<number:pk>/penalties/preview/", penalties.PenaltyPreviewView.as_view(), name="api_penalty_preview"),
    path("sessions/<number:pk>/penalties/<number:penalty>/", penalties.PenaltyView.as_view(), name="api_penalty"),
    path("sessions/<number:pk>/plays/", plays.PlaysView.as_view(), name="api_plays"),
    path("sessions/<number:pk>/requests/", requests.RequestsView.as_view(), name="api_requests"),
    path(
        "sessions/<number:pk>/requests/<number:asked>/decision/",
        requests.DecisionView.as_view(),
        name="api_request_decision",
    ),
    path("sessions/<number:pk>/standings/", reading.StandingsView.as_view(), name="api_standings"),
    path("sessions/<number:pk>/standings/lots/", tournament_rules.LotsView.as_view(), name="api_lots"),
    path("sessions/<number:pk>/entrants/<number:entrant>/", reading.FeuilleView.as_view(), name="api_feuille"),
    *rankings.list_paths(rankings.OF_SESSIONS, "sessions/<number:pk>/publications/"),
    path("sessions/<number:pk>/publications/shows/", rankings.ShowsView.as_view(), name="api_shows"),
    path("sessions/<number:pk>/publications/latest/", reading.LatestPublicationView.as_view(), name="api_latest"),
    path(
        "sessions/<number:pk>/publications/<number:version>/", reading.PublicationView.as_view(), name="api_publication"
    ),
    path(
        "sessions/<number:pk>/publications/latest/etuis/<number:etui>/",
        published_etuis.LatestEtuiView.as_view(),
        name="api_latest_etui",
    ),
    path(
        "sessions/<number:pk>/publications/<number:version>/etuis/<number:etui>/",
        published_etuis.EtuiView.as_view(),
        name="api_etui",
    ),
    path("plays/<number:pk>/", plays.PlayView.as_view(), name="api_play"),
    path("plays/<number:pk>/result/", plays.ResultView.as_view(), name="api_result"),
    path("plays/<number:pk>/record/", records.RecordView.as_view(), name="api_record"),
    path("plays/<number:pk>/annulment/", play_rulings.AnnulmentView.as_view(), name="api_annulment"),
    path("plays/<number:pk>/adjustment/", play_rulings.AdjustmentView.as_view(), name="api_adjustment"),
    path("plays/<number:pk>/rulings/preview/", play_rulings.PlayPreviewView.as_view(), name="api_play_preview"),
    path("<path:rest>", NowhereView.as_view()),
]
