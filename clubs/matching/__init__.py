"""The matching of the lines of a pasted list with the known players. Pure.

A match is *sure* if only this player has these words for a name, written as on the list except for capitals, or if the
player's licence stands beside the words or alone. It is *probable* if the names differ by accents, hyphens, order, a
letter or two (measured by rapidfuzz), an initial, or a name more or less: a probable match is asked, never assumed. A
line is *doubtful* if it may be no player, names two, contains a remark, or may be the person of another line: it is
asked with a likely answer.
"""

from clubs.matching.found import NEW, OUT, SAME, WHOLE, Candidate, KnownPlayer, Likeness, LineState, MatchRow, name_key
from clubs.matching.names import MOST_CANDIDATES, KnownNames
from clubs.matching.reading import MOST_LINES, judge, read_list

__all__ = [
    "MOST_CANDIDATES",
    "MOST_LINES",
    "NEW",
    "OUT",
    "SAME",
    "WHOLE",
    "Candidate",
    "KnownNames",
    "KnownPlayer",
    "Likeness",
    "LineState",
    "MatchRow",
    "judge",
    "name_key",
    "read_list",
]
