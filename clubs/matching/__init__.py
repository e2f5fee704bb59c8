"""The people that the lines of a list name, held against the known players. Pure.

*Sure* is who alone has these words for a name, written as on the list but for capitals; or whose licence stands beside
them, or alone. *Probable* is who differs by accents, hyphens, the order of names, a letter or two (measured by
rapidfuzz), an initial, a name more or less: that is asked, never taken for granted. *Doubtful* is a line that is
perhaps no player, names two, has a remark in it, or is perhaps the person of another line: asked with a likely answer.
"""

from clubs.matching.found import NEW, OUT, SAME, WHOLE, Candidate, Known, Row, State, Why, name_key
from clubs.matching.names import MOST_CANDIDATES, Names
from clubs.matching.reading import MOST_LINES, judge, read_list

__all__ = [
    "MOST_CANDIDATES",
    "MOST_LINES",
    "NEW",
    "OUT",
    "SAME",
    "WHOLE",
    "Candidate",
    "Known",
    "Names",
    "Row",
    "State",
    "Why",
    "judge",
    "name_key",
    "read_list",
]
