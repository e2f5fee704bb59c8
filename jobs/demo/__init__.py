"""The demonstration club: a season of published sessions, a session that is running, a simultaneous of four clubs.

All data are written by the same services as in a real club, except the many results of the season. The results are
invented but suit the cards. Fixed random seeds make every demonstration alike.
"""

from jobs.demo.club import DIRECTOR, EVENINGS, PASSWORD
from jobs.demo.played import play_evening
from jobs.demo.simultaneous import hold_simultaneous
from jobs.demo.under_way import begin_evening, code_of_table
