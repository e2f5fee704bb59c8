"""The addresses that are not in the table of pages by role in `test_access`, with the tests that ask for them."""

from tests.pages.sets.test_sets import DOORS

# The pages of a user's own account, whatever the role: page → method.
OWN = {
    "account": "GET",
    "account_calendar": "GET",
    "account_feuilles": "GET",
    "account_change_password": "GET",
    "account_email": "GET",
    "account_erase": "GET",
    "account_export": "POST",
    "account_line_ups": "GET",
    "account_log_out_everywhere": "POST",
    "account_reauthenticate": "GET",
    "account_persons": "GET",
    "account_shown": "GET",
    "mfa_activate_totp": "GET",
    "mfa_deactivate_totp": "GET",
    "mfa_download_recovery_codes": "GET",
    "mfa_generate_recovery_codes": "GET",
    "mfa_index": "GET",
    "mfa_reauthenticate": "GET",
    "mfa_view_recovery_codes": "GET",
    "player_untie": "POST",
    "usersessions_list": "GET",
}
# Redirects, which are no pages, and the API, whose tests have their own table. Deal sets have a table beside their
# pages.
# The worker of the friendly game is for everybody: `web/public/game/test_game.py`.
# The code of a table needs no account: `web/table/test_screen.py` tries every kind of wrong code.
TABLE_DOORS = {"game_worker", "table_screen", "table_worker", "table_state", "table_send"}
# The link of the hall opens to whoever has it: `web/desk/test_hall_names.py`.
TABLE_DOORS |= {"hall_link"}
# The arbiter's pages need the arbiter's own code: `web/table/test_arbiter.py`.
TABLE_DOORS |= {"arbiter", "arbiter_done", "arbiter_play", "arbiter_preview", "arbiter_rule"}
# A personal link opens to whoever has it: `web/registration/test_public.py`.
# A player's own link opens only their own pages: `web/personal/test_pages.py` tries every other link.
PERSONAL = {"personal", "personal_shown", "personal_data", "personal_calendar"}
# The line-up of a team by its captain's link: `teams/quadrettes/test_handing_in.py`.
PERSONAL |= {"personal_line_up", "registered_line_up"}
PERSONAL |= {"personal_career", "personal_play", "personal_answer", "personal_withdraw"}
# A calendar's secret address opens to whoever has it: `web/public/test_calendars.py`.
# The pages of rooms, which are for everybody: `rooms/web/lobby/test_access.py`.
ROOM_DOORS = {"rooms", "rooms_me", "rooms_best", "rooms_names", "rooms_account", "rooms_account_confirm"}
ROOM_DOORS |= {"rooms_classic", "rooms_four", "room_sit", "room_with", "room_four"}  # the last two: `rooms/web/classic`
ROOM_DOORS |= {"room", "room_join", "room_play", "room_etui", "room_trial", "room_deals", "room_report", "room_place"}
# `rooms/web/test_evening_trial_page.py`, `rooms/web/test_reviews.py`
ROOM_DOORS |= {"evening_trial", "room_review", "rooms_errors"}
ELSEWHERE = (
    # For the last two see `web/accounts/test_feuilles.py` and `mailing/test_stopping.py`.
    {"registered", "own_calendar_file", "members", "feuilles_end", "mails_end"}
    | PERSONAL
    | {"admin_login", "logout", "choose_language", "first_run", "account_login", "account_logout", "mfa_authenticate"}
    | {"account_reset_password_from_key", "account_confirm_email", "password_link"}  # links, in `web/accounts`
    | {"player_link", "player_confirm"}  # links too, in `web/accounts`
    | {"player_export", "player_erase"}  # for directors: `privacy/test_export.py`, `test_data_pages.py`
    | {"invitation", "site_clubs", "site_director", "club_logo"}  # in `web/club`
    | OWN.keys()
    | {name for _, name, _ in DOORS}
    | {"verify_set", "verify_file", "profile"}
    | {"wanted_file", "wanted_file_content"}  # for whoever has the address: `web/files/test_wanted.py`
    | {"club_file", "club_file_content"}  # for the director who asked: `web/files/test_archives.py`
    | {"simultaneous_open"}  # only for what came from another site: `elsewhere`
    | {"simultaneous_join"}  # for whoever has the link: `simultaneous/test_club_pages.py`
    | {"sitemap_section"}  # in `web/public/test_sitemap.py`
    | TABLE_DOORS
    | ROOM_DOORS
)
