"""The pages of simultaneous tournaments, for the table of every page and every role in `tests.test_access`."""

from tournaments.permissions import Can

READ, _ENTER, DIRECT = Can

PAGES_OF_SIMULTANEOUS = {
    "simultaneous_list": ("GET", READ, "club"),
    "simultaneous_new": ("GET", DIRECT, "club"),
    "simultaneous_answer": ("POST", DIRECT, "club simultaneous_row"),
    "simultaneous": ("GET", READ, "club simultaneous"),
    "simultaneous_settings": ("GET", DIRECT, "club simultaneous"),
    "simultaneous_clubs": ("GET", DIRECT, "club simultaneous"),
    "simultaneous_rulings": ("GET", DIRECT, "club simultaneous"),
    "simultaneous_step": ("POST", DIRECT, "club simultaneous"),
    "simultaneous_receive": ("GET", DIRECT, "club"),
    "simultaneous_sites": ("GET", DIRECT, "club simultaneous"),
    "simultaneous_sealed": ("POST", DIRECT, "club simultaneous"),
    "simultaneous_results": ("POST", DIRECT, "club simultaneous"),
    "simultaneous_key": ("GET", READ, "club simultaneous"),
    "field": ("GET", READ, "club field"),
    "field_versions": ("GET", READ, "club field"),
    "field_version": ("GET", READ, "club field version"),
    "field_etui": ("GET", READ, "club field field_etui"),
    "field_feuille": ("GET", READ, "club field field_entrant"),
    "field_file": ("GET", READ, "club field"),
    "field_pdf": ("GET", READ, "club field version"),
    "field_podium": ("GET", READ, "club field version"),
    "field_embedded": ("GET", READ, "club field"),
    "field_publish": ("GET", DIRECT, "club field"),
    "field_step": ("POST", DIRECT, "club field step"),
}
