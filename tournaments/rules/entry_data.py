"""The conversion of an entry to plain data (for JSON) and back, for rows, the API, screens, reports and forms.

Reading checks the names and types of the values. It does not check whether the play can have the entry.
"""

from collections.abc import Mapping
from typing import Any

from scoring.errors import ScoringError
from scoring.notation import DATA, UNSAID, check_names, read_name, result_from_data, result_to_data, unknown_value
from scoring.ranking import Line
from tournaments.rules.entry import AllPassed, Bout, Entry, Facts, Fiche

AT_FOUR = tuple(name for name in DATA if name not in UNSAID)
BOUTS = AT_FOUR.index("bouts") + 1
FIELDS = {
    Facts.kind: ("taker", *AT_FOUR[:BOUTS], "attack_bouts", *AT_FOUR[BOUTS:]),
    Fiche.kind: ("taker", "base_score"),
    AllPassed.kind: (),
}


def entry_to_data(entry: Entry) -> dict[str, Any]:
    """Return the entry as a dict for JSON: `kind`, then the `FIELDS` of that kind in their order.

    The points are in half points.
    """
    match entry:
        case Facts(taker=taker, result=result, attack_bouts=named):
            told = {"taker": str(taker), "attack_bouts": bouts_to_data(named)} | result_to_data(result)
            data = dict.fromkeys(FIELDS[Facts.kind]) | told
        case Fiche(taker=taker, base_score=score):
            data = {"taker": str(taker), "base_score": score}
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
            taker, named = read_name("taker", told.pop("taker", None), Line), told.pop("attack_bouts", None)
            return Facts(taker, result_from_data(told), bouts_from_data(named))
        case Fiche.kind:
            check_names(told, FIELDS[Fiche.kind])
            taker = read_name("taker", told.get("taker"), Line)
            return Fiche(taker, read_whole("base_score", told.get("base_score")))
        case AllPassed.kind:
            check_names(told, FIELDS[AllPassed.kind])
            return AllPassed()
        case kind:
            raise unknown_value("kind", kind, FIELDS)


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
