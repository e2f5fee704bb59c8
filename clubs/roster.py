"""Reads a pasted list of players, one a line. Knows how names are written, not who is already on the club's list.

`DUPONT Marie`, `Marie DUPONT`, `Dupont, Marie` and `Dupont; Marie; 123456` all give the family name Dupont, the first
name Marie. A number at the end is the licence. Without capitals or a comma the first word is the first name, unless
the list is said to be written in another order.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from clubs.models import hidden_in
from wording import Coded, Texts
from wording import gettext_noop as _

MAX_NAME = 80
LICENCE = re.compile(r"[0-9][0-9A-Za-z-]{2,19}$")
PARTICLES = {"d", "da", "de", "del", "della", "den", "der", "des", "di", "dos", "du", "la", "le", "les", "van", "von"}


class Order(StrEnum):
    """In which order a list writes its names; as seen, each line is told by its capitals and commas."""

    SEEN = ""
    FAMILY_FIRST = "family"
    FIRST_NAME_FIRST = "first"


@dataclass(frozen=True, slots=True)
class RosterLine:
    last_name: str
    first_name: str
    licence: str = ""


class RosterError(Coded, ValueError):
    """A pasted line that is no player; `params` names it."""

    messages: ClassVar[Texts] = {
        "roster_too_long": _("Line %(line)s of the list: a name has at most %(most)s characters. Shorten it."),
        "roster_no_name": _(
            "Line %(line)s of the list, “%(text)s”, has no name: write the family name and the first name."
        ),
        "roster_hidden": _(
            "Line %(line)s of the list has a character that nobody sees (%(character)s): type it again by hand."
        ),
        "roster_twice": _("Line %(line)s of the list: %(name)s stands already on line %(first)s. Remove one of them."),
    }

    def __init__(self, code: str, **params: object) -> None:
        self.code, self.field, self.params = code, "roster", params
        super().__init__(code, params)


def read_roster(text: str) -> list[RosterLine]:
    """The players of a pasted text, in its order; empty lines are passed over."""
    lines: list[RosterLine] = []
    seen: dict[RosterLine, int] = {}
    for number, raw in enumerate(text.splitlines(), start=1):
        if not raw.strip():
            continue
        line = read_line(raw, number)
        if line in seen:
            raise RosterError(
                "roster_twice", line=number, first=seen[line], name=f"{line.first_name} {line.last_name}".strip()
            )
        seen[line] = number
        lines.append(line)
    return lines


def read_line(raw: str, number: int = 1, order: Order = Order.SEEN) -> RosterLine:
    """One line; an order that is given holds for cells too, but not against a family name alone in capitals."""
    if code := hidden_in(raw.replace("\t", " ")):
        raise RosterError("roster_hidden", line=number, character=code)
    parts = [" ".join(part.split()) for part in re.split(r"[;,\t]", raw)]
    parts = [part for part in parts if part]
    licence = ""
    if parts:
        words = parts[-1].split()
        if words and LICENCE.match(words[-1]):
            licence = words.pop()
            parts[-1] = " ".join(words)
            parts = [part for part in parts if part]
    if not parts or not any(character.isalpha() for character in parts[0]):
        raise RosterError("roster_no_name", line=number, text=raw.strip())
    last_name, first_name = split_cells(parts, order) if len(parts) > 1 else split_name(parts[0], order)
    if max(len(last_name), len(first_name)) > MAX_NAME:
        raise RosterError("roster_too_long", line=number, most=MAX_NAME)
    return RosterLine(last_name, first_name, licence)


def split_cells(parts: list[str], order: Order) -> tuple[str, str]:
    """Family name and first name of a line with separators: the family name first unless the list says otherwise."""
    if order == Order.FIRST_NAME_FIRST:
        return " ".join(parts[1:]), parts[0]
    return parts[0], " ".join(parts[1:])


def split_name(name: str, order: Order) -> tuple[str, str]:
    """Family name and first name: the words in capitals are the family name, else the order decides.

    A family name that comes first is one word, with the particles before it.
    """
    words = name.split()
    capitals = [word for word in words if word.isupper() and len(word) > 1]
    if capitals and len(capitals) < len(words):
        return " ".join(capitals), " ".join(word for word in words if word not in capitals)
    if len(words) == 1:
        return words[0], ""
    if order == Order.FAMILY_FIRST:
        end = next(place for place, word in enumerate(words, 1) if word.lower() not in PARTICLES or place == len(words))
        return " ".join(words[:end]), " ".join(words[end:])
    return " ".join(words[1:]), words[0]
