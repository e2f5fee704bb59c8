"""Reads a pasted list of players, one a line. Knows how names are written, not who is already on the club's list.

`DUPONT Marie`, `Marie DUPONT`, `Dupont, Marie` and `Dupont; Marie; 123456` all give the family name Dupont, the first
name Marie. A number at the end is the licence. Without capitals or a comma the first word is the first name.
"""

import re
from dataclasses import dataclass

MAX_NAME = 80
LICENCE = re.compile(r"[0-9][0-9A-Za-z-]{2,19}$")


@dataclass(frozen=True, slots=True)
class RosterLine:
    last_name: str
    first_name: str
    licence: str = ""


class RosterError(ValueError):
    """A pasted line that is no player; `params` names it. Codes: roster_too_long, roster_no_name, roster_twice."""

    def __init__(self, code: str, **params: object) -> None:
        self.code, self.field, self.params = code, "roster", params
        super().__init__(f"{code}: {params}")


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


def read_line(raw: str, number: int = 1) -> RosterLine:
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
    last_name, first_name = (parts[0], " ".join(parts[1:])) if len(parts) > 1 else split_name(parts[0])
    if max(len(last_name), len(first_name)) > MAX_NAME:
        raise RosterError("roster_too_long", line=number, most=MAX_NAME)
    return RosterLine(last_name, first_name, licence)


def split_name(name: str) -> tuple[str, str]:
    """Family name and first name: the words in capitals are the family name, else all but the first word."""
    words = name.split()
    capitals = [word for word in words if word.isupper() and len(word) > 1]
    if capitals and len(capitals) < len(words):
        return " ".join(capitals), " ".join(word for word in words if word not in capitals)
    if len(words) == 1:
        return words[0], ""
    return " ".join(words[1:]), words[0]
