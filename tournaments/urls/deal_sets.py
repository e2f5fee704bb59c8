"""Addresses of a club's deal sets, for its directors, and of what everybody may check of them."""

from django.urls import URLPattern, path, re_path

from tournaments.views import deal_set_cards, deal_set_files, deal_sets, verify

SETS = "clubs/<slug:club>/etuis/"
SET = f"{SETS}<number:pk>/"

urlpatterns: list[URLPattern] = [
    path(SETS, deal_sets.deal_sets, name="deal_sets"),
    path(f"{SETS}new/", deal_sets.deal_set_new, name="deal_set_new"),
    path(f"{SETS}import/", deal_sets.deal_set_import, name="deal_set_import"),
    path(SET, deal_sets.deal_set, name="deal_set"),
    path(f"{SET}seal/", deal_sets.seal, name="deal_set_seal"),
    path(f"{SET}draw/", deal_sets.draw_value, name="deal_set_draw"),
    path(f"{SET}reveal/", deal_sets.reveal, name="deal_set_reveal"),
    path(f"{SET}played/", deal_sets.declare, name="deal_set_played"),
    path(f"{SET}give-up/", deal_sets.give_up, name="deal_set_give_up"),
    path(f"{SET}copy/", deal_sets.copy, name="deal_set_copy"),
    path(f"{SET}use/", deal_sets.use, name="deal_set_use"),
    path(f"{SET}cards/", deal_set_cards.cards, name="deal_set_cards"),
    path(f"{SET}statistics/", deal_set_cards.statistics, name="deal_set_statistics"),
    path(f"{SET}type/<number:number>/", deal_set_cards.type_etui, name="deal_set_type"),
    path(f"{SET}print/", deal_set_files.printing, name="deal_set_print"),
    path(f"{SET}print/pdf/", deal_set_files.pdf_file, name="deal_set_pdf"),
    path(f"{SET}export.<str:fmt>", deal_set_files.export, name="deal_set_export"),
    path("verify/", verify.verify, name="verify"),
    re_path(r"^verify/(?P<commitment>[0-9a-f]{64})/$", verify.verify_set, name="verify_set"),
    re_path(r"^verify/(?P<commitment>[0-9a-f]{64})/etuis\.txt$", verify.verify_file, name="verify_file"),
    path("profiles/<slug:name>/", verify.profile, name="profile"),
]
