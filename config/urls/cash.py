"""The addresses of the cash box, for the people at the desk."""

from django.urls import URLPattern, path

from config.urls.direct import SESSION
from pages.cash import pages

urlpatterns: list[URLPattern] = [
    path(f"{SESSION}cash/", pages.cash, name="cash"),
    path(f"{SESSION}cash/take/", pages.cash_take, name="cash_take"),
    path(f"{SESSION}cash/give-back/", pages.cash_give_back, name="cash_give_back"),
    path(f"{SESSION}cash/fees/", pages.cash_fees, name="cash_fees"),
    path(f"{SESSION}cash/prizes/", pages.cash_prizes, name="cash_prizes"),
    path(f"{SESSION}cash/prizes/hand/", pages.cash_hand, name="cash_hand"),
    path(f"{SESSION}cash/sheet/", pages.cash_sheet, name="cash_sheet"),
    path(f"{SESSION}cash/sheet/file/", pages.cash_file, name="cash_file"),
]
