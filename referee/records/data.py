"""The reading and writing of a record as values of JSON. Names and cards are written as in the text of a record."""

from collections.abc import Mapping
from typing import Any

from referee.records import notation
from referee.records.notation import KEYS, parse
from referee.records.values import DealRecord, RecordError

LISTS = ("bids", "ecart")


def record_to_data(record: DealRecord) -> dict[str, Any]:
    """Return the record as values of JSON. Unknown values are left out.

    `bids`, `ecart` and each of `tricks` are lists of texts; `poignees` is a list of objects with `seat` and `cards`.
    """
    told: dict[str, Any] = {"players": record.players}
    for line in notation.dumps(record).splitlines()[1:]:
        key, _, rest = line.partition(" ")
        if key == "poignee":
            seat, *cards = rest.split(" ")
            told.setdefault("poignees", []).append({"seat": seat, "cards": cards})
        elif key == "trick":
            told.setdefault("tricks", []).append(rest.split(" "))
        else:
            told[key] = rest.split(" ") if key in LISTS else rest
    return told


def record_from_data(data: object) -> DealRecord:
    """Return the record that these values of JSON describe. Raise RecordError if they describe none."""
    names = ("players", *(f"{key}s" if key in ("poignee", "trick") else key for key in KEYS))
    if not isinstance(data, Mapping) or not set(data) <= set(names):
        raise RecordError("json", keys=", ".join(names))
    if type(data.get("players")) is not int:
        raise RecordError("json_value", key="players")
    lines = [f"record {data['players']}"]
    for key in KEYS:
        if key == "poignee":
            lines += [f"poignee {_poignee(each)}" for each in _list(data, "poignees")]
        elif key == "trick":
            lines += [f"trick {_join(each, 'tricks')}" for each in _list(data, "tricks")]
        elif key in data:
            lines.append(f"{key} {_join(data[key], key) if key in LISTS else _text(data[key], key)}")
    return parse("\n".join(lines))


def _list(data: Mapping[str, Any], key: str) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list):
        raise RecordError("json_value", key=key)
    return value


def _poignee(value: object) -> str:
    if not isinstance(value, Mapping) or set(value) != {"seat", "cards"}:
        raise RecordError("json_value", key="poignees")
    return f"{_text(value['seat'], 'poignees')} {_join(value['cards'], 'poignees')}"


def _join(value: object, key: str) -> str:
    if not isinstance(value, list) or not value:
        raise RecordError("json_value", key=key)
    return " ".join(_text(each, key) for each in value)


def _text(value: object, key: str) -> str:
    if not isinstance(value, str) or not value or "\n" in value:
        raise RecordError("json_value", key=key)
    return value
