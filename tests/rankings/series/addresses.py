"""The pages of series for the table of every page and every role (`tests.test_access`)."""

from tournaments.permissions import Can

READ, _ENTER, DIRECT = Can

# Page → method, the role that it needs, and the things that it is asked for.
PAGES_OF_SERIES = {
    "series_list": ("GET", READ, "club"),
    "series_new": ("GET", DIRECT, "club"),
    "series_answer": ("POST", DIRECT, "club series_row"),
    "series": ("GET", READ, "club series"),
    "series_player": ("GET", READ, "club series one"),
    **dict.fromkeys(("series_file", "series_feed", "series_embedded", "series_podium"), ("GET", READ, "club series")),
    "series_versions": ("GET", READ, "club series"),
    "series_version": ("GET", READ, "club series version"),
    "series_pdf": ("GET", READ, "club series"),
    "series_settings": ("GET", DIRECT, "club series"),
    "series_away": ("POST", DIRECT, "club series"),
    "series_events": ("GET", DIRECT, "club series"),
    "series_clubs": ("GET", DIRECT, "club series"),
    "series_type": ("GET", DIRECT, "club series"),
    "series_publish": ("GET", DIRECT, "club series"),
    "series_step": ("POST", DIRECT, "club series step"),
}
