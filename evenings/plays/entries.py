"""The entries of a play: rows as pure values, and whether the other side has confirmed or contradicted them.

The taker is one side, the three defenders are the other. One side enters a result, and the other side confirms or
disputes it. An entry or a confirmation by a director ends the dispute. The functions read only their arguments.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any

from evenings.plays.state import PlayState
from scoring.ranking import Line
from tournaments.models import Etui, ResultEntry, Session
from tournaments.rules.entry import FIELDS as DATA_FIELDS
from tournaments.rules.entry import (
    MARKS,
    PARTNER,
    PLAYERS_KEY,
    Entry,
    Facts,
    Fiche,
    attacker_of,
    entry_from_data,
    entry_to_data,
    read_marks,
    write_marks,
)
from tournaments.rules.entry import PLAYERS as AT_TABLE

FIELDS = ("kind", *DATA_FIELDS[Facts.kind], "fiche_score", PARTNER, PLAYERS_KEY, MARKS)
NUMBERS = ("bouts", "half_points", "fiche_score")
ATTACKER = "attacker_id"
READ = (*FIELDS, ATTACKER)
columns_of = attrgetter(*READ)
WITH_ETUI = {PARTNER: "", PLAYERS_KEY: AT_TABLE, MARKS: ""}
NO_BOUT = "none"  # the attack has no bout; "" means that only the number of bouts is known


def to_entry(row: Mapping[str, Any]) -> Entry:
    """Return the entry of a row. `row` has the values of the columns FIELDS by their names, and perhaps of ATTACKER."""
    data = {name: row[name] for name in FIELDS if row.get(name) not in ("", None)}
    if "fiche_score" in data:
        data["base_score"] = data.pop("fiche_score")
    if named := data.get("attack_bouts"):
        data["attack_bouts"] = [] if named == NO_BOUT else named.split("+")
    if data["kind"] != Facts.kind:
        data.pop(PLAYERS_KEY, None)
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
        data |= {PLAYERS_KEY: entry.result.players, PARTNER: entry.partner}
    columns = {name: None if name in NUMBERS else "" for name in FIELDS} | {PLAYERS_KEY: AT_TABLE}
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


def other_side(entry: ResultEntry, seat: str) -> bool:
    """Return whether `seat` is on the other side than the seat that entered the result.

    If one of the two seats is unknown, return True. If everyone passed, every other seat counts as the other side.
    """
    if not seat or not entry.seat:
        return True
    if not entry.taker:
        return seat != entry.seat
    attack = (entry.taker, entry.partner)
    return (seat in attack) != (entry.seat in attack)


def confirms(entry: ResultEntry, *, seat: str, device: str, of_sheet: bool = False) -> bool:
    """Return whether it counts as the check of the entry if this seat agrees on this device.

    The entry's `check_by` says who has to agree. With `of_sheet`, a player agrees to a whole game, and no side counts.
    """
    same_device = device == entry.device
    if same_device and (entry.check_by == Session.Check.OTHER or seat == entry.seat):
        return False
    return of_sheet or other_side(entry, seat)


def agrees_unseen(entry: ResultEntry, *, seat: str, device: str) -> bool:
    """Return whether the same result, entered a second time without seeing the first entry, counts as a check.

    From another device it counts whoever typed it, because the first device may be lost. In a blind check it counts
    only from the other side.
    """
    elsewhere = device != entry.device and entry.check_by != Session.Check.BLIND
    return elsewhere or confirms(entry, seat=seat, device=device)


def state_of_result(rows: Sequence[ResultEntry]) -> PlayState | None:
    """Return the state of a play's result: entered, confirmed or disputed. Return None if no entry counts.

    `rows` are all entries of the play with their checks.
    """
    current = current_of(rows)
    if current is None:
        return None
    if open_contests(rows, current):
        return PlayState.DISPUTED
    checks = list(current.checks.all())
    if checks:
        return PlayState.CONFIRMED if checks[-1].agrees else PlayState.DISPUTED
    return PlayState.CONFIRMED if current.author_id is not None else PlayState.ENTERED


def current_of(rows: Iterable[ResultEntry]) -> ResultEntry | None:
    """Return the entry that counts, or None."""
    return next((row for row in rows if row.current), None)


def open_contests(rows: Iterable[ResultEntry], current: ResultEntry) -> list[ResultEntry]:
    """Return the contested entries that differ from the current entry, if no director has decided since they came.

    A contested entry is about the result that counted when it came. If that result was withdrawn, the contested entry
    says nothing about the result that was entered afterwards.
    """
    rows = list(rows)
    said = [check.checked_at for check in current.checks.all() if check.author_id is not None]
    # Only directors give reasons: for a correction, or for a withdrawal. After a withdrawal, the table's next entry
    # gets the same reason.
    said += [row.entered_at for row in rows if not row.contested and (row.author_id is not None or row.reason)]
    settled = max(said, default=None)
    facts = entry_of(current)
    return [
        row
        for row in rows
        if row.contested and entry_of(row) != facts and (settled is None or row.entered_at > settled)
    ]
