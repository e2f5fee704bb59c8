"""The conversion of an entry to plain data (for JSON) and back, for rows, the API, screens, reports and forms.

Reading checks the names and types of the values. It does not check whether the play can have the entry.
"""

from collections.abc import Mapping
from typing import Any

from scoring.errors import ScoringError
from scoring.notation import DATA, UNSAID, check_names, result_from_data, result_to_data, unknown_value
from scoring.plays import SEATS, Line
from tournaments.rules.entry import AllPassed, Bout, Entry, Facts, Fiche, GameSheet

AT_FOUR = tuple(name for name in DATA if name not in UNSAID)
BOUTS = AT_FOUR.index("bouts") + 1
# The fields of an entry at a table of four with étuis.
FIELDS = {
    Facts.kind: ("taker", *AT_FOUR[:BOUTS], "attack_bouts", *AT_FOUR[BOUTS:]),
    Fiche.kind: ("taker", "base_score"),
    AllPassed.kind: (),
}
# The further fields where the tables deal. They are left out if there is no partner, and if four play.
PARTNER, PLAYERS, MARKS = "partner", "players", "marks"


def entry_to_data(entry: Entry) -> dict[str, Any]:
    """Return the entry as a dict for JSON: `kind`, then the `FIELDS` of that kind in their order.

    The points are in half points.
    """
    match entry:
        case Facts(taker=taker, result=result, attack_bouts=named):
            told = {"taker": str(taker), "attack_bouts": bouts_to_data(named)} | result_to_data(result)
            data = dict.fromkeys(FIELDS[Facts.kind]) | told
            data |= {} if entry.partner is None else {PARTNER: entry.partner}
        case Fiche(taker=taker, base_score=score, partner=partner):
            data = {"taker": str(taker), "base_score": score} | ({} if partner is None else {PARTNER: partner})
        case GameSheet():
            data = {MARKS: entry.by_seat}
        case AllPassed():
            data = {}
    return {"kind": entry.kind} | data


def entry_from_data(data: Mapping[str, object]) -> Entry:
    """Return the entry from the output of `entry_to_data`.

    Raise `ScoringError` for the first field that is unknown or cannot be read.
    """
    told = dict(data)
    match told.pop("kind", None):
        case Facts.kind:
            taker, named = read_seat_name("taker", told.pop("taker", None)), told.pop("attack_bouts", None)
            partner = read_partner(told.pop(PARTNER)) if isinstance(told.get(PARTNER), str) else None
            if partner is not None:
                told |= {PLAYERS: len(SEATS), PARTNER: partner != taker}
            return Facts(taker, result_from_data(told), bouts_from_data(named), partner=partner)
        case Fiche.kind:
            check_names(told, (*FIELDS[Fiche.kind], PARTNER))
            taker, partner = read_seat_name("taker", told.get("taker")), read_partner(told.get(PARTNER))
            return Fiche(taker, read_whole("base_score", told.get("base_score")), partner=partner)
        case GameSheet.kind:
            check_names(told, (MARKS,))
            return GameSheet(marks_from_data(told.get(MARKS)))
        case AllPassed.kind:
            check_names(told, FIELDS[AllPassed.kind])
            return AllPassed()
        case kind:
            raise unknown_value("kind", kind, FIELDS)


def read_seat_name(field: str, value: object) -> str:
    """Return the seat with exactly this name. Raise `ScoringError` if there is none."""
    if value not in SEATS:
        raise unknown_value(field, value, Line)
    return Line(value) if value in list(Line) else SEATS[-1]


def read_partner(value: object) -> str | None:
    """Return the seat of the partner. None, if nobody was called, stays None."""
    return None if value is None else read_seat_name(PARTNER, value)


def marks_from_data(value: object) -> tuple[tuple[str, int], ...]:
    """Return the marks of a sheet from a dict of whole numbers by seat."""
    if not isinstance(value, Mapping) or any(seat not in SEATS for seat in value):
        raise unknown_value(MARKS, value, SEATS)
    return tuple((seat, read_whole(MARKS, value[seat])) for seat in map(str, SEATS) if seat in value)


def write_marks(marks: Mapping[str, int]) -> str:
    """Return the marks of a sheet as a text, such as "N120 E-40 S-40 W-40"."""
    return " ".join(f"{seat}{mark}" for seat, mark in marks.items())


def read_marks(text: str) -> dict[str, int]:
    """Return the marks by seat from the text of `write_marks`."""
    return {word[0]: int(word[1:]) for word in text.split()}


def bouts_to_data(bouts: frozenset[Bout] | None) -> list[str] | None:
    """Return the names of the bouts in the order of `Bout`, or None if only their number is known."""
    return None if bouts is None else [str(bout) for bout in Bout if bout in bouts]


def bouts_from_data(value: object) -> frozenset[Bout] | None:
    """Return the bouts from a list of their names. None, if only their number is known, stays None."""
    if value is None:
        return None
    if not isinstance(value, list) or any(name not in list(Bout) for name in value):
        raise unknown_value("attack_bouts", value, Bout)
    return frozenset(map(Bout, value))


def read_whole(field: str, value: object) -> int:
    """Return the value if it is an integer. Raise `ScoringError` for anything else, also for a text such as "3"."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ScoringError("not_whole", field, {"value": str(value)[:40]})
    return value
