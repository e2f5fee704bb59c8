"""The reading of a line of a list: the people that it names, what is doubtful, and remarks that are not names.

Remarks are separated from the name. Before a remark is left out, somebody is asked.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from clubs.names import simplify_name, words_of
from clubs.roster.couples import FIRST_NAMES, NAMELESS, split_couple
from clubs.roster.lines import (
    ADDRESS,
    IN_BRACKETS,
    MAX_NAME,
    TELEPHONE,
    Doubt,
    NameOrder,
    RosterError,
    RosterLine,
    find_licence,
    read_line,
    require_readable,
    split_line,
    strip_name,
    take_labelled,
)

CALL = r"t[ée]l(?:[ée]phone)?|port(?:able)?|mob(?:ile)?|gsm|fax|phone|e-?mail|mail|courriel"
SERIES = (
    r"(?:[1-4]\s*+(?:[èe]re|re|er|nde?|[èe]me|de|[eèé])?|premi[èe]re|deuxi[èe]me|seconde|troisi[èe]me|quatri[èe]me)\s*+s[ée]ries?"
    r"|s[ée]rie\s*+[1-4]|promotion"
)
ROLES = (
    r"(?:vice[- ])?pr[ée]sidente?|directeur|directrice|arbitre|tr[ée]sori(?:er|[èe]re)|secr[ée]taire|"
    r"organisat(?:eur|rice)|responsable|capitaine"
)
HOUR = r"(?:arriv(?:e|era)|vient|apr[èe]s|d[èe]s|vers|jusqu.[àa]|[àa])?\s*+(?:[àa]|vers)?\s*+\d{1,2}\s*+h(?:\s*\d{2})?"
# These words are remarks only in small letters: with a capital they may be names.
SMALL = (
    r"invitée?|débutante?|absente?|présente?|excusée?|payée?|ok|oui|confirmée?|à confirmer|à payer|en attente|"
    r"liste d.attente|remplaçante?|(?:non )?licenciée?|si possible|peut-être|(?:en )?retard|"
    r"nouveau|nouvelle|junior|senior|"
    r"sénior|vétéran|cadet|cadette|dame|adhérente?|guest|late|paid|new"
)
GAP = r"[^\S\t]*+"  # a tab parts cells
MARKS = re.compile(rf"(?<!\w)\*+|(?<=\w)\*+|(?<!\w)\+\s*+\d(?!\w)|(?<!\w)(?i:{SERIES})(?!\w)|(?<!\w)(?i:{HOUR})(?!\w)")
WORDS = re.compile(rf"(?<!\w)(?:(?i:{ROLES})|{SMALL})(?!\w)\.?")
CALLED = re.compile(
    rf"(?<!\w)(?<!\ble )(?<!\bla )(?:{CALL})(?!\w){GAP}\.?{GAP}:?(?={GAP}(?:$|[;,\t\0)\]-]))", re.IGNORECASE
)
SPACES = re.compile(r"[^\S\t]+")
AT_START = re.compile(r"^[\s>*•·▪◦‣–—-]+")


class LineWithNote(NamedTuple):
    """A line without its remarks, and the remarks."""

    text: str
    note: str = ""


def take_notes(raw: str) -> LineWithNote:
    """Return a line without its remarks, and the remarks.

    Words that may also be names are remarks only if two other words remain as a name.
    """
    begin = AT_START.match(raw)
    text = SPACES.sub(" ", raw[begin.end() :] if begin else raw)  # many spaces would make the patterns slow
    text = IN_BRACKETS.sub(lambda found: found[0] if any(map(str.isdigit, found[0])) else " ", text)
    text = TELEPHONE.sub("\0", ADDRESS.sub("\0", text))
    cells = re.split(r"([;,\t])", text)  # the separators are kept. A labelled cell has no remarks
    plain_cells = [place for place, cell in enumerate(cells) if take_labelled([cell])[1]]
    notes: list[str] = []
    words: list[str] = []
    for pattern in (CALLED, MARKS):
        for place in plain_cells:
            cells[place] = take_out(pattern, cells[place], notes)
    without = [take_out(WORDS, cell, words) if place in plain_cells else cell for place, cell in enumerate(cells)]
    if words and count_words("".join(without)) > 1:
        cells, notes = without, [*notes, *words]
    text = "".join(cells).replace("\0", " ")
    return LineWithNote(text, ", ".join(notes)) if notes and count_words(text) else LineWithNote(raw)


def take_out(pattern: re.Pattern[str], text: str, found: list[str]) -> str:
    """Return the text without the matches of the pattern, which are added to `found`."""

    def keep(match: re.Match[str]) -> str:
        found.append(match[0].strip(" .:-"))
        return " "

    return pattern.sub(keep, text)


def count_words(text: str) -> int:
    """Return how many words of a line's names have letters."""
    _facts, cells, _unknown = take_labelled(split_line(text.replace("\0", " ")))
    return sum(any(map(str.isalpha, word)) for cell in cells for word in cell.split())


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
    _facts, _cells, unknown = take_labelled(split_line(raw))
    if noted.note:
        line, whole = read_line(noted.text, number, order), try_line(raw, order)
        if line != whole:
            return [Reading(line, Doubt.NOTE, noted.note, whole)]
    return [Reading(read_line(raw, number, order), note=unknown)]


def try_line(raw: str, order: NameOrder) -> RosterLine | None:
    """Return the person that a line names, with its remarks as parts of the name, or None if that is no name."""
    try:
        return read_line(raw, order=order)
    except RosterError:
        return None


def find_lone_licence(raw: str) -> str:
    """Return the licence of a line that has nothing else, otherwise ""."""
    _facts, cells, _unknown = take_labelled(split_line(raw))
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
