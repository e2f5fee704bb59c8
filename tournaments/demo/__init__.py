"""The demonstration club: a played and published evening with a season before it, and an evening under way.

All data is written as a club would write it. Seeds make every run alike; the results are invented, but fit the cards.
"""

from tournaments.demo.club import DIRECTOR, PASSWORD
from tournaments.demo.played import play_evening
from tournaments.demo.season import EVENINGS
from tournaments.demo.under_way import begin_evening, code_of_table

__all__ = ["DIRECTOR", "EVENINGS", "PASSWORD", "begin_evening", "code_of_table", "play_evening"]
