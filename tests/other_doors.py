"""Addresses that are in no table of pages by role (`test_access`): whose they are, and where they are asked for."""

from tests.tournaments.web.sets.test_sets import DOORS

# What somebody does about his own account, whatever his role: page → method.
OWN = {
    "account": "GET",
    "account_calendar": "GET",
    "account_feuilles": "GET",
    "account_change_password": "GET",
    "account_email": "GET",
    "account_erase": "GET",
    "account_export": "POST",
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
# Not pages: what redirects, and the API, whose own tests have their table. Deal sets have theirs beside their pages.
# What a table's code opens asks for no account: `web/table/test_screen.py` asks for it with every kind of wrong code.
TABLE_DOORS = {"table_screen", "table_worker", "table_state", "table_send"}
# So do the arbiter's, beside his own code: `web/table/test_arbiter.py`.
TABLE_DOORS |= {"arbiter", "arbiter_done", "arbiter_play", "arbiter_preview", "arbiter_rule"}
# A personal link opens to whoever has it: `web/registration/test_public.py`.
# What a player's own link opens is nobody else's: `web/personal/test_pages.py` asks for it with every other link.
PERSONAL = {"personal", "personal_shown", "personal_data", "personal_calendar"}
PERSONAL |= {"personal_career", "personal_play", "personal_answer", "personal_withdraw"}
# So does a calendar's secret address: `web/public/test_calendars.py`.
ELSEWHERE = (
    {"registered", "own_calendar_file", "members", "feuilles_end"}  # the last: `web/accounts/test_feuilles.py`
    | PERSONAL
    | {"admin_login", "logout", "choose_language", "first_run", "account_login", "account_logout", "mfa_authenticate"}
    | {"account_reset_password_from_key", "account_confirm_email", "password_link"}  # links, in `web/accounts`
    | {"player_link", "player_confirm"}  # links too, in `web/accounts`
    | {"player_export", "player_erase"}  # nobody's but a director's: `privacy/test_export.py`, `test_data_pages.py`
    | {"invitation", "site_clubs", "site_director", "club_logo"}  # in `web/club`
    | OWN.keys()
    | {name for _, name, _ in DOORS}
    | {"verify_set", "verify_file", "profile"}
    | {"sitemap_section"}  # in `web/public/test_sitemap.py`
    | TABLE_DOORS
)
