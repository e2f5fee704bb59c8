"""The lines that name several people: `Jean et Marie DUPONT`, `Paul Martin + sa femme`, `Dupont; Jean et Marie`."""

import re
from typing import NamedTuple

from clubs.names import simplify_name
from clubs.roster.cells import take_labelled
from clubs.roster.first_names import FIRST_NAMES
from clubs.roster.lines import NameOrder, RosterLine, find_licence, split_line, split_name, strip_name, told_order

MOST_PEOPLE, MOST_WORDS = 4, 5
AND = re.compile(
    r"(?<!\s)\s+(?:(?:et|and)\s+|avec\s+(?=(?:sa|son|ma|mon)\s))|(?:(?<!\s)\s+)?[&+]\s*(?=[^\W\d_])", re.IGNORECASE
)
WIFE = "femme|epouse|compagne|conjointe|wife"
HUSBAND = "mari|epoux|compagnon|conjoint|husband"
OTHERS = "ami|amie|fille|fils|frere|soeur|mere|pere|copain|copine|friend"
PARTNER = re.compile(rf"(?:(?:sa|son|ma|mon|un|une|his|her|my)\s+)?(?:({WIFE})|({HUSBAND})|(?:{OTHERS}))\b\s*")
NAMELESS = {"Mme", "M."}  # these stand for the first name of a person who is named only as somebody's partner
LADY = {"mme", "mme.", "mlle", "mlle.", "madame", "mademoiselle", "mrs", "mrs.", "ms", "ms."}
LORD = {"m.", "m", "mr", "mr.", "monsieur"}


class Piece(NamedTuple):
    """The words of a line about one of its people.

    `title`: the title before the name, or the title of a partner: “sa femme” gives Mme. `by_title`: the title was
    written.
    """

    title: str
    words: list[str]
    by_title: bool = False

    @property
    def is_full(self) -> bool:
        return len(self.words) > 1 or (self.by_title and bool(self.words))


def split_couple(text: str, order: NameOrder) -> list[RosterLine]:
    """Return the people of a line that names several, or [] if it names only one.

    If the line has a licence, the last person gets it.
    """
    told, cells = take_labelled(split_line(text))
    licence, cells = find_licence(cells)
    cells = [cell.strip() for cell in cells if strip_name(cell) or AND.search(f"{cell} x")]
    cells = [cell for cell in cells if any(map(str.isalpha, cell))]
    if not cells or len(cells) > 2:
        return []
    family = ""
    if len(cells) == 2:
        family, names = (cells[1], cells[0]) if order == NameOrder.FIRST_NAME_FIRST else (cells[0], cells[1])
    else:
        names = cells[0]
    pieces = [read_piece(part) for part in AND.split(names) if part.strip()]
    pieces = [piece for piece in pieces if piece.words or piece.title]
    if not 1 < len(pieces) <= MOST_PEOPLE or any(len(piece.words) > MOST_WORDS for piece in pieces):
        return []
    people = [read_person(place, pieces, family, order) for place in range(len(pieces))]
    last = people[-1]._replace(licence=licence) if licence else people[-1]
    return [RosterLine(*each[:3], told.category, told.origin, told.series) for each in [*people[:-1], last]]


class CoupleName(NamedTuple):
    last_name: str
    first_name: str
    licence: str = ""


def read_piece(part: str) -> Piece:
    words = strip_marks(part).split()
    if words and words[0].casefold() in LADY | LORD:
        return Piece("Mme" if words[0].casefold() in LADY else "M.", words[1:], by_title=True)
    said = simplify_name(" ".join(words))
    if (found := PARTNER.match(said)) and found.end():
        taken = len(said[: found.end()].split())
        return Piece("Mme" if found[1] else "M." if found[2] else "", words[taken:])
    return Piece("", words)


def strip_marks(part: str) -> str:
    return part.strip(" \t\"“”«»'‘’!?.…_|/\\&+#~,;:-–—") + ("." if part.strip().casefold() == "m." else "")


def read_person(place: int, pieces: list[Piece], family: str, order: NameOrder) -> CoupleName:
    """Return the name of one of the people. A person without a family name gets that of another one in the line."""
    piece = pieces[place]
    if len(piece.words) > 1:
        return CoupleName(*split_piece(piece.words, order))
    if not family:
        others = [other for other in [*pieces[place:], *reversed(pieces[:place])] if other.is_full]
        family = family_of(others[0], order) if others else ""
    if piece.by_title and piece.words:
        return CoupleName(piece.words[0], piece.title)
    if not family and not piece.words:  # no family name is written: use the name of the other person
        return CoupleName(next((other.words[0] for other in pieces if other.words), piece.title), piece.title)
    if not family:
        return CoupleName(piece.words[0], "")
    return CoupleName(family, piece.words[0] if piece.words else piece.title)


def family_of(piece: Piece, order: NameOrder) -> str:
    return split_piece(piece.words, order)[0] if len(piece.words) > 1 else piece.words[0]


def split_piece(words: list[str], order: NameOrder) -> tuple[str, str]:
    """Return family name and first name. If nothing else shows their order, a frequent first name shows it."""
    name = " ".join(words)
    if order == NameOrder.SEEN and told_order(name) == NameOrder.SEEN:
        first, last = (simplify_name(word) in FIRST_NAMES for word in (words[0], words[-1]))
        order = NameOrder.FAMILY_FIRST if last and not first else order
    return split_name(name, order)
