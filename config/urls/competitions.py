"""The addresses of deal sets, series and simultaneous tournaments: the pages of directors, and those of everybody."""

from django.urls import URLPattern, path, re_path

from pages.elsewhere import pages as sites
from pages.public import feeds, field, series
from pages.public.all_kinds import list_paths, make_file_view
from pages.series import directors as series_directors
from pages.sets import cards, files, sets, verify
from pages.simultaneous import directors, readers
from tournaments.models import Series

SETS = "clubs/<slug:club>/etuis/"
SET = f"{SETS}<number:pk>/"
ALL_SERIES = "clubs/<slug:club>/series/"
SERIES = f"{ALL_SERIES}<slug:series>/"
SERIES_VERSION = f"{SERIES}versions/<number:version>/"
ALL_SIMULTANEOUS = "clubs/<slug:club>/simultaneous/"
SIMULTANEOUS = f"{ALL_SIMULTANEOUS}<slug:simultaneous>/"
RANKING = f"{SIMULTANEOUS}ranking/"
FIELD_VERSION = f"{RANKING}versions/<number:version>/"

urlpatterns: list[URLPattern] = [
    path(SETS, sets.deal_sets, name="deal_sets"),
    path(f"{SETS}new/", sets.deal_set_new, name="deal_set_new"),
    path(f"{SETS}import/", sets.deal_set_import, name="deal_set_import"),
    path(SET, sets.deal_set, name="deal_set"),
    path(f"{SET}seal/", sets.seal, name="deal_set_seal"),
    path(f"{SET}draw/", sets.draw_value, name="deal_set_draw"),
    path(f"{SET}reveal/", sets.reveal, name="deal_set_reveal"),
    path(f"{SET}played/", sets.declare, name="deal_set_played"),
    path(f"{SET}give-up/", sets.give_up, name="deal_set_give_up"),
    path(f"{SET}copy/", sets.copy, name="deal_set_copy"),
    path(f"{SET}use/", sets.use, name="deal_set_use"),
    path(f"{SET}cards/", cards.cards, name="deal_set_cards"),
    path(f"{SET}statistics/", cards.statistics, name="deal_set_statistics"),
    path(f"{SET}bots/", cards.bots, name="deal_set_bots"),
    path(f"{SET}type/<number:number>/", cards.type_etui, name="deal_set_type"),
    path(f"{SET}print/", files.print_documents, name="deal_set_print"),
    path(f"{SET}print/pdf/", files.pdf_file, name="deal_set_pdf"),
    path(f"{SET}export.<str:fmt>", files.export, name="deal_set_export"),
    path("verify/", verify.verify, name="verify"),
    re_path(r"^verify/(?P<commitment>[0-9a-f]{64})/$", verify.verify_set, name="verify_set"),
    re_path(r"^verify/(?P<commitment>[0-9a-f]{64})/etuis\.txt$", verify.verify_file, name="verify_file"),
    path("profiles/<slug:name>/", verify.profile, name="profile"),
    path(ALL_SERIES, series.series_list, name="series_list"),
    path(f"{ALL_SERIES}new/", series_directors.series_new, name="series_new"),
    path(f"{ALL_SERIES}asked/<number:row>/", series_directors.series_answer, name="series_answer"),
    *list_paths(series.SERIES, SERIES, SERIES_VERSION, frame="series_embedded", papers=series.SERIES_FILES),
    path(f"{SERIES}players/<number:player>/", series.series_player, name="series_player"),
    path(f"{SERIES}feed/", feeds.owner_feed, {"model": Series}, name="series_feed"),
    path(f"{SERIES}table/", make_file_view(series.SERIES_FILES), name="series_file"),
    path(f"{SERIES}settings/", series_directors.series_settings, name="series_settings"),
    path(f"{SERIES}away/", series_directors.series_away, name="series_away"),
    path(f"{SERIES}events/", series_directors.series_events, name="series_events"),
    path(f"{SERIES}clubs/", series_directors.series_clubs, name="series_clubs"),
    path(f"{SERIES}lists/new/", series_directors.series_type, name="series_type"),
    path(f"{SERIES}final/", series_directors.series_publish, name="series_publish"),
    path(f"{SERIES}final/<slug:step>/", series_directors.series_step, name="series_step"),
    path(f"{ALL_SIMULTANEOUS}receive/", sites.simultaneous_receive, name="simultaneous_receive"),
    path(f"{SIMULTANEOUS}open/", sites.simultaneous_open, name="simultaneous_open"),
    path(f"{SIMULTANEOUS}sites/", sites.simultaneous_sites, name="simultaneous_sites"),
    path(f"{SIMULTANEOUS}sites/file/", sites.simultaneous_sealed, name="simultaneous_sealed"),
    path(f"{SIMULTANEOUS}sites/results/", sites.simultaneous_results, name="simultaneous_results"),
    path(f"{SIMULTANEOUS}key/", sites.simultaneous_key, name="simultaneous_key"),
    path("simultaneous/<secret:token>/", directors.simultaneous_join, name="simultaneous_join"),
    path(ALL_SIMULTANEOUS, readers.simultaneous_list, name="simultaneous_list"),
    path(f"{ALL_SIMULTANEOUS}new/", directors.simultaneous_new, name="simultaneous_new"),
    path(f"{ALL_SIMULTANEOUS}asked/<number:row>/", directors.simultaneous_answer, name="simultaneous_answer"),
    path(SIMULTANEOUS, readers.simultaneous_page, name="simultaneous"),
    path(f"{SIMULTANEOUS}settings/", directors.simultaneous_settings, name="simultaneous_settings"),
    path(f"{SIMULTANEOUS}clubs/", directors.simultaneous_clubs, name="simultaneous_clubs"),
    path(f"{SIMULTANEOUS}rulings/", directors.simultaneous_rulings, name="simultaneous_rulings"),
    path(f"{SIMULTANEOUS}step/", directors.simultaneous_step, name="simultaneous_step"),
    *list_paths(field.FIELD, RANKING, FIELD_VERSION, frame="field_embedded"),
    path(f"{RANKING}etuis/<number:etui>/", field.field_etui, name="field_etui"),
    path(f"{RANKING}players/<number:entrant>/", field.field_feuille, name="field_feuille"),
    path(f"{RANKING}table/", make_file_view(field.FIELD), name="field_file"),
    path(f"{RANKING}publish/", directors.field_publish, name="field_publish"),
    path(f"{RANKING}publish/<slug:step>/", directors.field_step, name="field_step"),
]
