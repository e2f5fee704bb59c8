"""The addresses of a club's deal sets, for its directors, and of the pages on which everybody may check them."""

from django.urls import URLPattern, path, re_path

from pages.sets import bots, cards, files, sets, verify

SETS = "clubs/<slug:club>/etuis/"
SET = f"{SETS}<number:pk>/"

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
    path(f"{SET}bots/", bots.bots, name="deal_set_bots"),
    path(f"{SET}type/<number:number>/", cards.type_etui, name="deal_set_type"),
    path(f"{SET}print/", files.print_documents, name="deal_set_print"),
    path(f"{SET}print/pdf/", files.pdf_file, name="deal_set_pdf"),
    path(f"{SET}export.<str:fmt>", files.export, name="deal_set_export"),
    path("verify/", verify.verify, name="verify"),
    re_path(r"^verify/(?P<commitment>[0-9a-f]{64})/$", verify.verify_set, name="verify_set"),
    re_path(r"^verify/(?P<commitment>[0-9a-f]{64})/etuis\.txt$", verify.verify_file, name="verify_file"),
    path("profiles/<slug:name>/", verify.profile, name="profile"),
]
