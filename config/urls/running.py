"""The addresses of a running evening: the screen in the hall, the top of the desk's page and its actions."""

from django.urls import URLPattern, path

from config.urls.direct import SESSION
from pages.desk import hall, running

urlpatterns: list[URLPattern] = [
    path(f"{SESSION}hall/", hall.hall_screen, name="hall"),
    path(f"{SESSION}hall/open/", hall.open_from_desk, name="hall_open"),
    path(f"{SESSION}hall/renew/", running.renew_hall, name="hall_renew"),
    path(f"{SESSION}hall/<secret:key>/", hall.open_hall, name="hall_link"),
    path(f"{SESSION}running/", running.running_head, name="running_head"),
    path(f"{SESSION}running/call/", running.call_position, name="call_position"),
    path(f"{SESSION}running/clock/", running.clock, name="clock"),
    path(f"{SESSION}running/last-call/", running.last_call, name="last_call"),
    path(f"{SESSION}running/closing/", running.close_or_reopen, name="closing"),
]
