"""An entry as the table's screen writes it in JSON, and back. Shape only: the game's own checks are the services'.

{"kind": "facts", "taker": "N", "contract": "garde", "bouts": 2, "attack_bouts": ["21", "petit"], "half_points": 98, …}
{"kind": "fiche", "taker": "N", "base_score": 106}        {"kind": "passed"}
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from scoring.errors import ScoringError
from scoring.notation import read_result
from scoring.ranking import Line
from tournaments.domain.entry import Bout, Entry, EntryError, Facts, Fiche, Passed
from tournaments.errors import Refused

FACTS = ("contract", "bouts", "petit_au_bout", "poignees_attack", "poignees_defence", "chelem")
MOST = 10**6


def read_table_entry(data: object) -> Entry:
    """Raises `Refused`, `EntryError` or `ScoringError`. Who showed a poignée (`shown_by`) is not kept."""
    if not isinstance(data, Mapping):
        raise Refused("command_malformed", "entry")
    match data.get("kind"):
        case "facts":
            facts = {name: data.get(name) for name in FACTS}
            points = Decimal(whole(data.get("half_points"), "half_points")) / 2
            return Facts(
                read_taker(data), read_result(facts | {"points": points}), read_bouts(data.get("attack_bouts"))
            )
        case "fiche":
            return Fiche(read_taker(data), whole(data.get("base_score"), "base_score"))
        case "passed":
            return Passed()
    raise Refused("command_malformed", "kind")


def entry_data(entry: Entry) -> dict[str, Any]:
    """The inverse of `read_table_entry`."""
    match entry:
        case Facts(taker=taker, result=result, attack_bouts=named):
            return {
                "kind": "facts",
                "taker": str(taker),
                "contract": str(result.contract),
                "bouts": result.bouts,
                "attack_bouts": named_data(named),
                "half_points": result.half_points,
                "petit_au_bout": str(result.petit_au_bout),
                "poignees_attack": list(map(str, result.poignees_attack)),
                "poignees_defence": list(map(str, result.poignees_defence)),
                "chelem": str(result.chelem),
            }
        case Fiche(taker=taker, base_score=score):
            return {"kind": "fiche", "taker": str(taker), "base_score": score}
    return {"kind": "passed"}


def named_data(bouts: frozenset[Bout] | None) -> list[str] | None:
    return None if bouts is None else [str(bout) for bout in Bout if bout in bouts]


def read_bouts(value: object) -> frozenset[Bout] | None:
    """The bouts named; None where they are only counted."""
    if value is None:
        return None
    if not isinstance(value, list) or any(name not in list(Bout) for name in value):
        choices = ", ".join(Bout)
        raise ScoringError("unknown_value", "attack_bouts", {"value": str(value)[:40], "choices": choices})
    return frozenset(Bout(name) for name in value)


def read_taker(data: Mapping[str, Any]) -> Line:
    taker = data.get("taker")
    if not taker:
        raise EntryError("taker_missing", "taker")
    return Line(read_seat(taker, "taker"))


def read_seat(value: object, field: str = "seat") -> str:
    if not isinstance(value, str) or value not in list(Line):
        raise Refused("command_malformed", field)
    return value


def whole(value: object, field: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ScoringError("not_whole", field, {"value": str(value)[:40]})
    if abs(value) > MOST:
        raise Refused("command_malformed", field)
    return value
