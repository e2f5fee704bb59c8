"""The addresses of rooms."""

from django.urls import URLPattern, URLResolver, path

from rooms.web import joining, names
from rooms.web.classic import halls
from rooms.web.classic.table import show_four
from rooms.web.lobby import etuis, own, pages, sign_up
from rooms.web.table.pages import show_room_table
from rooms.web.table.trial import evening_trial, room_trial

urlpatterns: list[URLPattern | URLResolver] = [
    path("rooms/", pages.lobby, name="rooms"),
    path("rooms/classic/", halls.classic, name="rooms_classic"),
    path("rooms/with/<secret:link>/", halls.room_with, name="room_with"),
    path("rooms/tables/", halls.rooms_four, name="rooms_four"),
    path("rooms/tables/<number:pk>/", show_four, name="room_four"),
    path("rooms/me/", own.me, name="rooms_me"),
    path("rooms/me/errors/", own.own_errors, name="rooms_errors"),
    path("rooms/best/", own.best, name="rooms_best"),
    path("rooms/names/", names.names, name="rooms_names"),
    path("rooms/account/", sign_up.account_ask, name="rooms_account"),
    path("rooms/account/<secret:token>/", sign_up.account_confirm, name="rooms_account_confirm"),
    path("rooms/<number:pk>/", pages.room, name="room"),
    path("rooms/<number:pk>/join/", joining.join, name="room_join"),
    path("rooms/<number:pk>/sit/", halls.sit, name="room_sit"),
    path("rooms/<number:pk>/play/", show_room_table, name="room_play"),
    path("rooms/<number:pk>/etuis/<number:number>/", etuis.room_etui, name="room_etui"),
    path("rooms/<number:pk>/etuis/<number:number>/trial/", room_trial, name="room_trial"),
    path("rooms/<number:pk>/etuis/<number:number>/review/", own.room_review, name="room_review"),
    path(
        "rooms/evenings/<slug:club>/<slug:tournament>/<number:session>/etuis/<number:number>/trial/",
        evening_trial,
        name="evening_trial",
    ),
    path("rooms/<number:pk>/deals/", etuis.room_deals, name="room_deals"),
    path("rooms/<number:pk>/report/", names.report, name="room_report"),
    path("rooms/<number:pk>/place/", names.place, name="room_place"),
]
