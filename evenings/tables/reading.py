"""The reading of an entry that a table's screen sends, as data in the form of `rules.entry_data`.

`plays.entering` checks whether the play can have the entry.
"""

from collections.abc import Mapping

from scoring.plays import SEATS
from tournaments.errors import ActionRefused
from tournaments.rules.entry import FIELDS, PARTNER, Entry, EntryError, entry_from_data, read_whole

NUMBERS = ("half_points", "base_score")
MOST = 10**6


def read_table_entry(data: object) -> Entry:
    """Return the entry from its data. Unknown fields, such as `shown_by`, are ignored.

    Raise `ActionRefused`, `EntryError` or `ScoringError` if the data cannot be read.
    """
    if not isinstance(data, Mapping):
        raise ActionRefused("command_malformed", "entry")
    kind = data.get("kind")
    if kind not in list(FIELDS):
        raise ActionRefused("command_malformed", "kind")
    told = {name: data.get(name) for name in FIELDS[kind]}
    if isinstance(data.get(PARTNER), str) and "taker" in told:
        told[PARTNER] = read_seat(data[PARTNER], PARTNER)
    for name in NUMBERS:
        if name in told and abs(read_whole(name, told[name])) > MOST:
            raise ActionRefused("command_malformed", name)
    if "taker" in told:
        if not told["taker"]:
            raise EntryError("taker_missing", "taker")
        read_seat(told["taker"], "taker")
    return entry_from_data({"kind": kind} | told)


def read_seat(value: object, field: str = "seat") -> str:
    """Return the seat if the value is the name of one. Raise `ActionRefused` otherwise."""
    if not isinstance(value, str) or value not in SEATS:
        raise ActionRefused("command_malformed", field)
    return value
