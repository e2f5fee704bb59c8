"""The reading of the lines of a pasted list: the names, and the remarks beside names.

These modules do not know which players are on the club's list.
"""

from clubs.roster.lines import (
    MAX_NAME,
    Doubt,
    NameOrder,
    RosterError,
    RosterLine,
    find_strays,
    read_line,
    told_order,
)
from clubs.roster.readings import (
    Reading,
    are_first_names,
    find_lone_licence,
    is_nameless,
    is_turned,
    read_people,
    seems_turned,
    try_line,
)
