"""The plain data of an entry, for rows, the API, the table's screen, reports and forms. Only its shape is checked."""

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
    """Return the entry for JSON: `kind`, then the `FIELDS` of that kind in their order, points in halves."""
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
    """Read the output of `entry_to_data`. `ScoringError` names the first field that is unknown or cannot be read."""
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
    """Return the names of the bouts in the order of `Bout`, or None if they are only counted."""
    return None if bouts is None else [str(bout) for bout in Bout if bout in bouts]


def bouts_from_data(value: object) -> frozenset[Bout] | None:
    """Return the named bouts, or None if they are only counted."""
    if value is None:
        return None
    if not isinstance(value, list) or any(name not in list(Bout) for name in value):
        raise unknown_value("attack_bouts", value, Bout)
    return frozenset(map(Bout, value))


def read_whole(field: str, value: object) -> int:
    """Return a whole number. Raise `ScoringError` for anything else, even its text."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ScoringError("not_whole", field, {"value": str(value)[:40]})
    return value
