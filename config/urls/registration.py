"""The addresses of registration: a session's public page, the personal links, the director's list."""

from django.urls import URLPattern, path

from config.urls.direct import SESSION
from pages.registration import check_in, cut, line_ups, mails, public

urlpatterns: list[URLPattern] = [
    path(f"{SESSION}register/", public.sign_up, name="sign_up"),
    path("r/<secret:token>/", public.registration_of, name="registered"),
    path("r/<secret:token>/line-up/", line_ups.registered_line_up, name="registered_line_up"),
    path(f"{SESSION}registration/", check_in.registration, name="registration"),
    path(f"{SESSION}registration/cut/", cut.cut, name="cut"),
    path(f"{SESSION}registration/mails/", mails.evening_mails, name="evening_mails"),
    path(f"{SESSION}registration/seat/", check_in.seat, name="seat_present"),
    path(f"{SESSION}registration/<number:applicant>/", check_in.applicant, name="applicant"),
]
