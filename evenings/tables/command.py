"""A command of a table's device, the reading of an entry in it, and the receipt that the site returns for it.

This module writes nothing, except that an unknown device joins the table when its command is read.

`plays.entering` checks whether the play can have the entry.
"""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime

from clubs.models import hidden_in
from evenings.plays.entering import SentEntry
from evenings.tables import devices
from evenings.tables.here import Here
from referee.records.values import RecordError
from scoring.errors import ScoringError
from scoring.plausibility import Question
from scoring.plays import SEATS
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import EntryCheck, Play, ResultEntry, Table, TableDevice
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


RECEIVED, REFUSED, CONFLICT, QUESTION = "received", "refused", "conflict", "question"
DEVICE = re.compile(r"[A-Za-z0-9_-]{8,32}")
NAME = 24
MOST_ID = 2**63 - 1
MOST_SMALL = 32_767
CLOCKS_APART = dt.timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Receipt:
    """The site's answer to a command. `status` is RECEIVED, REFUSED, CONFLICT or QUESTION.

    `number` and `version` are the id and version of the entry or record, and `at` the time when it was stored. `stored`
    is True if the site has an entry, a check or a record with the command's key. After an older backup is restored, a
    device uses this to find the commands that the site has lost.
    """

    key: str
    status: str
    at: dt.datetime
    number: int | None = None
    version: int | None = None
    error: ActionRefused | EntryError | ScoringError | RecordError | None = None
    questions: tuple[Question, ...] = ()
    stored: bool = False


@dataclass
class Command:
    """A command as the device sent it. A property raises `ActionRefused` if its field has a wrong type or range."""

    here: Here
    sender: TableDevice
    fields: Mapping[str, Any]
    key: UUID
    now: dt.datetime

    @property
    def table(self) -> Table:
        return self.here.table

    @property
    def device(self) -> TableDevice:
        """The device that sends the command, as it was read last. While the table is locked, this is up to date."""
        return self.here.devices.get(self.sender.device, self.sender)

    @property
    def label(self) -> str:
        return self.sender.label

    @cached_property
    def play(self) -> Play:
        """The play that the command is about. Raises `ActionRefused` if this table has no such play.

        If the command names position and étui, these decide, and not the play's id. After a change of the plan or a
        restored backup, the play may have another id, and its old id may belong to another play.
        """
        number = read_whole_number(self.fields.get("play"), "play", MOST_ID)
        plays = [each.play for each in self.here.plays.values()]
        found = [play for play in plays if play.pk == number]
        if "etui" in self.fields:
            place = [read_whole_number(self.fields.get(name), name, MOST_SMALL) for name in ("position", "etui")]
            of_id = [] if self.again else [play for play in found if play.position == place[0]]
            found = [play for play in plays if [play.position, play.etui.number] == place] or of_id
        if not found:
            raise ActionRefused("play_unknown")
        return found[0]

    @property
    def again(self) -> bool:
        """True if the device has a receipt but repeats the command, because the site has restored an older backup."""
        return self.fields.get("again") is True

    @property
    def version(self) -> int:
        """The version of the result that the player saw."""
        name = "seen_version" if "seen_version" in self.fields else "version"
        return read_whole_number(self.fields.get(name), name, MOST_SMALL)

    @property
    def seat(self) -> str:
        """The line of the player who typed, or "" if the command does not name it."""
        return read_seat(self.fields["seat"]) if self.fields.get("seat") else ""

    @property
    def sent(self) -> SentEntry:
        return SentEntry(self.label, self.key, self.seat, self.typed_at)

    @property
    def typed_at(self) -> dt.datetime | None:
        """The time when the command was typed, by the device's clock. None if it is more than seven days off."""
        given = self.fields.get("at")
        try:
            moment = parse_datetime(given) if isinstance(given, str) else None
            return moment if moment and moment.tzinfo and abs(moment - self.now) < CLOCKS_APART else None
        except (ValueError, OverflowError):
            return None

    @property
    def began_at(self) -> dt.datetime:
        """The time when the étui was begun: now, or for a repeated command (`again`) the time that the device sent."""
        return min(self.typed_at or self.now, self.now) if self.again else self.now

    def receipt(self, row: ResultEntry | None = None, *, check: EntryCheck | None = None) -> Receipt:
        """Return the receipt for what this command has stored: the entry `row`, the `check`, or neither."""
        contested = row is not None and row.contested
        return Receipt(
            key=str(self.key),
            status=CONFLICT if contested else RECEIVED,
            at=row.entered_at if row else check.checked_at if check else self.now,
            number=row.pk if row else None,
            version=row.version if row else None,
            error=Conflict("kept_contested") if contested else None,
            stored=check is not None or (row is not None and self.is_of(row)),
        )

    def is_of(self, row: ResultEntry) -> bool:
        """Return whether this command stored the entry or a check of the entry, by the command's key."""
        return row.key == self.key or any(check.key == self.key for check in row.checks.all())

    def find_stored_entry(self, play: Play) -> ResultEntry | None:
        """Return the entry of the play that this command has already stored or checked, or None. It takes no query."""
        return next((row for row in self.here.plays[play.pk].rows if self.is_of(row)), None)


def read_command(here: Here, device: str, fields: Mapping[str, Any], now: dt.datetime) -> Command:
    """Return the command that a device has sent. Raise `ActionRefused` if its key, device or name cannot be read.

    A device that is not known at the table joins it.
    """
    try:
        key = UUID(fields["key"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ActionRefused("command_malformed", "key") from None
    if not DEVICE.fullmatch(device):
        raise ActionRefused("command_malformed", "device")
    name, known = read_name(fields), here.devices.get(device)
    if known is None or fields["kind"] == "join":
        known = here.join(device, name, now=now)
    return Command(here, known, fields, key, now)


def read_name(fields: Mapping[str, Any]) -> str:
    """Return the make of the device as the device has sent it, such as "iPhone", or "" if it has sent none."""
    name = fields.get("name") or ""
    if not isinstance(name, str) or hidden_in(name):
        raise ActionRefused("command_malformed", "name")
    return name.strip()[:NAME]


def read_whole_number(value: object, field: str, most: int) -> int:
    """Return the value if it is a whole number from 1 to `most`. Raise `ActionRefused` otherwise."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= most:
        raise ActionRefused("command_malformed", field)
    return value


def must_go_on(command: Command) -> None:
    """Raise `ActionRefused` if the evening is closed. The caller should hold the table's lock."""
    if command.table.session.closed_at is not None:
        raise ActionRefused("session_closed")


def must_write(command: Command) -> None:
    if not command.device.writes:
        raise ActionRefused("not_writing")


def must_have_written(command: Command) -> None:
    """Raise `ActionRefused` if the device never was the one that enters results at this table.

    A repeated command (`again`) is accepted from any device that has its receipt.
    """
    if not command.again and not devices.once_wrote(command.device):
        raise ActionRefused("not_writing")
