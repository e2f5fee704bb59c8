"""The addresses of a player's own pages by link, and of the director's pages for corrections and personal links."""

from django.urls import URLPattern, path

from config.urls.direct import SESSION
from pages.personal import data, links, pages
from pages.play import requests

PERSONAL = "p/<secret:token>/"
REQUESTS = f"{SESSION}requests/"
LINKS = f"{SESSION}links/"

urlpatterns: list[URLPattern] = [
    path("p/", pages.personal_code, name="personal_code"),
    path(PERSONAL, pages.personal, name="personal"),
    path(f"{PERSONAL}shown/", pages.personal_shown, name="personal_shown"),
    path(f"{PERSONAL}calendar/", pages.personal_calendar, name="personal_calendar"),
    path(f"{PERSONAL}career/", pages.personal_career, name="personal_career"),
    path(f"{PERSONAL}line-up/", pages.personal_line_up, name="personal_line_up"),
    path(f"{PERSONAL}data/", data.personal_data, name="personal_data"),
    path(f"{PERSONAL}<number:play>/", pages.personal_play, name="personal_play"),
    path(f"{PERSONAL}requests/<number:asked>/answer/", pages.personal_answer, name="personal_answer"),
    path(f"{PERSONAL}requests/<number:asked>/withdraw/", pages.personal_withdraw, name="personal_withdraw"),
    path(REQUESTS, requests.session_requests, name="session_requests"),
    path(f"{REQUESTS}<number:asked>/", requests.session_request, name="session_request"),
    path(f"{REQUESTS}<number:asked>/accept/", requests.accept, name="request_accept"),
    path(f"{REQUESTS}<number:asked>/refuse/", requests.refuse, name="request_refuse"),
    path(LINKS, links.links, name="personal_links"),
    path(f"{LINKS}<number:entrant>/renew/", links.renew, name="link_renew"),
    path(f"{LINKS}<number:entrant>/revoke/", links.revoke, name="link_revoke"),
]
