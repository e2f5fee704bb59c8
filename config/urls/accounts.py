"""The addresses of accounts and of personal links: a site's first account, logging in and out, a player's own pages.

The director's pages for corrections and for personal links are here too.
"""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from allauth.usersessions import views as devices
from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, path

from config.urls.direct import SESSION
from pages.accounts import clubs, feuilles, first_run, own, persons, player
from pages.accounts.log_in import Login
from pages.personal import data, links
from pages.personal import pages as personal
from pages.play import requests

MINE = "account/"
PASSWORD = "password/"
SECOND = f"{MINE}second-step/"
# The library needs the names that begin with `account_`, `mfa_` and `usersessions_`.
PERSONAL = "p/<secret:token>/"
REQUESTS = f"{SESSION}requests/"
LINKS = f"{SESSION}links/"

urlpatterns: list[URLPattern] = [
    path("begin/", first_run.begin, name="first_run"),
    path("login/", Login.as_view(), name="login"),
    path("login/", Login.as_view(), name="account_login"),
    path("login/code/", mfa.authenticate, name="mfa_authenticate"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("logout/", LogoutView.as_view(), name="account_logout"),
    path("login/closed/", account.account_inactive, name="account_inactive"),
    path(f"{PASSWORD}forgotten/", own.forgotten_password, name="account_reset_password"),
    path(f"{PASSWORD}forgotten/sent/", account.password_reset_done, name="account_reset_password_done"),
    path(
        f"{PASSWORD}choose/<base36:uidb36>-<secret:key>/",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(f"{PASSWORD}link/<secret:token>/", own.password_link, name="password_link"),
    path(f"{PASSWORD}chosen/", account.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    path("invitation/<secret:token>/", first_run.invitation, name="invitation"),
    path("clubs/<slug:club>/account/", player.player_sign_up, name="player_sign_up"),
    path("player/confirm/<secret:token>/", player.player_confirm, name="player_confirm"),
    path("player/<secret:token>/", player.player_link, name="player_link"),
    path(f"{MINE}player/untie/", player.player_untie, name="player_untie"),
    path("site/clubs/", clubs.site_clubs, name="site_clubs"),
    path("site/clubs/<slug:club>/director/", clubs.site_director, name="site_director"),
    path(MINE, own.account, name="account"),
    path(f"{MINE}persons/", persons.account_persons, name="account_persons"),
    path(f"{MINE}shown/", own.account_shown, name="account_shown"),
    path(f"{MINE}calendar/", own.account_calendar, name="account_calendar"),
    path(f"{MINE}feuilles/", feuilles.account_feuilles, name="account_feuilles"),
    path(f"{MINE}line-ups/", own.account_line_ups, name="account_line_ups"),
    path("feuilles/end/<secret:token>/", feuilles.feuilles_end, name="feuilles_end"),
    path("mails/end/<secret:token>/", feuilles.mails_end, name="mails_end"),
    path(f"{MINE}export/", own.account_export, name="account_export"),
    path(f"{MINE}erase/", own.account_erase, name="account_erase"),
    path(f"{MINE}everywhere/", own.log_out_everywhere, name="account_log_out_everywhere"),
    path(f"{MINE}password/", account.password_change, name="account_change_password"),
    path(f"{MINE}email/", own.email, name="account_email"),
    path(f"{MINE}email/<secret:key>/", account.confirm_email, name="account_confirm_email"),
    path(f"{MINE}confirm/", account.reauthenticate, name="account_reauthenticate"),
    path(f"{MINE}confirm/code/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path(f"{MINE}devices/", devices.list_usersessions, name="usersessions_list"),
    path(SECOND, mfa.index, name="mfa_index"),
    path(f"{SECOND}begin/", totp.activate_totp, name="mfa_activate_totp"),
    path(f"{SECOND}end/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path(f"{SECOND}codes/", recovery.view_recovery_codes, name="mfa_view_recovery_codes"),
    path(f"{SECOND}codes/new/", recovery.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path(f"{SECOND}codes/file/", recovery.download_recovery_codes, name="mfa_download_recovery_codes"),
    path("p/", personal.personal_code, name="personal_code"),
    path(PERSONAL, personal.personal, name="personal"),
    path(f"{PERSONAL}shown/", personal.personal_shown, name="personal_shown"),
    path(f"{PERSONAL}calendar/", personal.personal_calendar, name="personal_calendar"),
    path(f"{PERSONAL}career/", personal.personal_career, name="personal_career"),
    path(f"{PERSONAL}line-up/", personal.personal_line_up, name="personal_line_up"),
    path(f"{PERSONAL}data/", data.personal_data, name="personal_data"),
    path(f"{PERSONAL}<number:play>/", personal.personal_play, name="personal_play"),
    path(f"{PERSONAL}requests/<number:asked>/answer/", personal.personal_answer, name="personal_answer"),
    path(f"{PERSONAL}requests/<number:asked>/withdraw/", personal.personal_withdraw, name="personal_withdraw"),
    path(REQUESTS, requests.session_requests, name="session_requests"),
    path(f"{REQUESTS}<number:asked>/", requests.session_request, name="session_request"),
    path(f"{REQUESTS}<number:asked>/accept/", requests.accept, name="request_accept"),
    path(f"{REQUESTS}<number:asked>/refuse/", requests.refuse, name="request_refuse"),
    path(LINKS, links.links, name="personal_links"),
    path(f"{LINKS}<number:entrant>/renew/", links.renew, name="link_renew"),
    path(f"{LINKS}<number:entrant>/revoke/", links.revoke, name="link_revoke"),
]
