"""The remarks beside a name on a list: “tél”, “4e série”, “directeur”, a star.

They are separated from the name. Before a remark is left out, somebody is asked.
"""

import re
from typing import NamedTuple

from clubs.roster.cells import take_labelled
from clubs.roster.lines import ADDRESS, IN_BRACKETS, TELEPHONE, split_line

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
    found: list[str] = []
    words: list[str] = []
    for pattern in (CALLED, MARKS):
        for place in plain_cells:
            cells[place] = take_out(pattern, cells[place], found)
    without = [take_out(WORDS, cell, words) if place in plain_cells else cell for place, cell in enumerate(cells)]
    if words and count_words("".join(without)) > 1:
        cells, found = without, [*found, *words]
    text = "".join(cells).replace("\0", " ")
    return LineWithNote(text, ", ".join(found)) if found and count_words(text) else LineWithNote(raw)


def take_out(pattern: re.Pattern[str], text: str, found: list[str]) -> str:
    """Return the text without the matches of the pattern, which are added to `found`."""

    def keep(match: re.Match[str]) -> str:
        found.append(match[0].strip(" .:-"))
        return " "

    return pattern.sub(keep, text)


def count_words(text: str) -> int:
    """Return how many words of a line's names have letters."""
    _told, cells = take_labelled(split_line(text.replace("\0", " ")))
    return sum(any(map(str.isalpha, word)) for cell in cells for word in cell.split())
