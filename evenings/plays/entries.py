"""The conversion of a row of `ResultEntry` to the pure `Entry` of `rules.entry`, and back."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any

from scoring.ranking import Line
from tournaments.models import Etui, ResultEntry
from tournaments.rules.entry import PLAYERS as AT_TABLE
from tournaments.rules.entry import Entry, Facts, Fiche, attacker_of
from tournaments.rules.entry_data import FIELDS as DATA_FIELDS
from tournaments.rules.entry_data import (
    MARKS,
    PARTNER,
    PLAYERS,
    entry_from_data,
    entry_to_data,
    read_marks,
    write_marks,
)

FIELDS = ("kind", *DATA_FIELDS[Facts.kind], "fiche_score", PARTNER, PLAYERS, MARKS)
NUMBERS = ("bouts", "half_points", "fiche_score")
ATTACKER = "attacker_id"
READ = (*FIELDS, ATTACKER)
columns_of = attrgetter(*READ)
WITH_ETUI = {PARTNER: "", PLAYERS: AT_TABLE, MARKS: ""}
NO_BOUT = "none"  # the attack has no bout; "" means that only the number of bouts is known


def to_entry(row: Mapping[str, Any]) -> Entry:
    """Return the entry of a row. `row` has the values of the columns FIELDS by their names, and perhaps of ATTACKER."""
    data = {name: row[name] for name in FIELDS if row.get(name) not in ("", None)}
    if "fiche_score" in data:
        data["base_score"] = data.pop("fiche_score")
    if named := data.get("attack_bouts"):
        data["attack_bouts"] = [] if named == NO_BOUT else named.split("+")
    if data["kind"] != Facts.kind:
        data.pop(PLAYERS, None)
    if MARKS in data:
        data[MARKS] = read_marks(data[MARKS])
    return name_attacker(entry_from_data(data), row.get(ATTACKER))


def name_attacker(entry: Entry, attacker: int | None) -> Entry:
    """Return the entry with this team member (an id, or None) as the attacker. If everyone passed, nobody attacked."""
    if attacker_of(entry) == attacker or not isinstance(entry, Facts | Fiche):
        return entry
    return replace(entry, attacker=attacker)


def to_row(entry: Entry) -> dict[str, Any]:
    """Return the values of the columns FIELDS for an entry, by their names: the inverse of `to_entry`.

    If a team member attacked out of turn, ATTACKER is there too.
    """
    data = entry_to_data(entry)
    if "base_score" in data:
        data["fiche_score"] = data.pop("base_score")
    if data.get("attack_bouts") == []:
        data["attack_bouts"] = [NO_BOUT]
    if MARKS in data:
        data[MARKS] = write_marks(data[MARKS])
    if isinstance(entry, Facts):
        data |= {PLAYERS: entry.result.players, PARTNER: entry.partner}
    columns = {name: None if name in NUMBERS else "" for name in FIELDS} | {PLAYERS: AT_TABLE}
    attacker = attacker_of(entry)
    named = {} if attacker is None else {ATTACKER: attacker}
    return columns | {name: _column(value) for name, value in data.items() if value is not None} | named


def says_the_same(entry: Entry, stored: Entry) -> bool:
    """Return whether both entries say the same. If `entry` names no bouts, those named in `stored` do not matter."""
    if isinstance(entry, Facts) and entry.attack_bouts is None:
        return entry == stored
    return to_row(entry) == to_row(stored)


def shorten_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of `to_row` without those that say nothing at a table with an étui."""
    return {name: value for name, value in row.items() if name not in WITH_ETUI or value != WITH_ETUI[name]}


def _column(value: Any) -> Any:
    return "+".join(sorted(value)) if isinstance(value, list) else value


def taker_named(etui: Etui) -> Line | None:
    """Return the line of the taker that the étui names, or None. An étui for a free auction may name no taker."""
    return Line(etui.taker) if etui.taker else None


def entry_of(row: ResultEntry) -> Entry:
    """Return the entry that a row of `ResultEntry` records."""
    return entry_in(columns_of(row))


@lru_cache(maxsize=65_536)
def entry_in(columns: tuple[Any, ...]) -> Entry:
    """Return the entry with these values of READ. Cached, because each request of a desk needs thousands."""
    return to_entry(dict(zip(READ, columns, strict=True)))
