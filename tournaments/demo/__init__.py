"""A club for show: an evening played and published with a season behind it, and an evening under way.

Everything goes by the way that a club goes. Seeds make every run alike; the results are invented, but from
the cards.
"""

from tournaments.demo.club import DIRECTOR, PASSWORD
from tournaments.demo.played import play_evening
from tournaments.demo.season import EVENINGS
from tournaments.demo.under_way import begin_evening, code_of_table

__all__ = ["DIRECTOR", "EVENINGS", "PASSWORD", "begin_evening", "code_of_table", "play_evening"]
