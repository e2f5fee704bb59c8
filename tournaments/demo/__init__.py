"""Two evenings of one club for show: one played and published, one under way.

Everything goes by the way that a club goes. Seeds make every run alike; the results are invented, but from
the cards.
"""

from tournaments.demo.club import DIRECTOR, PASSWORD
from tournaments.demo.played import play_evening
from tournaments.demo.under_way import begin_evening, code_of_table

__all__ = ["DIRECTOR", "PASSWORD", "begin_evening", "code_of_table", "play_evening"]
