"""The result of a deal as named fields (JSON, a row of a CSV, a form): reading and writing them.

Only the form of the fields is checked here. `score_deal` then refuses results that contradict themselves.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields as fields_of
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal, TypeVar

from scoring.errors import ScoringError
from scoring.values import Chelem, Contract, DealResult, Poignee, Side

Choice = TypeVar("Choice", bound=StrEnum)

FIELDS = (
    "players", "contract", "bouts", "points", "petit_au_bout",
    "poignees_attack", "poignees_defence", "poignee_attack", "poignee_defence", "chelem", "partner",
)  # fmt: skip
DATA = tuple(field.name for field in fields_of(DealResult))
UNSAID = {"players": 4, "partner": None}  # result_to_data leaves out fields with these values
REQUIRED = ("contract", "bouts", "points")
# the test vectors give the number of the poignée: its index here
BY_COUNT = ((), (Poignee.SIMPLE,), (Poignee.DOUBLE,), (Poignee.TRIPLE,))
PARTNER = {"true": True, "yes": True, "false": False, "no": False, "na": None}

NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:[.,][0-9]{1,9})?")
SEPARATORS = re.compile(r"[+|\s]+")
SHOWN = 40  # the most characters of a wrong value that an error message shows


def read_result(fields: Mapping[str, object], extra: Literal["error", "ignore"] = "error") -> DealResult:
    """Return the result that the fields describe.

    A field that is absent, None or blank counts as not given. Capitals do not matter in values. Raise ScoringError with
    the name of the first field that cannot be read. Unknown fields are errors too, unless `extra` is "ignore".
    """
    filled = {name: value for name, value in fields.items() if not _blank(value)}
    if extra == "error":
        check_names(fields, FIELDS)
    for name in REQUIRED:
        if name not in filled:
            raise ScoringError("required", name)
    return DealResult(
        players=_whole("players", filled.get("players", 4)),
        contract=_choice("contract", filled["contract"], Contract),
        bouts=_whole("bouts", filled["bouts"]),
        half_points=_half_points("points", filled["points"]),
        petit_au_bout=_choice("petit_au_bout", filled.get("petit_au_bout", Side.NONE), Side),
        poignees_attack=_poignees(filled, "poignees_attack", "poignee_attack"),
        poignees_defence=_poignees(filled, "poignees_defence", "poignee_defence"),
        chelem=_choice("chelem", filled.get("chelem", Chelem.NONE), Chelem),
        partner=_partner(filled.get("partner")),
    )


def result_to_data(result: DealResult) -> dict[str, Any]:
    """Return the fields of a result by name, as values that JSON can hold.

    The number of players is left out if it is 4, and the partner if there is none.
    """
    data = {name: getattr(result, name) for name in DATA}
    return {name: _plain(value) for name, value in data.items() if name not in UNSAID or value != UNSAID[name]}


def result_from_data(data: Mapping[str, object]) -> DealResult:
    """Return the result from data that `result_to_data` wrote.

    Raise ScoringError with the name of the first field that is unknown or cannot be read.
    """
    check_names(data, DATA)
    if _blank(half_points := data.get("half_points")):
        raise ScoringError("required", "half_points")
    fields = {name: value for name, value in data.items() if name != "half_points"}
    return read_result(fields | {"points": Decimal(_whole("half_points", half_points)) / 2})


def check_names(fields: Iterable[str], known: Iterable[str]) -> None:
    """Raise ScoringError with the name of the first field that is not in `known`."""
    for name in fields:
        if name not in known:
            raise ScoringError("unknown_field", _shorten(name), {"choices": ", ".join(known)})


def unknown_value(field: str, value: object, choices: Iterable[str]) -> ScoringError:
    """Return the error for a field whose value is none of the choices."""
    return ScoringError("unknown_value", field, {"value": _shorten(value), "choices": ", ".join(choices)})


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [str(name) for name in value]
    return str(value) if isinstance(value, str) else value


def _blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _choice(field: str, value: object, kind: type[Choice]) -> Choice:
    name = re.sub(r"[\s-]+", "_", value.strip().lower()) if isinstance(value, str) else None
    for member in kind:
        if name == member.value:
            return member
    raise unknown_value(field, value, kind)


def _poignees(given: Mapping[str, object], names: str, count: str) -> tuple[Poignee, ...]:
    """Return one side's poignées, read from a list of names or from the figure (0 to 3) of the test vectors."""
    if names in given and count in given:
        raise ScoringError("duplicate_field", count, {"other": names})
    if count in given:
        number = _whole(count, given[count])
        if not 0 <= number < len(BY_COUNT):
            raise unknown_value(count, given[count], map(str, range(len(BY_COUNT))))
        return BY_COUNT[number]
    shown = given.get(names, ())
    if isinstance(shown, str):
        shown = SEPARATORS.split(shown.strip())
    if not isinstance(shown, list | tuple):
        raise unknown_value(names, shown, Poignee)
    return tuple(_choice(names, poignee, Poignee) for poignee in shown)


def _partner(value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in PARTNER:
        return PARTNER[value.strip().lower()]
    raise unknown_value("partner", value, PARTNER)


def _number(field: str, value: object) -> Decimal:
    if isinstance(value, str) and NUMBER.fullmatch(text := value.strip().replace("−", "-")):
        return Decimal(text.replace(",", "."))
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        number = Decimal(value)
        if number.is_finite() and abs(number) < 10**9:
            return number
    raise ScoringError("not_a_number", field, {"value": _shorten(value)})


def _whole(field: str, value: object) -> int:
    number = _number(field, value)
    if number % 1:
        raise ScoringError("not_whole", field, {"value": _shorten(value)})
    return int(number)


def _half_points(field: str, value: object) -> int:
    number = _number(field, value)
    if number % Decimal("0.5"):
        raise ScoringError("not_half", field, {"value": _shorten(value)})
    return int(number * 2)


def _shorten(value: object) -> str:
    """Return a wrong value, shortened for an error message. A very long number becomes "…"."""
    if isinstance(value, int) and abs(value) >= 10**SHOWN:
        return "…"
    text = str(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
