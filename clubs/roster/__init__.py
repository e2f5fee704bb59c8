"""The reading of a pasted list's lines: the names, and what stands beside names. Knows nobody of the club's list.
Pure."""

from clubs.roster.lines import MAX_NAME, Order, RosterError, RosterLine, read_line, read_roster, told_order
from clubs.roster.readings import (
    Doubt,
    Reading,
    are_first_names,
    find_lone_licence,
    is_nameless,
    is_turned,
    read_people,
    seems_turned,
)
from clubs.roster.strays import Stray, find_strays

__all__ = [
    "MAX_NAME",
    "Doubt",
    "Order",
    "Reading",
    "RosterError",
    "RosterLine",
    "Stray",
    "are_first_names",
    "find_lone_licence",
    "find_strays",
    "is_nameless",
    "is_turned",
    "read_line",
    "read_people",
    "read_roster",
    "seems_turned",
    "told_order",
]
