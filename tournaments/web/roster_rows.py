"""How each line of a list of players is read, told before anything is kept."""

from collections.abc import Callable
from dataclasses import dataclass

from clubs.models import Club
from clubs.roster import Order, RosterError, RosterLine, read_line
from tournaments.words.messages import say


@dataclass(frozen=True, slots=True)
class RosterRow:
    """A line of the text: its number from 1, how it is read or what is wrong, the club's player where it knows one."""

    number: int
    text: str
    line: RosterLine | None
    error: str
    player: int | None


def read_rows(text: str, club: Club, order: Order = Order.SEEN) -> list[RosterRow]:
    """Every line that is not empty, read; unlike `read_roster` it goes on after a wrong one."""
    find = finder(club)
    seen: dict[object, int] = {}
    rows = []
    for number, raw in enumerate(text.splitlines(), start=1):
        if not raw.strip():
            continue
        try:
            line = read_line(raw, number, order)
            if (first := seen.setdefault(line.licence or names_of(line), number)) != number:
                name = f"{line.first_name} {line.last_name}".strip()
                raise RosterError("roster_twice", line=number, first=first, name=name)
        except RosterError as error:
            rows.append(RosterRow(number, raw.strip(), None, say(error), None))
        else:
            rows.append(RosterRow(number, raw.strip(), line, "", find(line)))
    return rows


def names_of(line: RosterLine) -> tuple[str, str]:
    return line.last_name.lower(), line.first_name.lower()


def finder(club: Club) -> Callable[[RosterLine], int | None]:
    """Whom adding a line would find on the club's list, as `clubs.players.add_players` does; one query for all."""
    licensed, bare, anyone = {}, {}, {}
    for pk, licence, last, first in club.players.values_list("pk", "licence", "last_name", "first_name"):
        names = last.lower(), first.lower()
        anyone[names] = pk
        if licence:
            licensed[licence] = pk
        else:
            bare[names] = pk

    def find(line: RosterLine) -> int | None:
        if line.licence:
            return licensed.get(line.licence) or bare.get(names_of(line))
        return anyone.get(names_of(line))

    return find
