"""The matching of the lines of a pasted list with the players that the club knows.

A match is *sure* if the line has the player's licence, or if only this player has the name in the line, ignoring
capitals. It is *probable* if the names differ by accents, hyphens, order, one or two letters, an initial, or a missing
name. Somebody has to confirm a probable match. A line is *doubtful* if it may be no player, two players, a name with a
remark, or the person of another line. Somebody has to answer, and a likely answer is proposed.
"""

from clubs.matching.found import (
    LICENSED,
    NEW,
    OUT,
    SAME,
    WHOLE,
    Candidate,
    HasName,
    KnownPlayer,
    Likeness,
    LineState,
    MatchRow,
    name_key,
)
from clubs.matching.names import KnownNames
from clubs.matching.reading import MOST_LINES, fingerprint, judge, match_lines, match_rows, read_list
