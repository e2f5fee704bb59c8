"""The reading of the lines of a pasted list: the names, and the remarks beside names.

These modules do not know which players are on the club's list.
"""

from clubs.roster.lines import FACTS, MAX_NAME, Doubt, NameOrder, RosterError, RosterLine, read_line
from clubs.roster.readings import read_people
