"""The reading of a line of a list: the people that it names, what is doubtful, and remarks that are not names."""

from dataclasses import dataclass
from enum import StrEnum

from clubs.names import simplify_name, words_of
from clubs.roster.cells import take_labelled
from clubs.roster.couples import NAMELESS, split_couple
from clubs.roster.first_names import FIRST_NAMES
from clubs.roster.lines import (
    MAX_NAME,
    NameOrder,
    RosterError,
    RosterLine,
    find_licence,
    read_line,
    require_readable,
    split_line,
    strip_name,
)
from clubs.roster.notes import take_notes


class Doubt(StrEnum):
    """The reasons why somebody is asked about a line, whoever is on the club's list."""

    STRAY = "stray"  # the line is perhaps not a player, but a greeting, a heading or a line of a letter
    SIGNATURE = "signature"  # the line is perhaps the sender of the list
    COUPLE = "couple"  # the line names several people together, and this is one of them
    NOTE = "note"  # there is a remark beside the name
    GONE = "gone"  # the registration was cancelled, refused or refunded
    NUMBER = "number"  # the cell of the licence has something else
    SAME = "same"  # the line is perhaps the person of an earlier line


@dataclass(frozen=True, slots=True)
class Reading:
    """A person that a line names. `note` has the remarks.

    `line` is the person without the remarks; `whole` is the person if the remarks are a part of the name.
    """

    line: RosterLine
    doubt: Doubt | None = None
    note: str = ""
    whole: RosterLine | None = None


def read_people(raw: str, number: int = 1, order: NameOrder = NameOrder.SEEN) -> list[Reading]:
    """Return the people that a line names, mostly one. Raise RosterError if it names nobody or cannot be read."""
    require_readable(raw, number)
    noted = take_notes(raw)
    if people := split_couple(noted.text, order):
        if max(len(name) for line in people for name in (line.last_name, line.first_name)) > MAX_NAME:
            raise RosterError("roster_too_long", line=number, most=MAX_NAME)
        return [Reading(line, Doubt.COUPLE, noted.note) for line in people]
    told, _cells = take_labelled(split_line(raw))
    if noted.note:
        line, whole = read_line(noted.text, number, order), read_whole(raw, number, order)
        if line != whole:
            return [Reading(line, Doubt.NOTE, noted.note, whole)]
    return [Reading(read_line(raw, number, order), note=told.unknown)]


def read_whole(raw: str, number: int, order: NameOrder) -> RosterLine | None:
    """Return the person if the remarks are a part of the name, or None if that is not a name."""
    try:
        return read_line(raw, number, order)
    except RosterError:
        return None


def find_lone_licence(raw: str) -> str:
    """Return the licence of a line that has nothing else, otherwise ""."""
    _told, cells = take_labelled(split_line(raw))
    licence, cells = find_licence(cells)
    return licence if not any(any(map(str.isalnum, strip_name(cell))) for cell in cells) else ""


def is_nameless(line: RosterLine) -> bool:
    """Return whether a person has no name of their own in the line, as in “sa femme”."""
    return line.first_name in NAMELESS


def are_first_names(line: RosterLine) -> bool:
    """Return whether family name and first name are both frequent first names."""
    words = simplify_name(line.last_name).strip(), simplify_name(line.first_name).strip()
    return all(word in FIRST_NAMES for word in words)


def seems_turned(line: RosterLine) -> bool:
    """Return whether the family name is a frequent first name, and the first name is not."""
    return simplify_name(line.last_name) in FIRST_NAMES and simplify_name(line.first_name) not in FIRST_NAMES


def is_turned(one: RosterLine, other: RosterLine) -> bool:
    """Return whether the two lines have the same two names in opposite order."""
    turned = words_of(one.last_name) == words_of(other.first_name) and words_of(one.first_name) == words_of(
        other.last_name
    )
    return turned and words_of(one.last_name) != words_of(one.first_name)
